//go:build linux || darwin

package main

import (
	"context"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

const fsckSchema = "git-algal.fsck/1"

func fsckVerb() verb {
	return verb{
		name: "fsck", usage: "check every record, digest, chain, claim and value of the store",
		details: "It changes nothing and takes no lease: a writer at work disturbs it as little as\n" +
			"what a crash left behind.",
		run: onSite(evidenceOnly, fsck),
	}
}

// An fsckDocument says what is wrong in a store.
type fsckDocument struct {
	Schema   string        `json:"schema"`
	Store    string        `json:"store"`
	Findings []fsckFinding `json:"findings"` // in the order of the paths
}

type fsckFinding struct {
	Path        string     `json:"path"`             // below the store
	Escaped     bool       `json:"escaped,omitzero"` // Path is not UTF-8 and was escaped
	Code        fault.Code `json:"code"`
	Problem     string     `json:"problem"`
	Consequence string     `json:"consequence"`

	path string // as it is on disk
}

func fsck(ctx context.Context, s *site) (answer, error) {
	findings, err := s.service.Fsck(ctx)
	if err != nil {
		return answer{}, err
	}
	store, _ := jsonPath(s.store.root)
	d := &fsckDocument{fsckSchema, store, []fsckFinding{}}
	for _, f := range findings {
		d.Findings = append(d.Findings, newFsckFinding(f))
	}
	if len(findings) > 0 {
		return answer{document: d, exit: exitRefused}, nil
	}
	return answer{document: d}, nil
}

func newFsckFinding(f jobs.Finding) fsckFinding {
	path, escaped := jsonPath(f.Path)
	return fsckFinding{path, escaped, f.Code, strings.ToValidUTF8(f.Problem, "\uFFFD"), f.Consequence, f.Path}
}

func (d *fsckDocument) writeText(p *page) {
	if len(d.Findings) == 0 {
		p.line("%s: %s is whole", p.tinted(green, "yes"), shown(d.Store))
		return
	}
	p.line("%s: %s is not whole", p.tinted(red, "no"), shown(d.Store))
	for _, f := range d.Findings {
		p.line("  %s [%s]", shown(f.path), f.Code)
		p.line("    %s", forPeople(f.Problem))
		p.line("    then %s", f.Consequence)
	}
}
