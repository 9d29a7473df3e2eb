package operation_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

type outcomeVector struct {
	verdict
	Outcome        json.RawMessage
	MaxOutputBytes int
	Generate       map[string]string
}

type historyVector struct {
	verdict
	Previous []json.RawMessage
	Next     json.RawMessage
}

type outcomeFile struct {
	Binding        operation.Binding
	MaxOutputBytes int
	ProofBound     struct{ MaxProofBytes, LargestReachableProofBytes int }
	Cases          []outcomeVector
	Histories      []historyVector
}

func readOutcomes(t testing.TB) outcomeFile {
	t.Helper()
	var file outcomeFile
	readVectors(t, "outcomes.json", &file)
	if len(file.Cases) == 0 || len(file.Histories) == 0 {
		t.Fatal("no cases")
	}
	return file
}

// text returns the outcome of v as an authority would write it.
func (f outcomeFile) text(t testing.TB, v outcomeVector) []byte {
	t.Helper()
	if v.Generate == nil {
		return v.Outcome
	}
	members := map[string]any{}
	if err := json.Unmarshal(f.base(t, v.Generate["base"]), &members); err != nil {
		t.Fatal(err)
	}
	for member, description := range v.Generate {
		switch member {
		case "base":
		case "revision":
			literal, found := strings.CutSuffix(description, " (number literal)")
			if !found {
				t.Fatalf("description %q is not understood", description)
			}
			members["revision"] = json.RawMessage(literal)
		case "result.text":
			description, found := strings.CutSuffix(description, ", matching digest and length")
			if !found {
				t.Fatalf("description %q is not understood", description)
			}
			text := repeatedText(t, description)
			members["result"] = map[string]any{"text": text, "digest": canon.DigestText(text), "length": len(text)}
		default:
			t.Fatalf("member %q is not understood", member)
		}
	}
	return must(json.Marshal(members))
}

// base returns the case that a generated one starts from, by the beginning of
// its name.
func (f outcomeFile) base(t testing.TB, name string) []byte {
	t.Helper()
	for _, v := range f.Cases {
		if strings.HasPrefix(v.Name, name) && v.Outcome != nil {
			return v.Outcome
		}
	}
	t.Fatalf("no case %q", name)
	return nil
}

func TestOutcomeVectors(t *testing.T) {
	file := readOutcomes(t)
	for _, v := range file.Cases {
		t.Run(v.Name, func(t *testing.T) {
			bound := file.MaxOutputBytes
			if v.MaxOutputBytes != 0 {
				bound = v.MaxOutputBytes
			}
			outcome, err := operation.ParseOutcome(file.text(t, v), file.Binding, bound)
			if err != nil && outcome != (operation.Outcome{}) {
				t.Errorf("an error came with %+v", outcome)
			}
			v.holds(t, outcome.Canonical(), err)
			if err == nil && (outcome.Ref() != v.CanonicalDigest || outcome.Binding() != file.Binding) {
				t.Errorf("got %s of %+v", outcome.Ref(), outcome.Binding())
			}
		})
	}
}

func TestOutcomeMembers(t *testing.T) {
	b := testBinding()
	for name, c := range map[string]struct {
		outcome operation.Outcome
		want    string
	}{
		"unknown": {must(operation.NewUnknown(b, 0, operation.Missing)), "unknown 0 missing   "},
		"accepted": {must(operation.NewAccepted(b, 1, acceptance)),
			fmt.Sprintf("accepted 1  %s  ", acceptance)},
		"terminal": {must(operation.NewTerminal(b, operation.MaxRevision, acceptance, operation.Cancelled, "réponse")),
			fmt.Sprintf("terminal 2147483647  %s cancelled réponse", acceptance)},
	} {
		o := c.outcome
		got := fmt.Sprintf("%s %d %s %s %s %s", o.State(), o.Revision(), o.Reason(), o.AcceptanceRef(), o.Ending(), o.Text())
		if got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		again, err := operation.ParseOutcome(o.Canonical(), b, operation.MinOutputBytes)
		if err != nil || again != o {
			t.Errorf("%s: parsed again as %+v, %v", name, again, err)
		}
		o.Canonical()[0] = 'x'
		if o != c.outcome || o.Canonical()[0] != '{' {
			t.Errorf("%s: a caller changed the canonical bytes", name)
		}
	}
}

func TestOutcomeRevisionMayBeWrittenAnyWay(t *testing.T) {
	want := must(operation.NewAccepted(testBinding(), 1000, acceptance))
	for _, literal := range []string{"1000.0", "1e3", "10e2", "1000.000"} {
		text := strings.Replace(string(want.Canonical()), ":1000", ": "+literal, 1)
		got, err := operation.ParseOutcome([]byte(text), testBinding(), operation.MinOutputBytes)
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v", literal, got, err)
		}
	}
}

func TestOutcomeRefuses(t *testing.T) {
	b := testBinding()
	terminal := string(must(operation.NewTerminal(b, 2, acceptance, operation.Completed, "text")).Canonical())
	unknown := string(must(operation.NewUnknown(b, 2, operation.Missing)).Canonical())
	for name, text := range map[string]string{
		"empty":                    "",
		"byte order mark":          "\ufeff" + unknown,
		"trailing data":            unknown + "null",
		"invalid UTF-8":            strings.Replace(unknown, "missing", "miss\xffing", 1),
		"duplicate member":         strings.Replace(unknown, "{", `{"contract":"x",`, 1),
		"duplicate nested member":  strings.Replace(terminal, `"result":{`, `"result":{"length":4,`, 1),
		"lone surrogate in text":   strings.Replace(terminal, `"text":"text"`, `"text":"\ud800"`, 1),
		"state in another case":    strings.Replace(unknown, `"unknown"`, `"Unknown"`, 1),
		"member in another case":   strings.Replace(unknown, `"reason"`, `"Reason"`, 1),
		"revision 1e400":           strings.Replace(unknown, `"revision":2`, `"revision":1e400`, 1),
		"revision beyond integers": strings.Replace(unknown, `"revision":2`, `"revision":1e20`, 1),
		"null result":              strings.Replace(terminal, terminal[strings.Index(terminal, `{"digest"`):strings.Index(terminal, `,"revision"`)], "null", 1),
		"unknown, empty extra":     strings.Replace(unknown, "{", `{"acceptanceRef":"",`, 1),
	} {
		outcome, err := operation.ParseOutcome([]byte(text), b, operation.MinOutputBytes)
		if !fault.Is(err, fault.Malformed) || outcome != (operation.Outcome{}) {
			t.Errorf("%s: got %+v, %v", name, outcome, err)
		}
	}
}

func TestOutcomeOfAnotherBinding(t *testing.T) {
	text := must(operation.NewUnknown(testBinding(), 0, operation.Missing)).Canonical()
	for name, change := range map[string]func(*operation.Binding){
		"operation": func(b *operation.Binding) { b.OperationID = "repair-002" },
		"authority": func(b *operation.Binding) { b.AuthorityID = "ledger-002" },
		"request":   func(b *operation.Binding) { b.RequestDigest = otherRef },
	} {
		binding := testBinding()
		change(&binding)
		if _, err := operation.ParseOutcome(text, binding, operation.MinOutputBytes); !fault.Is(err, fault.BindingMismatch) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := operation.ParseOutcome(text, operation.Binding{}, operation.MinOutputBytes); !fault.Is(err, fault.Malformed) {
		t.Error("the zero binding was taken for one")
	}
}

func TestOutcomeConstructorsHoldTheBounds(t *testing.T) {
	b := testBinding()
	overhead := len(must(operation.NewTerminal(b, 1, acceptance, operation.Failed, "")).Canonical())
	largest := strings.Repeat("x", operation.MaxOutputBytes-overhead-len("1048088")+len("0"))
	for name, build := range map[string]func() (operation.Outcome, error){
		"reason":            func() (operation.Outcome, error) { return operation.NewUnknown(b, 0, "lost") },
		"negative revision": func() (operation.Outcome, error) { return operation.NewUnknown(b, -1, operation.Missing) },
		"unknown revision": func() (operation.Outcome, error) {
			return operation.NewUnknown(b, operation.MaxRevision+1, operation.Missing)
		},
		"accepted at 0": func() (operation.Outcome, error) { return operation.NewAccepted(b, 0, acceptance) },
		"accepted revision": func() (operation.Outcome, error) {
			return operation.NewAccepted(b, operation.MaxRevision+1, acceptance)
		},
		"acceptanceRef": func() (operation.Outcome, error) { return operation.NewAccepted(b, 1, "") },
		"terminal at 0": func() (operation.Outcome, error) {
			return operation.NewTerminal(b, 0, acceptance, operation.Failed, "")
		},
		"ending": func() (operation.Outcome, error) { return operation.NewTerminal(b, 1, acceptance, "done", "") },
		"invalid text": func() (operation.Outcome, error) {
			return operation.NewTerminal(b, 1, acceptance, operation.Failed, "\xff")
		},
		"text one byte too long": func() (operation.Outcome, error) {
			return operation.NewTerminal(b, 1, acceptance, operation.Failed, largest+"x")
		},
		"binding": func() (operation.Outcome, error) {
			return operation.NewUnknown(operation.Binding{}, 0, operation.Missing)
		},
	} {
		if outcome, err := build(); !fault.Is(err, fault.Malformed) || outcome != (operation.Outcome{}) {
			t.Errorf("%s: got %+v, %v", name, outcome, err)
		}
	}
	outcome, err := operation.NewTerminal(b, 1, acceptance, operation.Failed, largest)
	if err != nil || len(outcome.Canonical()) != operation.MaxOutputBytes {
		t.Errorf("text at the bound: %d bytes, %v", len(outcome.Canonical()), err)
	}
}

// No outcome reaches MaxProofBytes, so ParseOutcome need not measure it.
func TestProofStaysBelowItsBound(t *testing.T) {
	binding := operation.Binding{
		OperationID:   operation.Identity(strings.Repeat("o", operation.MaxIdentityLen)),
		AuthorityID:   operation.Identity(strings.Repeat("a", operation.MaxIdentityLen)),
		RequestDigest: otherRef,
	}
	bound := readOutcomes(t).ProofBound
	text := strings.Repeat("x", operation.MaxOutputBytes-bound.LargestReachableProofBytes-len(`,"text":""`))
	outcome := must(operation.NewTerminal(binding, operation.MaxRevision, acceptance, operation.Completed, text))
	proof := strings.Replace(string(outcome.Canonical()), `,"text":"`+text+`"`, "", 1)
	if operation.MaxProofBytes != bound.MaxProofBytes || len(proof) != bound.LargestReachableProofBytes || len(proof) > operation.MaxProofBytes {
		t.Errorf("the largest proof has %d bytes, recorded are %+v", len(proof), bound)
	}
	if _, err := operation.NewTerminal(binding, operation.MaxRevision, acceptance, operation.Completed, text+"x"); err == nil {
		t.Error("the sample was not the largest")
	}
}

func TestOutcomeErrorsQuoteNothing(t *testing.T) {
	b := testBinding()
	accepted := string(must(operation.NewAccepted(b, 1, acceptance)).Canonical())
	for name, text := range map[string]string{
		"no JSON":           "secret",
		"string":            `"secret"`,
		"unknown member":    strings.Replace(accepted, "{", `{"secret":1,`, 1),
		"duplicate member":  strings.Replace(accepted, "{", `{"secret":1,"secret":1,`, 1),
		"state":             strings.Replace(accepted, `"accepted"`, `"secret"`, 1),
		"contract":          strings.Replace(accepted, operation.Protocol, "secret", 1),
		"operation":         strings.Replace(accepted, "repair-001", "secret", 1),
		"acceptance":        strings.Replace(accepted, string(acceptance), "secret", 1),
		"revision":          strings.Replace(accepted, `:1,`, `:"secret",`, 1),
		"nested in a value": strings.Replace(accepted, `:1,`, `:{"secret":{"secret":1}},`, 1),
	} {
		_, err := operation.ParseOutcome([]byte(text), b, operation.MinOutputBytes)
		for ; err != nil; err = unwrap(err) {
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: error is %q", name, err)
			}
		}
	}
}

func unwrap(err error) error {
	if wrapper, ok := err.(interface{ Unwrap() error }); ok {
		return wrapper.Unwrap()
	}
	return nil
}

func FuzzParseOutcome(f *testing.F) {
	file := readOutcomes(f)
	for _, v := range file.Cases {
		f.Add([]byte(file.text(f, v)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		outcome, err := operation.ParseOutcome(text, file.Binding, file.MaxOutputBytes)
		if err != nil {
			return
		}
		requireCanonicalOf(t, text, outcome.Canonical())
		if outcome.Ref() != canon.DigestText(outcome.Canonical()) {
			t.Fatalf("the reference of %s is %s", outcome.Canonical(), outcome.Ref())
		}
	})
}
