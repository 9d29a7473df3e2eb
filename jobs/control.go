package jobs

import (
	"strconv"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

const (
	controlContract      = "git-algal.control.v1"
	controlAfterContract = "git-algal.control-after.v1"
)

// A Control is control.json: what decided git's answers at admission, and what
// else of the git directory a worker could change (contract section 5, the
// judge may not be changed by the judged).
type Control struct {
	Contract string            `json:"contract"`
	JobID    canon.Digest      `json:"jobId"`
	Deciding gitplumb.Deciding `json:"deciding"`
	Evidence gitplumb.Evidence `json:"evidence"`
}

// A ControlAfter is control-after.json: the same as the capture found it, and
// the converted paths that changed on disk but not for git.
type ControlAfter struct {
	Contract string            `json:"contract"`
	JobID    canon.Digest      `json:"jobId"`
	Deciding gitplumb.Deciding `json:"deciding"`
	Evidence gitplumb.Evidence `json:"evidence"`
	Hidden   []string          `json:"hidden"`
}

// readControl returns the control record of a job, nil where another host
// prepared it and there is none.
func readControl(store *state.Store, job canon.Digest) (*Control, error) {
	c, err := readOwn[Control](store, state.Control(job))
	if err != nil || c == nil {
		return nil, err
	}
	return c, checkControl(c.Contract, controlContract, c.JobID, job)
}

// readControlAfter returns the record of the capture, nil where there is none.
func readControlAfter(store *state.Store, job canon.Digest) (*ControlAfter, error) {
	c, err := readOwn[ControlAfter](store, state.ControlAfter(job))
	if err != nil || c == nil {
		return nil, err
	}
	return c, checkControl(c.Contract, controlAfterContract, c.JobID, job)
}

func readOwn[T any](store *state.Store, name state.Name) (*T, error) {
	text, err := readOptional(store, name)
	if err != nil || text == nil {
		return nil, err
	}
	record, err := canon.Decode[T](text)
	if err != nil {
		return nil, fault.New(fault.Malformed, "the control record is malformed: %w", err)
	}
	return &record, nil
}

func checkControl(contract, want string, got, job canon.Digest) error {
	if contract != want || got != job {
		return fault.New(fault.StoreInconsistent, "control record %q belongs to job %q", contract, got)
	}
	return nil
}

// replaceControl publishes what decided git's answers at this admission.
func replaceControl(store *state.Store, job canon.Digest, c gitplumb.Control) error {
	text, err := canon.Encode(Control{controlContract, job, c.Deciding, c.Evidence})
	if err != nil {
		return fault.New(fault.Malformed, "the control record cannot be written: %w", err)
	}
	return store.Replace(state.Control(job), text)
}

func quote(path string) string { return strconv.Quote(path) }
