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

// ParseControl reads the control record of a job's admission. Errors are
// fault.Malformed for its form, fault.StoreInconsistent where it is another
// record's.
func ParseControl(text []byte, job canon.Digest) (Control, error) {
	c, err := parseOwn[Control](text)
	if err == nil {
		err = checkControl(c.Contract, controlContract, c.JobID, job)
	}
	if err != nil {
		return Control{}, err
	}
	return c, nil
}

// Format returns the canonical bytes of the record.
func (c Control) Format() ([]byte, error) { return canon.Encode(c) }

// ParseControlAfter reads the control record of a job's capture, with the
// errors of [ParseControl].
func ParseControlAfter(text []byte, job canon.Digest) (ControlAfter, error) {
	c, err := parseOwn[ControlAfter](text)
	if err == nil {
		err = checkControl(c.Contract, controlAfterContract, c.JobID, job)
	}
	if err != nil {
		return ControlAfter{}, err
	}
	return c, nil
}

// Format returns the canonical bytes of the record.
func (c ControlAfter) Format() ([]byte, error) { return canon.Encode(c) }

func parseOwn[T any](text []byte) (T, error) {
	record, err := canon.Decode[T](text)
	if err != nil {
		return record, fault.New(fault.Malformed, "the control record is malformed: %w", err)
	}
	return record, nil
}

func checkControl(contract, want string, got, job canon.Digest) error {
	if contract != want || got != job {
		return fault.New(fault.StoreInconsistent, "control record %q belongs to job %q", contract, got)
	}
	return nil
}

// readControl returns the control record of a job, nil where another host
// prepared it and there is none.
func readControl(store *state.Store, job canon.Digest) (*Control, error) {
	return readOwn(store, state.Control(job), job, ParseControl)
}

// readControlAfter returns the record of the capture, nil where there is none.
func readControlAfter(store *state.Store, job canon.Digest) (*ControlAfter, error) {
	return readOwn(store, state.ControlAfter(job), job, ParseControlAfter)
}

func readOwn[T any](store *state.Store, name state.Name, job canon.Digest, parse func([]byte, canon.Digest) (T, error)) (*T, error) {
	text, err := readOptional(store, name)
	if err != nil || text == nil {
		return nil, err
	}
	record, err := parse(text, job)
	if err != nil {
		return nil, err
	}
	return &record, nil
}

// replaceControl publishes what decided git's answers at this admission.
func replaceControl(store *state.Store, job canon.Digest, c gitplumb.Control) error {
	text, err := Control{controlContract, job, c.Deciding, c.Evidence}.Format()
	if err != nil {
		return fault.New(fault.Malformed, "the control record cannot be written: %w", err)
	}
	return store.Replace(state.Control(job), text)
}

func quote(path string) string { return strconv.Quote(path) }
