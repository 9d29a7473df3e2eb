package operation

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// ObservationContract names the observation.
const ObservationContract = "algal.coding-job-observation.v1"

// MaxObservationOverhead bounds what a canonical observation has beyond its
// outcome, in bytes (contract section 2). The form keeps it below; a test
// holds that.
const MaxObservationOverhead = 1_024

// An Observation is an outcome as the numbered link of a job's evidence
// (contract section 4). PreviousRef is the digest of the outcome before it,
// empty for the first. Whether the chain and the job are the right ones is
// the reader's to compare.
type Observation struct {
	JobID       canon.Digest
	PreviousRef canon.Digest
	Outcome     Outcome
}

type observationRecord struct {
	Contract    string         `json:"contract"`
	JobID       canon.Digest   `json:"jobId"`
	PreviousRef *canon.Digest  `json:"previousRef"`
	OutcomeRef  canon.Digest   `json:"outcomeRef"`
	Outcome     jsontext.Value `json:"outcome"`
}

// ParseObservation reads the retained observation of an outcome of binding and
// maxOutputBytes, as [ParseOutcome] takes them. It returns fault.Malformed for
// a wrong form, and fault.StoreInconsistent if the outcome is of another
// binding or does not have the digest that the observation names.
func ParseObservation(text []byte, binding Binding, maxOutputBytes int) (Observation, error) {
	wire, err := decode[observationRecord](ObservationContract, text)
	if err != nil {
		return Observation{}, err
	}
	if wire.Contract != ObservationContract {
		return Observation{}, malformed("observation has another contract than %q", ObservationContract)
	}
	if !wire.JobID.Valid() || wire.PreviousRef != nil && !wire.PreviousRef.Valid() || !wire.OutcomeRef.Valid() {
		return Observation{}, malformed("observation has a member that is no sha256 digest")
	}
	outcome, err := ParseOutcome(wire.Outcome, binding, maxOutputBytes)
	if fault.Is(err, fault.BindingMismatch) {
		return Observation{}, fault.New(fault.StoreInconsistent, "observation of job %q: %w", wire.JobID, err)
	}
	if err != nil {
		return Observation{}, err
	}
	if outcome.Ref() != wire.OutcomeRef {
		return Observation{}, fault.New(fault.StoreInconsistent, "observation of job %q holds an outcome of another digest than it names", wire.JobID)
	}
	observation := Observation{JobID: wire.JobID, Outcome: outcome}
	if wire.PreviousRef != nil {
		observation.PreviousRef = *wire.PreviousRef
	}
	return observation, nil
}

// Format returns the canonical bytes, or fault.Malformed for a digest of wrong
// form or the zero outcome.
func (o Observation) Format() ([]byte, error) {
	if !o.JobID.Valid() {
		return nil, malformed("member %q is no sha256 digest", "jobId")
	}
	if o.Outcome.State() == "" {
		return nil, malformed("the zero outcome is no evidence")
	}
	var previous *canon.Digest
	if o.PreviousRef != "" {
		if !o.PreviousRef.Valid() {
			return nil, malformed("member %q is no sha256 digest", "previousRef")
		}
		previous = &o.PreviousRef
	}
	return canon.Encode(observationRecord{ObservationContract, o.JobID, previous, o.Outcome.Ref(), o.Outcome.Canonical()})
}
