//go:build linux || darwin

package main

import (
	"context"

	"github.com/git-algal/git-algal/internal/canon"
)

const diffSchema = "git-algal.diff/1"

func diffVerb() verb {
	return verb{
		name: "diff", usage: "what of the workspace is not in a settled job's patch: is discarding it safe?",
		operands: "[JOB]",
		details: "Ignored files are not looked at. The answer grants no validation: verify asks\n" +
			"the stricter question.",
		maxOperands: 1, run: onJob(withGit, diff),
	}
}

// A diffDocument says what of a workspace a retained patch does not hold.
type diffDocument struct {
	Schema string       `json:"schema"`
	JobID  canon.Digest `json:"jobId"`
	Same   bool         `json:"same"`
	Drift  []driftEntry `json:"drift"`
}

func diff(ctx context.Context, s *site, job canon.Digest) (answer, error) {
	drift, err := s.service.Diff(ctx, job)
	if err != nil {
		return answer{}, err
	}
	exit := exitDone
	if len(drift) > 0 {
		exit = exitDrift
	}
	return answer{document: &diffDocument{diffSchema, job, len(drift) == 0, driftEntries(drift)}, exit: exit}, nil
}

func (d *diffDocument) writeText(p *page) {
	if d.Same {
		p.line("job %s holds everything that git sees in the workspace", shortID(d.JobID))
		return
	}
	p.line("not in what is retained of job %s:", shortID(d.JobID))
	writeDrift(p, d.Drift)
}
