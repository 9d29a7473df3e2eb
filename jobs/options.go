package jobs

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/xcb"
)

// Options are what a caller asks to have admitted: a v2 job, with an adapter
// and an operation id, or a v1 job, with XCB instead.
type Options struct {
	Workspace    string // absolute path as the caller gave it
	ExpectedHead string // full commit id the checkout must stand at, exactly clean
	Prompt       string
	Source       *Source // nil where there is none
	Limits       Limits
	OperationID  operation.Identity // retained by the caller; never minted here
	Adapter      operation.Adapter
	XCB          *xcb.Worker // v1 only
}

type (
	askedText struct {
		Workspace    string      `json:"workspace"`
		ExpectedHead string      `json:"expectedHead"`
		Prompt       string      `json:"prompt"`
		Source       *Source     `json:"source,omitzero"`
		Limits       *limitsText `json:"limits,omitzero"`
	}
	optionsV1Text struct {
		askedText
		Adapter xcb.Worker `json:"adapter"`
	}
	optionsV2Text struct {
		askedText
		OperationID operation.Identity `json:"operationId"`
		Adapter     operation.Adapter  `json:"adapter"`
	}
)

// ParseOptions reads the closed options object of a v2 preparation; limits that
// are left out take the contract's defaults. The error is fault.Malformed.
func ParseOptions(text []byte) (Options, error) {
	t, err := canon.Decode[optionsV2Text](text)
	if err != nil {
		return Options{}, fault.New(fault.Malformed, "the options are malformed: %w", err)
	}
	return t.options(Options{OperationID: t.OperationID, Adapter: t.Adapter})
}

// ParseOptionsV1 reads the closed options object of a v1 preparation, as
// [ParseOptions] does.
func ParseOptionsV1(text []byte) (Options, error) {
	t, err := canon.Decode[optionsV1Text](text)
	if err != nil {
		return Options{}, fault.New(fault.Malformed, "the options are malformed: %w", err)
	}
	return t.options(Options{XCB: &t.Adapter})
}

// options completes o with what both versions ask for.
func (t askedText) options(o Options) (Options, error) {
	limits, err := t.Limits.limits()
	if err != nil {
		return Options{}, err
	}
	o.Workspace, o.ExpectedHead, o.Prompt, o.Source, o.Limits = t.Workspace, t.ExpectedHead, t.Prompt, t.Source, limits
	if err := o.Validate(); err != nil {
		return Options{}, err
	}
	return o, nil
}

// Validate checks every option; the error is fault.Malformed.
func (o Options) Validate() error {
	if err := o.validateWorker(); err != nil {
		return err
	}
	if err := validatePath("workspace", o.Workspace); err != nil {
		return err
	}
	if !isObjectID(o.ExpectedHead) {
		return fault.New(fault.Malformed, "expected head %q is no 40-digit object id", o.ExpectedHead)
	}
	if err := ValidatePrompt(o.Prompt); err != nil {
		return err
	}
	if err := o.Limits.Validate(); err != nil {
		return err
	}
	if o.Source == nil {
		return nil
	}
	if o.Source.HeadSha != o.ExpectedHead {
		return fault.New(fault.Malformed, "the source evidence is for head %q, not for the expected head %q", o.Source.HeadSha, o.ExpectedHead)
	}
	return o.Source.validate()
}

func (o Options) validateWorker() error {
	if o.XCB != nil {
		return o.XCB.Validate()
	}
	if err := o.Adapter.Validate(); err != nil {
		return err
	}
	_, err := operation.ParseIdentity(string(o.OperationID))
	return err
}

// ValidatePrompt checks the bounds of a prompt; the error is fault.Malformed
// and does not quote it.
func ValidatePrompt(prompt string) error {
	switch {
	case prompt == "":
		return fault.New(fault.Malformed, "the prompt is empty")
	case len(prompt) > MaxPromptBytes: // and so no text of more UTF-16 code units either
		return fault.New(fault.Malformed, "the prompt has %d bytes, more than %d", len(prompt), MaxPromptBytes)
	case strings.ContainsRune(prompt, 0):
		return fault.New(fault.Malformed, "the prompt contains a NUL character")
	case !utf8.ValidString(prompt):
		return fault.New(fault.Malformed, "the prompt is not valid UTF-8")
	}
	return nil
}

// MaxAttempt bounds the attempt number of a derived operation id.
const MaxAttempt = 1_000_000

// DeriveOperationID returns the operation id of the attempt-th try (1 or more)
// at a prompt: the same words again give the same id, and so the same job
// (product.md). Another attempt is another number, said out loud.
func DeriveOperationID(workspace, head, prompt string, adapter operation.Adapter, attempt int) (operation.Identity, error) {
	if attempt < 1 || attempt > MaxAttempt {
		return "", fault.New(fault.Usage, "attempt %d is outside 1..%d", attempt, MaxAttempt)
	}
	digest, _, err := canon.DigestOf(struct {
		Workspace string            `json:"workspace"`
		Head      string            `json:"head"`
		Prompt    string            `json:"prompt"`
		Adapter   operation.Adapter `json:"adapter"`
	}{workspace, head, prompt, adapter})
	if err != nil {
		return "", fault.New(fault.Malformed, "no operation id can be derived: %w", err)
	}
	return operation.ParseIdentity(fmt.Sprintf("a%d-%s", attempt, digest.Hex()[:32]))
}
