package xcb_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/xcb"
)

// soon is the time within which a call must return that has nothing to wait
// for, on a busy machine.
const soon = 20 * time.Second

// testWorker returns the test binary as a worker.
func testWorker() xcb.Worker { return xcb.Worker{Executable: must(os.Executable())} }

// callOf returns a call, in a workspace of its own, that makes testWorker
// behave so.
func callOf(t *testing.T, behaviour string) xcb.Call {
	return xcb.Call{
		Workspace:      must(filepath.EvalSymlinks(t.TempDir())),
		Prompt:         "Repair " + secret,
		Env:            []string{asWorker + "=" + behaviour},
		MaxOutputBytes: operation.MinOutputBytes,
	}
}

func TestWorkerGetsExactlyTheContract(t *testing.T) {
	file := filepath.Join(t.TempDir(), "record")
	call := callOf(t, "record "+file)
	call.Prompt = "--model x\n$(not shell) 'é'\n"
	call.Env = append(call.Env, "PATH=/nowhere", "GIT_DIR=/elsewhere", "A=1", "GIT_CONFIG_GLOBAL=/x", "GITHUB_X=stays", "PWD=/stale")
	env := []string{call.Env[0], "PATH=/nowhere", "A=1", "GITHUB_X=stays", "PWD=/stale"}

	account, model := "acct one --model x", "$(m)/é\n"
	for _, c := range []struct {
		account, model *string
		routing        []string
	}{
		{nil, nil, nil},
		{&account, nil, []string{"--account", account}},
		{nil, &model, []string{"--model", model}},
		{&account, &model, []string{"--account", account, "--model", model}},
	} {
		worker := testWorker()
		worker.Account, worker.Model = c.account, c.model
		e, status, err := worker.Call(t.Context(), call)
		if err != nil || status != 0 || string(must(e.Format())) != completed {
			t.Fatalf("got %+v, %d, %v", e, status, err)
		}
		records := readRecords(t, file)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if len(records) != 1 {
			t.Fatalf("%d processes for one call", len(records))
		}
		got := records[0]
		if argv := append([]string{worker.Executable, "--json", "--cwd", call.Workspace, "run"}, c.routing...); !slices.Equal(got.Args, argv) {
			t.Errorf("argv is %q, want %q", got.Args, argv)
		}
		if got.Stdin != call.Prompt {
			t.Errorf("stdin is %q, want %q", got.Stdin, call.Prompt)
		}
		if !slices.Equal(got.Env, env) {
			t.Errorf("environment is %q, want %q", got.Env, env)
		}
		if got.Dir != call.Workspace {
			t.Errorf("working directory is %q, want %q", got.Dir, call.Workspace)
		}
		if got.Group != got.Pid || got.Group == syscall.Getpgrp() {
			t.Errorf("process %d is in group %d", got.Pid, got.Group)
		}
	}
}

func TestExitStatusIsNoError(t *testing.T) {
	for _, status := range []int{0, 1, 130, 255} {
		e, got, err := testWorker().Call(t.Context(), callOf(t, "print "+strconv.Itoa(status)+" "+completed+"\n"))
		if err != nil || got != status || string(must(e.Format())) != completed {
			t.Errorf("exit status %d: got %+v, %d, %v", status, e, got, err)
		}
	}
}

func TestOutputBounds(t *testing.T) {
	prompt := strings.Repeat("p", 65_536) // the longest, and more than a pipe holds
	for _, c := range []struct {
		name, behaviour string
		bound           int
		want            fault.Condition // 0 is none
	}{
		{"stdout at the least bound", "stdout 1024", 1_024, 0},
		{"stdout one over the least bound", "stdout 1025", 1_024, fault.OverBound},
		{"stdout at the greatest bound", "stdout 1048576", 1_048_576, 0},
		{"stdout one over the greatest bound", "stdout 1048577", 1_048_576, fault.OverBound},
		{"stdout over its bound, no JSON, failed", "print 1 " + strings.Repeat(secret, 200), 1_024, fault.OverBound},
		{"stderr at its bound", "stderr 65536", 1_024, 0},
		{"stderr one over its bound", "stderr 65537", 1_024, fault.AdapterFailed},
		{"stderr far over its bound", "stderr 10000000", 1_024, fault.AdapterFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := callOf(t, c.behaviour)
			call.Prompt, call.MaxOutputBytes = prompt, c.bound
			start := time.Now()
			e, status, err := testWorker().Call(t.Context(), call)
			if c.want != 0 {
				requireRefused(t, c.want, e, err)
			} else if err != nil || status != 0 || !e.Completed(status) {
				t.Errorf("got %+v, %d, %v", e, status, err)
			}
			if time.Since(start) > soon {
				t.Errorf("took %v", time.Since(start))
			}
		})
	}
}

func TestCallFailures(t *testing.T) {
	missing := testWorker()
	missing.Executable = filepath.Join(t.TempDir(), "missing")
	gone := callOf(t, "print 0 "+completed)
	gone.Workspace = filepath.Join(gone.Workspace, "missing")
	for name, c := range map[string]struct {
		worker xcb.Worker
		call   xcb.Call
		want   fault.Condition
		code   fault.Code
	}{
		"killed":                 {testWorker(), callOf(t, "signal 9"), fault.AdapterFailed, fault.EffectFailed},
		"terminated":             {testWorker(), callOf(t, "signal 15"), fault.AdapterFailed, fault.EffectFailed},
		"missing executable":     {missing, callOf(t, "print 0 "+completed), fault.AdapterFailed, fault.EffectFailed},
		"missing workspace":      {testWorker(), gone, fault.AdapterFailed, fault.EffectFailed},
		"no output":              {testWorker(), callOf(t, "print 0 "), fault.AdapterUnparsed, fault.EffectUnparseable},
		"no output, failed":      {testWorker(), callOf(t, "print 1 "), fault.AdapterUnparsed, fault.EffectUnparseable},
		"no JSON":                {testWorker(), callOf(t, "print 0 "+secret), fault.AdapterUnparsed, fault.EffectUnparseable},
		"no JSON, failed":        {testWorker(), callOf(t, "print 7 "+secret), fault.AdapterUnparsed, fault.EffectUnparseable},
		"two envelopes":          {testWorker(), callOf(t, "print 0 "+completed+completed), fault.AdapterUnparsed, fault.EffectUnparseable},
		"version 2":              {testWorker(), callOf(t, "print 0 "+with(t, `"version":1`, `"version":2`)), fault.AdapterUnparsed, fault.EffectUnparseable},
		"unknown state":          {testWorker(), callOf(t, "print 0 "+with(t, "idle", secret)), fault.AdapterUnparsed, fault.EffectUnparseable},
		"unknown member":         {testWorker(), callOf(t, "print 0 "+with(t, `"text"`, `"`+secret+`":0,"text"`)), fault.AdapterUnparsed, fault.EffectUnparseable},
		"envelope behind a line": {testWorker(), callOf(t, "print 0 "+secret+"\n"+completed), fault.AdapterUnparsed, fault.EffectUnparseable},
	} {
		t.Run(name, func(t *testing.T) {
			e, status, err := c.worker.Call(t.Context(), c.call)
			requireRefused(t, c.want, e, err)
			if fault.CodeOf(err) != c.code || status != 0 {
				t.Errorf("code %q, exit status %d", fault.CodeOf(err), status)
			}
			for ; err != nil; err = errors.Unwrap(err) {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the error quotes the worker or the prompt: %q", err)
				}
			}
		})
	}
}

func TestNothingStartsForAnImpossibleCall(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	file := filepath.Join(t.TempDir(), "record")
	call := func(change func(*xcb.Call)) xcb.Call {
		c := callOf(t, "record "+file)
		change(&c)
		return c
	}
	asIs := func(*xcb.Call) {}
	unroutable, empty := testWorker(), ""
	unroutable.Account = &empty
	for name, c := range map[string]struct {
		ctx    context.Context
		worker xcb.Worker
		call   xcb.Call
		want   fault.Condition
	}{
		"cancelled":             {cancelled, testWorker(), call(asIs), fault.Cancelled},
		"late":                  {late, testWorker(), call(asIs), fault.Deadline},
		"worker":                {t.Context(), unroutable, call(asIs), fault.Malformed},
		"relative workspace":    {t.Context(), testWorker(), call(func(c *xcb.Call) { c.Workspace = "." }), fault.Malformed},
		"no workspace":          {t.Context(), testWorker(), call(func(c *xcb.Call) { c.Workspace = "" }), fault.Malformed},
		"bound below the least": {t.Context(), testWorker(), call(func(c *xcb.Call) { c.MaxOutputBytes = 1_023 }), fault.Malformed},
		"bound over the most":   {t.Context(), testWorker(), call(func(c *xcb.Call) { c.MaxOutputBytes = 1_048_577 }), fault.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			e, _, err := c.worker.Call(c.ctx, c.call)
			requireRefused(t, c.want, e, err)
		})
	}
	if _, err := os.Lstat(file); !errors.Is(err, os.ErrNotExist) {
		t.Error("a worker was started")
	}
}

func TestStoppingEndsAndJoinsTheWorker(t *testing.T) {
	for name, c := range map[string]struct {
		deadline time.Duration
		cancel   bool
		want     fault.Condition
	}{
		"cancel":   {longestLife, true, fault.Cancelled},
		"deadline": {5 * time.Second, false, fault.Deadline},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pid")
			ctx, cancel := context.WithTimeout(t.Context(), c.deadline)
			defer cancel()
			if c.cancel {
				go cancelOnceWritten(ctx, cancel, file)
			}
			start := time.Now()
			e, _, err := testWorker().Call(ctx, callOf(t, "hang "+file))
			requireRefused(t, c.want, e, err)
			if elapsed := time.Since(start); elapsed > c.deadline+soon || !c.cancel && elapsed < c.deadline {
				t.Errorf("returned after %v", elapsed)
			}
			pid := must(strconv.Atoi(strings.TrimSpace(string(must(os.ReadFile(file))))))
			if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
				t.Errorf("process %d is not gone: %v", pid, err)
			}
		})
	}
}

// cancelOnceWritten calls cancel when the file name holds a line.
func cancelOnceWritten(ctx context.Context, cancel context.CancelFunc, name string) {
	for ctx.Err() == nil {
		if text, err := os.ReadFile(name); err == nil && strings.HasSuffix(string(text), "\n") {
			cancel()
		}
		time.Sleep(time.Millisecond)
	}
}
