package jobs

import (
	"context"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// Run launches a prepared job, once, and returns its snapshot after the
// attempt: completed, failed or uncertain. A job with a launch marker is only
// inspected. Before the marker every failure leaves the job prepared; after
// it the job is uncertain until evidence settles it, whatever Run returns.
//
// Errors before the launch: those of Inspect, fault.LeaseHeld, fault.Cancelled,
// fault.Claimed, fault.SourceMoved, fault.NotClean, fault.ControlChanged and
// the other findings of gitplumb. After it only fault.Unrecorded: what happened
// could not be written down, or not be read back.
func (s *Service) Run(ctx context.Context, job canon.Digest) (Snapshot, error) {
	if _, err := readEvidence(s.Store, job); err != nil { // no lease file for an unknown job
		return Snapshot{}, err
	}
	lease, err := s.Store.JobLease(ctx, job, s.LeaseWait)
	if err != nil {
		return Snapshot{}, err
	}
	defer lease.Release()
	e, err := readEvidence(s.Store, job)
	if err != nil {
		return Snapshot{}, err
	}
	if e.launched {
		if err := e.makeDurable(s.Store); err != nil {
			return Snapshot{}, err
		}
		return e.snapshot(s.Store)
	}
	workspaceLease, err := s.Registry.WorkspaceLease(ctx, e.intent.Workspace, s.LeaseWait)
	if err != nil {
		return Snapshot{}, err
	}
	defer workspaceLease.Release()
	if err := s.publishLaunch(ctx, e); err != nil {
		return Snapshot{}, err
	}
	var record ResultRecord
	if e.intent.XCB != nil {
		record = s.attemptV1(ctx, e)
	} else {
		record = s.attempt(ctx, e)
	}
	text, err := record.Format()
	if err == nil {
		err = s.Store.Create(state.Result(job), text)
	}
	if err != nil {
		return Snapshot{}, fault.New(fault.Unrecorded, "job %q was launched, but its result could not be recorded: %w", job, err).
			WithNext("git algal reconcile %s", job)
	}
	snap, err := s.Inspect(job)
	if err != nil {
		return Snapshot{}, fault.New(fault.Unrecorded, "job %q was launched, but its records could not be read back: %w", job, err).
			WithNext("git algal inspect %s", job)
	}
	return snap, nil
}

// publishLaunch checks everything that was admitted once more, then publishes
// claim and marker. After it returns nil the job has been launched, for good.
func (s *Service) publishLaunch(ctx context.Context, e *evidence) error {
	s.begin("admission", 0)
	a, err := s.readmit(ctx, e)
	if err != nil {
		return err
	}
	if err := s.succeed(e.intent.Workspace, e.job); err != nil {
		return err
	}
	if err := s.Registry.Set(e.intent.Workspace, s.Store.Root()); err != nil {
		return err
	}
	// A job that another host prepared has neither document nor control yet.
	if _, err := s.Store.Put(a.raw.Document); err != nil {
		return err
	}
	if err := replaceControl(s.Store, e.job, a.control); err != nil {
		return err
	}
	claim, err := Claim{claimContract, e.intent.Workspace, e.job}.Format()
	if err != nil {
		return err
	}
	if err := s.Store.Replace(state.Claim(canon.DigestText(e.intent.Workspace)), claim); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fault.New(fault.Cancelled, "the run of job %q was interrupted before its launch", e.job).
			WithNext("git algal run %s", e.job)
	}
	marker, err := Marker{markerContract, e.job}.Format()
	if err != nil {
		return err
	}
	if err := s.Store.Create(state.Marker(e.job), marker); err != nil {
		// The marker may be durable although its publication failed: then
		// only evidence helps.
		if exists, existsErr := s.Store.Exists(state.Marker(e.job)); exists || existsErr != nil {
			return fault.New(fault.Unrecorded, "the launch marker of job %q may have been published; nothing was launched: %w", e.job, err).
				WithNext("git algal inspect %s", e.job)
		}
		return err
	}
	e.launched = true
	return nil
}

// readmit holds the checkout against the intent.
func (s *Service) readmit(ctx context.Context, e *evidence) (admission, error) {
	i := e.intent
	control, err := readControl(s.Store, e.job)
	if err != nil {
		return admission{}, err
	}
	var opts gitplumb.Options
	var deciding *gitplumb.Deciding
	if control != nil {
		deciding, opts.Frozen = &control.Deciding, control.Deciding.Frozen
	}
	repo, err := s.Checkouts.Open(ctx, i.Workspace, opts)
	if err != nil {
		return admission{}, err
	}
	defer repo.Close()
	if err := i.sameCheckout(repo.Identity()); err != nil {
		return admission{}, err
	}
	if err := separate(s.Store.Root(), repo.Identity()); err != nil {
		return admission{}, err
	}
	if _, err := checkExecutable(i.executable(), repo.Identity()); err != nil {
		return admission{}, err
	}
	a, err := admit(ctx, repo, i.ExpectedHead, deciding)
	if err != nil {
		return admission{}, err
	}
	switch {
	case a.head.Tree != i.SourceTree:
		return admission{}, fault.New(fault.SourceMoved, "HEAD's tree is %q, admitted was %q", a.head.Tree, i.SourceTree)
	case a.raw.Digest != i.SourceRawDigest:
		return admission{}, fault.New(fault.SourceMoved, "the raw bytes or modes of the tracked files are not the admitted ones").
			WithNext("restore the files, or prepare a new job: git algal prepare --like %s", e.job)
	}
	return a, nil
}

// sameCheckout refuses a checkout that is not the admitted directory.
func (i Intent) sameCheckout(id gitplumb.Identity) error {
	switch {
	case id.Workspace != i.Workspace || id.Device != i.WorkspaceIdentity.Device || id.Inode != i.WorkspaceIdentity.Inode:
		return fault.New(fault.SourceMoved, "workspace %q is not the directory that was admitted", i.Workspace)
	case id.GitDirectory != i.GitDirectory:
		return fault.New(fault.SourceMoved, "the git directory is %q, admitted was %q", id.GitDirectory, i.GitDirectory)
	}
	return nil
}

// attempt submits the launched job and returns the initial result. One
// deadline covers the call and the capture.
func (s *Service) attempt(ctx context.Context, e *evidence) ResultRecord {
	uncertain := ResultRecord{Contract: resultContract, JobID: e.job, Status: Uncertain}
	runtime := e.intent.Limits.Runtime()
	ctx, cancel := context.WithTimeout(ctx, runtime)
	defer cancel()
	s.begin("launch", runtime)
	outcome, err := s.submit(ctx, e)
	if err == nil {
		err = s.retain(e, outcome)
	}
	if err != nil {
		uncertain.Reason = withCode(reasonResultUnavailable, err)
		return uncertain
	}
	uncertain.Result = resultOf(outcome)
	if outcome.State() != operation.Terminal {
		uncertain.Reason = reasonNotProvenSettled
		return uncertain
	}
	record, err := s.settle(ctx, e, outcome)
	if err != nil {
		uncertain.Reason = withCode(reasonResultUnavailable, err)
		return uncertain
	}
	return record
}

func (s *Service) submit(ctx context.Context, e *evidence) (operation.Outcome, error) {
	payload, _, err := e.intent.Payload()
	if err != nil {
		return operation.Outcome{}, err
	}
	return operation.Dispatch(ctx, s.Transport(e.intent.Adapter), operation.Submit, operation.Call{
		Binding: e.intent.Operation, Payload: payload,
		Deadline: e.intent.Limits.Runtime(), MaxOutputBytes: e.intent.Limits.MaxOutputBytes,
	})
}
