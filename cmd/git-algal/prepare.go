//go:build linux || darwin

package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

const flagOptions = "options"

func prepareVerb() verb {
	return verb{
		name: "prepare", usage: "admit a job on the exactly clean checkout; launch nothing",
		operands: "(--adapter NAME|FILE | --xcb FILE) [-F FILE|- | -m TEXT]",
		details: "The same words again find the same job, never a second one; another attempt is\n" +
			"said out loud with --attempt. Without a prompt an editor opens, as for a commit.\n" +
			"--options takes the whole order as one JSON object, with the contract's own\n" +
			"defaults for limits, in place of all other flags.",
		flags: append(append(orderFlags(), workerFlags()...),
			&cli.StringFlag{Name: flagOptions, Usage: "admit what the JSON object in `FILE` says; - is stdin"},
			waitFlag(), withPromptFlag()),
		run: prepare,
	}
}

func prepare(ctx context.Context, in *invocation) (answer, error) {
	var o jobs.Options
	whole := in.flags.IsSet(flagOptions)
	if whole {
		var err error
		if o, err = in.optionsFile(); err != nil {
			return answer{}, err
		}
		in.dir = o.Workspace
	}
	s, err := in.openSite(ctx, withGit)
	if err != nil {
		return answer{}, err
	}
	defer s.close()
	c, err := s.standing(ctx)
	if err != nil {
		return answer{}, err
	}
	if !whole {
		if o, err = s.order(ctx, c); err != nil {
			return answer{}, err
		}
	}
	snap, err := s.service.Prepare(ctx, o)
	if err != nil {
		return s.refused(err)
	}
	return answer{document: s.jobDocument(snap, brief)}, nil
}

// refused returns an admission's refusal, with the three ways on where the
// checkout is not clean.
func (s *site) refused(err error) (answer, error) {
	if s.checkout == nil || !fault.Is(err, fault.NotClean) {
		return answer{}, err
	}
	return answer{ways: waysOn(s.checkout.Workspace)}, err
}

// optionsFile reads the closed options object of --options.
func (in *invocation) optionsFile() (jobs.Options, error) {
	if in.ordersJob() || in.givesWorker() {
		return jobs.Options{}, fault.New(fault.Usage, "flag %q says everything; no other flag of the order may stand beside it", dashed(flagOptions))
	}
	name := in.flags.String(flagOptions)
	var text []byte
	var err error
	if name == stdinName {
		if text, err = readAtMost(in.stdin, maxConfigurationBytes); err != nil {
			return jobs.Options{}, fault.New(fault.Usage, "the options cannot be read from stdin: %w", err)
		}
	} else if text, err = readConfiguration("options", in.path(name)); err != nil {
		return jobs.Options{}, err
	}
	return parseOrder(text)
}
