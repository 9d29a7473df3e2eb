//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"os/exec"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// personal is the value of a setting in the person's own git configuration,
// the global or the system's; empty where it is unset. A repository's
// configuration is never read: whoever works in the checkout can write it.
func (e environment) personal(ctx context.Context, key string, flags ...string) (string, error) {
	git, err := e.lookPath("git")
	if err != nil {
		return "", fault.New(fault.GitFailed, "git was not found: %w", err)
	}
	args := append([]string{"config", "--show-scope", "--includes", "-z"}, flags...)
	cmd := exec.CommandContext(ctx, git, append(args, "--get-all", key)...)
	// Without a repository no condition of an include can depend on one. What the three variables name is what a person calls the
	// global and the system configuration.
	cmd.Dir = "/"
	cmd.Env = append(e.withoutGit("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"), "GIT_DIR=/dev/null")
	out, err := cmd.Output()
	const unset = 1
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == unset:
		return "", nil
	case ctx.Err() != nil:
		return "", fault.New(fault.Cancelled, "the command was interrupted")
	case err != nil:
		return "", fault.New(fault.GitFailed, "git cannot read the person's own setting %q: %w", key, err)
	}
	return lastPersonal(string(out)), nil
}

// lastPersonal returns the value that counts of "git config --show-scope -z":
// scope and value in turns.
func lastPersonal(listing string) string {
	value := ""
	fields := strings.Split(strings.TrimSuffix(listing, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i] == "global" || fields[i] == "system" {
			value = fields[i+1]
		}
	}
	return value
}
