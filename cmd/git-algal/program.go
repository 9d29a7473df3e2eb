//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
)

// An invocation is one call of one verb.
type invocation struct {
	environment
	verb     string
	flags    *cli.Context
	argv     []string // what stands behind "--", where the verb takes a command
	progress *progress
	warnings []string
}

// run carries out one command and returns the exit status.
func run(env environment) int {
	if env.asksDemoAgent() {
		return env.runDemoAgent()
	}
	if env.asksQualifyAgent() {
		return env.runQualifyAgent()
	}
	if env.asksHook() {
		return env.answerHook()
	}
	if env.asksEmbedded() {
		return env.runEmbedded()
	}
	if env.asksCompletion() {
		return env.answerCompletion()
	}
	if slices.Equal(env.args, []string{"version"}) {
		return env.sayVersion() // scripts ask often, and nothing else is needed for it
	}
	ctx, stop := env.interruptible(context.Background())
	defer stop()
	name, args, err := env.split()
	in := &invocation{environment: env, verb: name}
	if err != nil {
		return in.finish(ctx, answer{}, err)
	}
	v, err := verbNamed(name)
	if err != nil {
		return in.finish(ctx, answer{}, err)
	}
	var found answer
	app := &cli.App{
		Name: "git-algal", HideHelp: true, HideVersion: true, DisableSliceFlagSeparator: true,
		Writer: env.stderr, ErrWriter: env.stderr,
		ExitErrHandler: func(*cli.Context, error) {}, // exit.go decides, and only main exits
		Commands: []*cli.Command{{
			Name: v.name, Flags: v.allFlags(), HideHelp: true,
			OnUsageError: func(_ *cli.Context, err error, _ bool) error {
				return fault.New(fault.Usage, "%w", err)
			},
			Action: func(c *cli.Context) error {
				in.flags = c
				var err error
				found, err = in.call(ctx, v)
				return err
			},
		}},
	}
	w, err := v.arrange(args)
	switch {
	case w.askHelp(): // whatever else is said
		found = answer{document: helpOf(v)}
	case err == nil:
		in.argv = w.behind
		err = app.RunContext(ctx, slices.Concat([]string{app.Name, v.name}, w.flags, []string{"--"}, w.operands))
	}
	return in.finish(ctx, found, err)
}

// split finds the verb among the arguments. Flags before it are those that
// every verb takes; they are arranged, and what follows the verb is not.
func (e environment) split() (verb string, args words, err error) {
	w, rest, err := flagNames(sharedFlags()).arrange(e.args, 1)
	var unknown unknownFlagError
	switch {
	case errors.As(err, &unknown) && unknown == "--version":
		return "version", words{}, nil
	case errors.As(err, &unknown):
		return "", words{}, fault.New(fault.Usage, "%w", err).WithNext("git algal help")
	case err != nil:
		return "", words{}, err
	case len(w.operands) > 0:
		return w.operands[0], words{flags: w.flags, operands: rest}, nil
	case len(w.behind) > 0:
		return w.behind[0], words{flags: w.flags, operands: append([]string{"--"}, w.behind[1:]...)}, nil
	}
	if w.askHelp() {
		return "help", words{}, nil
	}
	return "", words{}, fault.New(fault.Usage, "no command is given").WithNext("git algal help")
}

// call carries out the verb with its parsed flags.
func (in *invocation) call(ctx context.Context, v verb) (answer, error) {
	if n := in.flags.NArg(); n > v.maxOperands {
		return answer{}, fault.New(fault.Usage, "%q is one operand too many", in.flags.Args().Get(v.maxOperands)).
			WithNext("git algal help %s", v.name)
	}
	if wait := in.wait(); wait < 0 || wait > maxWait {
		return answer{}, fault.New(fault.Usage, "flag %q is %v, outside 0s..%v", dashed(flagWait), wait, maxWait)
	}
	if dir := in.flags.String(flagDir); dir != "" {
		in.dir = in.path(dir)
	}
	in.progress = in.newProgress()
	defer in.progress.end()
	return v.run(ctx, in)
}

// finish prints what was found and returns the exit status.
func (in *invocation) finish(ctx context.Context, found answer, err error) int {
	in.progress.end()
	in.printWarnings()
	out := in.printer(ctx)
	exit := found.exit
	var printed error
	if err != nil {
		f := newFailure(in.verb, err)
		f.ways = found.ways
		exit, printed = exitOf(err), out.fail(f)
	} else if found.document != nil {
		printed = out.print(found.document)
	}
	if printed != nil {
		if exit == exitDone {
			exit = exitRefused
		}
		fmt.Fprintf(in.stderr, "git algal: the output could not be written: %v\n", printed)
	}
	return exit
}

func (in *invocation) printer(ctx context.Context) printer {
	if in.wantsJSON() {
		return jsonPrinter{in.stdout}
	}
	terminal := in.isTerminal(in.stdout)
	return textPrinter{
		stdout: in.stdout, stderr: in.stderr, terminal: terminal,
		colour: terminal && in.wantsColour(ctx), page: in.paged(ctx),
	}
}

func (in *invocation) wantsJSON() bool {
	if in.flags != nil {
		return in.flags.Bool(flagJSON)
	}
	return wantsJSON(in.args)
}

// wait returns how long a held lease is waited for; zero where the verb takes
// none.
func (in *invocation) wait() time.Duration { return in.flags.Duration(flagWait) }

// warn keeps a warning for stderr, shown once the work is done.
func (in *invocation) warn(format string, args ...any) {
	in.warnings = append(in.warnings, fmt.Sprintf(format, args...))
}

func (in *invocation) printWarnings() {
	if in.flags == nil || in.flags.Bool(flagQuiet) {
		return
	}
	for _, warning := range in.warnings {
		fmt.Fprintf(in.stderr, "warning: %s\n", forTerminal(warning))
	}
}

// wantsColour honours NO_COLOR, a terminal that cannot, and color.ui of the
// person's own git configuration.
func (in *invocation) wantsColour(ctx context.Context) bool {
	if !in.couldColour() {
		return false
	}
	setting, err := in.personal(ctx, "color.ui")
	return err == nil && !isOff(setting)
}

// couldColour reports whether the environment lets anything be coloured.
func (in *invocation) couldColour() bool {
	return in.variable("NO_COLOR") == "" && in.variable("TERM") != "dumb" && in.variable("TERM") != ""
}
