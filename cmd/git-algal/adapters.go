//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/local/definition"
)

const adapterVerbName = definition.AdapterWord

// The names of the actions.
const (
	adapterAddName    = "add"
	adapterListName   = "list"
	adapterShowName   = "show"
	adapterRemoveName = "remove"
	adapterWaitName   = "wait"
	adapterStopName   = "stop"
	adapterSettleName = "settle"
	adapterLogName    = "log"
)

// An adapterAction is one of the things that the adapter verb does; its name
// is the first operand.
type adapterAction struct {
	name     string
	operands string // behind the name, as the help shows them
	usage    string
	flags    []cli.Flag
	// takes is how many operands stand behind the name, all of them required.
	takes        int
	takesCommand bool
	run          func(context.Context, *invocation, []string) (answer, error)
}

// adapterActions returns the actions in the order of an adapter's life.
func adapterActions() []adapterAction {
	return []adapterAction{
		adapterAdd(), adapterList(), adapterShow(), adapterRemove(),
		adapterQualify(), adapterWait(), adapterStop(), adapterSettle(), adapterLog(),
	}
}

func adapterVerb() verb {
	v := verb{
		name: adapterVerbName, usage: "make the command of an agent an adapter that knows when it has ended",
		takesCommand: true, run: adapterCall,
	}
	var names []string
	var details strings.Builder
	for _, a := range adapterActions() {
		names = append(names, a.name)
		v.maxOperands = max(v.maxOperands, 1+a.takes)
		v.flags = append(v.flags, a.flags...)
		fmt.Fprintf(&details, "%s\n        %s\n", strings.TrimSpace(a.name+" "+a.operands), a.usage)
	}
	v.operands = strings.Join(names, "|") + " [NAME|FILE] [OPERATION] [-- AGENT ARGV...]"
	v.details = strings.TrimSuffix(details.String(), "\n")
	return v
}

// adapterQualify is the examination of any adapter; see qualify.go.
func adapterQualify() adapterAction {
	return adapterAction{
		name: "qualify", operands: "NAME|FILE", takes: 1, flags: qualifyFlags(),
		usage: "hold an adapter to what the protocol asks of it, as far as it shows from outside",
		run: func(ctx context.Context, in *invocation, operands []string) (answer, error) {
			return qualifyAdapter(ctx, in, operands[0])
		},
	}
}

func adapterCall(ctx context.Context, in *invocation) (answer, error) {
	name, operands := in.flags.Args().First(), in.flags.Args().Tail()
	actions := adapterActions()
	i := slices.IndexFunc(actions, func(a adapterAction) bool { return a.name == name })
	if i < 0 {
		var names []string
		for _, a := range actions {
			names = append(names, a.name)
		}
		return answer{}, fault.New(fault.Usage, "%q is nothing that can be done with an adapter", name).
			WithNext("git algal adapter %s", strings.Join(names, "|"))
	}
	a := actions[i]
	if err := a.check(in, actions, operands); err != nil {
		return answer{}, err
	}
	return a.run(ctx, in, operands)
}

// check refuses words that belong to another action; the verb's flags are
// those of all of them.
func (a adapterAction) check(in *invocation, actions []adapterAction, operands []string) error {
	usage := strings.TrimSpace("git algal adapter " + a.name + " " + a.operands)
	for _, other := range actions {
		for _, flag := range other.flags {
			if name := flag.Names()[0]; in.flags.IsSet(name) && !hasFlagNamed(a.flags, name) {
				return fault.New(fault.Usage, "flag %q is none of adapter %s", dashed(name), a.name).WithNext("%s", usage)
			}
		}
	}
	if len(operands) != a.takes {
		return fault.New(fault.Usage, "adapter %s takes %d operands, not %d", a.name, a.takes, len(operands)).WithNext("%s", usage)
	}
	if len(in.argv) > 0 && !a.takesCommand {
		return fault.New(fault.Usage, "adapter %s takes no command", a.name).WithNext("%s", usage)
	}
	return nil
}

func hasFlagNamed(flags []cli.Flag, name string) bool {
	return slices.ContainsFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
}

// maxAdapterName bounds a name in bytes: a file name with room for its ending.
const maxAdapterName = 64

// checkAdapterName refuses a name under which no adapter is kept.
func checkAdapterName(name string) error {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '_' || r == '-'
	}
	if name == "" || len(name) > maxAdapterName || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") ||
		strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return fault.New(fault.Usage, "%q cannot name an adapter: up to %d letters, digits and %q can, the first a letter or a digit", name, maxAdapterName, "._-")
	}
	return nil
}
