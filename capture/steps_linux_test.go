package capture_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/internal/fault"
)

const (
	// stepsVariable asks for a swap at every step of a capture; without it, a
	// share of them is tried, another in every run.
	stepsVariable = "GIT_ALGAL_STEPS"
	stepsShare    = 32

	// steppedVariable tells the process that captures which file says what.
	steppedVariable = "CAPTURE_STEPPED"
)

// A stepped is one capture in a process of its own.
type stepped struct {
	Source capture.Source
	Answer string // file to write the artifact to, or the reason that there is none
}

const refusedPrefix = "refused: "

// TestStableAtEveryStep stops a capture after each of its system calls on the
// checkout and swaps what it reads for a symlink to outside, or for a FIFO. It
// is refused, or what it holds is the state before or the one after, whole;
// it ends, and nothing outside is opened.
func TestStableAtEveryStep(t *testing.T) {
	if file := os.Getenv(steppedVariable); file != "" {
		captureStepped(t, file)
		return
	}
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed; CI installs it")
	}
	work := small(t)
	base := filepath.Dir(work.dir)
	outside := filepath.Join(base, "outside")
	work.bash(t, "mkdir ../outside ../saved; printf secret >../outside/f; printf secret >../outside/answer.txt")
	call := stepped{work.source(t), filepath.Join(base, "answer")}
	document, err := json.Marshal(call)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(base, "stepped.json")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		t.Fatal(err)
	}
	work.bash(t, `printf 'after\n' >answer.txt; mkdir new; printf 'inside\n' >new/f; printf 'u\n' >u`)
	first, stride := 1, 1
	if os.Getenv(stepsVariable) == "" {
		first, stride = 1+time.Now().Nanosecond()/1000%stepsShare, stepsShare
	}
	steps := 0
	for _, swap := range []struct {
		name, path string
		make       func(path string) error
	}{
		{"file to symlink", "answer.txt", symlink(filepath.Join(outside, "answer.txt"))},
		{"file to FIFO", "answer.txt", pipe},
		{"directory to symlink", "d", symlink(outside)},
		{"untracked directory to symlink", "new", symlink(outside)},
		{"untracked file to symlink", "new/f", symlink(filepath.Join(outside, "f"))},
		{"untracked file to FIFO", "u", pipe},
	} {
		t.Run(swap.name, func(t *testing.T) {
			path, saved := filepath.Join(work.dir, swap.path), filepath.Join(base, "saved", "it")
			exchange := func() {
				if err := errors.Join(os.Rename(path, saved), swap.make(path)); err != nil {
					t.Fatal(err)
				}
			}
			restore := func() {
				if err := errors.Join(os.Remove(path), os.Rename(saved, path)); err != nil {
					t.Fatal(err)
				}
			}
			before := call.run(t, runStepped(t, file), nil)
			if strings.HasPrefix(before, refusedPrefix) {
				t.Fatal(before)
			}
			exchange()
			after := call.run(t, runStepped(t, file), nil)
			restore()
			refused, whole := 0, 0
			for step := first; ; step += stride {
				log := filepath.Join(base, "strace")
				swapped := false
				got := call.run(t, traced(t, file, log, work.dir, outside), stopsIn(t, log, step, func() {
					swapped = true
					exchange()
				}))
				nothingOutside(t, log, outside)
				if !swapped {
					break
				}
				restore()
				steps++
				switch {
				case strings.HasPrefix(got, refusedPrefix):
					if strings.Contains(got, string(fault.Deadline.Code())) {
						t.Fatalf("step %d: the capture hangs", step)
					}
					refused++
				case got == before || got == after:
					whole++
				default:
					t.Errorf("step %d: captured is neither the state before nor the one after:\n%s", step, got)
				}
			}
			t.Logf("%d captures refused, %d whole", refused, whole)
			if refused == 0 {
				t.Error("no capture was refused")
			}
		})
	}
	t.Logf("%d steps", steps)
}

// captureStepped is the process that captures.
func captureStepped(t *testing.T, file string) {
	document, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var call stepped
	if err := json.Unmarshal(document, &call); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), longestCapture)
	defer cancel()
	got, err := capture.Stable(ctx, plumbing(t), call.Source, largest)
	answer := []byte(fmt.Sprint(refusedPrefix, fault.CodeOf(err), err))
	if err == nil {
		if answer, err = capture.Export(got.Artifact); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(call.Answer, answer, 0o600); err != nil {
		t.Fatal(err)
	}
}

// runStepped returns the command of a capture that nobody stops.
func runStepped(t *testing.T, file string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestStableAtEveryStep$")
	cmd.Env = append(os.Environ(), steppedVariable+"="+file, "GOMAXPROCS=1")
	return cmd
}

// traced returns the command of a capture that is stopped after each system
// call on something of the checkout or outside.
func traced(t *testing.T, file, log, workspace, outside string) *exec.Cmd {
	t.Helper()
	const calls = "openat,?newfstatat,?fstat,?statx,read,readlinkat,getdents64"
	cmd := runStepped(t, file)
	args := []string{
		"strace", "-f", "-qq", "-y", "-o", log, "-e", "trace=" + calls,
		"-e", "inject=" + calls + ":signal=SIGSTOP",
	}
	for _, name := range []string{"", "answer.txt", "d", "d/f", "link", "new", "new/f", "u"} {
		args = append(args, "-P", filepath.Join(workspace, name))
	}
	for _, name := range []string{"", "answer.txt", "f"} {
		args = append(args, "-P", filepath.Join(outside, name))
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Args, cmd.Path = append(args, cmd.Args...), strace
	return cmd
}

// stopLine is a line of a trace that says that a call was answered by the
// signal, or that a thread has stopped for it.
var stopLine = regexp.MustCompile(`(?m)^(\d+) +--- (SIGSTOP \{.*\}|stopped by SIGSTOP) ---$`)

// stopsIn returns what looks for stops in a trace: the first after the given
// call, of all threads, is answered by at, and each by going on. A stop can be
// missing, as going on takes away a signal that is on its way.
func stopsIn(t *testing.T, log string, step int, at func()) func() {
	t.Helper()
	if err := os.WriteFile(log, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	seen, calls, swapped := 0, 0, false
	return func() {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		lines := stopLine.FindAllSubmatch(text, -1)
		for _, line := range lines[seen:] {
			if line[2][0] == 'S' {
				calls++
				continue
			}
			if calls >= step && !swapped {
				swapped = true
				at()
			}
			pid, err := strconv.Atoi(string(line[1]))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGCONT); err != nil && err != syscall.ESRCH {
				t.Fatal(err)
			}
		}
		seen = len(lines)
	}
}

// run returns the answer of a capture, and looks after it meanwhile.
func (s stepped) run(t *testing.T, cmd *exec.Cmd, meanwhile func()) string {
	t.Helper()
	if err := os.WriteFile(s.Answer, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			answer, err := os.ReadFile(s.Answer)
			if err != nil || len(answer) == 0 {
				t.Fatalf("no answer: %v\n%s", err, out.String())
			}
			return string(answer)
		case <-tick.C:
			if meanwhile != nil {
				meanwhile()
			}
		}
	}
}

// nothingOutside holds that no call of a trace gave a descriptor of something
// outside.
func nothingOutside(t *testing.T, log, outside string) {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "<"+outside) {
			t.Errorf("something outside was opened: %s", line)
		}
	}
}
