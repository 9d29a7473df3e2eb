package command_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
)

// A descendant that keeps the adapter's streams open neither holds the call
// nor spoils the outcome, and is left alone.
func TestDaemonKeepsStreamsOpen(t *testing.T) {
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	start := time.Now()
	text, err := transport("daemon", pidFile).Submit(t.Context(), call())
	elapsed := time.Since(start)
	daemon := readPid(t, pidFile)
	t.Cleanup(func() { _ = syscall.Kill(daemon, syscall.SIGKILL) })
	requireAccepted(t, call(), text, err)
	if elapsed < command.LingerDelay || elapsed > command.LingerDelay+soon {
		t.Errorf("returned after %v", elapsed)
	}
	if err := syscall.Kill(daemon, 0); err != nil {
		t.Errorf("the descendant was ended: %v", err)
	}
}

func TestDaemonCannotOutlastTheDeadline(t *testing.T) {
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	call := call()
	call.Deadline = 5 * time.Second
	start := time.Now()
	text, err := transport("hang-and-daemon", pidFile).Submit(t.Context(), call)
	elapsed := time.Since(start)
	daemon := readPid(t, pidFile)
	t.Cleanup(func() { _ = syscall.Kill(daemon, syscall.SIGKILL) })
	requireFault(t, fault.Deadline, text, err)
	if elapsed < call.Deadline || elapsed > call.Deadline+command.LingerDelay+soon {
		t.Errorf("returned after %v", elapsed)
	}
}

func TestStoppingEndsAndJoinsTheProcessGroup(t *testing.T) {
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
			dir := t.TempDir()
			lock, ready := filepath.Join(dir, "lock"), filepath.Join(dir, "ready")
			ctx := t.Context()
			if c.cancel {
				ctx = cancelledOnceWritten(t, ready)
			}
			call := call()
			call.Deadline = c.deadline
			start := time.Now()
			text, err := transport("hang", lock, ready).Submit(ctx, call)
			requireFault(t, c.want, text, err)
			if elapsed := time.Since(start); elapsed > c.deadline+soon || !c.cancel && elapsed < c.deadline {
				t.Errorf("returned after %v", elapsed)
			}
			requireGone(t, readPid(t, ready))
			requireUnlocked(t, lock)
		})
	}
}

func TestStoppingFollowsTheAdapterOutOfItsGroup(t *testing.T) {
	t.Parallel()
	ready := filepath.Join(t.TempDir(), "ready")
	text, err := transport("desert", ready).Submit(cancelledOnceWritten(t, ready), call())
	requireFault(t, fault.Cancelled, text, err)
	requireGone(t, readPid(t, ready))
}

// cancelledOnceWritten returns a context that is cancelled when the file name
// holds a line.
func cancelledOnceWritten(t *testing.T, name string) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if text, err := os.ReadFile(name); err == nil && strings.HasSuffix(string(text), "\n") {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	t.Cleanup(cancel)
	return ctx
}

func readPid(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// requireGone fails unless the child pid was joined: not even a zombie is left.
func requireGone(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d is not gone: %v", pid, err)
	}
}

// requireUnlocked fails unless the lock that a descendant held becomes free,
// which only that process's end brings about.
func requireUnlocked(t *testing.T, name string) {
	t.Helper()
	file := must(os.Open(name))
	defer file.Close()
	for deadline := time.Now().Add(soon); ; time.Sleep(time.Millisecond) {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the descendant still runs: %v", err)
		}
	}
}

func TestStoppedTransportReturnsWithinTheGrace(t *testing.T) {
	if command.LingerDelay*2 > operation.JoinGrace {
		t.Errorf("a call may linger %v, the host waits %v", command.LingerDelay, operation.JoinGrace)
	}
}
