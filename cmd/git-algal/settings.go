//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// personal is the value of a setting in the person's own git configuration,
// the global or the system's; empty where it is unset. A repository's
// configuration is never read: whoever works in the checkout can write it.
func (e environment) personal(ctx context.Context, key string, flags ...string) (string, error) {
	args := append([]string{"--show-scope", "--includes", "-z"}, flags...)
	out, err := e.ownConfiguration(ctx, append(args, "--get-all", key)...)
	const unset = 1
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == unset:
		return "", nil
	case err != nil:
		return "", unreadableSetting(ctx, key, err)
	}
	return lastPersonal(out), nil
}

// A gitColour is a colour in git's words, "bold red" for instance.
type gitColour string

// personalColour returns what a terminal is told for a colour of the person's
// own git configuration, usual where it is unset; empty for "normal".
func (e environment) personalColour(ctx context.Context, key string, usual gitColour) (string, error) {
	out, err := e.ownConfiguration(ctx, "--get-color", key, string(usual))
	if err != nil {
		return "", unreadableSetting(ctx, key, err)
	}
	return out, nil
}

// ownConfiguration runs git config where it sees the person's configuration
// alone.
func (e environment) ownConfiguration(ctx context.Context, args ...string) (string, error) {
	git, err := e.lookPath("git")
	if err != nil {
		return "", fault.New(fault.GitFailed, "git was not found: %w", err)
	}
	cmd := exec.CommandContext(ctx, git, append([]string{"config"}, args...)...)
	// Without a repository no condition of an include can depend on one. What
	// the three variables name is what a person calls the global and the system
	// configuration.
	cmd.Dir = "/"
	cmd.Env = append(e.withoutGit("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"), "GIT_DIR=/dev/null")
	out, err := cmd.Output()
	return string(out), err
}

func unreadableSetting(ctx context.Context, key string, err error) error {
	if ctx.Err() != nil {
		return fault.New(fault.Cancelled, "the command was interrupted")
	}
	if fault.Is(err, fault.GitFailed) {
		return err
	}
	return fault.New(fault.GitFailed, "git cannot read the person's own setting %q: %w", key, err)
}

// isOff reports whether a setting of colours says that there are none.
func isOff(setting string) bool {
	return slices.Contains([]string{"false", "never", "no", "off", "0"}, strings.ToLower(setting))
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
