//go:build linux || darwin

package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

const verifySchema = "git-algal.verify/1"

func verifyVerb() verb {
	return verb{
		name: "verify", usage: "is the workspace exactly the captured patch? names each path that drifted",
		operands: "[JOB]",
		flags:    []cli.Flag{waitFlag()}, maxOperands: 1, run: onJob(withGit, verify),
	}
}

// A verifyDocument says whether a workspace is exactly the captured patch.
type verifyDocument struct {
	Schema   string       `json:"schema"`
	JobID    canon.Digest `json:"jobId"`
	Verified bool         `json:"verified"`
	Drift    []driftEntry `json:"drift"`

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
	if err != nil && (!fault.Is(err, fault.SourceMoved) || len(v.Drift) == 0) {
		return answer{}, err
	}
	d := &verifyDocument{verifySchema, job, v.Verified, driftEntries(v.Drift), v.Empty, nil}
	if !v.Verified {
		d.next = [][]string{s.command("diff", string(job))}
	}
	return answer{document: d, exit: exitOf(err)}, nil
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
	writeDrift(p, d.Drift)
	writeNext(p, d.next)
}

func writeDrift(p *page, drift []driftEntry) {
	var rows [][]string
	for _, d := range drift {
		path := shown(d.path)
		if d.path == "" {
			path = "(the checkout as a whole)"
		}
		rows = append(rows, []string{"  " + string(d.Kind), path})
	}
	p.table(rows...)
}
