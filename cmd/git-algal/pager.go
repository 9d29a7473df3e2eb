//go:build linux || darwin

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
)

// shellCannotRun and the status above it are what sh says of a command that it
// cannot run or find.
const shellCannotRun = 126

// paged returns how a long document is shown on a terminal: through the pager
// that git would use, chosen by GIT_PAGER, core.pager of the person's own
// configuration, PAGER, else less.
func (in *invocation) paged(ctx context.Context) func(func(io.Writer) error) error {
	return func(write func(io.Writer) error) error {
		pager := in.pager(ctx)
		if notPaged(pager) {
			return write(in.stdout)
		}
		// All of it first: it is bounded, and a pager that is left early must
		// not look like an output that could not be written.
		var text bytes.Buffer
		if err := write(&text); err != nil {
			return err
		}
		cmd := exec.Command("sh", "-c", pager)
		cmd.Env = in.withoutGit()
		for variable, value := range map[string]string{"LESS": "FRX", "LV": "-c"} {
			if in.variable(variable) == "" {
				cmd.Env = append(cmd.Env, variable+"="+value)
			}
		}
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text.Bytes()), in.stdout, in.stderr
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() >= shellCannotRun) {
			return write(in.stdout)
		}
		return nil // how else a pager ends is the person's business
	}
}

// notPaged reports whether a choice of pager is none, as for git.
func notPaged(pager string) bool { return pager == "" || pager == "cat" }

func (in *invocation) pager(ctx context.Context) string {
	if pager, set := in.lookup("GIT_PAGER"); set {
		return pager
	}
	if pager, err := in.personal(ctx, "core.pager"); err == nil && pager != "" {
		return pager
	}
	if pager, set := in.lookup("PAGER"); set {
		return pager
	}
	return "less"
}
