//go:build linux || darwin

package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

const flagReconcile = "reconcile"

func waitVerb() verb {
	return verb{
		name: "wait", usage: "wait until the agent of a job has ended, or nobody is left who works on it",
		operands: "[JOB]", maxOperands: 1,
		details: "It reads the ledger and calls no adapter; for jobs of the adapters that\n" +
			"\"git algal adapter add\" makes.",
		flags: []cli.Flag{
			&cli.BoolFlag{Name: flagReconcile, Usage: "look the job up afterwards, once, and settle it"},
			withPromptFlag(),
		},
		run: onJob(withGit, waitForJob),
	}
}

func waitForJob(ctx context.Context, s *site, job canon.Digest) (answer, error) {
	a, snap, err := s.attemptOf(job)
	if err != nil {
		return answer{}, err
	}
	switch {
	case snap.Status == jobs.Prepared:
		return answer{}, fault.New(fault.NotReconcilable, "job %q was never launched", shortID(job)).WithNext("git algal run %s", shortID(job))
	case snap.Status.Settled():
		return s.waited(snap), nil
	}
	s.progress.begin(jobs.Phase{Name: "waiting for the agent"})
	found, err := a.wait(ctx)
	if err != nil {
		return answer{}, err
	}
	if found.Conclusion == nil {
		s.warn("nobody works on the operation any more, and its ledger has no outcome")
	}
	if !s.flags.Bool(flagReconcile) {
		d := s.jobDocument(snap, brief)
		d.Next = [][]string{s.command("reconcile", string(job))}
		return answer{document: d}, nil
	}
	if snap, err = s.service.Reconcile(ctx, job); err != nil {
		return answer{}, err
	}
	return s.waited(snap), nil
}

// waited answers with a job; its status counts only where it was asked to be
// settled.
func (s *site) waited(snap jobs.Snapshot) answer {
	found := answer{document: s.jobDocument(snap, brief)}
	if s.flags.Bool(flagReconcile) {
		found.exit = exitOfStatus[snap.Status]
	}
	return found
}
