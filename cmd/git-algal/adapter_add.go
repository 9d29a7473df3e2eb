//go:build linux || darwin

package main

import (
	"context"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/runner"
	"github.com/git-algal/git-algal/operation/local/definition"
)

const (
	flagRecipe        = "recipe"
	flagAgentRuntime  = "runtime"
	flagGrace         = "grace"
	flagEnv           = "env"
	flagGitWritable   = "git-writable"
	flagPTY           = "pty"
	flagForeignServer = "foreign-server"
)

func adapterAdd() adapterAction {
	return adapterAction{
		name: adapterAddName, operands: "NAME [-- AGENT ARGV...]", takes: 1, takesCommand: true, run: addAdapter,
		usage: "keep the command of an agent as an adapter, with a ledger of its own",
		flags: []cli.Flag{
			&cli.StringFlag{Name: flagRecipe, Usage: "take the command of a known `AGENT`, and what it leaves in a checkout: " + strings.Join(supportedRecipes(), ", ")},
			&cli.DurationFlag{Name: flagAgentRuntime, Usage: "let the agent run for `DURATION`, whatever a job admits for one call"},
			&cli.DurationFlag{Name: flagGrace, Value: definition.DefaultGrace, Usage: "give what the agent leaves running `DURATION` to end by itself"},
			&cli.StringSliceFlag{Name: flagEnv, Usage: "give the agent a variable, as `K=V`"},
			&cli.BoolFlag{Name: flagGitWritable, Usage: "leave the git directory writable for the agent"},
			&cli.BoolFlag{Name: flagPTY, Usage: "give the agent a terminal of its own"},
			&cli.BoolFlag{Name: flagForeignServer, Usage: "admit an agent that hands its work to a server; its end is then never proven"},
		},
	}
}

func supportedRecipes() []string {
	var names []string
	for _, r := range definition.Recipes() {
		if r.Unsupported == "" {
			names = append(names, r.Name)
		}
	}
	return names
}

func addAdapter(ctx context.Context, in *invocation, operands []string) (answer, error) {
	name := operands[0]
	if err := checkAdapterName(name); err != nil {
		return answer{}, err
	}
	places, err := in.adapterPlaces(name)
	if err != nil {
		return answer{}, err
	}
	if err := places.outside(in.environment); err != nil {
		return answer{}, err
	}
	d, err := in.definition(ctx)
	if err != nil {
		return answer{}, err
	}
	program, err := in.lastingProgram()
	if err != nil {
		return answer{}, err
	}
	if err := in.keepAdapter(places, program.Path, d); err != nil {
		return answer{}, err
	}
	e, err := in.adapterEntry(places)
	if err != nil {
		return answer{}, err
	}
	e.rule = program.Rule
	in.examine(ctx, &e)
	return answer{document: newAdapterDocument(adapterAddName, e)}, nil
}

// definition returns what the flags and the command behind "--" say of an
// agent.
func (in *invocation) definition(ctx context.Context) (definition.Definition, error) {
	recipe, argv, err := in.agentCommand()
	if err != nil {
		return definition.Definition{}, err
	}
	executable, err := runner.Find(argv[0], in.dir, in.variables)
	if err != nil {
		return definition.Definition{}, err
	}
	argv = append([]string{executable}, argv[1:]...)
	d := definition.Definition{
		Contract: definition.Contract, Executable: executable, Arguments: argv[1:], Environment: map[string]string{},
		RuntimeMs: in.flags.Duration(flagAgentRuntime).Milliseconds(), GraceMs: in.flags.Duration(flagGrace).Milliseconds(),
		Prompt: definition.DeliveryOf(argv[1:]), GitWritable: in.flags.Bool(flagGitWritable), Writable: definition.StandardWritable(),
		PTY: in.flags.Bool(flagPTY), ForeignServer: in.flags.Bool(flagForeignServer), Recipe: recipe.Name,
	}
	if recipe.Name != "" {
		d.Writable = recipe.Writable
	}
	if d.GitWritable {
		d.Writable = nil
	}
	if err := in.wholeMilliseconds(flagAgentRuntime, flagGrace); err != nil {
		return definition.Definition{}, err
	}
	if err := in.agentVariables(d.Environment); err != nil {
		return definition.Definition{}, err
	}
	if err := in.checkHandover(argv, d.ForeignServer); err != nil {
		return definition.Definition{}, err
	}
	if filepath.Base(executable) == recipe.Name {
		d.Version = in.versionOf(ctx, executable)
	}
	if err := d.Validate(); err != nil {
		return definition.Definition{}, fault.New(fault.Usage, "%w", err).WithNext("git algal help adapter")
	}
	return d.Clone(), nil
}

// agentCommand returns the recipe that is named, if any, and the command: the
// recipe's own unless one stands behind "--".
func (in *invocation) agentCommand() (definition.Recipe, []string, error) {
	var recipe definition.Recipe
	if in.flags.IsSet(flagRecipe) {
		word := in.flags.String(flagRecipe)
		found, ok := definition.RecipeNamed(word)
		switch {
		case !ok:
			return definition.Recipe{}, nil, fault.New(fault.Usage, "there is no recipe for %q", word).
				WithNext("take one of %s, or give the command behind \"--\"", strings.Join(supportedRecipes(), ", "))
		case found.Unsupported != "":
			return definition.Recipe{}, nil, fault.New(fault.Usage, "%s", found.Unsupported).
				WithNext("use another agent, or a command of your own that reads the prompt from standard input")
		}
		recipe = found
	}
	switch {
	case len(in.argv) > 0 && in.argv[0] != "":
		return recipe, in.argv, nil
	case recipe.Name != "" && len(in.argv) == 0:
		return recipe, append([]string{recipe.Name}, recipe.Arguments...), nil
	}
	return definition.Recipe{}, nil, fault.New(fault.Usage, "no command of an agent is given").
		WithNext("git algal adapter add NAME --%s %s, or -- AGENT ARGV...", flagRecipe, strings.Join(supportedRecipes(), "|"))
}

// wholeMilliseconds refuses a duration below a millisecond that would turn into
// none, and an explicit runtime of none.
func (in *invocation) wholeMilliseconds(names ...string) error {
	for _, name := range names {
		if given := in.flags.Duration(name); given%time.Millisecond != 0 {
			return fault.New(fault.Usage, "flag %q is %v, which is no whole number of milliseconds", dashed(name), given)
		}
	}
	if in.flags.IsSet(flagAgentRuntime) && in.flags.Duration(flagAgentRuntime) == 0 {
		return fault.New(fault.Usage, "flag %q is no time at all", dashed(flagAgentRuntime)).WithNext("leave it out to let the job decide")
	}
	return nil
}

// agentVariables reads --env into variables.
func (in *invocation) agentVariables(variables map[string]string) error {
	for _, word := range in.flags.StringSlice(flagEnv) {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			return fault.New(fault.Usage, "flag %q takes a name, %q and a value", dashed(flagEnv), "=")
		}
		if err := definition.ValidateVariable(name, value); err != nil {
			return fault.New(fault.Usage, "flag %q: %w", dashed(flagEnv), err)
		}
		if _, twice := variables[name]; twice {
			return fault.New(fault.Usage, "flag %q gives %q twice", dashed(flagEnv), name)
		}
		variables[name] = value
	}
	return nil
}

// checkHandover refuses a command that hands its work to a server, and says
// what it cannot see.
func (in *invocation) checkHandover(argv []string, admitted bool) error {
	h := definition.HandsOver(argv)
	switch {
	case h.Server != "" && !admitted:
		return fault.New(fault.Usage, "%q hands the work to %s, so the end of its own processes proves nothing", h.Program, h.Server).
			WithNext("give a command that does the work itself; with --%s the end is never proven, and you settle each job by hand", flagForeignServer)
	case h.Opaque != "":
		in.warn("what %q does is not read: where its script hands the work to a server, its end proves nothing", h.Opaque)
	}
	return nil
}

const (
	versionTimeout  = 10 * time.Second // for a program that looks for updates first
	maxVersionBytes = 4_096            // of which the first line counts
)

// versionOf returns the first line that a known agent says to --version, empty
// where it says none that can be kept. An agent that is not known is not asked:
// it might take the question for a task.
func (in *invocation) versionOf(ctx context.Context, executable string) string {
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	end, err := runner.Command{
		Executable: executable, Argv: []string{executable, "--version"}, Env: in.variables, Dir: "/", MaxOutput: maxVersionBytes,
	}.Run(ctx)
	if err != nil || end.ExitCode != 0 || end.Signal != "" {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(end.Stdout.Kept)), "\n")
	line = strings.TrimSpace(line)
	if len(line) > definition.MaxVersionBytes || strings.ContainsFunc(line, unicode.IsControl) {
		return ""
	}
	return strings.ToValidUTF8(line, "")
}
