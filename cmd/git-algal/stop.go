//go:build linux || darwin

package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
)

func stopVerb() verb {
	return verb{
		name: "stop", usage: "end the agent of a job and everything that descends from it",
		operands: "[JOB]", maxOperands: 1,
		details: "The ledger then has the outcome, and reconcile settles the job. It is for jobs of\n" +
			"the adapters that \"git algal adapter add\" makes.",
		flags: []cli.Flag{withPromptFlag()},
		run:   onJob(withGit, stopJob),
	}
}

// stopReason is what the ledger keeps of the order.
const stopReason = "by the command line"

func stopJob(ctx context.Context, s *site, job canon.Digest) (answer, error) {
	a, snap, err := s.attemptOf(job)
	if err != nil {
		return answer{}, err
	}
	if snap.Status.Settled() {
		return answer{document: s.jobDocument(snap, brief)}, nil
	}
	s.progress.begin(jobs.Phase{Name: "ending the agent"})
	outcome, err := a.ledger.Stop(ctx, snap.Intent.Operation, stopReason)
	if err != nil {
		return answer{}, err
	}
	if outcome.State() != operation.Terminal {
		return answer{}, unproven(a.operation)
	}
	d := s.jobDocument(snap, brief)
	d.Next = [][]string{s.command("reconcile", string(job))}
	if snap.Evidence.Launched {
		return answer{document: d}, nil
	}
	d.Next = s.next(snap) // running it settles it, and starts nothing
	return answer{document: d}, nil
}

// unproven refuses to say of an operation that it has ended.
func unproven(id operation.Identity) error {
	return fault.New(fault.UnsupportedSystem, "operation %q was told to end, and nothing here proves that it has", id).
		WithNext("look for its processes yourself, then git algal adapter settle NAME %s --as cancelled --reason TEXT", id)
}
