// Package runner runs one command of a person and says how it ended: the
// executable, argument list, directory and environment are the caller's, no
// shell stands between, and what it writes is kept up to a bound and hashed
// whole.
//
//	runner.go   the run: start, end, join
//	stream.go   what is kept of an output
//	find.go     a name becomes an executable
//
// It differs from an adapter's call (operation/command) in what the end means.
// An adapter's descendants may be admitted work and are left alone; here
// nothing that stays in the command's process group outlives the command. A
// signal is an answer rather than a failure, and both outputs are evidence.
//
// A process group is no custody: a descendant that makes a session of its own
// leaves it, lives on, and may go on writing wherever it can.
package runner

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// LingerDelay is how long a run goes on reading after the command and its
	// group have ended, while a descendant outside keeps an output open. What
	// the command itself wrote is in the pipes by then and needs no time.
	LingerDelay = 2 * time.Second

	// groupDelay is how long a run waits for a killed group to be gone. What is
	// killed runs no code any more and takes no time to leave the system; but
	// where nobody reaps orphans, as in a container without an init, a group
	// never empties.
	groupDelay = 500 * time.Millisecond

	// groupPoll is how long the join of a group sleeps between two looks; no
	// call waits for a group that is not made of children.
	groupPoll = time.Millisecond
)

// A Command is one run of an executable.
type Command struct {
	Executable string   // absolute path, as [Find] returns it
	Argv       []string // what the process sees, its own name first

	// Env is the whole environment, as "NAME=value". Variables that begin with
	// GIT_ are left out, so that git commands inside judge the directory they
	// run in; PWD is set to Dir and OLDPWD left out.
	Env []string

	Dir string // working directory, an absolute path

	// MaxOutput bounds what is kept of each output, in bytes from 0. Whatever
	// comes beyond is read, hashed, counted and dropped.
	MaxOutput int
}

// An End is how a command that was started ended.
type End struct {
	ExitCode int    // 0..255; 0 where Signal is not empty
	Signal   string // the signal that ended it, as "SIGKILL"; else empty
	Stopped  bool   // it was ended because the context was done
	Stdout   Stream
	Stderr   Stream
}

// Run starts the command once and returns when it has ended. It runs in a
// session of its own, hence in a process group of its own and without a
// terminal that could stop it with a question; its standard input is empty.
//
// When ctx is done, the group is killed and the command joined. When the
// command ends by itself, what is left of its group is killed. Either way the
// outputs are read to their end, or up to [LingerDelay]: an output that a
// descendant outside the group still holds is then cut off, and its Stream is
// what was read until then.
//
// The error is not nil exactly where nothing was started: that of the system,
// or ctx's.
func (c Command) Run(ctx context.Context) (End, error) {
	stdout, err := newTap(c.MaxOutput)
	if err != nil {
		return End{}, err
	}
	defer stdout.close()
	stderr, err := newTap(c.MaxOutput)
	if err != nil {
		return End{}, err
	}
	defer stderr.close()

	cmd := exec.CommandContext(ctx, c.Executable)
	cmd.Args = c.Argv
	cmd.Env = environment(c.Env, c.Dir)
	cmd.Dir = c.Dir
	// Files, not writers: Wait then joins the process alone, and the group can
	// be ended before anyone waits for the end of its outputs.
	cmd.Stdout, cmd.Stderr = stdout.write, stderr.write
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var end End
	reached := false
	cmd.Cancel = func() error { // Wait returns after it
		// The first may have ended it, and it may be reaped by now.
		group := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		err := cmd.Process.Kill()
		reached = group == nil || err == nil
		return err
	}
	if err := cmd.Start(); err != nil {
		return End{}, fmt.Errorf("%q cannot be started: %w", c.Executable, err)
	}
	var reading sync.WaitGroup
	for _, t := range []*tap{stdout, stderr} {
		t.closeWrite() // its own end would keep the output open
		reading.Go(t.read)
	}
	waitErr := cmd.Wait()
	joinGroup(cmd.Process.Pid)
	settle(&reading, stdout, stderr)
	if cmd.ProcessState == nil {
		return End{}, fmt.Errorf("%q cannot be waited for: %w", c.Executable, waitErr)
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		end.Signal = signalName(status.Signal())
		end.Stopped = reached && status.Signal() == syscall.SIGKILL
	} else {
		end.ExitCode = cmd.ProcessState.ExitCode()
	}
	end.Stdout, end.Stderr = stdout.stream(), stderr.stream()
	return end, nil
}

// joinGroup kills what is left of a process group whose leader was reaped, and
// waits until nobody is in it, up to groupDelay.
//
// The group keeps its number while anyone is in it. With nobody left a new
// process could be given that number and lead a group with it; but numbers are
// handed out in turn, so the system would have to start as many processes as
// it has numbers between the reaping and the first signal.
func joinGroup(group int) {
	for deadline := time.Now().Add(groupDelay); time.Now().Before(deadline); time.Sleep(groupPoll) {
		if err := syscall.Kill(-group, syscall.SIGKILL); err != nil {
			return // nobody is left, or nobody that may be ended
		}
	}
}

// settle waits for the outputs to end, up to LingerDelay, and cuts them off.
func settle(reading *sync.WaitGroup, taps ...*tap) {
	done := make(chan struct{})
	go func() {
		reading.Wait()
		close(done)
	}()
	linger := time.NewTimer(LingerDelay)
	defer linger.Stop()
	select {
	case <-done:
	case <-linger.C:
		for _, t := range taps {
			t.close()
		}
		<-done
	}
}

// signalName returns the name of a signal, with its number where it has none.
func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return fmt.Sprintf("SIG%d", int(s))
}

// environment returns env less what would mislead a command in dir. It is
// never nil, which exec takes for the host's own environment.
func environment(env []string, dir string) []string {
	kept := []string{}
	for _, variable := range env {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "GIT_") || name == "PWD" || name == "OLDPWD" {
			continue
		}
		kept = append(kept, variable)
	}
	return append(kept, "PWD="+dir)
}
