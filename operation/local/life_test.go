package local_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

func TestLife(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"say", "0", "done " + noText + "\"\n"}, nil)
	o, err := s.observe("op", "prompt")
	s.wantState(o, err, operation.Unknown, 0)
	first, err := s.submit("op", "prompt")
	s.wantTerminal(first, err, operation.Completed, "done \uFFFD\"\n")
	for range 3 {
		again, err := s.submit("op", "prompt")
		if err != nil || again != first {
			t.Errorf("submitted again: %v, %v", again, err)
		}
		looked, err := s.observe("op", "prompt")
		if err != nil || looked != first {
			t.Errorf("looked up: %v, %v", looked, err)
		}
	}
	_, err = s.submit("op", "another prompt")
	if !fault.Is(err, fault.AdapterFailed) {
		t.Errorf("another request of the same operation: %v", err)
	}
	if _, err := s.observe("op", "another prompt"); !fault.Is(err, fault.AdapterFailed) {
		t.Errorf("a lookup of another request: %v", err)
	}
	s.wantStarts(1)

	attempt, err := s.ledger.Attempt("op")
	must(t, err)
	c := attempt.Conclusion
	if c == nil || c.By != local.BySupervisor || c.Exit.Status == nil || *c.Exit.Status != 0 || c.Stdout.Truncated {
		t.Fatalf("the ledger says %+v", c)
	}
	stream, err := s.ledger.Stream("op", state.Stdout)
	must(t, err)
	defer stream.Close()
	text, err := io.ReadAll(stream)
	if err != nil || string(text) != "done \xff\"\n" || canon.DigestText(text) != c.Stdout.Digest || int64(len(text)) != c.Stdout.Bytes {
		t.Errorf("the stream is %q, %v, and the record says %+v", text, err, c.Stdout)
	}
	ref, err := attempt.Admission.Ref()
	if err != nil || ref != first.AcceptanceRef() {
		t.Errorf("the acceptance is %v, %v, and was %v", ref, err, first.AcceptanceRef())
	}
	checkLayout(t, s)
}

// checkLayout refuses every name in the ledger that the documents don't list,
// and the prompt, which is gone.
func checkLayout(t *testing.T, s *scene) {
	t.Helper()
	must(t, filepath.WalkDir(s.ledger.Dir(), func(at string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, err := filepath.Rel(s.ledger.Dir(), at)
		if !state.LedgerPath(filepath.ToSlash(below)) || d.Name() == "prompt" {
			t.Errorf("%q is in the ledger", below)
		}
		return err
	}))
}

func TestPromptDelivery(t *testing.T) {
	t.Parallel()
	prompt := "say \"it\"\nand more"
	s := newScene(t, []string{"echo"}, nil)
	o, err := s.submit("op", prompt)
	s.wantTerminal(o, err, operation.Completed, fmt.Sprintf("stdin %q", prompt))
	s = newScene(t, []string{"read", definition.PromptFile}, nil)
	o, err = s.submit("op", prompt)
	s.wantTerminal(o, err, operation.Completed, fmt.Sprintf("file %q", prompt))
}

func TestFailures(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"fail"}, nil)
	o, err := s.submit("op", "p")
	s.wantTerminal(o, err, operation.Failed, "half an answer")
	s = newScene(t, []string{"say", "0", ""}, func(d *definition.Definition) { d.Executable = "/missing/agent" })
	o, err = s.submit("op", "p")
	s.wantTerminal(o, err, operation.Failed, "")
	if !strings.Contains(o.Text(), "could not be started") {
		t.Errorf("an agent that is not there: %q", o.Text())
	}
	s.wantStarts(0)
}

// TestOutputBound fills the outcome to the bound that was admitted and no
// further.
func TestOutputBound(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"flood", "1"}, nil)
	s.output = operation.MinOutputBytes
	o, err := s.submit("op", "p")
	s.wantTerminal(o, err, operation.Completed, "")
	if n := len(o.Canonical()); n > s.output || n < s.output-8 {
		t.Errorf("the outcome has %d bytes of %d", n, s.output)
	}
	if !strings.HasPrefix(o.Text(), "aaaa") || !strings.Contains(o.Text(), "cut here") {
		t.Errorf("the text is %q", o.Text())
	}
}

// TestStreamBound holds the ledger to 64 MiB of an agent's output.
func TestStreamBound(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("64 MiB take a while under the race detector; CI also runs this without it")
	}
	s := newScene(t, []string{"flood", "66"}, nil)
	o, err := s.submit("op", "p")
	s.wantTerminal(o, err, operation.Completed, "")
	attempt, err := s.ledger.Attempt("op")
	must(t, err)
	if kept := attempt.Conclusion.Stdout; !kept.Truncated || kept.Bytes != local.MaxStreamBytes {
		t.Errorf("kept is %+v", kept)
	}
}

func TestConcurrentSubmits(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"say", "300", "done"}, nil)
	const callers = 32
	var all sync.WaitGroup
	answers := make([]operation.Outcome, callers)
	call := s.request("op", "p")
	for i := range callers {
		all.Go(func() {
			var err error
			answers[i], err = parse(call)(s.transport().Submit(t.Context(), call))
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s.wantStarts(1)
	o, err := s.submit("op", "p")
	if err == nil && o.State() == operation.Accepted {
		_, err = s.ledger.Wait(short(t), "op")
		must(t, err)
		o, err = s.observe("op", "p")
	}
	s.wantTerminal(o, err, operation.Completed, "done")
	for _, answer := range answers {
		history := operation.History{answer}
		if _, err := history.Admit(o); err != nil {
			t.Errorf("%s %d before the outcome: %v", answer.State(), answer.Revision(), err)
		}
	}
	s.wantStarts(1)
}

// TestRuntime ends an agent before the host's deadline, and lets one whose
// definition says so go on past the call.
func TestRuntime(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"say", "60000", ""}, nil)
	s.call = 3 * time.Second
	o, err := s.submit("op", "p")
	s.wantTerminal(o, err, operation.Cancelled, "")

	s = newScene(t, []string{"say", "4000", "late"}, func(d *definition.Definition) { d.RuntimeMs = 20_000 })
	s.call = 2 * time.Second
	o, err = s.submit("op", "p")
	s.wantState(o, err, operation.Accepted, 1)
	o, err = s.observe("op", "p")
	s.wantState(o, err, operation.Accepted, 1)
	attempt, err := s.ledger.Wait(short(t), "op")
	if err != nil || attempt.Conclusion == nil {
		t.Fatalf("waited for %+v, %v", attempt, err)
	}
	o, err = s.observe("op", "p")
	s.wantTerminal(o, err, operation.Completed, "late")
	s.wantStarts(1)
}

func TestStop(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"say", "60000", ""}, func(d *definition.Definition) { d.RuntimeMs = 120_000 })
	s.call = 2 * time.Second
	o, err := s.submit("op", "p")
	s.wantState(o, err, operation.Accepted, 1)
	_, err = s.ledger.Settle(short(t), s.request("op", "p").Binding, operation.Failed, "too early")
	wantFault(t, "settled while it runs", err, fault.LeaseHeld)
	begun := time.Now()
	o, err = s.ledger.Stop(short(t), s.request("op", "p").Binding, "")
	s.wantTerminal(o, err, operation.Cancelled, "")
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("stopped in %v", took)
	}
	again, err := s.observe("op", "p")
	if err != nil || again != o {
		t.Errorf("looked up: %v, %v", again, err)
	}
	again, err = s.ledger.Stop(short(t), s.request("op", "p").Binding, "once more")
	if err != nil || again != o {
		t.Errorf("stopped again: %v, %v", again, err)
	}
	s.wantStarts(1)
}

// TestNeverAdmitted stops and settles what was never submitted: later submits
// answer that.
func TestNeverAdmitted(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"say", "0", ""}, nil)
	stopped, err := s.ledger.Stop(short(t), s.request("stopped", "p").Binding, "not wanted")
	s.wantTerminal(stopped, err, operation.Cancelled, "")
	settled, err := s.ledger.Settle(short(t), s.request("settled", "p").Binding, operation.Failed, "it was lost on the way")
	s.wantTerminal(settled, err, operation.Failed, "settled by the operator: it was lost on the way")
	for id, want := range map[operation.Identity]operation.Outcome{"stopped": stopped, "settled": settled} {
		o, err := s.submit(id, "p")
		if err != nil || o != want {
			t.Errorf("%s: submitted later: %v, %v", id, o, err)
		}
	}
	s.wantStarts(0)
	_, err = s.ledger.Settle(short(t), s.request("settled", "p").Binding, operation.Failed, "again")
	wantFault(t, "settled twice", err, fault.RecordConflict)
	_, err = s.ledger.Settle(short(t), s.request("other", "p").Binding, operation.Completed, "no")
	wantFault(t, "completed by the operator", err, fault.Usage)
}

// TestForeignServer never concludes from the tree.
func TestForeignServer(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"say", "0", "handed on"}, func(d *definition.Definition) { d.ForeignServer = true })
	for range 3 {
		o, err := s.submit("op", "p")
		s.wantState(o, err, operation.Unknown, 2)
	}
	o, err := s.ledger.Stop(short(t), s.request("op", "p").Binding, "")
	s.wantState(o, err, operation.Unknown, 2)
	o, err = s.ledger.Settle(short(t), s.request("op", "p").Binding, operation.Cancelled, "I looked")
	s.wantTerminal(o, err, operation.Cancelled, "settled by the operator: I looked")
	s.wantStarts(1)
}

// TestAnotherMachine calls the adapter on a machine with another name: it
// answers outcomes and nothing else, and starts nothing.
func TestAnotherMachine(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"say", "0", "done"}, nil)
	settled, err := s.submit("settled", "p")
	s.wantTerminal(settled, err, operation.Completed, "done")
	s.extra = []string{machineVariable + "=another"}
	if o, err := s.submit("op", "p"); !fault.Is(err, fault.AdapterFailed) {
		t.Errorf("submitted elsewhere: %v, %v", o, err)
	}
	if o, err := s.observe("op", "p"); !fault.Is(err, fault.AdapterFailed) {
		t.Errorf("looked up elsewhere: %v, %v", o, err)
	}
	o, err := s.observe("settled", "p")
	if err != nil || o != settled {
		t.Errorf("an outcome elsewhere: %v, %v", o, err)
	}
	env := environment()
	env.Machine = "another"
	_, err = local.Open(env, s.ledger.Dir())
	wantFault(t, "opened elsewhere", err, fault.StoreInconsistent)
	s.wantStarts(1)
}

// TestCalls refuses what is no call of this ledger and definition.
func TestCalls(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"say", "0", ""}, nil)
	call := s.request("op", "p")
	request, err := call.Request(operation.Submit)
	must(t, err)
	text, err := request.Format()
	must(t, err)
	prefix := s.adapter.ArgvPrefix[2:] // behind "adapter serve"
	elsewhere := append([]string{}, prefix...)
	elsewhere[3] = string(canon.DigestText("another definition"))
	for name, row := range map[string]struct {
		arguments []string
		stdin     string
	}{
		"no arguments":           {nil, string(text)},
		"no action":              {prefix, string(text)},
		"another action":         {append(append([]string{}, prefix...), "observe"), string(text)},
		"an unknown action":      {append(append([]string{}, prefix...), "cancel"), string(text)},
		"another definition":     {append(elsewhere, "submit"), string(text)},
		"no request":             {append(append([]string{}, prefix...), "submit"), ""},
		"a request over a bound": {append(append([]string{}, prefix...), "submit"), string(text) + strings.Repeat(" ", operation.MaxRequestBytes)},
		"two requests":           {append(append([]string{}, prefix...), "submit"), string(text) + string(text)},
	} {
		var answer strings.Builder
		err := local.Serve(t.Context(), environment(), row.arguments, strings.NewReader(row.stdin), &answer)
		if !fault.Is(err, fault.Malformed) || answer.Len() > 0 {
			t.Errorf("%s: %v, %q", name, err, answer.String())
		}
	}
	o, err := s.observe("op", "p")
	s.wantState(o, err, operation.Unknown, 0)
	s.wantStarts(0)
}
