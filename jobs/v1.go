package jobs

import (
	"context"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/xcb"
	"github.com/git-algal/git-algal/state"
)

// A v1 job has the same admission, claim, marker and capture as a v2 job. Its
// worker runs in the foreground and its envelope is the only word on it: there
// is no operation to look up, so what the run leaves uncertain stays so for
// good (contract section 6, v1).

// attemptV1 calls the worker of a launched v1 job and returns its result. One
// deadline covers the call and the capture.
func (s *Service) attemptV1(ctx context.Context, e *evidence) ResultRecord {
	uncertain := ResultRecord{Contract: resultV1Contract, JobID: e.job, Status: Uncertain}
	runtime := e.intent.Limits.Runtime()
	ctx, cancel := context.WithTimeout(ctx, runtime)
	defer cancel()
	s.begin("launch", runtime)
	envelope, exitStatus, err := e.intent.XCB.Call(ctx, xcb.Call{
		Workspace: e.intent.Workspace, Prompt: e.intent.Prompt,
		Env: s.WorkerEnv, MaxOutputBytes: e.intent.Limits.MaxOutputBytes,
	})
	if err == nil {
		err = s.putEnvelope(envelope)
	}
	if err != nil {
		uncertain.Reason = withCode(reasonResultUnavailable, err)
		return uncertain
	}
	record, err := s.settleV1(ctx, e, envelope, exitStatus)
	if err != nil { // a refused patch leaves no more than this, for good
		uncertain.Reason = withCode(reasonResultUnavailable, err)
		return uncertain
	}
	return record
}

func (s *Service) putEnvelope(envelope xcb.Envelope) error {
	text, err := envelope.Format()
	if err != nil {
		return err
	}
	_, err = s.Store.Put(text)
	return err
}

// settleV1 decides the result of a valid envelope and publishes the patch.
func (s *Service) settleV1(ctx context.Context, e *evidence, envelope xcb.Envelope, exitStatus int) (ResultRecord, error) {
	ref, err := envelope.Ref()
	if err != nil {
		return ResultRecord{}, err
	}
	record := ResultRecord{
		Contract: resultV1Contract, JobID: e.job, Status: Uncertain, Reason: reasonNotProvenSettled,
		Result: &Result{Session: envelope.Session, ExitCode: exitStatus, OutputRef: ref},
	}
	if !envelope.Settled() {
		return record, nil
	}
	s.begin("capture", 0)
	captured, err := s.capture(ctx, e.job, e.intent)
	if err != nil {
		return ResultRecord{}, interrupted(ctx, err)
	}
	if err := s.publishCapture(e.job, captured); err != nil {
		return ResultRecord{}, err
	}
	if err := s.putPatch(captured.Artifact); err != nil {
		return ResultRecord{}, err
	}
	record.Status, record.Reason = Completed, ""
	if !envelope.Completed(exitStatus) {
		record.Status, record.Reason = Failed, reasonTaskUnsuccessful
	}
	return record, record.Result.addPatch(captured.Artifact)
}

// contradictionsV1 is contradictions of a v1 job.
func (e *evidence) contradictionsV1() (found []contradiction) {
	switch {
	case len(e.observations) > 0 || e.settlement != nil || e.resolution != nil:
		found = append(found, contradiction{state.Intent(e.job), "a v1 job has records of an operation"})
	case e.initial != nil && !e.launched:
		found = append(found, contradiction{state.Marker(e.job), "there is evidence of an outcome, but no launch marker"})
	}
	return found
}

// envelope returns the stored envelope that a v1 result names. A stored one
// that does not fit its result is fault.StoreInconsistent.
func (e *evidence) envelope(store *state.Store) (xcb.Envelope, error) {
	r := e.initial
	text, err := store.Get(r.Result.OutputRef, e.intent.Limits.MaxOutputBytes)
	if err != nil {
		return xcb.Envelope{}, err
	}
	envelope, err := xcb.ParseEnvelope(text, e.intent.Limits.MaxOutputBytes)
	if err != nil {
		return xcb.Envelope{}, fault.New(fault.StoreInconsistent, "the output of job %q is no envelope: %w", e.job, err)
	}
	switch {
	case envelope.Session != r.Result.Session:
		return xcb.Envelope{}, e.contradiction("the result is of another session than its envelope")
	case r.Status.Settled() != envelope.Settled():
		return xcb.Envelope{}, e.contradiction("the result and its envelope do not agree on settlement")
	case r.Status.Settled() && (r.Status == Completed) != envelope.Completed(r.Result.ExitCode):
		return xcb.Envelope{}, e.contradiction("the result and its envelope do not agree on success")
	}
	return envelope, nil
}

// completeV1 reports whether envelope and patch of a v1 job are in the store.
func (e *evidence) completeV1(store *state.Store) (bool, error) {
	if e.initial == nil || e.initial.Result == nil {
		return true, nil
	}
	_, err := e.envelope(store)
	if err == nil && e.initial.Result.PatchRef != "" {
		_, err = store.Get(e.initial.Result.PatchRef, e.intent.Limits.MaxPatchBytes)
	}
	if fault.Is(err, fault.Missing) {
		return false, nil
	}
	return err == nil, err
}

// executable returns what the launch will start.
func (o Options) executable() string {
	if o.XCB != nil {
		return o.XCB.Executable
	}
	return o.Adapter.Executable
}

func (i Intent) executable() string {
	return Options{XCB: i.XCB, Adapter: i.Adapter}.executable()
}

// publishIntentV1 publishes a v1 admission: it has no operation to reserve.
func (s *Service) publishIntentV1(job canon.Digest, text []byte, raw gitplumb.Raw, control gitplumb.Control) error {
	if err := s.checkJobs(job); err != nil {
		return err
	}
	return s.publishIntent(job, text, raw, control)
}
