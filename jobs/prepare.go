package jobs

import (
	"context"
	"slices"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// Prepare admits a job: it finds the checkout exactly clean at the expected
// head and publishes reservation, raw document, control and intent, in this
// order. It launches nothing. The same preparation again returns the same job,
// also after a crash between any two of these steps (contract section 6).
//
// Errors: fault.Malformed for the options, fault.NotClean and the other
// findings of gitplumb for the checkout, fault.StorePlacement,
// fault.AdapterPlacement, fault.Claimed, fault.OverBound for a full store or
// an intent over its bound, fault.RecordConflict where the operation id is
// reserved for another request, fault.LeaseHeld.
func (s *Service) Prepare(ctx context.Context, o Options) (Snapshot, error) {
	if err := o.Validate(); err != nil {
		return Snapshot{}, err
	}
	repo, err := s.Checkouts.Open(ctx, o.Workspace, gitplumb.Options{})
	if err != nil {
		return Snapshot{}, err
	}
	defer repo.Close()
	if err := separate(s.Store.Root(), repo.Identity()); err != nil {
		return Snapshot{}, err
	}
	warnings, err := checkExecutable(o.executable(), repo.Identity())
	if err != nil {
		return Snapshot{}, err
	}
	lease, err := s.Registry.WorkspaceLease(ctx, repo.Identity().Workspace, s.LeaseWait)
	if err != nil {
		return Snapshot{}, err
	}
	defer lease.Release()
	s.begin("admission", 0)
	a, err := admit(ctx, repo, o.ExpectedHead, nil)
	if err != nil {
		return Snapshot{}, err
	}
	intent, err := newIntent(o, a)
	if err != nil {
		return Snapshot{}, err
	}
	text, err := intent.Format()
	if err != nil {
		return Snapshot{}, fault.New(fault.Malformed, "the intent cannot be written: %w", err)
	}
	job := canon.DigestText(text)
	if len(text) > state.MaxIntentBytes {
		return Snapshot{}, fault.New(fault.OverBound, "the intent would have %d bytes, more than %d", len(text), state.MaxIntentBytes).
			WithNext("shorten the prompt; its control characters count six bytes each")
	}
	if _, err := s.unclaimed(intent.Workspace, job); err != nil {
		return Snapshot{}, err
	}
	if err := s.publishAdmission(ctx, job, intent, text, a); err != nil {
		return Snapshot{}, err
	}
	snap, err := s.Inspect(job)
	snap.Warnings = append(snap.Warnings, warnings...)
	return snap, err
}

func newIntent(o Options, a admission) (Intent, error) {
	i := Intent{
		Workspace: a.identity.Workspace, ExpectedHead: a.head.Commit,
		SourceTree: a.head.Tree, SourceRawDigest: a.raw.Digest, GitDirectory: a.identity.GitDirectory,
		WorkspaceIdentity: WorkspaceIdentity{a.identity.Device, a.identity.Inode},
		Prompt:            o.Prompt, Limits: o.Limits, Source: o.Source, XCB: o.XCB,
	}
	if i.XCB != nil {
		return i, i.validate()
	}
	i.Adapter = o.Adapter
	i.Operation = operation.Binding{OperationID: o.OperationID, AuthorityID: o.Adapter.AuthorityID}
	_, digest, err := i.Payload()
	if err != nil {
		return Intent{}, fault.New(fault.Malformed, "the request payload cannot be formed: %w", err)
	}
	i.Operation.RequestDigest = digest
	return i, i.validate()
}

// publishAdmission counts and publishes under the admission lease, so that two
// preparations never both take the last place.
func (s *Service) publishAdmission(ctx context.Context, job canon.Digest, intent Intent, text []byte, a admission) error {
	lease, err := s.Store.AdmissionLease(ctx, admissionWait)
	if err != nil {
		return err
	}
	defer lease.Release()
	if intent.XCB != nil {
		return s.publishIntentV1(job, text, a.raw, a.control)
	}
	reservation := intent.Reservation(job)
	key, err := reservation.Key()
	if err != nil {
		return err
	}
	if err := s.checkCapacity(job, key); err != nil {
		return err
	}
	record, err := reservation.Format()
	if err != nil {
		return err
	}
	if err := s.Store.Create(state.Reservation(key), record); err != nil {
		if fault.Is(err, fault.RecordConflict) {
			return fault.New(fault.RecordConflict, "operation %q is already reserved for another request: %w", intent.Operation.OperationID, err).
				WithNext("repeat the first preparation's exact words, or choose another operation id or attempt")
		}
		return err
	}
	return s.publishIntent(job, text, a.raw, a.control)
}

// publishIntent publishes raw document, control and intent. From the marker on
// the control record is immutable.
func (s *Service) publishIntent(job canon.Digest, text []byte, raw gitplumb.Raw, control gitplumb.Control) error {
	if _, err := s.Store.Put(raw.Document); err != nil {
		return err
	}
	launched, err := s.Store.Exists(state.Marker(job))
	if err != nil {
		return err
	}
	if !launched {
		if err := replaceControl(s.Store, job, control); err != nil {
			return err
		}
	}
	return s.Store.Create(state.Intent(job), text)
}

// checkCapacity counts jobs and reservations: more than the bound refuses any
// preparation, exactly the bound only a new one.
func (s *Service) checkCapacity(job, key canon.Digest) error {
	if err := s.checkJobs(job); err != nil {
		return err
	}
	reservations, err := s.Store.Reservations()
	if err != nil {
		return err
	}
	reserved, err := s.Store.Exists(state.Reservation(key))
	if err != nil {
		return err
	}
	return withinCapacity(reservations, reserved, "operation reservations", state.MaxReservations)
}

func (s *Service) checkJobs(job canon.Digest) error {
	jobs, err := s.Store.Jobs()
	if err != nil {
		return err
	}
	return withinCapacity(len(jobs), slices.Contains(jobs, job), "jobs", state.MaxJobs)
}

// withinCapacity refuses a further entry, one that is not among the n present
// ones, at the bound, and any entry beyond it.
func withinCapacity(n int, present bool, what string, bound int) error {
	if n < bound || n == bound && present {
		return nil
	}
	return fault.New(fault.OverBound, "the store holds %d %s, its bound is %d", n, what, bound).
		WithNext("use a new store with --store; this one keeps its evidence")
}
