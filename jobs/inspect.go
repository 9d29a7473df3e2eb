package jobs

import (
	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// A Snapshot is what the store says of a job at one moment.
type Snapshot struct {
	JobID  canon.Digest
	Intent Intent
	Status Status
	Result *Result // nil where no outcome was retained
	Reason string  // contract section 4, empty where the status says it all
	// Evidence is the chain on which the status stands.
	Evidence Evidence
	// Warnings are what the captured checkout's control evidence shows beside
	// the change: a stash made, a branch moved, a hook planted; and which of
	// our own records cannot be read. They never matter for the status.
	Warnings []string
}

// Evidence lists which records exist, in the order of their publication.
type Evidence struct {
	Launched     bool
	Observations []operation.Outcome // at most operation.MaxObservations, oldest first
	Settled      bool
	Resolved     bool // a reconciliation settled the job, rather than its run
	// Validations are those whose records can be read, at most
	// state.MaxValidations, oldest first. They never matter for the status.
	Validations []ValidationEvidence
}

// Inspect returns the snapshot of a job from files and values alone: it calls
// neither git nor the adapter and takes no lease. Errors are those of the
// store: fault.Missing for an unknown job, fault.StoreInconsistent,
// fault.Malformed or fault.StoreFile for a broken one.
func (s *Service) Inspect(job canon.Digest) (Snapshot, error) { return inspect(s.Store, job) }

func inspect(store *state.Store, job canon.Digest) (Snapshot, error) {
	e, err := readEvidence(store, job)
	if err != nil {
		return Snapshot{}, err
	}
	return e.snapshot(store)
}

// snapshot derives the status from the evidence.
func (e *evidence) snapshot(store *state.Store) (Snapshot, error) {
	snap := Snapshot{
		JobID: e.job, Intent: e.intent, Status: Prepared,
		Evidence: Evidence{
			Launched: e.launched, Observations: e.history(),
			Settled: e.settlement != nil, Resolved: e.resolution != nil,
		},
		Warnings: controlWarnings(store, e.job),
	}
	if !e.launched {
		return snap, nil
	}
	snap.Status = Uncertain
	complete, err := e.complete(store)
	if err != nil {
		return Snapshot{}, err
	}
	r := e.effective()
	switch {
	case !complete:
		snap.Reason = reasonEvidenceIncomplete
	case r == nil:
		snap.Reason = reasonLaunchUnacknowledged
	default:
		snap.Status, snap.Result, snap.Reason = r.Status, r.Result, r.Reason
	}
	if r != nil {
		validations, warnings := readValidations(store, e.job, patchDigest(r.Result))
		snap.Evidence.Validations = validations
		snap.Warnings = append(snap.Warnings, warnings...)
	}
	return snap, nil
}

// controlWarnings compares the control evidence of admission and capture. Our
// own records never matter for a status, so an unreadable one is a warning.
func controlWarnings(store *state.Store, job canon.Digest) []string {
	before, err := readControl(store, job)
	if err != nil {
		return []string{"the control record of the admission cannot be read: " + err.Error()}
	}
	after, err := readControlAfter(store, job)
	if err != nil {
		return []string{"the control record of the capture cannot be read: " + err.Error()}
	}
	if before == nil || after == nil {
		return nil
	}
	warnings := gitplumb.EvidenceChanges(before.Evidence, after.Evidence)
	for _, path := range after.Hidden {
		warnings = append(warnings, "file "+quote(path)+" changed on disk, but not for git")
	}
	return warnings
}

// JobOf returns the job that holds the reservation of an operation; ok is
// false where nothing is reserved under that key.
func (s *Service) JobOf(authority, op operation.Identity) (job canon.Digest, ok bool, err error) {
	key, err := operation.ReservationKey(authority, op)
	if err != nil {
		return "", false, err
	}
	text, err := s.Store.Read(state.Reservation(key))
	if fault.Is(err, fault.Missing) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	r, err := operation.ParseReservation(text)
	if err != nil {
		return "", false, err
	}
	if r.Binding.AuthorityID != authority || r.Binding.OperationID != op {
		return "", false, fault.New(fault.StoreInconsistent, "the reservation of operation %q is about operation %q", op, r.Binding.OperationID)
	}
	return r.JobID, true, nil
}

// ClaimOf returns the job that the store's claim on workspace (a canonical
// path) names; ok is false where there is none.
func (s *Service) ClaimOf(workspace string) (job canon.Digest, ok bool, err error) {
	claim, ok, err := readClaim(s.Store, workspace)
	return claim.JobID, ok, err
}
