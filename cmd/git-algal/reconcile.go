//go:build linux || darwin

package main

import (
	"context"

	"github.com/git-algal/git-algal/internal/canon"
)

func reconcileVerb() verb {
	return verb{
		name: "reconcile", usage: "look an uncertain job up, once, and settle it if that ended it",
		operands: "[JOB]",
		details: "Makes at most one read-only call of the adapter. It never submits, retries or\n" +
			"polls; a job that is settled already is returned as it is.",
		flags:       append(jobFlags(), waitFlag()),
		maxOperands: 1, run: onJob(withGit, reconcile),
	}
}

func reconcile(ctx context.Context, s *site, job canon.Digest) (answer, error) {
	snap, err := s.service.Reconcile(ctx, job)
	if err != nil {
		return answer{}, err
	}
	return answer{document: s.jobDocument(snap, brief), exit: exitOfStatus[snap.Status]}, nil
}
