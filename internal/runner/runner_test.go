package runner_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/runner"
)

const (
	// asHelper is the first argument by which the test binary becomes a command.
	asHelper = "as-helper"
	// longestLife ends every process that a failed test might leave.
	longestLife = time.Minute
	// soon is what a busy machine may need for anything that takes no time.
	soon = 15 * time.Second
	// maxOutput is the bound of the commands of these tests.
	maxOutput = 16
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == asHelper {
		time.AfterFunc(longestLife, func() { syscall.Exit(1) })
		helpers[os.Args[2]](os.Args[3:])
		syscall.Exit(0)
	}
	os.Exit(m.Run())
}

var helpers = map[string]func(args []string){
	// prints its ids: process, group, session
	"ids": func([]string) {
		session, err := unix.Getsid(0)
		if err != nil {
			syscall.Exit(1)
		}
		fmt.Print(os.Getpid(), syscall.Getpgrp(), session)
	},
	// makes a session of its own, writes its id to the file args[0] and keeps
	// the outputs; not every system has setsid(1)
	"daemon": func(args []string) {
		if _, err := syscall.Setsid(); err != nil {
			syscall.Exit(1)
		}
		if err := os.WriteFile(args[0], []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
			syscall.Exit(1)
		}
		time.Sleep(longestLife)
	},
}

func script(t *testing.T, text string) runner.Command {
	t.Helper()
	return runner.Command{
		Executable: "/bin/sh", Argv: []string{"sh", "-c", text},
		Env: []string{"PATH=" + os.Getenv("PATH")}, Dir: t.TempDir(), MaxOutput: maxOutput,
	}
}

func stream(text string) runner.Stream {
	var kept []byte
	if text != "" {
		kept = []byte(text[:min(len(text), maxOutput)])
	}
	return runner.Stream{Kept: kept, Bytes: int64(len(text)), Digest: canon.DigestText(text)}
}

func TestEnds(t *testing.T) {
	at, over := strings.Repeat("x", maxOutput), strings.Repeat("x", maxOutput+1)
	for name, c := range map[string]struct {
		script string
		want   runner.End
	}{
		"nothing":              {"exit 0", runner.End{Stdout: stream(""), Stderr: stream("")}},
		"both outputs":         {"echo out; echo err >&2; exit 3", runner.End{ExitCode: 3, Stdout: stream("out\n"), Stderr: stream("err\n")}},
		"highest status":       {"exit 255", runner.End{ExitCode: 255, Stdout: stream(""), Stderr: stream("")}},
		"signal":               {"kill -TERM $$", runner.End{Signal: "SIGTERM", Stdout: stream(""), Stderr: stream("")}},
		"at the bound":         {"printf " + at, runner.End{Stdout: stream(at), Stderr: stream("")}},
		"one over":             {"printf " + over + "; printf " + over + " >&2", runner.End{Stdout: stream(over), Stderr: stream(over)}},
		"more than a pipe":     {"i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890; i=$((i+1)); done", runner.End{Stdout: stream(strings.Repeat("0123456789012345678901234567890\n", 3000)), Stderr: stream("")}},
		"input is empty":       {"cat; echo $?", runner.End{Stdout: stream("0\n"), Stderr: stream("")}},
		"words are not parsed": {`printf '%s' '$HOME "x" *'`, runner.End{Stdout: stream(`$HOME "x" *`), Stderr: stream("")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			end, err := script(t, c.script).Run(t.Context())
			if err != nil || !reflect.DeepEqual(end, c.want) {
				t.Errorf("got %+v, %v, want %+v", end, err, c.want)
			}
		})
	}
}

func TestEnvironmentAndDirectory(t *testing.T) {
	c := script(t, "echo \"$A,${GIT_DIR-unset},${GIT_X-unset},${OLDPWD-unset}\"; pwd")
	c.MaxOutput = 4096
	c.Env = append(c.Env, "A=1", "GIT_DIR=/elsewhere", "GIT_X=", "PWD=/elsewhere", "OLDPWD=/before")
	given := strings.Join(c.Env, "\n")
	end, err := c.Run(t.Context())
	if want := "1,unset,unset,unset\n" + c.Dir + "\n"; err != nil || string(end.Stdout.Kept) != want {
		t.Errorf("got %q, %v, want %q", end.Stdout.Kept, err, want)
	}
	if strings.Join(c.Env, "\n") != given {
		t.Errorf("the caller's environment became %q", c.Env)
	}
}

// TestSession holds that no terminal can stop the command with a question, and
// that a signal to its group reaches nobody else.
func TestSession(t *testing.T) {
	c := script(t, "")
	c.Executable, c.Argv, c.MaxOutput = testBinary(t), []string{"ids", asHelper, "ids"}, 4096
	end, err := c.Run(t.Context())
	ids := strings.Fields(string(end.Stdout.Kept))
	if err != nil || len(ids) != 3 || ids[0] != ids[1] || ids[0] != ids[2] {
		t.Errorf("process, group and session are %q, %v", ids, err)
	}
}

func testBinary(t *testing.T) string {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return executable
}

func TestNothingIsStarted(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	witness := filepath.Join(t.TempDir(), "witness")
	touch := script(t, "echo >"+witness)
	dirless := touch
	dirless.Dir = witness
	missing := touch
	missing.Executable = witness
	plain := touch
	plain.Executable = filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain.Executable, []byte("echo no interpreter\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		ctx     context.Context
		command runner.Command
		want    error
	}{
		"cancelled before":   {cancelled, touch, context.Canceled},
		"missing directory":  {t.Context(), dirless, fs.ErrNotExist},
		"missing executable": {t.Context(), missing, fs.ErrNotExist},
		"no executable form": {t.Context(), plain, unix.ENOEXEC},
	} {
		end, err := c.command.Run(c.ctx)
		if !errors.Is(err, c.want) || !reflect.DeepEqual(end, runner.End{}) {
			t.Errorf("%s: got %+v, %v, want %v", name, end, err, c.want)
		}
	}
	if _, err := os.Lstat(witness); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a process was started")
	}
}

// TestStopping ends a command that ignores every signal it can, and its
// descendants in the group.
func TestStopping(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	c := script(t, "trap '' TERM INT HUP; sleep 60 & echo before; echo $! $$ >"+ready+"; wait; wait; sleep 60")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pids := make(chan []int, 1)
	go func() {
		pids <- readPids(t, ready)
		cancel()
	}()
	start := time.Now()
	end, err := c.Run(ctx)
	want := runner.End{Signal: "SIGKILL", Stopped: true, Stdout: stream("before\n"), Stderr: stream("")}
	if err != nil || !reflect.DeepEqual(end, want) {
		t.Errorf("got %+v, %v, want %+v", end, err, want)
	}
	if elapsed := time.Since(start); elapsed > soon {
		t.Errorf("returned after %v", elapsed)
	}
	for _, pid := range <-pids {
		requireEnded(t, pid)
	}
}

// TestWhoEndedIt holds that a command whose time was over is said to have been
// stopped, however soon it is reaped, and one that ends itself is not.
func TestWhoEndedIt(t *testing.T) {
	for range 100 {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		end, err := script(t, "exec sleep 60").Run(ctx)
		cancel()
		if err == nil && (end.Signal != "SIGKILL" || !end.Stopped) {
			t.Fatalf("%+v", end)
		}
	}
	if end, err := script(t, "kill -KILL $$").Run(t.Context()); err != nil || end.Signal != "SIGKILL" || end.Stopped {
		t.Errorf("%+v, %v", end, err)
	}
}

// TestGroupDoesNotOutliveTheCommand leaves a descendant behind that holds both
// outputs.
func TestGroupDoesNotOutliveTheCommand(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	end, err := script(t, "sleep 60 & echo $! >"+ready+"; echo done").Run(t.Context())
	want := runner.End{Stdout: stream("done\n"), Stderr: stream("")}
	if err != nil || !reflect.DeepEqual(end, want) {
		t.Errorf("got %+v, %v, want %+v", end, err, want)
	}
	for _, pid := range readPids(t, ready) {
		requireEnded(t, pid)
	}
}

// TestDaemonKeepsOutputsOpen leaves a descendant behind that went to a session
// of its own: it is left alone, and holds the run no longer than LingerDelay.
func TestDaemonKeepsOutputsOpen(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	c := script(t, "\"$1\" "+asHelper+" daemon \"$2\" & while ! [ -s \"$2\" ]; do sleep 0.01; done; echo done")
	c.Argv = append(c.Argv, "sh", testBinary(t), ready)
	start := time.Now()
	end, err := c.Run(t.Context())
	elapsed := time.Since(start)
	daemon := readPids(t, ready)[0]
	t.Cleanup(func() { _ = syscall.Kill(daemon, syscall.SIGKILL) })
	want := runner.End{Stdout: stream("done\n"), Stderr: stream("")}
	if err != nil || !reflect.DeepEqual(end, want) {
		t.Errorf("got %+v, %v, want %+v", end, err, want)
	}
	if elapsed < runner.LingerDelay || elapsed > runner.LingerDelay+soon {
		t.Errorf("returned after %v", elapsed)
	}
	if err := syscall.Kill(daemon, 0); err != nil {
		t.Errorf("the daemon was ended: %v", err)
	}
}

// readPids waits for a line of process ids in the file name.
func readPids(t *testing.T, name string) []int {
	for deadline := time.Now().Add(soon); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		text, err := os.ReadFile(name)
		if err != nil || !strings.HasSuffix(string(text), "\n") {
			continue
		}
		var pids []int
		for _, field := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Error(err)
			}
			pids = append(pids, pid)
		}
		return pids
	}
	t.Errorf("nobody wrote %q", name)
	return []int{0}
}

// requireEnded fails unless the process is gone, or a zombie that waits for
// whoever inherited it.
func requireEnded(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err == nil && strings.Contains(string(stat), ") Z ") {
		return
	}
	t.Errorf("process %d is not ended (%v)", pid, err)
}
