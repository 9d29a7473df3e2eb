package local

import (
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

// TestRecordBounds feeds each bound and one more, and each member a wrong form.
func TestRecordBounds(t *testing.T) {
	moment := Moment("2026-01-02T03:04:05Z")
	longest, longer := strings.Repeat("r", MaxReasonBytes), strings.Repeat("r", MaxReasonBytes+1)
	good := map[string]format{
		"reason":    Mark{UnresolvedContract, moment, longest},
		"machine":   Identity{"a", strings.Repeat("m", MaxMachineBytes), state.Incarnation{}},
		"admission": sampleAdmission(),
		"start":     sampleStart(),
	}
	for name, record := range good {
		if _, err := record.Format(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	admission := func(change func(*Admission)) format {
		a := sampleAdmission()
		run := *a.Run
		a.Run = &run
		change(&a)
		return a
	}
	conclusion := func(change func(*Conclusion)) format {
		c := sampleConclusion(t)
		exit, kept := *c.Exit, *c.Stdout
		c.Exit, c.Stdout = &exit, &kept
		change(&c)
		return c
	}
	status := 256
	bad := map[string]format{
		"reason":            Mark{UnresolvedContract, moment, longer},
		"moment":            Mark{UnresolvedContract, "2026-01-02T03:04:05.5Z", ""},
		"mark's contract":   Mark{StartContract, moment, ""},
		"machine":           Identity{"a", strings.Repeat("m", MaxMachineBytes+1), state.Incarnation{}},
		"no machine":        Identity{"a", "", state.Incarnation{}},
		"authority":         Identity{"-", "m", state.Incarnation{}},
		"start's contract":  Start{},
		"work":              admission(func(a *Admission) { a.Work = "everything" }),
		"author":            admission(func(a *Admission) { a.By = ByEvidence }),
		"operator's run":    admission(func(a *Admission) { a.By = ByOperator }),
		"no run":            admission(func(a *Admission) { a.Run = nil }),
		"workspace":         admission(func(a *Admission) { a.Run.Workspace = "w" }),
		"long path":         admission(func(a *Admission) { a.Run.GitDirectory = "/" + strings.Repeat("g", MaxPathBytes) }),
		"no runtime":        admission(func(a *Admission) { a.Run.RuntimeMs = 0 }),
		"runtime":           admission(func(a *Admission) { a.Run.RuntimeMs = definition.MaxRuntime.Milliseconds() + 1 }),
		"small output":      admission(func(a *Admission) { a.Run.MaxOutputBytes = operation.MinOutputBytes - 1 }),
		"large output":      admission(func(a *Admission) { a.Run.MaxOutputBytes = operation.MaxOutputBytes + 1 }),
		"prompt":            admission(func(a *Admission) { a.Run.Prompt = "" }),
		"outcome's author":  conclusion(func(c *Conclusion) { c.By = BySubmit }),
		"no reason":         conclusion(func(c *Conclusion) { c.Reason = "" }),
		"exit of evidence":  conclusion(func(c *Conclusion) { c.By = ByEvidence }),
		"no exit":           conclusion(func(c *Conclusion) { c.Exit = nil }),
		"status":            conclusion(func(c *Conclusion) { c.Exit.Status = &status }),
		"status and signal": conclusion(func(c *Conclusion) { c.Exit.Signal = "SIGKILL" }),
		"stream":            conclusion(func(c *Conclusion) { c.Stdout.Bytes = MaxStreamBytes + 1 }),
		"stream's digest":   conclusion(func(c *Conclusion) { c.Stdout.Digest = "" }),
		"no outcome":        conclusion(func(c *Conclusion) { c.Outcome = operation.Outcome{} }),
		"outcome's revision": conclusion(func(c *Conclusion) {
			c.Outcome, _ = operation.NewTerminal(sampleBinding, 4, c.Stdout.Digest, operation.Failed, "")
		}),
	}
	for name, record := range bad {
		if _, err := record.Format(); !fault.Is(err, fault.Malformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRecordsFitTheirBounds formats the longest records that are valid.
func TestRecordsFitTheirBounds(t *testing.T) {
	a := sampleAdmission()
	a.Run.Workspace = "/" + strings.Repeat("\x01", MaxPathBytes-1)
	a.Run.GitDirectory = a.Run.Workspace
	a.Machine = strings.Repeat("\x01", MaxMachineBytes)
	text, err := a.Format()
	if err != nil || len(text) > state.MaxAdmittedBytes {
		t.Errorf("an admission has %d bytes: %v", len(text), err)
	}
	text, err = Mark{StoppingContract, "2026-01-02T03:04:05Z", strings.Repeat("\x01", MaxReasonBytes)}.Format()
	if err != nil || len(text) > state.MaxMarkBytes {
		t.Errorf("a mark has %d bytes: %v", len(text), err)
	}
	c := sampleConclusion(t)
	c.Reason = strings.Repeat("\x01", MaxReasonBytes)
	a = sampleAdmission()
	a.Run.MaxOutputBytes = operation.MaxOutputBytes
	c.Outcome, err = terminal(a, operation.Completed, strings.Repeat("\x01é", operation.MaxOutputBytes), true)
	if err != nil {
		t.Fatal(err)
	}
	text, err = c.Format()
	if err != nil || len(text) > state.MaxTerminalBytes {
		t.Errorf("a conclusion has %d bytes: %v", len(text), err)
	}
	if n := len(c.Outcome.Canonical()); n > operation.MaxOutputBytes || n < operation.MaxOutputBytes-16 {
		t.Errorf("the outcome has %d bytes", n)
	}
	id := Identity{operation.Identity(strings.Repeat("a", operation.MaxIdentityLen)), strings.Repeat("\x01", MaxMachineBytes), state.Incarnation{Root: 1<<64 - 1, Operations: 1<<64 - 1}}
	text, err = id.Format()
	if err != nil || len(text) > state.MaxLedgerBytes {
		t.Errorf("an identity has %d bytes: %v", len(text), err)
	}
}

// TestTimes holds the margins of contract and custody: ten seconds or a tenth,
// at most half, and the reply between the agent's end and the deadline.
func TestTimes(t *testing.T) {
	own := definition.Definition{RuntimeMs: time.Hour.Milliseconds()}
	for _, row := range []struct{ call, runtime, reply time.Duration }{
		{time.Second, 500 * time.Millisecond, 750 * time.Millisecond},
		{20 * time.Second, 10 * time.Second, 15 * time.Second},
		{time.Minute, 50 * time.Second, 55 * time.Second},
		{10 * time.Minute, 9 * time.Minute, 570 * time.Second},
	} {
		if got := agentRuntime(definition.Definition{}, row.call); got != row.runtime {
			t.Errorf("of a call of %v the agent has %v, want %v", row.call, got, row.runtime)
		}
		if got := replyAfter(row.call); got != row.reply {
			t.Errorf("a call of %v is answered after %v, want %v", row.call, got, row.reply)
		}
		if got := agentRuntime(own, row.call); got != time.Hour {
			t.Errorf("a runtime of its own is %v", got)
		}
	}
}
