//go:build linux || darwin

package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/definition"
)

const (
	flagAdapter   = "adapter"
	flagOperation = "operation-id"
	flagAttempt   = "attempt"
	flagHead      = "expect-head"
	flagSource    = "source"
	flagLike      = "like"
)

// orderFlags are those that say what is to be admitted.
func orderFlags() []cli.Flag {
	flags := []cli.Flag{
		&cli.StringFlag{Name: flagAdapter, Usage: "have the agent behind the adapter `NAME|FILE` do it"},
		&cli.StringFlag{Name: flagOperation, Usage: "call the attempt `ID`; by default it is derived from workspace, HEAD, prompt and adapter"},
		&cli.IntFlag{Name: flagAttempt, Value: 1, Usage: "derive the id of the `N`th attempt at the same prompt"},
	}
	flags = append(flags, promptFlags()...)
	flags = append(flags,
		&cli.StringFlag{Name: flagLike, Usage: "repeat prompt, adapter and limits of `JOB`"},
		&cli.StringFlag{Name: flagHead, Usage: "refuse unless HEAD is `SHA`; by default HEAD as it stands"},
		&cli.StringFlag{Name: flagSource, Usage: "admit the pull request's evidence in `FILE`"},
	)
	return append(flags, limitFlags()...)
}

// ordersJob reports whether the flags say what is to be admitted.
func (in *invocation) ordersJob() bool {
	for _, flag := range orderFlags() {
		if in.flags.IsSet(flag.Names()[0]) {
			return true
		}
	}
	return false
}

// order returns what the flags ask to have admitted on the checkout. Errors
// are fault.Usage and those of the files that the flags name; bounds are
// Prepare's to check.
func (s *site) order(ctx context.Context, c *checkout) (jobs.Options, error) {
	o := jobs.Options{Workspace: c.Workspace, Limits: jobs.LargestLimits()}
	likeAnother := s.flags.IsSet(flagLike)
	if likeAnother {
		if err := s.repeat(&o, s.flags.String(flagLike)); err != nil {
			return jobs.Options{}, err
		}
	}
	var err error
	if o.Limits, err = s.limits(o.Limits); err != nil {
		return jobs.Options{}, err
	}
	if o.XCB, err = s.worker(); err != nil {
		return jobs.Options{}, err
	}
	switch {
	case s.flags.IsSet(flagAdapter):
		if o.Adapter, err = s.adapterNamed(s.flags.String(flagAdapter), c); err != nil {
			return jobs.Options{}, err
		}
		if err := s.checkRuntime(o.Adapter); err != nil {
			return jobs.Options{}, err
		}
	case o.XCB == nil && !likeAnother:
		return jobs.Options{}, fault.New(fault.Usage, "no adapter is named").
			WithNext("name the agent's adapter with --adapter NAME|FILE")
	}
	if s.flags.IsSet(flagSource) {
		if o.Source, err = s.sourceFile(s.flags.String(flagSource)); err != nil {
			return jobs.Options{}, err
		}
	}
	if o.ExpectedHead = s.flags.String(flagHead); o.ExpectedHead == "" {
		head, err := c.repo.Head(ctx)
		if err != nil {
			return jobs.Options{}, err
		}
		o.ExpectedHead = head.Commit
	}
	if s.givesPrompt() || !likeAnother {
		if o.Prompt, err = s.prompt(ctx); err != nil {
			return jobs.Options{}, err
		}
	}
	if o.XCB == nil { // a v1 job is no operation
		o.OperationID, err = s.operationID(o)
	}
	return o, err
}

// repeat fills in what --like takes from another job.
func (s *site) repeat(o *jobs.Options, word string) error {
	job, err := s.named(word)
	if err != nil {
		return err
	}
	snap, err := s.service.Inspect(job)
	if err != nil {
		return err
	}
	if snap.Intent.XCB != nil {
		return fault.New(fault.Usage, "job %q has an xcb worker, which --%s does not repeat", job, flagLike)
	}
	o.Prompt, o.Adapter, o.Limits = snap.Intent.Prompt, snap.Intent.Adapter, snap.Intent.Limits
	return nil
}

func (s *site) sourceFile(name string) (*jobs.Source, error) {
	text, err := readConfiguration("source", s.path(name))
	if err != nil {
		return nil, err
	}
	source, err := jobs.ParseSource(text)
	if err != nil {
		return nil, err
	}
	return &source, nil
}

// operationID returns the id that the flags name, else the derived one.
func (in *invocation) operationID(o jobs.Options) (operation.Identity, error) {
	if !in.flags.IsSet(flagOperation) {
		return jobs.DeriveOperationID(o.Workspace, o.ExpectedHead, o.Prompt, o.Adapter, in.flags.Int(flagAttempt))
	}
	if in.flags.IsSet(flagAttempt) {
		return "", fault.New(fault.Usage, "flags %q and %q exclude each other", dashed(flagOperation), dashed(flagAttempt))
	}
	id, err := operation.ParseIdentity(in.flags.String(flagOperation))
	if err != nil {
		return "", fault.New(fault.Usage, "flag %q is %q: %w", dashed(flagOperation), in.flags.String(flagOperation), err)
	}
	return id, nil
}

// checkRuntime refuses to bound the call of an agent whose own runtime is
// longer than any call: what was meant is the runtime.
func (in *invocation) checkRuntime(a operation.Adapter) error {
	if _, _, served := definition.Embedded(a); !served || !in.flags.IsSet(flagRuntime) {
		return nil
	}
	d, err := in.definitionOf(a)
	if err != nil {
		return err
	}
	if d.Runtime() > jobs.LargestLimits().Runtime() {
		return fault.New(fault.Usage, "the adapter's agent may run for %v, so flag %q bounds nothing but the wait for it", d.Runtime(), dashed(flagRuntime)).
			WithNext("leave the flag out; another adapter can have another --%s", flagAgentRuntime)
	}
	return nil
}
