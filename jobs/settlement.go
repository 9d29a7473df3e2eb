package jobs

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

const settlementContract = "algal.coding-job-settlement.v1"

// A Settlement is the immutable decision of how a terminal outcome settles the
// job. It is published before the patch and the result, and reused after a
// crash: no later edit of the workspace can change it.
type Settlement struct {
	OutputRef canon.Digest
	Terminal  ResultRecord
	Patch     *capture.Artifact // nil where the workspace refused the capture
}

type settlementText struct {
	Contract  string         `json:"contract"`
	JobID     canon.Digest   `json:"jobId"`
	OutputRef canon.Digest   `json:"outputRef"`
	Terminal  ResultRecord   `json:"terminal"`
	Patch     jsontext.Value `json:"patch,omitzero"`
}

// Format returns the canonical bytes of the settlement.
func (s Settlement) Format() ([]byte, error) {
	t := settlementText{settlementContract, s.Terminal.JobID, s.OutputRef, s.Terminal, nil}
	if s.Patch != nil {
		patch, err := s.Patch.Format()
		if err != nil {
			return nil, err
		}
		t.Patch = patch
	}
	return canon.Encode(t)
}

// ParseSettlement reads the settlement of a job and checks every binding
// inside it: the terminal result, the patch it names, the patch's source.
// Errors are fault.Malformed for its form, else fault.StoreInconsistent.
func ParseSettlement(text []byte, job canon.Digest, intent Intent) (Settlement, error) {
	t, err := canon.Decode[settlementText](text)
	if err != nil {
		return Settlement{}, fault.New(fault.Malformed, "the settlement is malformed: %w", err)
	}
	op := intent.Operation.OperationID
	switch {
	case t.Contract != settlementContract:
		return Settlement{}, fault.New(fault.Malformed, "settlement contract %q is not %q", t.Contract, settlementContract)
	case t.JobID != job:
		return Settlement{}, fault.New(fault.StoreInconsistent, "the settlement belongs to job %q", t.JobID)
	}
	if err := t.Terminal.validate(job, op); err != nil {
		return Settlement{}, err
	}
	s := Settlement{OutputRef: t.OutputRef, Terminal: t.Terminal}
	switch {
	case !s.Terminal.Status.Settled():
		return Settlement{}, fault.New(fault.Malformed, "the settlement's result is not settled")
	case s.Terminal.Result.OutputRef != s.OutputRef:
		return Settlement{}, fault.New(fault.StoreInconsistent, "the settlement's result is of another outcome")
	case (t.Patch != nil) != (s.Terminal.Result.PatchRef != ""):
		return Settlement{}, fault.New(fault.StoreInconsistent, "the settlement's result and patch do not belong together")
	case t.Patch == nil:
		return s, nil
	}
	patch, err := capture.ParseArtifact(t.Patch, intent.Limits.MaxPatchBytes, intent.Limits.MaxChangedFiles)
	if err != nil {
		return Settlement{}, err
	}
	digest, err := patch.Digest()
	if err != nil {
		return Settlement{}, err
	}
	switch {
	case digest != s.Terminal.Result.PatchRef || patch.ChangedFiles != *s.Terminal.Result.ChangedFiles:
		return Settlement{}, fault.New(fault.StoreInconsistent, "the settlement's patch is not the one its result names")
	case patch.SourceHead != intent.ExpectedHead || patch.SourceTree != intent.SourceTree || patch.SourceRawDigest != intent.SourceRawDigest:
		return Settlement{}, fault.New(fault.StoreInconsistent, "the settlement's patch is of another source")
	}
	s.Patch = &patch
	return s, nil
}

// settledResult decides status and reason of a terminal outcome whose capture
// gave patch, or was refused by the workspace with refusal.
func settledResult(job canon.Digest, o operation.Outcome, patch *capture.Artifact, refusal error) (ResultRecord, error) {
	r := ResultRecord{Contract: resultContract, JobID: job, Status: Failed, Result: resultOf(o)}
	if patch == nil {
		r.Reason = withCode(reasonPatchRejected, refusal)
		return r, nil
	}
	if err := r.Result.addPatch(*patch); err != nil {
		return ResultRecord{}, err
	}
	switch o.Ending() {
	case operation.Completed:
		r.Status = Completed
	case operation.Cancelled:
		r.Reason = reasonTaskCancelled
	default:
		r.Reason = reasonTaskFailed
	}
	return r, nil
}
