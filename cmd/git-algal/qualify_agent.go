//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/qualify"
)

// The harmless agent of an examination is this program itself:
//
//	git-algal qualify-agent                        works on the prompt of standard input
//	git-algal qualify-agent linger DIR MARK MS     is its descendant
//
// It leaves marks in the scratch checkout of an examination and does nothing
// anywhere else.
const (
	qualifyAgentWord  = "qualify-agent"
	qualifyLingerWord = "linger"
)

func (e environment) asksQualifyAgent() bool {
	return len(e.args) > 0 && e.args[0] == qualifyAgentWord
}

// runQualifyAgent returns the exit status.
func (e environment) runQualifyAgent() int {
	if err := e.qualifyAgent(e.args[1:]); err != nil {
		fmt.Fprintln(e.stderr, err)
		return exitRefused
	}
	return exitDone
}

func (e environment) qualifyAgent(args []string) error {
	const lingerWords = 4
	switch {
	case len(args) == 0:
		ctx, stop := e.interruptible(context.Background())
		defer stop()
		return qualify.Agent{Dir: e.dir, Prompt: e.stdin, Answer: e.stdout, Descend: e.descend}.Work(ctx)
	case len(args) == lingerWords && args[0] == qualifyLingerWord:
		ms, err := strconv.Atoi(args[3])
		if err != nil {
			return fault.New(fault.Usage, "%q is no number of milliseconds", args[3])
		}
		return qualify.Linger(args[1], args[2], time.Duration(ms)*time.Millisecond)
	}
	return fault.New(fault.Usage, "this agent takes its task on standard input")
}

// descend starts the descendant in a session of its own and without streams:
// neither a process group nor a pipe says when it ends.
func (e environment) descend(dir, mark string, d time.Duration) error {
	program, err := e.executable()
	if err != nil {
		return fault.New(fault.HostFailed, "the program does not know where it lies: %w", err)
	}
	cmd := exec.Command(program, qualifyAgentWord, qualifyLingerWord, dir, mark, strconv.FormatInt(d.Milliseconds(), 10))
	cmd.Env = e.variables
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return fault.New(fault.HostFailed, "the descendant cannot be started: %w", err)
	}
	return cmd.Process.Release()
}
