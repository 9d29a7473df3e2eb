package jobs

import (
	"context"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// Reconcile settles an uncertain job from evidence: it publishes again what a
// crash left unpublished and, unless the retained outcome is terminal already,
// makes exactly one read-only lookup. It never submits, retries or polls, and
// it returns settled jobs as they are (contract section 6).
//
// Errors: fault.NotReconcilable for a job that was never launched,
// fault.ClaimLost, fault.LeaseHeld, fault.Cancelled, those of the transport and
// of evidence that does not fit; each leaves the job as it was.
func (s *Service) Reconcile(ctx context.Context, job canon.Digest) (Snapshot, error) {
	e, err := s.reconcilable(job)
	if err != nil {
		return Snapshot{}, err
	}
	snap, err := e.snapshot(s.Store)
	if err != nil {
		return Snapshot{}, err
	}
	if snap.Status.Settled() {
		return snap, e.makeDurable(s.Store)
	}
	lease, err := s.Store.JobLease(ctx, job, s.LeaseWait)
	if err != nil {
		return Snapshot{}, err
	}
	defer lease.Release()
	if e, err = s.reconcilable(job); err != nil {
		return Snapshot{}, err
	}
	if err := e.makeDurable(s.Store); err != nil {
		return Snapshot{}, err
	}
	if r := e.effective(); r != nil && r.Status.Settled() {
		if err := s.republish(e); err != nil {
			return Snapshot{}, err
		}
		return s.Inspect(job)
	}
	workspaceLease, err := s.Registry.WorkspaceLease(ctx, e.intent.Workspace, s.LeaseWait)
	if err != nil {
		return Snapshot{}, err
	}
	defer workspaceLease.Release()
	if err := s.resolve(ctx, e); err != nil {
		return Snapshot{}, err
	}
	return s.Inspect(job)
}

// reconcilable reads a job's evidence and refuses one that was never launched.
func (s *Service) reconcilable(job canon.Digest) (*evidence, error) {
	e, err := readEvidence(s.Store, job)
	if err != nil {
		return nil, err
	}
	switch {
	case e.intent.XCB != nil:
		return nil, fault.New(fault.NotReconcilable, "job %q is a v1 job, whose worker nobody can ask", job).
			WithNext("go on in another worktree: git worktree add ../NAME")
	case !e.launched:
		return nil, fault.New(fault.NotReconcilable, "job %q was never launched, so there is nothing to look up", job).
			WithNext("git algal run %s", job)
	}
	return e, nil
}

// resolve brings the evidence forward by at most one lookup and settles the
// job where it is terminal. It runs under job and workspace lease.
func (s *Service) resolve(ctx context.Context, e *evidence) error {
	claim, ok, err := readClaim(s.Store, e.intent.Workspace)
	if err != nil {
		return err
	}
	if !ok || claim.JobID != e.job {
		return fault.New(fault.ClaimLost, "the claim on workspace %q does not name job %q", e.intent.Workspace, e.job).
			WithNext("look at the whole store with: git algal fsck")
	}
	if err := s.republish(e); err != nil {
		return err
	}
	outcome, settled := e.terminal()
	if !settled {
		if outcome, err = s.lookUp(ctx, e); err != nil {
			return err
		}
		if err := s.retain(e, outcome); err != nil {
			return err
		}
		if outcome.State() != operation.Terminal {
			return nil
		}
	}
	captureCtx, cancel := context.WithTimeout(ctx, captureDeadline)
	defer cancel()
	record, err := s.settle(captureCtx, e, outcome)
	if err != nil {
		return err
	}
	text, err := record.Format()
	if err != nil {
		return err
	}
	return s.Store.Create(state.Resolution(e.job), text)
}

// lookUp makes the one observe call.
func (s *Service) lookUp(ctx context.Context, e *evidence) (operation.Outcome, error) {
	if ctx.Err() != nil {
		return operation.Outcome{}, fault.New(fault.Cancelled, "the reconciliation of job %q was cancelled before its lookup", e.job).
			WithNext("git algal reconcile %s", e.job)
	}
	deadline := min(e.intent.Limits.Runtime(), maxLookup)
	s.begin("lookup", deadline)
	outcome, err := operation.Dispatch(ctx, s.Transport(e.intent.Adapter), operation.Observe, operation.Call{
		Binding: e.intent.Operation, Deadline: deadline, MaxOutputBytes: e.intent.Limits.MaxOutputBytes,
	})
	if fault.Is(err, fault.Uncoded) {
		return operation.Outcome{}, fault.New(fault.AdapterFailed, "the lookup of job %q failed", e.job)
	}
	return outcome, err
}
