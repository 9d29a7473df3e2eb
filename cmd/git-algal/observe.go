//go:build linux || darwin

package main

import "context"

func observeVerb() verb {
	return verb{
		name: "observe", usage: "print the answer of the tool coding.job.observe.v1: status and references",
		operands: "[JOB]", maxOperands: 1, run: observe,
	}
}

// An observeDocument is the tool's canonical answer.
type observeDocument []byte

func observe(ctx context.Context, in *invocation) (answer, error) {
	s, err := in.openSite(ctx, evidenceOnly)
	if err != nil {
		return answer{}, err
	}
	defer s.close()
	job, err := s.toLookAt(ctx)
	if err != nil {
		return answer{}, err
	}
	text, err := s.service.Observe(job)
	return answer{document: observeDocument(text)}, err
}

func (d observeDocument) plainJSON() []byte { return d }
func (d observeDocument) writeText(p *page) { p.line("%s", d) }
