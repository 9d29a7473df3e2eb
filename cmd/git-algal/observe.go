//go:build linux || darwin

package main

import (
	"context"

	"github.com/git-algal/git-algal/internal/canon"
)

func observeVerb() verb {
	return verb{
		name: "observe", usage: "print the answer of the tool coding.job.observe.v1: status and references",
		operands: "[JOB]", maxOperands: 1, run: onJob(evidenceOnly, observe),
	}
}

// An observeDocument is the tool's canonical answer.
type observeDocument []byte

func observe(_ context.Context, s *site, job canon.Digest) (answer, error) {
	text, err := s.service.Observe(job)
	return answer{document: observeDocument(text)}, err
}

func (d observeDocument) plainJSON() []byte { return d }
func (d observeDocument) writeText(p *page) { p.line("%s", d) }
