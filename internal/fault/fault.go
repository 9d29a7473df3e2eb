// Package fault holds the one table of error conditions: each has the machine
// code of contract section 8, and the kind from which the exit status follows.
//
// An error carries its condition as a value, found with [Of]; nobody parses
// texts. Texts never contain a prompt, adapter output, stderr or account data.
package fault

import (
	"errors"
	"fmt"
)

// A Code is the machine-readable code of contract section 8.
type Code string

// The codes of contract section 8. The empty code belongs to errors of a Go
// transport that carry none.
const (
	ParseFailed       Code = "PARSE_FAILED"
	DigestMismatch    Code = "DIGEST_MISMATCH"
	CapabilityDenied  Code = "CAPABILITY_DENIED"
	BudgetExhausted   Code = "BUDGET_EXHAUSTED"
	IOFailed          Code = "IO_FAILED"
	StoreMiss         Code = "STORE_MISS"
	EffectFailed      Code = "EFFECT_FAILED"
	EffectUnparseable Code = "EFFECT_UNPARSEABLE"
)

// A Kind decides the exit status (product.md); a code never does.
type Kind string

// The kinds of errors.
const (
	KindUsage       Kind = "usage"       // the words of the command are off
	KindRefused     Kind = "refused"     // a rule, a bound or a failure stands in the way
	KindBusy        Kind = "busy"        // another process holds the lease
	KindDrift       Kind = "drift"       // the workspace is not what was admitted or captured
	KindUncertain   Kind = "uncertain"   // nobody knows yet
	KindInterrupted Kind = "interrupted" // the caller cancelled
)

// A Condition is one row of the table: why something was refused.
type Condition int

// The conditions of contract section 8.
const (
	_ Condition = iota
	Usage
	Malformed         // a record, option, outcome, history or request of wrong form
	BindingMismatch   // an outcome or request of another binding
	EvidenceConflict  // stale or conflicting evidence
	UnsafePath        // a path that cannot travel, a nested repository included
	SHA256Repository  // object format other than SHA-1
	RecordConflict    // an immutable record holds something else
	StoreInconsistent // chains, bindings and digests in the store disagree
	NotClean          // not exactly clean at the expected HEAD
	SourceMoved       // HEAD, tree, identity, raw digest or two captures differ
	HiddenDrift       // changed bytes that the index hides
	StorePlacement    // store and workspace overlap
	NotRoot           // not the root of a repository
	FlaggedIndex      // flagged or unmerged index entries, or too many
	UnsupportedChange // symlinks and types that changed, special files, names that are not UTF-8
	UnsupportedRepo   // submodules and features that cannot be judged soundly
	ControlChanged    // what decides git's answers is not what was admitted
	Claimed           // an unresolved claim of another job
	NotReconcilable   // a v1 or never-submitted job in reconcile
	NotCompleted      // verify of a job that is not completed
	ClaimLost         // reconcile without the claim
	AdapterPlacement  // an adapter executable that the worker can replace
	OverBound         // a bound of the workspace or the store
	Deadline          // the host's deadline
	Cancelled         // the caller cancelled
	StoreFile         // symlinked, foreign, odd or stray files in the store
	LeaseHeld         // another process holds the lease
	UnsupportedSystem // a file system or system where leases and syncs prove nothing
	WorkspaceMissing  // the workspace is gone or is not a directory
	GitFailed         // git cannot answer, or the repository is bare, unborn or broken
	HostFailed        // the host's I/O failed: no space, I/O error, not mounted
	Missing           // an unknown job, or a record or value that is needed
	AdapterFailed     // the adapter's process failed, or what it said is no JSON outcome
	AdapterUnparsed   // an xcb envelope of wrong form
	Unrecorded        // the launch happened, or may have, and could not be recorded
	Uncoded           // an error of a Go transport that carries no code
)

type row struct {
	name string
	code Code
	kind Kind
}

// table is read-only.
var table = [...]row{
	Usage:             {"usage", ParseFailed, KindUsage},
	Malformed:         {"malformed", ParseFailed, KindRefused},
	BindingMismatch:   {"binding-mismatch", ParseFailed, KindRefused},
	EvidenceConflict:  {"evidence-conflict", ParseFailed, KindRefused},
	UnsafePath:        {"unsafe-path", ParseFailed, KindRefused},
	SHA256Repository:  {"sha256-repository", ParseFailed, KindRefused},
	RecordConflict:    {"record-conflict", DigestMismatch, KindRefused},
	StoreInconsistent: {"store-inconsistent", DigestMismatch, KindRefused},
	NotClean:          {"not-clean", DigestMismatch, KindDrift},
	SourceMoved:       {"source-moved", DigestMismatch, KindDrift},
	HiddenDrift:       {"hidden-drift", DigestMismatch, KindDrift},
	StorePlacement:    {"store-placement", CapabilityDenied, KindRefused},
	NotRoot:           {"not-root", CapabilityDenied, KindRefused},
	FlaggedIndex:      {"flagged-index", CapabilityDenied, KindRefused},
	UnsupportedChange: {"unsupported-change", CapabilityDenied, KindRefused},
	UnsupportedRepo:   {"unsupported-repository", CapabilityDenied, KindRefused},
	ControlChanged:    {"control-changed", CapabilityDenied, KindDrift},
	Claimed:           {"claimed", CapabilityDenied, KindRefused},
	NotReconcilable:   {"not-reconcilable", CapabilityDenied, KindRefused},
	NotCompleted:      {"not-completed", CapabilityDenied, KindRefused},
	ClaimLost:         {"claim-lost", CapabilityDenied, KindRefused},
	AdapterPlacement:  {"adapter-placement", CapabilityDenied, KindRefused},
	OverBound:         {"over-bound", BudgetExhausted, KindRefused},
	Deadline:          {"deadline", BudgetExhausted, KindRefused},
	Cancelled:         {"cancelled", BudgetExhausted, KindInterrupted},
	StoreFile:         {"store-file", IOFailed, KindRefused},
	LeaseHeld:         {"lease-held", IOFailed, KindBusy},
	UnsupportedSystem: {"unsupported-system", IOFailed, KindRefused},
	WorkspaceMissing:  {"workspace-missing", IOFailed, KindRefused},
	GitFailed:         {"git-failed", IOFailed, KindRefused},
	HostFailed:        {"host-failed", IOFailed, KindRefused},
	Missing:           {"missing", StoreMiss, KindRefused},
	AdapterFailed:     {"adapter-failed", EffectFailed, KindRefused},
	AdapterUnparsed:   {"adapter-unparsed", EffectUnparseable, KindRefused},
	Unrecorded:        {"unrecorded", IOFailed, KindUncertain},
	Uncoded:           {"uncoded", "", KindRefused},
}

// String returns the condition's name, which is stable and hyphenated.
func (c Condition) String() string { return table[c].name }

// Code returns the machine code of contract section 8.
func (c Condition) Code() Code { return table[c].code }

// Kind returns the kind from which the exit status follows.
func (c Condition) Kind() Kind { return table[c].kind }

// RefusesWorkspace reports whether the condition is a finding about the
// workspace. A capture that fails for such a reason rejects the patch for
// good; deadline, cancel and host faults refuse nothing (contract section 6,
// settling).
func (c Condition) RefusesWorkspace() bool {
	switch c {
	case Deadline, Cancelled, HostFailed, LeaseHeld, UnsupportedSystem, StoreFile, Missing, Unrecorded, Uncoded:
		return false
	}
	return true
}

// An Error is a refusal: its condition, one plain sentence about its subject,
// and what the person can do next.
type Error struct {
	Condition Condition
	Message   string // lower case, subject quoted, cause included, without the code
	Subject   string // the path, setting or file that it is about, where one can be named
	Next      string // the next step, empty where the message says it all
	Err       error  // the cause, nil where there is none
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New returns an Error of the condition with a message in the manner of
// fmt.Errorf; the operand of a %w verb becomes its cause.
func New(c Condition, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Condition: c, Message: err.Error(), Err: errors.Unwrap(err)}
}

// WithNext returns e with the next step set.
func (e *Error) WithNext(format string, args ...any) *Error {
	e.Next = fmt.Sprintf(format, args...)
	return e
}

// About returns e with the subject set.
func (e *Error) About(subject string) *Error {
	e.Subject = subject
	return e
}

// Of returns the outermost Error in err's chain.
func Of(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// Is reports whether the outermost Error in err's chain has the condition.
func Is(err error, c Condition) bool {
	e, ok := Of(err)
	return ok && e.Condition == c
}

// CodeOf returns the code of the outermost Error in err's chain, or the empty
// code where there is none.
func CodeOf(err error) Code {
	if e, ok := Of(err); ok {
		return e.Condition.Code()
	}
	return ""
}
