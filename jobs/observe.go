package jobs

import (
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

const (
	// ObserveTool names the read-only tool of a job (contract section 6).
	ObserveTool = "coding.job.observe.v1"
	// MaxObserveBytes bounds its canonical output, in bytes.
	MaxObserveBytes = 8_192

	observeContract = "algal.coding-job-observation.v1"
)

type observeText struct {
	Observation struct {
		Contract     string       `json:"contract"`
		JobID        canon.Digest `json:"jobId"`
		Status       Status       `json:"status"`
		ExpectedHead string       `json:"expectedHead"`
		Result       *Result      `json:"result,omitzero"`
		Reason       string       `json:"reason,omitzero"`
	} `json:"observation"`
	Done string `json:"done"`
}

// Observe returns the canonical answer of the observation tool: the job's
// status and references, and "done" or "continue". It holds neither prompt nor
// account data. Errors are those of Inspect, and fault.OverBound.
func (s *Service) Observe(job canon.Digest) ([]byte, error) {
	snap, err := s.Inspect(job)
	if err != nil {
		return nil, err
	}
	t := observeText{Done: "continue"}
	if snap.Status.Settled() {
		t.Done = "done"
	}
	o := &t.Observation
	o.Contract, o.JobID, o.Status = observeContract, job, snap.Status
	o.ExpectedHead, o.Result, o.Reason = snap.Intent.ExpectedHead, snap.Result, snap.Reason
	text, err := canon.Encode(t)
	if err == nil && len(text) > MaxObserveBytes {
		err = fault.New(fault.OverBound, "the observation of job %q has %d bytes, more than %d", job, len(text), MaxObserveBytes)
	}
	return text, err
}

// ObserveConfiguration returns the digest that binds the tool to one store and
// job.
func ObserveConfiguration(root string, job canon.Digest) (canon.Digest, error) {
	digest, _, err := canon.DigestOf(struct {
		Tool  string       `json:"tool"`
		Root  string       `json:"root"`
		JobID canon.Digest `json:"jobId"`
	}{ObserveTool, root, job})
	return digest, err
}
