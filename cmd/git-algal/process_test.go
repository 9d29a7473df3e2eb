//go:build linux || darwin

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/operation"
)

// A person has a home, a repository at its workspace, and an adapter called
// "agent" that follows the script in work.
type person struct {
	home, workspace, work, ledger string
	variables                     []string
}

func newPerson(tb testing.TB, work string) person {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	p := person{
		home: filepath.Join(dir, "home"), workspace: filepath.Join(dir, "repo"),
		work: filepath.Join(dir, "work"), ledger: filepath.Join(dir, "ledger"),
	}
	p.variables = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "LC_ALL=C", "TZ=UTC", "GORACE=" + raceExit}
	adapters := filepath.Join(p.home, ".config", ownDirectory, "adapters")
	for _, d := range []string{adapters, p.workspace, p.ledger} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	p.write(tb, p.work, work)
	p.write(tb, filepath.Join(p.workspace, "a.txt"), "a\n")
	executable, err := exec.LookPath("scripted-adapter")
	if err != nil {
		tb.Fatal(err)
	}
	text, err := operation.Adapter{
		Protocol: operation.Protocol, AuthorityID: "ledger-of-agent", Executable: executable, ArgvPrefix: []string{p.ledger, p.work},
	}.Format()
	if err != nil {
		tb.Fatal(err)
	}
	p.write(tb, filepath.Join(adapters, "agent.json"), string(text))
	return p
}

func (p person) write(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// commit makes the workspace a repository with one commit of what it holds.
func (p person) commit(tb testing.TB) {
	tb.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "first"}} {
		cmd := p.command("git", args...)
		cmd.Env = append(cmd.Env, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.invalid", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
			"GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.invalid", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			tb.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
}

// command returns a command in the person's workspace and environment.
func (p person) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = p.workspace, p.variables
	return cmd
}

// exitStatus runs the command and returns its exit status and stdout.
func exitStatus(tb testing.TB, cmd *exec.Cmd) (int, string) {
	tb.Helper()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		tb.Error(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// starts returns how often the adapter's ledger counts a start.
func (p person) starts(tb testing.TB) int {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(p.ledger, "starts"))
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

// TestOneSubmission holds that of many processes that run the same job at
// once, one submits; the others are refused as busy or see what is retained.
func TestOneSubmission(t *testing.T) {
	const processes = 16
	p := newPerson(t, "submit completes\nwrite a.txt changed\n")
	p.commit(t)
	if exit, _ := exitStatus(t, p.command("git-algal", "prepare", "--adapter", "agent", "-m", "x")); exit != exitDone {
		t.Fatalf("prepare ends with %d", exit)
	}
	job := p.onlyJob(t)
	type end struct {
		exit   int
		stdout string
	}
	ends := make(chan end, processes)
	for range processes {
		go func() {
			exit, stdout := exitStatus(t, p.command("git-algal", "run", "--json", job))
			ends <- end{exit, stdout}
		}()
	}
	completed := 0
	for range processes {
		e := <-ends
		switch {
		case e.exit == exitDone && strings.Contains(e.stdout, `"status":"completed"`):
			completed++
		case e.exit == exitUncertain && strings.Contains(e.stdout, `"status":"uncertain"`): // looked at meanwhile
		case e.exit == exitBusy && strings.Contains(e.stdout, `"kind":"busy"`):
		default:
			t.Errorf("a process ends with %d: %s", e.exit, e.stdout)
		}
	}
	if completed == 0 {
		t.Error("no process says that the job is completed")
	}
	if n := p.starts(t); n != 1 {
		t.Errorf("the adapter's ledger counts %d starts", n)
	}
}

// onlyJob returns the id of the store's only job.
func (p person) onlyJob(tb testing.TB) string {
	tb.Helper()
	found, err := filepath.Glob(filepath.Join(p.home, ".local/state/git-algal/stores/*/coding-jobs/*"))
	if err != nil || len(found) != 1 {
		tb.Fatalf("jobs: %q, %v", found, err)
	}
	return filepath.Base(found[0])
}

// testEnvironment is that of a command which runs within the test.
func testEnvironment(tb testing.TB) environment {
	tb.Helper()
	env := processEnvironment()
	env.dir, env.variables = tb.TempDir(), []string{"PATH=" + os.Getenv("PATH"), "HOME=" + tb.TempDir(), "TMPDIR=" + tb.TempDir(), "LC_ALL=C"}
	env.isTerminal = func(any) bool { return false }
	env.interruptible = func(ctx context.Context) (context.Context, context.CancelFunc) { return ctx, func() {} }
	env.installed()
	return env
}

func inProcess(env environment) (stdout, stderr string, exit int) {
	var out, complaints bytes.Buffer
	env.stdout, env.stderr = &out, &complaints
	exit = run(env)
	return out.String(), complaints.String(), exit
}

// TestInterruptedBeforeTheLaunch holds that an interrupt before the marker
// leaves a prepared job and ends with status 130.
func TestInterruptedBeforeTheLaunch(t *testing.T) {
	p := newPerson(t, "submit completes\n")
	p.commit(t)
	env := testEnvironment(t)
	env.dir, env.variables = p.workspace, p.variables
	env.args = []string{"prepare", "--adapter", "agent", "-m", "x"}
	if _, stderr, exit := inProcess(env); exit != exitDone {
		t.Fatalf("prepare ends with %d: %s", exit, stderr)
	}
	interrupted := env
	interrupted.interruptible = func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return ctx, cancel
	}
	for _, args := range [][]string{{"run", p.onlyJob(t)}, {"run", "--adapter", "agent", "-m", "x"}, {"prepare", "--adapter", "agent", "-m", "y"}} {
		interrupted.args = args
		if stdout, stderr, exit := inProcess(interrupted); exit != exitInterrupted || stdout != "" {
			t.Errorf("%q, interrupted, ends with %d: %s%s", args, exit, stdout, stderr)
		}
	}
	env.args = []string{"inspect", "--json"}
	if stdout, _, exit := inProcess(env); exit != exitDone || !strings.Contains(stdout, `"status":"prepared"`) {
		t.Errorf("inspect ends with %d: %s", exit, stdout)
	}
	if _, err := os.Stat(filepath.Join(p.ledger, "starts")); !os.IsNotExist(err) {
		t.Errorf("the adapter was started: %v", err)
	}
}

// TestBrokenPipe holds that a result which nobody could read is no success.
func TestBrokenPipe(t *testing.T) {
	env := testEnvironment(t)
	var complaints bytes.Buffer
	env.args, env.stderr, env.stdout = []string{"version"}, &complaints, failingWriter{}
	if exit := run(env); exit != exitRefused || !strings.Contains(complaints.String(), "could not be written") {
		t.Errorf("it ends with %d: %s", exit, &complaints)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left") }
