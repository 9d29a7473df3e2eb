//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/mcptool"
	"github.com/git-algal/git-algal/jobs"
)

const (
	flagJob = "job"

	// configurationMeta is the member of the tool's metadata that holds the
	// digest over tool, store and job.
	configurationMeta = "git-algal/configurationDigest"
)

func mcpVerb() verb {
	return verb{
		name: "mcp", usage: "serve the tool coding.job.observe.v1 of one job to a Model Context Protocol client",
		operands: "--job JOB --store DIR",
		details: "Speaks the protocol on stdin and stdout until the client leaves. Job and store\n" +
			"are chosen here, once: the tool takes no inputs. It reads the store alone and\n" +
			"calls neither git nor an adapter.",
		flags: []cli.Flag{&cli.StringFlag{Name: flagJob, Usage: "let the tool observe `JOB`"}},
		run:   serveMCP,
	}
}

func serveMCP(ctx context.Context, in *invocation) (answer, error) {
	for _, flag := range []string{flagJob, flagStore} { // a client starts the server anywhere
		if in.flags.String(flag) == "" {
			return answer{}, fault.New(fault.Usage, "flag %q is needed", dashed(flag)).WithNext("git algal help mcp")
		}
	}
	s, err := in.openSite(ctx, evidenceOnly)
	if err != nil {
		return answer{}, err
	}
	defer s.close()
	job, err := s.named(in.flags.String(flagJob))
	if err != nil {
		return answer{}, err
	}
	if _, err := s.service.Inspect(job); fault.Is(err, fault.Missing) {
		return answer{}, err // any other failure is the tool's to tell
	}
	tool, err := s.observeTool(job)
	if err != nil {
		return answer{}, err
	}
	err = mcptool.Serve(ctx, in.stdin, in.stdout, thisVersion().Version, tool)
	switch {
	case errors.Is(err, context.Canceled):
		return answer{}, fault.New(fault.Cancelled, "the server was interrupted")
	case err != nil:
		return answer{}, fault.New(fault.HostFailed, "the connection to the client broke: %w", err)
	}
	return answer{}, nil
}

// observeTool returns the tool that observes a job of the site's store.
func (s *site) observeTool(job canon.Digest) (mcptool.Tool, error) {
	configuration, err := jobs.ObserveConfiguration(s.service.Store.Root(), job)
	if err != nil {
		return mcptool.Tool{}, err
	}
	return mcptool.Tool{
		Name:  jobs.ObserveTool,
		Title: "Observe a coding job",
		Description: "Says where one coding job stands, which the host chose: prepared, uncertain, completed or failed, " +
			"with references to what is retained of it, and \"done\" or \"continue\". " +
			"It looks at the records only; it launches, asks and changes nothing.",
		Meta:     map[string]any{configurationMeta: configuration},
		MaxBytes: jobs.MaxObserveBytes,
		Call: func(context.Context) (string, error) {
			text, err := s.service.Observe(job)
			if err == nil {
				return string(text), nil
			}
			f := newFailure("", err)
			return "", fmt.Errorf("%s [%s]", f.Error.Message, f.Error.Code)
		},
	}, nil
}
