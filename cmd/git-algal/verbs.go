//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
)

// A verb is one command of the program.
type verb struct {
	name     string
	usage    string // in one line
	operands string // as the help shows them
	details  string
	flags    []cli.Flag // without the shared ones

	maxOperands int
	// takesCommand: what stands behind "--" is no operand but a command of the
	// person's own.
	takesCommand bool
	run          action
}

// An action carries out a verb.
type action func(context.Context, *invocation) (answer, error)

// verbs returns the commands in the order of a job's life.
func verbs() []verb {
	return []verb{
		checkVerb(), prepareVerb(), runVerb(), reconcileVerb(), waitVerb(), stopVerb(),
		inspectVerb(), outputVerb(), logVerb(), listVerb(), verifyVerb(), validateVerb(), diffVerb(), patchVerb(), observeVerb(), mcpVerb(),
		adapterVerb(), fsckVerb(), hooksVerb(), whereVerb(), demoVerb(), completionVerb(), versionVerb(), helpVerb(),
	}
}

// verbNamed returns the verb of a name, or fault.Usage with the nearest one.
func verbNamed(name string) (verb, error) {
	all := verbs()
	i := slices.IndexFunc(all, func(v verb) bool { return v.name == name })
	if i >= 0 {
		return all[i], nil
	}
	var commands []*cli.Command
	for _, v := range all {
		commands = append(commands, &cli.Command{Name: v.name})
	}
	return verb{}, fault.New(fault.Usage, "%q is no command of git-algal", name).
		WithNext("git algal help; %s", cli.SuggestCommand(commands, name))
}

func (v verb) allFlags() []cli.Flag { return append(slices.Clone(v.flags), sharedFlags()...) }

// arrange returns the arguments of the verb in order; given are the flags
// before the verb and, as operands, everything that follows it.
func (v verb) arrange(given words) (words, error) {
	const all = -1
	w, _, err := flagNames(v.allFlags()).arrange(given.operands, all)
	var unknown unknownFlagError
	if errors.As(err, &unknown) {
		return words{}, fault.New(fault.Usage, "%w", err).
			WithNext("git algal help %s; did you mean %q?", v.name, cli.SuggestFlag(v.allFlags(), strings.TrimLeft(string(unknown), "-"), true))
	}
	if err != nil {
		return words{}, err
	}
	w.flags = append(given.flags, w.flags...)
	if !v.takesCommand {
		w.operands, w.behind = append(w.operands, w.behind...), nil
	}
	return w, nil
}
