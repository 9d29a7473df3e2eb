package jobs

import (
	"context"
	"time"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// settle decides the result of a terminal outcome and publishes the decision:
// a settlement that exists is reused, else the workspace is captured. Where
// the workspace refuses, the job fails with its patch rejected. Where the host
// fails, is late or is cancelled, nothing is published and the error says so:
// the job stays uncertain and a reconciliation captures again.
func (s *Service) settle(ctx context.Context, e *evidence, o operation.Outcome) (ResultRecord, error) {
	if e.settlement == nil {
		settlement, err := s.decide(ctx, e, o)
		if err != nil {
			return ResultRecord{}, err
		}
		e.settlement = &settlement
	}
	if e.settlement.Patch != nil {
		if err := s.putPatch(*e.settlement.Patch); err != nil {
			return ResultRecord{}, err
		}
	}
	return e.settlement.Terminal, nil
}

// decide captures and publishes raw document, control-after and settlement.
// Only what the capture itself finds can refuse the workspace: what the store
// no longer holds says nothing about it.
func (s *Service) decide(ctx context.Context, e *evidence, o operation.Outcome) (Settlement, error) {
	var remaining time.Duration
	if deadline, ok := ctx.Deadline(); ok {
		remaining = time.Until(deadline)
	}
	s.begin("capture", remaining)
	source, err := s.source(e.job, e.intent)
	if err != nil {
		return Settlement{}, err
	}
	captured, refusal := s.Checkouts.Capture(ctx, source, e.intent.captureLimits())
	var patch *capture.Artifact
	switch condition, ok := fault.Of(refusal); {
	case refusal == nil:
		patch = &captured.Artifact
	case ctx.Err() != nil:
		return Settlement{}, operation.Stopped(ctx)
	case !ok || !condition.Condition.RefusesWorkspace():
		return Settlement{}, refusal
	}
	record, err := settledResult(e.job, o, patch, refusal)
	if err != nil {
		return Settlement{}, err
	}
	settlement := Settlement{OutputRef: o.Ref(), Terminal: record, Patch: patch}
	text, err := settlement.Format()
	if err != nil {
		return Settlement{}, err
	}
	if patch != nil {
		if err := s.publishCapture(e.job, captured); err != nil {
			return Settlement{}, err
		}
	}
	return settlement, s.Store.Create(state.Settlement(e.job, e.intent.Limits.MaxPatchBytes), text)
}

// publishCapture keeps what the capture saw beside the patch.
func (s *Service) publishCapture(job canon.Digest, c capture.Capture) error {
	if _, err := s.Store.Put(c.Raw.Document); err != nil {
		return err
	}
	hidden := c.Hidden
	if hidden == nil {
		hidden = []string{}
	}
	text, err := ControlAfter{controlAfterContract, job, c.Control.Deciding, c.Control.Evidence, hidden}.Format()
	if err != nil {
		return err
	}
	return s.Store.Replace(state.ControlAfter(job), text)
}

// capture takes the change of the workspace against what was admitted, twice.
func (s *Service) capture(ctx context.Context, job canon.Digest, i Intent) (capture.Capture, error) {
	source, err := s.source(job, i)
	if err != nil {
		return capture.Capture{}, err
	}
	return s.Checkouts.Capture(ctx, source, i.captureLimits())
}

// source reads what was admitted from the store. Its errors are the store's.
func (s *Service) source(job canon.Digest, i Intent) (capture.Source, error) {
	control, err := readControl(s.Store, job)
	if err != nil {
		return capture.Source{}, err
	}
	raw, err := s.rawDocument(i.SourceRawDigest)
	if err != nil {
		return capture.Source{}, err
	}
	source := capture.Source{
		Workspace: i.Workspace, GitDirectory: i.GitDirectory,
		Device: i.WorkspaceIdentity.Device, Inode: i.WorkspaceIdentity.Inode,
		Head: i.ExpectedHead, Tree: i.SourceTree, RawDigest: i.SourceRawDigest, Raw: raw,
	}
	if control != nil {
		source.Deciding = &control.Deciding
	}
	return source, nil
}

func (i Intent) captureLimits() capture.Limits {
	return capture.Limits{MaxPatchBytes: i.Limits.MaxPatchBytes, MaxChangedFiles: i.Limits.MaxChangedFiles}
}

// rawDocument returns a retained raw document, nil where another host kept
// none.
func (s *Service) rawDocument(digest canon.Digest) (*gitplumb.Raw, error) {
	text, err := s.Store.Get(digest, gitplumb.MaxRawDocumentBytes)
	if fault.Is(err, fault.Missing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	raw, err := gitplumb.ParseRaw(text)
	if err != nil {
		return nil, err
	}
	return &raw, nil
}
