package jobs

import (
	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// retain makes a parsed outcome evidence: it is checked against every earlier
// witness, then the observation is published, then its value. An outcome equal
// to the latest uses no place. Nothing is written when the 16 places are used
// up, not even for a terminal outcome (contract sections 6 and 9).
func (s *Service) retain(e *evidence, o operation.Outcome) error {
	history := e.history()
	repeated, err := history.Admit(o)
	if refusal, ok := fault.Of(err); ok && refusal.Condition == fault.OverBound {
		return refusal.WithNext("the job stays uncertain for good; go on in another worktree: git worktree add ../NAME")
	}
	if err != nil {
		return err
	}
	if !repeated {
		if err := s.publishObservation(e, o, latestRef(history)); err != nil {
			return err
		}
	}
	_, err = s.Store.Put(o.Canonical())
	return err
}

func (s *Service) publishObservation(e *evidence, o operation.Outcome, previous canon.Digest) error {
	n := len(e.observations) + 1
	observation := operation.Observation{JobID: e.job, PreviousRef: previous, Outcome: o}
	text, err := observation.Format()
	if err != nil {
		return err
	}
	if err := s.Store.Create(state.Observation(e.job, n, e.intent.Limits.MaxOutputBytes), text); err != nil {
		return err
	}
	e.observations = append(e.observations, observation)
	return nil
}

// republish writes the values of the retained records again: after a crash
// between a record and its value, the record's bytes are the proof.
func (s *Service) republish(e *evidence) error {
	for _, o := range e.observations {
		if _, err := s.Store.Put(o.Outcome.Canonical()); err != nil {
			return err
		}
	}
	if e.settlement == nil || e.settlement.Patch == nil {
		return nil
	}
	return s.putPatch(*e.settlement.Patch)
}

func (s *Service) putPatch(patch capture.Artifact) error {
	text, err := patch.Format()
	if err != nil {
		return err
	}
	_, err = s.Store.Put(text)
	return err
}
