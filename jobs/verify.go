package jobs

import (
	"context"
	"slices"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

// A Verification says whether a workspace is exactly a captured patch.
type Verification struct {
	JobID    canon.Digest
	Verified bool
	Empty    bool    // the patch changes nothing: a passing test says nothing about it
	Drift    []Drift // where it is not; empty when verified

	now *capture.Artifact // what drifted, nil where it could not be captured
}

// Verify captures the workspace of a completed job afresh, twice, and compares
// it with the retained patch. Before and after, no other job may hold an
// unresolved claim on it.
//
// A workspace that differs gives a Verification with its drift and an error
// fault.SourceMoved. Other errors: fault.NotCompleted, fault.Claimed,
// fault.LeaseHeld and what a capture refuses, fault.ControlChanged included;
// there is a drift beside it where one path or setting stood in its way.
func (s *Service) Verify(ctx context.Context, job canon.Digest) (Verification, error) {
	snap, err := s.verifiable(job)
	if err != nil {
		return Verification{JobID: job}, err
	}
	lease, err := s.Registry.WorkspaceLease(ctx, snap.Intent.Workspace, s.LeaseWait)
	if err != nil {
		return Verification{JobID: job}, err
	}
	defer lease.Release()
	return s.verify(ctx, snap)
}

// verifiable returns the snapshot of a job that can be verified: a completed
// one, which has a patch.
func (s *Service) verifiable(job canon.Digest) (Snapshot, error) {
	snap, err := s.Inspect(job)
	if err == nil && snap.Status != Completed {
		err = fault.New(fault.NotCompleted, "job %q is %s; only a completed job can be verified", job, snap.Status)
	}
	return snap, err
}

// verify is Verify of a verifiable job under the workspace lease.
func (s *Service) verify(ctx context.Context, snap Snapshot) (Verification, error) {
	job := snap.JobID
	v := Verification{JobID: job, Empty: *snap.Result.ChangedFiles == 0}
	if _, err := s.unclaimed(snap.Intent.Workspace, job); err != nil {
		return v, err
	}
	s.begin("capture", 0)
	now, err := s.capture(ctx, job, snap.Intent)
	if err != nil {
		v.Drift = refusedDrift(err)
		return v, interrupted(ctx, err)
	}
	digest, err := now.Artifact.Digest()
	if err != nil {
		return v, err
	}
	if _, err := s.unclaimed(snap.Intent.Workspace, job); err != nil {
		return v, err
	}
	if digest == snap.Result.PatchDigest {
		v.Verified = true
		return v, nil
	}
	if v.Drift, err = s.drift(snap, now); err != nil {
		return v, err
	}
	v.now = &now.Artifact
	return v, fault.New(fault.SourceMoved, "workspace %q no longer matches the patch of job %q", snap.Intent.Workspace, job).
		WithNext("git algal diff %s", job)
}

// Excerpts returns the beginning of how content differs, for each path of the
// drift that has appeared, vanished or changed in content, once; nothing where
// the workspace could not be captured. It compares what the verification
// captured with the retained patch and reads nothing else of the workspace.
// Errors are those of Inspect and of capture.Excerpts.
func (s *Service) Excerpts(ctx context.Context, v Verification) ([]capture.Excerpt, error) {
	if v.now == nil {
		return nil, nil
	}
	snap, err := s.verifiable(v.JobID)
	if err != nil {
		return nil, err
	}
	retained, err := s.patchOf(snap)
	if err != nil {
		return nil, err
	}
	source, err := s.source(v.JobID, snap.Intent)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, d := range v.Drift {
		switch d.Kind {
		case DriftContent, DriftAppeared, DriftVanished:
			paths = append(paths, d.Path)
		}
	}
	return s.Checkouts.Excerpts(ctx, source, retained, *v.now, slices.Compact(paths))
}

// interrupted gives an error of a cancelled context its condition.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return operation.Stopped(ctx)
	}
	return err
}

// Diff returns what of a settled job's workspace is not in its retained patch,
// nothing where discarding the workspace's changes loses nothing that git sees.
// It grants no validation: claims are not looked at. A job without a patch is
// compared with what was admitted. Errors are fault.NotCompleted for a job that
// is not settled, and what a capture refuses.
func (s *Service) Diff(ctx context.Context, job canon.Digest) ([]Drift, error) {
	snap, err := s.Inspect(job)
	if err != nil {
		return nil, err
	}
	if !snap.Status.Settled() {
		return nil, fault.New(fault.NotCompleted, "job %q is %s; it has no patch to compare with yet", job, snap.Status)
	}
	// The largest bounds: a job whose patch was refused as too large must
	// still be told what lies in its workspace.
	intent := snap.Intent
	intent.Limits.MaxPatchBytes, intent.Limits.MaxChangedFiles = MaxPatchBytes, MaxChangedFiles
	s.begin("capture", 0)
	now, err := s.capture(ctx, job, intent)
	if err != nil {
		return nil, interrupted(ctx, err)
	}
	return s.drift(snap, now)
}

// Patch returns the retained patch artifact of a job. Errors are
// fault.NotCompleted where the job has none, fault.Missing where only its
// value is.
func (s *Service) Patch(job canon.Digest) (capture.Artifact, error) {
	snap, err := s.Inspect(job)
	if err != nil {
		return capture.Artifact{}, err
	}
	return s.patchOf(snap)
}

func (s *Service) patchOf(snap Snapshot) (capture.Artifact, error) {
	if snap.Result == nil || snap.Result.PatchRef == "" {
		return capture.Artifact{}, fault.New(fault.NotCompleted, "job %q is %s and has no retained patch", snap.JobID, snap.Status)
	}
	limits := snap.Intent.Limits
	text, err := s.Store.Get(snap.Result.PatchRef, limits.MaxPatchBytes)
	if err != nil {
		return capture.Artifact{}, err
	}
	return capture.ParseArtifact(text, limits.MaxPatchBytes, limits.MaxChangedFiles)
}

// Output returns the agent's answer, the result text of the latest terminal
// outcome. The error is fault.NotCompleted where there is none yet.
func (s *Service) Output(job canon.Digest) (string, error) {
	e, err := readEvidence(s.Store, job)
	if err != nil {
		return "", err
	}
	if e.intent.XCB != nil && e.initial != nil && e.initial.Result != nil {
		envelope, err := e.envelope(s.Store)
		return envelope.Text, err
	}
	outcome, ok := e.terminal()
	if !ok {
		return "", fault.New(fault.NotCompleted, "job %q has no terminal outcome, so there is no answer yet", job).
			WithNext("git algal inspect %s", job)
	}
	return outcome.Text(), nil
}

// admittedState is what a workspace is compared with.
type admittedState struct {
	rawDigest canon.Digest
	raw       *gitplumb.Raw // nil where another host kept no document
	untracked []capture.Untracked
	status    canon.Digest
}

// retained returns the state that a job's patch captured, or without one the
// state that was admitted.
func (s *Service) retained(snap Snapshot) (admittedState, error) {
	if snap.Result == nil || snap.Result.PatchRef == "" {
		raw, err := s.rawDocument(snap.Intent.SourceRawDigest)
		return admittedState{snap.Intent.SourceRawDigest, raw, nil, canon.DigestText("")}, err
	}
	artifact, err := s.patchOf(snap)
	if err != nil {
		return admittedState{}, err
	}
	raw, err := s.rawDocument(artifact.WorkspaceRawDigest)
	return admittedState{artifact.WorkspaceRawDigest, raw, artifact.Untracked, artifact.StatusDigest}, err
}
