package command

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

// LingerDelay is how long a call goes on reading after the process has exited
// while a descendant keeps its streams open. What the process itself wrote is
// in the pipes by then and needs no time; operation.JoinGrace is longer.
const LingerDelay = 2 * time.Second

// A Process is one call of an executable. Nothing of it is interpreted by a
// shell.
type Process struct {
	Executable string   // absolute path
	Args       []string // after the executable
	Stdin      []byte   // it may leave any part of this unread

	// Env is the whole environment, as "NAME=value". Variables that begin with
	// GIT_ are left out; nil is an empty environment.
	Env []string

	// Dir is the working directory; empty is the host's own.
	Dir string

	// MaxStdout and MaxStderr bound what it may write, in bytes from 0. Whatever
	// comes beyond is read and dropped.
	MaxStdout, MaxStderr int
}

// An Exit is how a process ended that was not ended by a signal. What its
// status and an exceeded bound mean is the caller's to decide.
type Exit struct {
	Status     int    // 0..255
	Stdout     []byte // at most MaxStdout bytes
	StdoutOver bool   // it wrote more than MaxStdout bytes
	StderrOver bool   // it wrote more than MaxStderr bytes; they are withheld
}

// Run starts the process once, in a process group of its own, serves its
// streams and returns when it has exited and they have ended, or [LingerDelay]
// after the exit.
//
// No process is started if ctx is done. fault.Cancelled and fault.Deadline say
// that the process, if any, was ended, with its group, and joined. Whatever
// else goes wrong is fault.AdapterFailed: the start, a signal, a broken input.
// The error quotes nothing but the executable.
func (p Process) Run(ctx context.Context) (Exit, error) {
	stdout := bounded{limit: p.MaxStdout}
	stderr := counter{}
	cmd := exec.CommandContext(ctx, p.Executable, p.Args...)
	cmd.Env = withoutGit(p.Env)
	cmd.Dir = p.Dir
	cmd.Stdin = bytes.NewReader(p.Stdin)
	cmd.Stdout = &stdout
	cmd.Stderr = &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = LingerDelay

	// exec ignores a reader that closed its input early, and so do we: whether
	// an input fits the pipe must not decide about the answer.
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // exited with 0; the latter: a descendant keeps a stream open
	case ctx.Err() != nil:
		return Exit{}, operation.Stopped(ctx)
	case errors.As(err, &exit) && exit.Exited():
	default:
		return Exit{}, fault.New(fault.AdapterFailed, "executable %q failed: %w", p.Executable, err)
	}
	return Exit{
		Status:     cmd.ProcessState.ExitCode(),
		Stdout:     stdout.kept,
		StdoutOver: stdout.over,
		StderrOver: stderr.seen > int64(p.MaxStderr),
	}, nil
}

// withoutGit returns env less every variable that begins with GIT_. It is
// never nil, which exec takes for the host's own environment.
func withoutGit(env []string) []string {
	kept := []string{}
	for _, variable := range env {
		if !strings.HasPrefix(variable, "GIT_") {
			kept = append(kept, variable)
		}
	}
	return kept
}

// killGroup ends the process and whoever is still in its process group. The
// process itself is named as well, in case it went to another group.
func killGroup(cmd *exec.Cmd) error {
	// The group keeps its number while anyone is in it. With nobody left the
	// signal fails, and the process's own fate is what counts.
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	return cmd.Process.Kill()
}
