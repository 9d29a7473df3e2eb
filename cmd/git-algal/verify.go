//go:build linux || darwin

package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

const (
	verifySchema = "git-algal.verify/1"

	flagDiff = "diff"
)

func verifyVerb() verb {
	return verb{
		name: "verify", usage: "is the workspace exactly the captured patch? names each path that drifted",
		operands: "[JOB]",
		flags: []cli.Flag{
			&cli.BoolFlag{Name: flagDiff, Usage: "show the beginning of what differs in each text"},
			waitFlag(),
		},
		maxOperands: 1, run: onJob(withGit, verify),
	}
}

// A verifyDocument says whether a workspace is exactly the captured patch.
type verifyDocument struct {
	Schema   string        `json:"schema"`
	JobID    canon.Digest  `json:"jobId"`
	Verified bool          `json:"verified"`
	Drift    []driftEntry  `json:"drift"`
	Excerpts []excerpt     `json:"excerpts"` // empty unless they are asked for
	Refusal  *failureError `json:"refusal"`  // why nothing could be compared, else null

	empty bool
	next  [][]string
}

// A driftEntry is one way in which a workspace drifted; Path is empty where it
// concerns the whole checkout.
type driftEntry struct {
	Path    string         `json:"path"`
	Kind    jobs.DriftKind `json:"kind"`
	Escaped bool           `json:"escaped,omitzero"` // Path is not UTF-8 and was escaped

	path string
}

func driftEntries(drift []jobs.Drift) []driftEntry {
	entries := []driftEntry{}
	for _, d := range drift {
		path, escaped := jsonPath(d.Path)
		entries = append(entries, driftEntry{path, d.Kind, escaped, d.Path})
	}
	return entries
}

func verify(ctx context.Context, s *site, job canon.Digest) (answer, error) {
	v, err := s.service.Verify(ctx, job)
	if err != nil && len(v.Drift) == 0 {
		return answer{}, err
	}
	d := &verifyDocument{
		Schema: verifySchema, JobID: job, Verified: v.Verified, Drift: driftEntries(v.Drift), Excerpts: []excerpt{}, empty: v.Empty,
	}
	if v.Verified {
		return answer{document: d}, nil
	}
	if !fault.Is(err, fault.SourceMoved) {
		f := newFailure("verify", err)
		d.Refusal = &f.Error
		return answer{document: d, exit: exitDrift}, nil
	}
	d.next = [][]string{s.command("diff", string(job))}
	if s.flags.Bool(flagDiff) {
		found, err := s.service.Excerpts(ctx, v)
		if err != nil {
			return answer{}, err
		}
		d.Excerpts = newExcerpts(found)
	}
	return answer{document: d, exit: exitDrift}, nil
}

func (d *verifyDocument) writeText(p *page) {
	if d.Verified {
		p.line("%s: the workspace is exactly the patch of job %s", p.tinted(green, "verified"), shortID(d.JobID))
		if d.empty {
			p.line("  the patch is empty: a test that passes here says nothing about the job")
		}
		return
	}
	p.line("%s: the workspace is not the patch of job %s", p.tinted(red, "drifted"), shortID(d.JobID))
	writeDrift(p, d.Drift, d.Excerpts...)
	if d.Refusal != nil {
		p.line("%s [%s]", forPeople(d.Refusal.Message), d.Refusal.Code)
		if d.Refusal.Next != "" {
			p.line("next: %s", forPeople(d.Refusal.Next))
		}
	}
	writeNext(p, d.next)
}

// writeDrift writes each drift, and the excerpt of its path below the last one
// that the path has.
func writeDrift(p *page, drift []driftEntry, excerpts ...excerpt) {
	var rows [][]string
	for _, d := range drift {
		path := shown(d.path)
		if d.path == "" {
			path = "(the checkout as a whole)"
		}
		rows = append(rows, []string{"  " + string(d.Kind), path})
	}
	for i, line := range aligned(rows...) {
		p.line("%s", line)
		if last := i == len(drift)-1 || drift[i+1].path != drift[i].path; !last {
			continue
		}
		for _, e := range excerpts {
			if e.path == drift[i].path {
				e.writeText(p)
			}
		}
	}
}
