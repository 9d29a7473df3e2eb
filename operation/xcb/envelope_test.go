package xcb_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/xcb"
)

// completed is the canonical envelope of work that completed.
const completed = `{"outcome":{"effects":"settled","failure":null,"joined":true,"pending_attention":false,"terminal":"completed"},"session":"s_fixture","state":"idle","text":"Fixture complete","version":1}`

// secret stands in texts that no error may quote.
const secret = "seecret"

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// with returns the envelope completed with old, which must be in it, replaced.
func with(t testing.TB, old, replacement string) string {
	t.Helper()
	if strings.Count(completed, old) != 1 {
		t.Fatalf("%q is not in the envelope once", old)
	}
	return strings.Replace(completed, old, replacement, 1)
}

// requireRefused fails unless the error has the condition and quotes nothing,
// and the envelope is zero.
func requireRefused(t *testing.T, want fault.Condition, e xcb.Envelope, err error) {
	t.Helper()
	if !fault.Is(err, want) || !reflect.DeepEqual(e, xcb.Envelope{}) {
		t.Errorf("got %+v, %v, want %v", e, err, want)
	}
	if err != nil && strings.Contains(err.Error(), secret) {
		t.Errorf("the error quotes the worker: %q", err)
	}
}

func TestParseEnvelope(t *testing.T) {
	e, err := xcb.ParseEnvelope([]byte(completed), operation.MinOutputBytes)
	want := xcb.Envelope{
		Version: 1, Session: "s_fixture", State: xcb.StateIdle, Text: "Fixture complete",
		Outcome: xcb.Outcome{Terminal: xcb.TerminalCompleted, Joined: true, Effects: xcb.EffectsSettled},
	}
	if err != nil || !reflect.DeepEqual(e, want) {
		t.Fatalf("got %+v, %v", e, err)
	}
	if text, err := e.Format(); err != nil || string(text) != completed {
		t.Errorf("formats as %s, %v", text, err)
	}
	if ref, err := e.Ref(); err != nil || ref != canon.DigestText(completed) {
		t.Errorf("reference is %s, %v", ref, err)
	}
}

// Every value of every enumeration, as the contract lists them, with the
// values that differ from a listed one by letter case, a blank, or not at all.
func TestEnumerations(t *testing.T) {
	for _, c := range []struct {
		member, value string // as in completed
		listed        string
		of            func(xcb.Envelope) string
	}{
		{"state", `"idle"`, `"idle" "working" "needs_answer" "needs_action" "needs_approval" "limited" "failed" "cancelled" "uncertain"`,
			func(e xcb.Envelope) string { return fmt.Sprintf("%q", e.State) }},
		{"terminal", `"completed"`, `"completed" "token_limit" "turn_limit" "cancelled" "failed"`,
			func(e xcb.Envelope) string { return fmt.Sprintf("%q", e.Outcome.Terminal) }},
		{"effects", `"settled"`, `"none" "settled" "uncertain"`,
			func(e xcb.Envelope) string { return fmt.Sprintf("%q", e.Outcome.Effects) }},
		{"failure", `null`, `null "account_quota" "model_quota" "authentication" "policy" "transport" "unknown"`,
			func(e xcb.Envelope) string {
				if e.Outcome.Failure == nil {
					return "null"
				}
				return fmt.Sprintf("%q", *e.Outcome.Failure)
			}},
		{"joined", `true`, `true false`, func(e xcb.Envelope) string { return fmt.Sprint(e.Outcome.Joined) }},
		{"pending_attention", `false`, `true false`, func(e xcb.Envelope) string { return fmt.Sprint(e.Outcome.PendingAttention) }},
	} {
		member := func(value string) string {
			return with(t, `"`+c.member+`":`+c.value, `"`+c.member+`":`+value)
		}
		for value := range strings.FieldsSeq(c.listed) {
			text := member(value)
			e, err := xcb.ParseEnvelope([]byte(text), operation.MinOutputBytes)
			if err != nil || c.of(e) != value {
				t.Errorf("%s %s: got %+v, %v", c.member, value, e, err)
			} else if formatted, err := e.Format(); err != nil || string(formatted) != text {
				t.Errorf("%s %s: formats as %s, %v", c.member, value, formatted, err)
			}
		}
		for _, value := range []string{`""`, `"` + secret + `"`, `" idle"`, `"Idle"`, `"completed "`, `"Settled"`, `"NONE"`, `"Policy"`, `"null"`, `"true"`, `0`, `1`, `[]`, `{}`} {
			e, err := xcb.ParseEnvelope([]byte(member(value)), operation.MinOutputBytes)
			requireRefused(t, fault.AdapterUnparsed, e, err)
		}
		if c.value != "null" {
			e, err := xcb.ParseEnvelope([]byte(member("null")), operation.MinOutputBytes)
			requireRefused(t, fault.AdapterUnparsed, e, err)
		}
	}
}

// No enumeration takes the values of another one.
func TestEnumerationsAreApart(t *testing.T) {
	for _, text := range []string{
		with(t, `"state":"idle"`, `"state":"completed"`),
		with(t, `"terminal":"completed"`, `"terminal":"idle"`),
		with(t, `"terminal":"completed"`, `"terminal":"uncertain"`),
		with(t, `"effects":"settled"`, `"effects":"completed"`),
		with(t, `"failure":null`, `"failure":"failed"`),
		with(t, `"failure":null`, `"failure":"none"`),
	} {
		e, err := xcb.ParseEnvelope([]byte(text), operation.MinOutputBytes)
		requireRefused(t, fault.AdapterUnparsed, e, err)
	}
}

func TestAcceptedForms(t *testing.T) {
	long := strings.Repeat("s", operation.MaxIdentityLen)
	for name, text := range map[string]string{
		"blanks and a line break":  " \n\t" + completed + "\r\n",
		"version written 1.0":      with(t, `"version":1`, `"version":1.0`),
		"version written 10e-1":    with(t, `"version":1`, `"version":10e-1`),
		"empty text":               with(t, `Fixture complete`, ``),
		"text with anything in it": with(t, `Fixture complete`, `\u0000\n\\ é \ud83d\ude00`),
		"longest session":          with(t, `s_fixture`, long),
		"every session character":  with(t, `s_fixture`, `9AZaz09._:-`),
	} {
		e, err := xcb.ParseEnvelope([]byte(text), operation.MinOutputBytes)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := must(canon.Canonicalize([]byte(text)))
		if formatted, err := e.Format(); err != nil || string(formatted) != string(want) {
			t.Errorf("%s: formats as %s, %v", name, formatted, err)
		}
	}
}

func TestRefusedForms(t *testing.T) {
	refused := map[string]string{
		"empty":                  "",
		"blank":                  "\n",
		"no JSON":                secret,
		"cut short":              completed[:len(completed)-1],
		"two envelopes":          completed + completed,
		"something behind":       completed + secret,
		"something in front":     secret + completed,
		"byte order mark":        "\ufeff" + completed,
		"invalid UTF-8":          with(t, "Fixture", "\xff"),
		"lone surrogate":         with(t, "Fixture", `\ud800`),
		"duplicate member":       with(t, "{\"outcome", `{"version":1,"outcome`),
		"duplicate inner member": with(t, `"joined":true`, `"joined":true,"joined":true`),
		"array":                  "[" + completed + "]",
		"string":                 `"` + secret + `"`,
		"null":                   "null",
		"unknown member":         with(t, `"version":1`, `"version":1,"`+secret+`":1`),
		"unknown inner member":   with(t, `"joined":true`, `"joined":true,"`+secret+`":1`),
		"member in capitals":     with(t, `"text"`, `"Text"`),
		"version 0":              with(t, `"version":1`, `"version":0`),
		"version 2":              with(t, `"version":1`, `"version":2`),
		"version -1":             with(t, `"version":1`, `"version":-1`),
		"version 1.5":            with(t, `"version":1`, `"version":1.5`),
		"version 1e400":          with(t, `"version":1`, `"version":1e400`),
		"version a string":       with(t, `"version":1`, `"version":"1"`),
		"version null":           with(t, `"version":1`, `"version":null`),
		"text null":              with(t, `"Fixture complete"`, `null`),
		"text a number":          with(t, `"Fixture complete"`, `1`),
		"outcome null":           `{"outcome":null,"session":"s_fixture","state":"idle","text":"","version":1}`,
		"session empty":          with(t, "s_fixture", ""),
		"session null":           with(t, `"s_fixture"`, "null"),
		"session too long":       with(t, "s_fixture", strings.Repeat("s", operation.MaxIdentityLen+1)),
		"session with a slash":   with(t, "s_fixture", secret+"/1"),
		"session with a newline": with(t, "s_fixture", secret+`\n`),
		"session not ASCII":      with(t, "s_fixture", secret+"é"),
		"session starts badly":   with(t, "s_fixture", "_"+secret),
	}
	var members, outcome map[string]json.RawMessage
	if err := json.Unmarshal([]byte(completed), &members); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(members["outcome"], &outcome); err != nil {
		t.Fatal(err)
	}
	for name := range members {
		refused["without "+name] = string(must(json.Marshal(without(members, name))))
	}
	for name := range outcome {
		members["outcome"] = must(json.Marshal(without(outcome, name)))
		refused["without inner "+name] = string(must(json.Marshal(members)))
	}
	for name, text := range refused {
		t.Run(name, func(t *testing.T) {
			e, err := xcb.ParseEnvelope([]byte(text), operation.MinOutputBytes)
			requireRefused(t, fault.AdapterUnparsed, e, err)
		})
	}
}

func without(members map[string]json.RawMessage, name string) map[string]json.RawMessage {
	rest := map[string]json.RawMessage{}
	for n, value := range members {
		if n != name {
			rest[n] = value
		}
	}
	return rest
}

func TestEnvelopeBounds(t *testing.T) {
	for _, bound := range []int{operation.MinOutputBytes, operation.MaxOutputBytes} {
		at := with(t, "Fixture complete", strings.Repeat("x", bound-len(completed)+len("Fixture complete")))
		if e, err := xcb.ParseEnvelope([]byte(at), bound); err != nil || !e.Completed(0) {
			t.Errorf("%d bytes: %v", bound, err)
		}
		for name, text := range map[string]string{"one blank more": at + "\n", "no JSON": strings.Repeat("x", bound+1)} {
			e, err := xcb.ParseEnvelope([]byte(text), bound)
			if requireRefused(t, fault.OverBound, e, err); fault.CodeOf(err) != fault.BudgetExhausted {
				t.Errorf("%s: code %q", name, fault.CodeOf(err))
			}
		}
	}
	for _, bound := range []int{operation.MinOutputBytes - 1, operation.MaxOutputBytes + 1} {
		e, err := xcb.ParseEnvelope([]byte(completed), bound)
		requireRefused(t, fault.Malformed, e, err)
	}
}

// An envelope that was not parsed is held to the same form.
func TestFormatRefuses(t *testing.T) {
	failure := xcb.Failure(secret)
	for name, change := range map[string]func(*xcb.Envelope){
		"zero":     func(e *xcb.Envelope) { *e = xcb.Envelope{} },
		"version":  func(e *xcb.Envelope) { e.Version = 2 },
		"session":  func(e *xcb.Envelope) { e.Session = "" },
		"state":    func(e *xcb.Envelope) { e.State = secret },
		"terminal": func(e *xcb.Envelope) { e.Outcome.Terminal = secret },
		"effects":  func(e *xcb.Envelope) { e.Outcome.Effects = secret },
		"failure":  func(e *xcb.Envelope) { e.Outcome.Failure = &failure },
		"text":     func(e *xcb.Envelope) { e.Text = secret + "\xff" },
	} {
		e := must(xcb.ParseEnvelope([]byte(completed), operation.MinOutputBytes))
		change(&e)
		text, err := e.Format()
		if requireRefused(t, fault.AdapterUnparsed, xcb.Envelope{}, err); text != nil {
			t.Errorf("%s: formats as %s", name, text)
		}
		if ref, err := e.Ref(); err == nil || ref != "" {
			t.Errorf("%s: reference is %q, %v", name, ref, err)
		}
	}
}

func TestSettled(t *testing.T) {
	for _, c := range []struct {
		joined, effects string
		want            bool
	}{
		{"true", "none", true}, {"true", "settled", true}, {"true", "uncertain", false},
		{"false", "none", false}, {"false", "settled", false}, {"false", "uncertain", false},
	} {
		text := strings.Replace(with(t, `"effects":"settled"`, `"effects":"`+c.effects+`"`), `"joined":true`, `"joined":`+c.joined, 1)
		// However badly settled work ended, it is settled.
		for _, text := range []string{text, strings.NewReplacer(`"idle"`, `"failed"`, `"completed"`, `"failed"`, "null", `"policy"`).Replace(text)} {
			if e := must(xcb.ParseEnvelope([]byte(text), operation.MinOutputBytes)); e.Settled() != c.want {
				t.Errorf("joined %s, effects %s: settled is %v", c.joined, c.effects, e.Settled())
			}
		}
	}
}

// Each single departure from completed work is none.
func TestCompleted(t *testing.T) {
	parse := func(text string) xcb.Envelope { return must(xcb.ParseEnvelope([]byte(text), operation.MinOutputBytes)) }
	for status, want := range map[int]bool{0: true, 1: false, 130: false, 255: false} {
		if got := parse(completed).Completed(status); got != want {
			t.Errorf("exit status %d: completed is %v", status, got)
		}
	}
	if !parse(with(t, `"effects":"settled"`, `"effects":"none"`)).Completed(0) {
		t.Error("work without effects is not completed")
	}
	departures := []string{
		with(t, `"joined":true`, `"joined":false`),
		with(t, `"effects":"settled"`, `"effects":"uncertain"`),
		with(t, `"pending_attention":false`, `"pending_attention":true`),
	}
	for _, state := range []xcb.State{xcb.StateWorking, xcb.StateNeedsAnswer, xcb.StateNeedsAction, xcb.StateNeedsApproval,
		xcb.StateLimited, xcb.StateFailed, xcb.StateCancelled, xcb.StateUncertain} {
		departures = append(departures, with(t, `"idle"`, `"`+string(state)+`"`))
	}
	for _, terminal := range []xcb.Terminal{xcb.TerminalTokenLimit, xcb.TerminalTurnLimit, xcb.TerminalCancelled, xcb.TerminalFailed} {
		departures = append(departures, with(t, `"completed"`, `"`+string(terminal)+`"`))
	}
	for _, failure := range []xcb.Failure{xcb.FailureAccountQuota, xcb.FailureModelQuota, xcb.FailureAuthentication,
		xcb.FailurePolicy, xcb.FailureTransport, xcb.FailureUnknown} {
		departures = append(departures, with(t, `null`, `"`+string(failure)+`"`))
	}
	for _, text := range departures {
		if parse(text).Completed(0) {
			t.Errorf("completed: %s", text)
		}
	}
}

func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(completed))
	f.Add([]byte(with(f, `"version":1`, `"version":1.0`)))
	f.Add([]byte(with(f, `null`, `"transport"`)))
	f.Add([]byte(with(f, `"idle"`, `"needs_approval"`)))
	f.Add([]byte(with(f, `Fixture complete`, `\/\u00e9\u001f\ud83d\ude00`)))
	f.Add([]byte(with(f, `s_fixture`, `a:b.c-d`)))
	for _, life := range recordedLives(f) {
		f.Add([]byte(life.printed(f)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := xcb.ParseEnvelope(text, operation.MaxOutputBytes)
		if err != nil {
			if !reflect.DeepEqual(e, xcb.Envelope{}) {
				t.Errorf("not zero beside %v", err)
			}
			return
		}
		canonical, err := canon.Canonicalize(text)
		if err != nil {
			t.Fatal(err)
		}
		formatted, err := e.Format()
		if err != nil || string(formatted) != string(canonical) {
			t.Errorf("formats as %s (%v), want %s", formatted, err, canonical)
		}
		if len(canonical) > len(text) {
			t.Errorf("%d canonical bytes of %d", len(canonical), len(text))
		}
		if ref, err := e.Ref(); err != nil || ref != canon.DigestText(canonical) {
			t.Errorf("reference is %s, %v", ref, err)
		}
	})
}
