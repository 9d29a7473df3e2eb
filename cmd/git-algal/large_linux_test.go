package main

import (
	"bytes"
	"fmt"
	"os"

	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLargeChangesAreRefusedEarly holds a rewrite of a million lines and a file
// of 100 MB to bounds: such a change is refused in at most twice the time that
// git takes to count it, in little memory. The program looks at everything
// else in that time as well.
func TestLargeChangesAreRefusedEarly(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector has no part in it; .ci/run measures it without")
	}
	const (
		maxMemory = 128 << 20 // bytes of a process
		attempts  = 5         // of which one must be in time: a busy machine is no failure
	)
	lines := func(word string) string {
		var b bytes.Buffer
		for i := range 1_000_000 {
			b.WriteString(word)
			for n := i; n > 0; n /= 26 {
				b.WriteByte(byte('a' + n%26))
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	for name, change := range map[string]struct{ path, before, after string }{
		"a million lines": {"text", lines("before"), lines("behind")},
		"100 MB":          {"new", "", strings.Repeat("0123456789abcde\n", 100_000_000/16)},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPerson(t, "submit completes\nwrite a.txt changed\n")
			old, now := filepath.Join(p.home, "before"), filepath.Join(p.workspace, change.path)
			p.write(t, old, change.before)
			if change.before != "" {
				p.write(t, now, change.before)
			}
			p.commit(t)
			if exit, out := exitStatus(t, p.command("git-algal", "run", "--adapter", "agent", "-m", "x")); exit != exitDone {
				t.Fatalf("run ends with %d: %s", exit, out)
			}
			p.write(t, now, change.after)
			inTime := false
			for range attempts {
				git, _ := takes(t, p.command("git", "diff", "--no-index", "--stat", old, now), 1)
				own, memory := takes(t, p.command("git-algal", "verify"), exitRefused)
				t.Logf("git: %v; git-algal: %v, %d MiB", git, own, memory>>20)
				if memory > maxMemory {
					t.Errorf("it took %d bytes of memory", memory)
				}
				if inTime = own <= 2*git; inTime {
					break
				}
			}
			if !inTime {
				t.Error("it took more than twice git's time")
			}
		})
	}
}

// takes returns how long a command took, which must end with the status, and
// the most memory in bytes that it was seen to have resident. What the system
// says of an ended process counts that of its parent as well.
func takes(t *testing.T, cmd *exec.Cmd, status int) (took time.Duration, memory int) {
	t.Helper()
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			if exit := cmd.ProcessState.ExitCode(); exit != status {
				t.Fatalf("%q ends with %d (%v): %s", cmd.Args, exit, err, &out)
			}
			if status == exitRefused && cmd.Args[0] == "git-algal" && !strings.Contains(out.String(), "[BUDGET_EXHAUSTED]") {
				t.Fatalf("another refusal: %s", &out)
			}
			return time.Since(began), memory
		case <-time.After(2 * time.Millisecond):
			memory = max(memory, mostResident(cmd.Process.Pid))
		}
	}
}

// mostResident returns the high-water mark of a process, in bytes, 0 where it
// is gone.
func mostResident(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, found := strings.Cut(string(text), "VmHWM:")
	var kibibytes int
	if err == nil && found {
		fmt.Sscan(rest, &kibibytes)
	}
	return kibibytes << 10
}
