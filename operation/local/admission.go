package local

import (
	"path/filepath"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// AdmissionContract names the admission record.
const AdmissionContract = "git-algal.ledger-admission.v1"

// ProcessTree is the scope of everything that the embedded adapter admits and
// settles: the process tree of the agent. What a process does that was running
// before is outside of it.
const ProcessTree = "process-tree"

// MaxPathBytes bounds a path in an admission: the longest that Linux opens.
const MaxPathBytes = 4_096

// An Author says who published a record.
type Author string

// The authors.
const (
	BySubmit     Author = "submit"     // a call of the host
	BySupervisor Author = "supervisor" // the process that launched the tree and saw it end
	ByEvidence   Author = "evidence"   // whoever held the lease, from what the kernel said
	ByOperator   Author = "operator"   // a person, on their own responsibility
)

// An Admission is the durable promise that an operation is kept under exactly
// this binding, and at most once started. The digest of its canonical bytes is
// the acceptanceRef of every outcome.
type Admission struct {
	Contract string            `json:"contract"`
	Binding  operation.Binding `json:"binding"` // requestDigest is that of the payload
	Machine  string            `json:"machine"`
	At       Moment            `json:"at"`
	By       Author            `json:"by"`   // BySubmit or ByOperator
	Work     string            `json:"work"` // ProcessTree

	// ForeignServer says that the agent hands work to processes outside of
	// its tree: what the kernel proves settles nothing then.
	ForeignServer bool `json:"foreignServer"`

	// Run is how the agent is run, present exactly if By is BySubmit.
	Run *Run `json:"run,omitzero"`
}

// A Run is everything that decides how an admitted agent is run.
type Run struct {
	Definition     canon.Digest  `json:"definition"`
	Workspace      string        `json:"workspace"`
	GitDirectory   string        `json:"gitDirectory"`
	Prompt         canon.Digest  `json:"prompt"` // over its bytes
	RuntimeMs      int64         `json:"runtimeMs"`
	MaxOutputBytes int           `json:"maxOutputBytes"` // of the canonical outcome
	Custody        custody.Found `json:"custody"`        // what the machine gave when it was admitted
}

// ParseAdmission reads admitted.json, or returns a fault.Malformed error.
func ParseAdmission(text []byte) (Admission, error) {
	a, err := decode[Admission](AdmissionContract, text)
	if err != nil {
		return Admission{}, err
	}
	if err := a.Validate(); err != nil {
		return Admission{}, err
	}
	return a, nil
}

// Validate returns a fault.Malformed error unless every member has its form.
func (a Admission) Validate() error {
	if err := checkContract(a.Contract, AdmissionContract); err != nil {
		return err
	}
	if err := a.Binding.Validate(); err != nil {
		return err
	}
	if err := checkMachine(a.Machine); err != nil {
		return err
	}
	if err := a.At.validate(); err != nil {
		return err
	}
	switch {
	case a.Work != ProcessTree:
		return malformed("the admitted work is not the %q", ProcessTree)
	case a.By == BySubmit && a.Run != nil:
		return a.Run.validate()
	case a.By == ByOperator && a.Run == nil:
		return nil
	}
	return malformed("an admission is by %q with a run or by %q without one", BySubmit, ByOperator)
}

func (r Run) validate() error {
	for name, path := range map[string]string{"workspace": r.Workspace, "gitDirectory": r.GitDirectory} {
		if !filepath.IsAbs(path) || len(path) > MaxPathBytes {
			return malformed("member %q is no absolute path of at most %d bytes", name, MaxPathBytes)
		}
	}
	if !r.Definition.Valid() || !r.Prompt.Valid() {
		return malformed("the definition or the prompt is not named by its digest")
	}
	if r.RuntimeMs < 1 || r.RuntimeMs > definition.MaxRuntime.Milliseconds() {
		return malformed("member %q is not within 1..%d", "runtimeMs", definition.MaxRuntime.Milliseconds())
	}
	if r.MaxOutputBytes < operation.MinOutputBytes || r.MaxOutputBytes > operation.MaxOutputBytes {
		return malformed("member %q is not within %d..%d", "maxOutputBytes", operation.MinOutputBytes, operation.MaxOutputBytes)
	}
	return nil
}

// Format returns the canonical bytes, or a fault.Malformed error as Validate.
func (a Admission) Format() ([]byte, error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	return encode(AdmissionContract, a)
}

// Ref returns the acceptanceRef, the digest over the canonical bytes, or a
// fault.Malformed error as Validate.
func (a Admission) Ref() (canon.Digest, error) {
	text, err := a.Format()
	if err != nil {
		return "", err
	}
	return canon.DigestText(text), nil
}

// maxOutputBytes bounds an outcome of the operation. Nobody told the operator
// the job's bound, so it is the least.
func (a Admission) maxOutputBytes() int {
	if a.Run == nil {
		return operation.MinOutputBytes
	}
	return a.Run.MaxOutputBytes
}

// runtime returns how long the agent may run.
func (r Run) runtime() time.Duration { return time.Duration(r.RuntimeMs) * time.Millisecond }
