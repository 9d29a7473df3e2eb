package jobs

import (
	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

const (
	resultV1Contract = "algal.coding-job-result.v1"
	resultContract   = "algal.coding-job-result.v2"

	// MaxReasonChars bounds a reason, in UTF-16 code units.
	MaxReasonChars = 256
	// MaxExitCode is the largest process exit code.
	MaxExitCode = 255
)

// A Status is where a job stands.
type Status string

// The statuses of a job (contract section 6). Prepared is derived, never
// stored.
const (
	Prepared  Status = "prepared"
	Uncertain Status = "uncertain"
	Completed Status = "completed"
	Failed    Status = "failed"
)

// Settled reports whether the status is final.
func (s Status) Settled() bool { return s == Completed || s == Failed }

// The reasons of contract section 4. Those that start with a derived prefix
// are computed on inspection and never stored.
const (
	reasonLaunchUnacknowledged = "launch-started-without-terminal-acknowledgement" // derived
	reasonEvidenceIncomplete   = "operation-evidence-publication-incomplete"       // derived
	reasonNotProvenSettled     = "external-task-not-proven-settled"
	reasonResultUnavailable    = "external-result-unavailable"
	reasonTaskFailed           = "external-task-failed"
	reasonTaskCancelled        = "external-task-cancelled"
	reasonTaskUnsuccessful     = "external-task-did-not-complete-successfully" // v1
	reasonPatchRejected        = "settled-patch-rejected"
)

// withCode returns the reason with an error's code as its suffix; an error
// without one adds nothing.
func withCode(reason string, err error) string {
	if code := fault.CodeOf(err); code != "" {
		return reason + ":" + string(code)
	}
	return reason
}

// A Result is what the host retained of the attempt's outcome. In a v2 job
// Session is compatibility metadata and equals the operation id; in a v1 job it
// is the worker's own, and there is no operation id. PatchRef, PatchDigest and
// ChangedFiles are present together or not at all.
type Result struct {
	Session      operation.Identity `json:"session"`
	ExitCode     int                `json:"exitCode"`
	OutputRef    canon.Digest       `json:"outputRef"`
	OperationID  operation.Identity `json:"operationId,omitzero"`
	PatchRef     canon.Digest       `json:"patchRef,omitzero"`
	PatchDigest  canon.Digest       `json:"patchDigest,omitzero"`
	ChangedFiles *int               `json:"changedFiles,omitzero"`
}

// A ResultRecord is result.json or resolution.json.
type ResultRecord struct {
	Contract string       `json:"contract"`
	JobID    canon.Digest `json:"jobId"`
	Status   Status       `json:"status"`
	Result   *Result      `json:"result,omitzero"`
	Reason   string       `json:"reason,omitzero"`
}

// ParseResult reads a result record of the job whose operation is op, or of a
// v1 job, where op is empty. Errors are fault.Malformed for its form,
// fault.StoreInconsistent where it belongs to something else.
func ParseResult(text []byte, job canon.Digest, op operation.Identity) (ResultRecord, error) {
	r, err := canon.Decode[ResultRecord](text)
	if err != nil {
		return ResultRecord{}, fault.New(fault.Malformed, "the result record is malformed: %w", err)
	}
	if err := r.validate(job, op); err != nil {
		return ResultRecord{}, err
	}
	return r, nil
}

// Format returns the canonical bytes of the record.
func (r ResultRecord) Format() ([]byte, error) { return canon.Encode(r) }

func (r ResultRecord) validate(job canon.Digest, op operation.Identity) error {
	contract := resultContract
	if op == "" {
		contract = resultV1Contract
	}
	chars := canon.UTF16Len(r.Reason)
	switch {
	case r.Contract != contract:
		return fault.New(fault.Malformed, "result contract %q is not %q", r.Contract, contract)
	case r.Status != Uncertain && !r.Status.Settled():
		return fault.New(fault.Malformed, "result status %q is unknown", r.Status)
	case chars > MaxReasonChars:
		return fault.New(fault.Malformed, "the result's reason has %d characters, more than %d", chars, MaxReasonChars)
	case r.Status.Settled() && r.Result == nil:
		return fault.New(fault.Malformed, "a settled result record holds no result")
	case r.Status == Completed && r.Result.PatchRef == "":
		return fault.New(fault.Malformed, "a completed result record holds no patch")
	case r.JobID != job:
		return fault.New(fault.StoreInconsistent, "the result record belongs to job %q", r.JobID)
	}
	if r.Result == nil {
		return nil
	}
	return r.Result.validate(op)
}

func (r Result) validate(op operation.Identity) error {
	withPatch := r.PatchRef != ""
	switch {
	case r.ExitCode < 0 || r.ExitCode > MaxExitCode:
		return fault.New(fault.Malformed, "exit code %d is outside 0..%d", r.ExitCode, MaxExitCode)
	case !r.OutputRef.Valid():
		return fault.New(fault.Malformed, "output reference %q is no digest", r.OutputRef)
	case withPatch != (r.PatchDigest != "") || withPatch != (r.ChangedFiles != nil):
		return fault.New(fault.Malformed, "a result holds all of patchRef, patchDigest and changedFiles or none")
	case withPatch && (!r.PatchRef.Valid() || r.PatchDigest != r.PatchRef):
		return fault.New(fault.Malformed, "patch reference and digest are not one digest")
	case withPatch && (*r.ChangedFiles < 0 || *r.ChangedFiles > MaxChangedFiles):
		return fault.New(fault.Malformed, "changed files %d is outside 0..%d", *r.ChangedFiles, MaxChangedFiles)
	case r.OperationID != op || op != "" && r.Session != op:
		return fault.New(fault.StoreInconsistent, "the result belongs to operation %q", r.OperationID)
	}
	_, err := operation.ParseIdentity(string(r.Session))
	return err
}

// addPatch makes the result name the patch.
func (r *Result) addPatch(patch capture.Artifact) error {
	digest, err := patch.Digest()
	if err != nil {
		return err
	}
	r.PatchRef, r.PatchDigest, r.ChangedFiles = digest, digest, &patch.ChangedFiles
	return nil
}

// resultOf returns the host's result of an outcome, without a patch.
func resultOf(o operation.Outcome) *Result {
	return &Result{
		Session: o.Binding().OperationID, OperationID: o.Binding().OperationID,
		ExitCode: exitCode(o), OutputRef: o.Ref(),
	}
}

// exitCode derives the result's exit code from the outcome; it is not the exit
// status of the adapter's process.
func exitCode(o operation.Outcome) int {
	switch {
	case o.Ending() == operation.Completed:
		return 0
	case o.Ending() == operation.Cancelled:
		return 130
	}
	return 1
}
