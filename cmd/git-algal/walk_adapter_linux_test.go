//go:build !race

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
)

// TestManualAdapter holds the adapter of the manual to the obligations that
// stand there.
func TestManualAdapter(t *testing.T) {
	t.Parallel()
	w := newWalker(t)
	agent := filepath.Join(w.home, "bin", "agent")
	script := "#!/bin/sh\ncat >prompt\necho start >>starts\n" +
		"(setsid sh -c 'sleep 0.3; echo late >late' >/dev/null 2>&1 &)\necho answer\n"
	if err := os.WriteFile(agent, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	adapter := operation.Adapter{
		Protocol: operation.Protocol, AuthorityID: "ledger", Executable: filepath.Join(w.home, "bin", "ledger-adapter"),
		ArgvPrefix: []string{filepath.Join(w.home, "ledger"), agent},
	}
	text, err := adapter.Format()
	if err != nil {
		t.Fatal(err)
	}
	configuration := filepath.Join(w.home, "adapter.json")
	if err := os.WriteFile(configuration, text, 0o600); err != nil {
		t.Fatal(err)
	}
	qualify := exec.Command("git-algal", "adapter", "qualify", "--launch", configuration)
	qualify.Env, qualify.Dir = w.variables, w.home
	if verdicts, err := qualify.CombinedOutput(); err != nil {
		t.Errorf("it is not qualified: %v\n%s", err, verdicts)
	}

	transport := command.New(adapter, command.Options{Env: w.variables, Dir: w.home})
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(w.home, name))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	call := func(id operation.Identity, prompt string) operation.Call {
		payload, err := canon.Encode(map[string]any{
			"workspace": w.home, "prompt": prompt, "limits": map[string]int{"maxOutputBytes": operation.MinOutputBytes * 4},
		})
		if err != nil {
			t.Fatal(err)
		}
		return operation.Call{
			Binding: operation.Binding{OperationID: id, AuthorityID: "ledger", RequestDigest: canon.DigestText(payload)},
			Payload: payload, Deadline: time.Minute, MaxOutputBytes: operation.MinOutputBytes * 4,
		}
	}
	observe := func(c operation.Call) operation.Outcome {
		c.Payload = nil
		text, err := transport.Observe(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := operation.ParseOutcome(text, c.Binding, c.MaxOutputBytes)
		if err != nil {
			t.Fatal(err)
		}
		return outcome
	}

	first := call("one", "a task")
	if o := observe(first); o.State() != operation.Unknown || o.Reason() != operation.Missing {
		t.Errorf("before the submission it is %s: %s", o.State(), o.Reason())
	}
	answer, err := transport.Submit(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	if read("prompt") != "a task" || read("late") != "late\n" {
		t.Error("it answered before every process of the agent had ended")
	}
	again, err := transport.Submit(t.Context(), first)
	if err != nil || !bytes.Equal(answer, again) {
		t.Errorf("the same submission is answered with %s, %v, not with %s", again, err, answer)
	}
	o := observe(first)
	if o.State() != operation.Terminal || o.Ending() != operation.Completed || o.Text() != "answer\n" || !bytes.Equal(o.Canonical(), answer) {
		t.Errorf("afterwards it is %s", o.Canonical())
	}
	if _, err := transport.Submit(t.Context(), call("one", "another task")); !fault.Is(err, fault.AdapterFailed) {
		t.Errorf("another request of the operation: %v", err)
	}
	if n := strings.Count(read("starts"), "\n"); n != 1 {
		t.Errorf("the agent was started %d times", n)
	}

	// An agent that is not there was never started, and one that fails failed.
	for prompt, executable := range map[string]string{"a": filepath.Join(w.home, "nothing"), "b": "/bin/false"} {
		adapter.ArgvPrefix = []string{adapter.ArgvPrefix[0], executable}
		transport = command.New(adapter, command.Options{Env: w.variables, Dir: w.home})
		c := call(operation.Identity("no-"+prompt), prompt)
		if _, err := transport.Submit(t.Context(), c); err != nil {
			t.Errorf("%s: %v", executable, err)
		}
		if o := observe(c); o.State() != operation.Terminal || o.Ending() != operation.Failed {
			t.Errorf("%s: it is %s", executable, o.Canonical())
		}
	}

	// Where the adapter is killed, nobody knows.
	if err := os.WriteFile(agent, []byte("#!/bin/sh\nkill -KILL $PPID\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	adapter.ArgvPrefix = []string{adapter.ArgvPrefix[0], agent}
	transport = command.New(adapter, command.Options{Env: w.variables, Dir: w.home})
	killed := call("killed", "x")
	if _, err := transport.Submit(t.Context(), killed); !fault.Is(err, fault.AdapterFailed) {
		t.Errorf("the killed adapter: %v", err)
	}
	if o := observe(killed); o.State() != operation.Accepted {
		t.Errorf("after it was killed it is %s", o.Canonical())
	}
	if leftovers, err := filepath.Glob(filepath.Join(w.home, "ledger", "*.tmp")); err != nil || len(leftovers) > 0 {
		t.Errorf("left in the ledger: %q, %v", leftovers, err)
	}
}
