//go:build linux || darwin

package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/internal/canon"
)

const flagStat = "stat"

func patchVerb() verb {
	return verb{
		name: "patch", usage: "print a job's whole change for \"git apply --binary\" on the admitted HEAD",
		operands: "[JOB]",
		details: "Untracked files are part of it. An empty patch prints nothing and says so on\n" +
			"stderr. --json prints the retained artifact.",
		flags:       []cli.Flag{&cli.BoolFlag{Name: flagStat, Usage: "print a summary for people instead"}},
		maxOperands: 1, run: onJob(evidenceOnly, patch),
	}
}

// A patchDocument is a retained patch.
type patchDocument struct {
	artifact []byte // canonical
	export   []byte // for git apply
	files    []capture.FileStat
	stat     bool     // files are printed in place of export
	palette  *palette // nil where nothing is coloured
}

func patch(ctx context.Context, s *site, job canon.Digest) (answer, error) {
	artifact, err := s.service.Patch(job)
	if err != nil {
		return answer{}, err
	}
	d := &patchDocument{stat: s.flags.Bool(flagStat)}
	if d.artifact, err = artifact.Format(); err != nil {
		return answer{}, err
	}
	if d.files, err = capture.Stat(artifact); err != nil {
		return answer{}, err
	}
	if d.export, err = capture.Export(artifact); err != nil {
		return answer{}, err
	}
	if len(d.export) == 0 {
		s.warn("the patch of job %s is empty: the agent changed nothing", shortID(job))
	}
	if d.palette, err = s.patchPalette(ctx); err != nil {
		s.warn("without colours: %v", err)
	}
	return answer{document: d}, nil
}

func (d *patchDocument) writeText(p *page) {
	switch {
	case d.stat:
		writeStat(p, d.files, d.palette)
	case d.palette != nil && p.terminal:
		p.write(d.palette.patch(string(d.export)))
	default:
		p.content(string(d.export))
	}
}

func (d *patchDocument) plainJSON() []byte { return d.artifact }
func (d *patchDocument) paged()            {}
