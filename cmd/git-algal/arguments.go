//go:build linux || darwin

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
)

// urfave/cli v2 stops at the first operand: in "run JOB --json" it would take
// the flag for another operand. So arguments are arranged before it sees them:
// flags first, then "--", then operands, in their given order.

// takesValue maps the names of flags, without dashes, to whether a value
// follows.
type takesValue map[string]bool

func flagNames(flags []cli.Flag) takesValue {
	names := takesValue{}
	for _, flag := range flags {
		documented, ok := flag.(cli.DocGenerationFlag)
		for _, name := range flag.Names() {
			names[name] = ok && documented.TakesValue()
		}
	}
	return names
}

// words are the arguments of one verb.
type words struct {
	flags    []string // each with its value behind it
	operands []string
	behind   []string // what stands behind "--"
}

// askHelp reports whether --help is among the flags. It is looked for before
// urfave/cli would answer it in its own manner.
func (w words) askHelp() bool {
	return slices.Contains(w.flags, dashed(flagHelp)) || slices.Contains(w.flags, dashed(flagHelp[:1]))
}

// arrange separates args into flags and operands, of which it reads at most
// max before it stops; the rest is returned untouched. Behind "--" nothing is
// a flag. "-mTEXT" is "-m TEXT", as git reads it.
func (known takesValue) arrange(args []string, max int) (w words, rest []string, err error) {
	for i := 0; i < len(args); i++ {
		if len(w.operands) == max {
			return w, args[i:], nil
		}
		arg := args[i]
		if arg == "--" {
			w.behind = args[i+1:]
			return w, nil, nil
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			w.operands = append(w.operands, arg)
			continue
		}
		name, value, attached, err := known.flag(arg)
		if err != nil {
			return words{}, nil, err
		}
		switch {
		case attached:
			w.flags = append(w.flags, dashed(name)+"="+value)
		case !known[name]:
			w.flags = append(w.flags, dashed(name))
		case i+1 == len(args):
			return words{}, nil, fault.New(fault.Usage, "flag %q needs a value", dashed(name))
		default:
			i++
			w.flags = append(w.flags, dashed(name)+"="+args[i])
		}
	}
	return w, nil, nil
}

// flag returns the name of the flag that arg is, and a value that is attached
// to it.
func (known takesValue) flag(arg string) (name, value string, attached bool, err error) {
	if long, ok := strings.CutPrefix(arg, "--"); ok {
		name, value, attached = strings.Cut(long, "=")
		if _, ok := known[name]; !ok || len(name) == 1 {
			return "", "", false, unknownFlag("--" + name)
		}
		return name, value, attached, nil
	}
	name, value = arg[1:2], arg[2:]
	valued, ok := known[name]
	if !ok || value != "" && !valued {
		head, _, _ := strings.Cut(arg, "=")
		return "", "", false, unknownFlag(head)
	}
	return name, value, value != "", nil
}

// An unknownFlagError carries the flag, so that its verb can suggest another.
type unknownFlagError string

func (e unknownFlagError) Error() string { return fmt.Sprintf("flag %q is unknown", string(e)) }

func unknownFlag(flag string) error { return unknownFlagError(flag) }

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// wantsJSON reports whether the arguments ask for JSON. It is needed where
// they are too wrong to be parsed.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case dashed(flagJSON), dashed(flagJSON) + "=true":
			return true
		}
	}
	return false
}
