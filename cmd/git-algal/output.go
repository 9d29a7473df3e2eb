//go:build linux || darwin

package main

import (
	"context"

	"github.com/git-algal/git-algal/internal/canon"
)

const outputSchema = "git-algal.output/1"

func outputVerb() verb {
	return verb{
		name: "output", usage: "print the agent's answer from the store",
		operands: "[JOB]", maxOperands: 1, run: onJob(evidenceOnly, output),
	}
}

// An outputDocument is the agent's answer, byte for byte.
type outputDocument struct {
	Schema string       `json:"schema"`
	JobID  canon.Digest `json:"jobId"`
	Text   string       `json:"text"`
	Digest canon.Digest `json:"digest"` // of the text
	Bytes  int          `json:"bytes"`
}

func output(_ context.Context, s *site, job canon.Digest) (answer, error) {
	text, err := s.service.Output(job)
	if err != nil {
		return answer{}, err
	}
	if text == "" {
		s.warn("the agent's answer is empty")
	}
	return answer{document: &outputDocument{outputSchema, job, text, canon.DigestText(text), len(text)}}, nil
}

func (d *outputDocument) writeText(p *page) { p.content(d.Text) }
