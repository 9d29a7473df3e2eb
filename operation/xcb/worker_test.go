package xcb_test

import (
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/xcb"
)

func TestWorkerBounds(t *testing.T) {
	const emoji = "\U0001F600" // two characters, four bytes
	longest := "/" + strings.Repeat("x", operation.MaxExecutableBytes-1)
	for _, c := range []struct {
		name   string
		worker xcb.Worker
		valid  bool
	}{
		{"executable alone", xcb.Worker{Executable: "/usr/local/bin/xcb"}, true},
		{"longest executable", xcb.Worker{Executable: longest}, true},
		{"executable too long", xcb.Worker{Executable: longest + "x"}, false},
		{"no executable", xcb.Worker{}, false},
		{"relative executable", xcb.Worker{Executable: "xcb"}, false},
		{"executable with a line break", xcb.Worker{Executable: "/x\n"}, false},
		{"executable with NUL", xcb.Worker{Executable: "/x\x00"}, false},
		{"longest account", worker(strings.Repeat("é", 160), "m"), true},
		{"account too long", worker(strings.Repeat("é", 161), "m"), false},
		{"longest account in pairs", worker(strings.Repeat(emoji, 80), "m"), true},
		{"account too long in pairs", worker(strings.Repeat(emoji, 80)+"a", "m"), false},
		{"account empty", worker("", "m"), false},
		{"account with NUL", worker(secret+"\x00", "m"), false},
		{"account not UTF-8", worker(secret+"\xff", "m"), false},
		{"account with blank and line break", worker(" \n", "m"), true},
		{"longest model", worker("a", strings.Repeat("é", 256)), true},
		{"model too long", worker("a", strings.Repeat("é", 257)), false},
		{"model empty", worker("a", ""), false},
		{"model with NUL", worker("a", secret+"\x00"), false},
		{"model not UTF-8", worker("a", "\xff"+secret), false},
	} {
		err := c.worker.Validate()
		if (err == nil) != c.valid || err != nil && !fault.Is(err, fault.Malformed) {
			t.Errorf("%s: got %v", c.name, err)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the error quotes the routing: %v", c.name, err)
		}
	}
}

// The record as it stands in an intent: routing that is not chosen is absent,
// never null.
func TestWorkerRecord(t *testing.T) {
	for _, text := range []string{
		`{"executable":"/x"}`,
		`{"account":"acct one","executable":"/x"}`,
		`{"executable":"/x","model":"m/1"}`,
		`{"account":"acct one","executable":"/x","model":"m/1"}`,
	} {
		w, err := canon.Decode[xcb.Worker]([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if encoded := must(canon.Encode(w)); string(encoded) != text {
			t.Errorf("%s: encodes as %s", text, encoded)
		}
	}
	for _, text := range []string{
		`{}`, `null`, `{"executable":null}`, `{"executable":"/x","account":null}`, `{"executable":"/x","model":null}`,
		`{"executable":"/x","argvPrefix":[]}`, `{"executable":"/x","Model":"m"}`,
	} {
		if w, err := canon.Decode[xcb.Worker]([]byte(text)); err == nil {
			t.Errorf("%s: decodes as %+v", text, w)
		}
	}
}

// worker returns a worker with account and model.
func worker(account, model string) xcb.Worker {
	return xcb.Worker{Executable: "/usr/local/bin/xcb", Account: &account, Model: &model}
}
