package jobs

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/xcb"
)

const (
	intentV1Contract = "algal.coding-job.v1"
	intentContract   = "algal.coding-job.v2"
	requestContract  = "algal.coding-job-request.v2"

	// MaxPromptBytes bounds the prompt, in UTF-8 bytes (contract section 2).
	MaxPromptBytes = 65_536
	// MaxPathChars bounds every path of a record, in UTF-16 code units.
	MaxPathChars = 4_096
	// MaxIdentityDigits bounds device and inode numbers, in decimal digits.
	MaxIdentityDigits = 32
)

// WorkspaceIdentity is the device and inode of the admitted directory, as
// decimal strings: doubles do not hold every inode.
type WorkspaceIdentity struct {
	Device string `json:"device"`
	Inode  string `json:"inode"`
}

// An Intent is the immutable record of what one job was admitted to do. Its
// canonical digest is the job's id (contract section 4). A v2 intent has an
// adapter and the binding of its operation; a v1 intent has XCB instead.
type Intent struct {
	Workspace         string // canonical path
	ExpectedHead      string
	SourceTree        string
	SourceRawDigest   canon.Digest
	GitDirectory      string
	WorkspaceIdentity WorkspaceIdentity
	Prompt            string
	Limits            Limits
	Source            *Source // nil where there is none
	Adapter           operation.Adapter
	Operation         operation.Binding
	XCB               *xcb.Worker // v1 only
}

// The written forms. The payload of a request is the v2 intent without
// contract and operation, plus the request's contract and the operation id: it
// holds every member that affects execution, so its digest binds them all.
type (
	admittedText struct {
		Workspace         string            `json:"workspace"`
		ExpectedHead      string            `json:"expectedHead"`
		SourceTree        string            `json:"sourceTree"`
		SourceRawDigest   canon.Digest      `json:"sourceRawDigest"`
		GitDirectory      string            `json:"gitDirectory"`
		WorkspaceIdentity WorkspaceIdentity `json:"workspaceIdentity"`
		Prompt            string            `json:"prompt"`
		Limits            *limitsText       `json:"limits,omitzero"`
		Source            *Source           `json:"source,omitzero"`
	}
	intentV1Text struct {
		Contract string `json:"contract"`
		admittedText
		Adapter xcb.Worker `json:"adapter"`
	}
	intentV2Text struct {
		Contract string `json:"contract"`
		admittedText
		Adapter   operation.Adapter `json:"adapter"`
		Operation operation.Binding `json:"operation"`
	}
	payloadText struct {
		Contract string `json:"contract"`
		admittedText
		Adapter     operation.Adapter  `json:"adapter"`
		OperationID operation.Identity `json:"operationId"`
	}
)

func (i Intent) admittedText() admittedText {
	return admittedText{
		i.Workspace, i.ExpectedHead, i.SourceTree, i.SourceRawDigest, i.GitDirectory,
		i.WorkspaceIdentity, i.Prompt, i.Limits.text(), i.Source,
	}
}

func (t admittedText) intent() (Intent, error) {
	limits, err := t.Limits.limits()
	return Intent{
		Workspace: t.Workspace, ExpectedHead: t.ExpectedHead, SourceTree: t.SourceTree,
		SourceRawDigest: t.SourceRawDigest, GitDirectory: t.GitDirectory,
		WorkspaceIdentity: t.WorkspaceIdentity, Prompt: t.Prompt, Limits: limits, Source: t.Source,
	}, err
}

// ParseIntent reads a stored intent of either version; limits that are left
// out take the contract's defaults. Errors are fault.Malformed for its form,
// fault.StoreInconsistent where request digest or authority are not those of
// the intent itself.
func ParseIntent(text []byte) (Intent, error) {
	malformed := func(err error) error {
		return fault.New(fault.Malformed, "the job's intent is malformed: %w", err)
	}
	var intent Intent
	if isV1(text) {
		t, err := canon.Decode[intentV1Text](text)
		if err != nil {
			return Intent{}, malformed(err)
		}
		if intent, err = t.intent(); err != nil {
			return Intent{}, err
		}
		intent.XCB = &t.Adapter
	} else {
		t, err := canon.Decode[intentV2Text](text)
		if err != nil {
			return Intent{}, malformed(err)
		}
		if t.Contract != intentContract {
			return Intent{}, fault.New(fault.Malformed, "intent contract %q is not %q", t.Contract, intentContract)
		}
		if intent, err = t.intent(); err != nil {
			return Intent{}, err
		}
		intent.Adapter, intent.Operation = t.Adapter, t.Operation
	}
	if err := intent.validate(); err != nil {
		return Intent{}, err
	}
	return intent, nil
}

// isV1 looks at the contract alone; a text without one is left to the v2 form
// to refuse.
func isV1(text []byte) bool {
	var t struct {
		Contract string `json:"contract"`
	}
	return json.Unmarshal(text, &t) == nil && t.Contract == intentV1Contract
}

// Format returns the canonical bytes of the intent.
func (i Intent) Format() ([]byte, error) {
	if i.XCB != nil {
		return canon.Encode(intentV1Text{intentV1Contract, i.admittedText(), *i.XCB})
	}
	return canon.Encode(intentV2Text{intentContract, i.admittedText(), i.Adapter, i.Operation})
}

// ID returns the job id, the digest of the canonical intent.
func (i Intent) ID() (canon.Digest, error) {
	text, err := i.Format()
	if err != nil {
		return "", err
	}
	return canon.DigestText(text), nil
}

// Payload returns the canonical request payload and its digest.
func (i Intent) Payload() ([]byte, canon.Digest, error) {
	digest, text, err := canon.DigestOf(payloadText{requestContract, i.admittedText(), i.Adapter, i.Operation.OperationID})
	return text, digest, err
}

// Reservation returns the record that binds the intent's operation key.
func (i Intent) Reservation(job canon.Digest) operation.Reservation {
	return operation.Reservation{JobID: job, Binding: i.Operation}
}

func (i Intent) validate() error {
	asked := Options{
		Workspace: i.Workspace, ExpectedHead: i.ExpectedHead, Prompt: i.Prompt,
		OperationID: i.Operation.OperationID, Adapter: i.Adapter, XCB: i.XCB, Source: i.Source, Limits: i.Limits,
	}
	if err := asked.Validate(); err != nil {
		return err
	}
	switch {
	case !isObjectID(i.SourceTree):
		return fault.New(fault.Malformed, "source tree %q is no 40-digit object id", i.SourceTree)
	case !i.SourceRawDigest.Valid():
		return fault.New(fault.Malformed, "source raw digest %q is no digest", i.SourceRawDigest)
	case !isDecimal(i.WorkspaceIdentity.Device) || !isDecimal(i.WorkspaceIdentity.Inode):
		return fault.New(fault.Malformed, "the workspace identity is not a pair of decimal numbers")
	}
	if err := validatePath("git directory", i.GitDirectory); err != nil {
		return err
	}
	if i.XCB != nil {
		return nil
	}
	if err := i.Operation.Validate(); err != nil {
		return err
	}
	_, digest, err := i.Payload()
	if err != nil {
		return fault.New(fault.Malformed, "the request payload cannot be formed: %w", err)
	}
	switch {
	case i.Operation.AuthorityID != i.Adapter.AuthorityID:
		return fault.New(fault.StoreInconsistent, "the intent's authority is not its adapter's")
	case i.Operation.RequestDigest != digest:
		return fault.New(fault.StoreInconsistent, "the intent's request digest is not that of its payload")
	}
	return nil
}

// validatePath checks a path of a record: absolute, without NUL, bounded.
func validatePath(what, path string) error {
	chars := canon.UTF16Len(path)
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) || chars > MaxPathChars {
		return fault.New(fault.Malformed, "%s is not an absolute path of at most %d characters without NUL", what, MaxPathChars)
	}
	return nil
}

func isDecimal(s string) bool {
	if s == "" || len(s) > MaxIdentityDigits {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}
