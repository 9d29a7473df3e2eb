package jobs

import (
	"fmt"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

// A ValidationEvidence is what the records say of one validation of a job.
type ValidationEvidence struct {
	Number  int
	Name    string // empty where it has none
	Outcome ValidationOutcome
}

// Validation returns a retained validation of a completed job with its
// outputs. Errors are those of Inspect, fault.NotCompleted, fault.Missing where
// the job has no such validation or an output is gone, fault.OverBound for a
// number beyond state.MaxValidations, fault.Malformed, fault.StoreFile and
// fault.StoreInconsistent for broken records.
func (s *Service) Validation(job canon.Digest, number int) (Validation, error) {
	snap, err := s.verifiable(job)
	if err != nil {
		return Validation{}, err
	}
	start, end, err := readValidation(s.Store, job, number, snap.Result.PatchDigest)
	if fault.Is(err, fault.Missing) {
		return Validation{}, fault.New(fault.Missing, "job %q has no validation %d", job, number)
	}
	if err != nil {
		return Validation{}, err
	}
	v := Validation{Start: start, End: end, Empty: *snap.Result.ChangedFiles == 0}
	if end == nil {
		return v, nil
	}
	if v.Stdout, err = s.output(end.StdoutRef); err != nil {
		return Validation{}, err
	}
	if v.Stderr, err = s.output(end.StderrRef); err != nil {
		return Validation{}, err
	}
	return v, nil
}

func (s *Service) output(ref canon.Digest) (Output, error) {
	text, err := s.Store.Get(ref, state.MaxValueBytes)
	if err != nil {
		return Output{}, err
	}
	return ParseOutput(text)
}

// patchDigest returns the digest of a result's patch, empty where there is
// none.
func patchDigest(r *Result) canon.Digest {
	if r == nil {
		return ""
	}
	return r.PatchDigest
}

// readValidation returns the records of one validation of the job, whose patch
// has the digest patch; end is nil where there is none. The end is read first:
// whatever it stands on was published before it.
func readValidation(store *state.Store, job canon.Digest, number int, patch canon.Digest) (start ValidationStart, end *ValidationEnd, err error) {
	endText, err := readOptional(store, state.ValidationEnd(job, number))
	if err != nil {
		return ValidationStart{}, nil, err
	}
	startText, err := store.Read(state.ValidationStart(job, number))
	if err != nil {
		return ValidationStart{}, nil, err
	}
	if start, err = ParseValidationStart(startText, job, number); err != nil {
		return ValidationStart{}, nil, err
	}
	if start.PatchDigest != patch {
		return ValidationStart{}, nil, fault.New(fault.StoreInconsistent, "validation %d is of patch %q, which is not the job's", number, start.PatchDigest)
	}
	if endText == nil {
		return start, nil, nil
	}
	startRef, _, err := canon.DigestCanonical(startText)
	if err != nil {
		return ValidationStart{}, nil, fault.New(fault.Malformed, "the validation's start is malformed: %w", err)
	}
	parsed, err := ParseValidationEnd(endText, startRef)
	if err != nil {
		return ValidationStart{}, nil, err
	}
	return start, &parsed, nil
}

// readValidations lists the validations of a job, oldest first. Our own
// records never matter for a status, so what cannot be read is left out and
// named in a warning.
func readValidations(store *state.Store, job canon.Digest, patch canon.Digest) (found []ValidationEvidence, warnings []string) {
	ended, err := store.Validations(job)
	if err != nil {
		return nil, []string{"the validations cannot be read: " + err.Error()}
	}
	for i := range ended {
		start, end, err := readValidation(store, job, i+1, patch)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("validation %d cannot be read: %v", i+1, err))
			continue
		}
		outcome := Validation{End: end}.Outcome()
		found = append(found, ValidationEvidence{start.Number, start.Name, outcome})
	}
	return found, warnings
}
