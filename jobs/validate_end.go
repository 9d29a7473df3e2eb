package jobs

import (
	"strings"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

const (
	validationEndContract = "git-algal.validation-end.v1"

	// MaxValidationDuration bounds a recorded duration: the longest timeout,
	// and whatever a suspended machine or a corrected clock adds, in 31 bits of
	// milliseconds.
	MaxValidationDuration = (1<<31 - 1) * time.Millisecond
)

// A ValidationOutcome says how a validation ended.
type ValidationOutcome string

// The outcomes of a validation (contract section 4). Only passed and failed
// say something about the patch.
const (
	ValidationPassed        ValidationOutcome = "passed"         // exit code 0, and the workspace is still the patch
	ValidationFailed        ValidationOutcome = "failed"         // another exit code, or a signal
	ValidationTimedOut      ValidationOutcome = "timed-out"      // ended by us
	ValidationDriftedBefore ValidationOutcome = "drifted-before" // the workspace was not the patch: nothing was run
	ValidationDriftedAfter  ValidationOutcome = "drifted-after"  // it was not any more afterwards: the result is void

	// ValidationOpen is derived, never stored: there is a start and no end. It
	// is running, or was interrupted; nothing runs it again by itself.
	ValidationOpen ValidationOutcome = "running-or-interrupted"
)

// A ValidationEnd is validations/NNNN-end.json. Unless nothing was run, it
// holds exactly one of exit code and signal.
type ValidationEnd struct {
	StartRef  canon.Digest // of the canonical start
	Outcome   ValidationOutcome
	ExitCode  int    // 0..255; 0 where Signal is not empty or nothing was run
	Signal    string // "SIGKILL" and the like; empty where it exited
	StdoutRef canon.Digest
	StderrRef canon.Digest
	Truncated bool          // one of the outputs was not kept whole
	Duration  time.Duration // of the command, whole milliseconds
}

type validationEndText struct {
	Contract   string            `json:"contract"`
	StartRef   canon.Digest      `json:"startRef"`
	ExitCode   *int              `json:"exitCode,omitzero"`
	Signal     *string           `json:"signal,omitzero"`
	Outcome    ValidationOutcome `json:"outcome"`
	StdoutRef  canon.Digest      `json:"stdoutRef"`
	StderrRef  canon.Digest      `json:"stderrRef"`
	Truncated  bool              `json:"truncated"`
	DurationMs int64             `json:"durationMs"`
}

// ParseValidationEnd reads the end of the validation whose canonical start has
// the digest startRef. Errors are fault.Malformed for its form,
// fault.StoreInconsistent where it is another validation's.
func ParseValidationEnd(text []byte, startRef canon.Digest) (ValidationEnd, error) {
	t, err := canon.Decode[validationEndText](text)
	if err != nil {
		return ValidationEnd{}, fault.New(fault.Malformed, "the validation's end is malformed: %w", err)
	}
	if err := t.validate(startRef); err != nil {
		return ValidationEnd{}, err
	}
	e := ValidationEnd{
		StartRef: t.StartRef, Outcome: t.Outcome, StdoutRef: t.StdoutRef, StderrRef: t.StderrRef,
		Truncated: t.Truncated, Duration: time.Duration(t.DurationMs) * time.Millisecond,
	}
	if t.ExitCode != nil {
		e.ExitCode = *t.ExitCode
	}
	if t.Signal != nil {
		e.Signal = *t.Signal
	}
	return e, nil
}

// Format returns the canonical bytes of the end.
func (e ValidationEnd) Format() ([]byte, error) {
	t := validationEndText{
		Contract: validationEndContract, StartRef: e.StartRef, Outcome: e.Outcome,
		StdoutRef: e.StdoutRef, StderrRef: e.StderrRef, Truncated: e.Truncated, DurationMs: e.Duration.Milliseconds(),
	}
	switch {
	case e.Outcome == ValidationDriftedBefore:
	case e.Signal != "":
		t.Signal = &e.Signal
	default:
		t.ExitCode = &e.ExitCode
	}
	return canon.Encode(t)
}

func (t validationEndText) validate(startRef canon.Digest) error {
	switch {
	case t.Contract != validationEndContract:
		return fault.New(fault.Malformed, "validation contract %q is not %q", t.Contract, validationEndContract)
	case !t.StdoutRef.Valid() || !t.StderrRef.Valid():
		return fault.New(fault.Malformed, "an output reference of the validation is no digest")
	case t.ExitCode != nil && (*t.ExitCode < 0 || *t.ExitCode > MaxExitCode):
		return fault.New(fault.Malformed, "exit code %d of the validation is outside 0..%d", *t.ExitCode, MaxExitCode)
	case t.Signal != nil && !isSignalName(*t.Signal):
		return fault.New(fault.Malformed, "%q is not the name of a signal", *t.Signal)
	case t.DurationMs < 0 || t.DurationMs > MaxValidationDuration.Milliseconds():
		return fault.New(fault.Malformed, "the validation's duration of %d ms is outside 0..%d", t.DurationMs, MaxValidationDuration.Milliseconds())
	case !t.agrees():
		return fault.New(fault.Malformed, "outcome %q of the validation and its exit do not agree", t.Outcome)
	case t.StartRef != startRef:
		return fault.New(fault.StoreInconsistent, "the validation's end belongs to start %q", t.StartRef)
	}
	return nil
}

// agrees reports whether the outcome is known and could follow from the exit.
func (t validationEndText) agrees() bool {
	exited, signalled := t.ExitCode != nil, t.Signal != nil
	switch t.Outcome {
	case ValidationPassed:
		return exited && !signalled && *t.ExitCode == 0
	case ValidationFailed:
		return exited != signalled && (signalled || *t.ExitCode != 0)
	case ValidationTimedOut, ValidationDriftedAfter:
		return exited != signalled
	case ValidationDriftedBefore:
		return !exited && !signalled && !t.Truncated && t.DurationMs == 0
	}
	return false
}

// maxSignalChars bounds the name of a signal; the longest in use have nine.
const maxSignalChars = 16

func isSignalName(s string) bool {
	rest, ok := strings.CutPrefix(s, "SIG")
	return ok && rest != "" && len(s) <= maxSignalChars && strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}
