package command_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/command"
)

// process returns a call of the test binary, with bounds of 16 bytes.
func process(behaviour string, args ...string) command.Process {
	return command.Process{
		Executable: must(os.Executable()),
		Args:       append(append([]string{asAdapter, behaviour}, args...), "none"),
		MaxStdout:  16,
		MaxStderr:  16,
	}
}

func TestExitStatusIsData(t *testing.T) {
	for _, status := range []int{0, 1, 130, 255} {
		exit, err := process("blurt", "said", "withheld", strconv.Itoa(status)).Run(t.Context())
		want := command.Exit{Status: status, Stdout: []byte("said")}
		if err != nil || !reflect.DeepEqual(exit, want) {
			t.Errorf("exit status %d: got %+v, %v", status, exit, err)
		}
	}
}

func TestProcessBounds(t *testing.T) {
	at, over := strings.Repeat("x", 16), strings.Repeat("x", 17)
	for name, c := range map[string]struct {
		process command.Process
		want    command.Exit
	}{
		"both at their bound":     {process("blurt", at, at, "0"), command.Exit{Stdout: []byte(at)}},
		"stdout over":             {process("blurt", over, at, "0"), command.Exit{Stdout: []byte(at), StdoutOver: true}},
		"stderr over":             {process("blurt", at, over, "0"), command.Exit{Stdout: []byte(at), StderrOver: true}},
		"both over, and a status": {process("blurt", over, over, "3"), command.Exit{Status: 3, Stdout: []byte(at), StdoutOver: true, StderrOver: true}},
	} {
		exit, err := c.process.Run(t.Context())
		if err != nil || !reflect.DeepEqual(exit, c.want) {
			t.Errorf("%s: got %+v, %v", name, exit, err)
		}
	}
}

// An input larger than any pipe, which is never read, neither holds the call
// nor fails it.
func TestUnreadInputIsNoFailure(t *testing.T) {
	deaf := process("blurt", "said", "", "4")
	deaf.Stdin = bytes.Repeat([]byte("x"), 1<<20)
	exit, err := deaf.Run(t.Context())
	if want := (command.Exit{Status: 4, Stdout: []byte("said")}); err != nil || !reflect.DeepEqual(exit, want) {
		t.Errorf("got %+v, %v", exit, err)
	}
}

func TestProcessFailures(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	file := filepath.Join(t.TempDir(), "pid")
	missing := process("blurt", "", "", "0")
	missing.Executable = file
	dirless := process("blurt", "", "", "0")
	dirless.Dir = file
	killed := process("signal")
	call := call()
	killed.Args[len(killed.Args)-1] = "submit"
	killed.Stdin = must(must(call.Request("submit")).Format())
	for name, c := range map[string]struct {
		ctx     context.Context
		process command.Process
		want    fault.Condition
	}{
		"missing executable": {t.Context(), missing, fault.AdapterFailed},
		"missing directory":  {t.Context(), dirless, fault.AdapterFailed},
		"signal":             {t.Context(), killed, fault.AdapterFailed},
		"cancelled before":   {cancelled, process("linger", file), fault.Cancelled},
		"late before":        {late, process("linger", file), fault.Deadline},
	} {
		exit, err := c.process.Run(c.ctx)
		if !fault.Is(err, c.want) || !reflect.DeepEqual(exit, command.Exit{}) {
			t.Errorf("%s: got %+v, %v, want %v", name, exit, err, c.want)
		}
	}
	if _, err := os.Lstat(file); !errors.Is(err, os.ErrNotExist) {
		t.Error("a process was started")
	}
}

func TestProcessKeepsItsArguments(t *testing.T) {
	p := process("blurt", "", "", "0")
	p.Env = []string{"A=1", "GIT_DIR=/elsewhere", "B=2"}
	args, env := slices.Clone(p.Args), slices.Clone(p.Env)
	if _, err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.Args, args) || !slices.Equal(p.Env, env) {
		t.Errorf("now %q, %q", p.Args, p.Env)
	}
}
