//go:build linux || darwin

package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/canon"
)

// jobFlags are those of verbs that print a job.
func jobFlags() []cli.Flag { return []cli.Flag{withPromptFlag()} }

func inspectVerb() verb {
	return verb{
		name: "inspect", usage: "say where a job stands, on which evidence, and what to do next",
		operands: "[JOB]",
		details:  "Reads the store alone: no lease, no git, no adapter.",
		flags:    jobFlags(), maxOperands: 1, run: onJob(evidenceOnly, inspect),
	}
}

func inspect(_ context.Context, s *site, job canon.Digest) (answer, error) {
	snap, err := s.service.Inspect(job)
	if err != nil {
		return answer{}, err
	}
	return answer{document: s.jobDocument(snap, whole)}, nil
}
