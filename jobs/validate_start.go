package jobs

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

const (
	validationStartContract = "git-algal.validation-start.v1"

	// MaxValidationNameChars bounds a validation's name, in UTF-16 code units:
	// a label in one line of a listing.
	MaxValidationNameChars = 64
	// MaxValidationArgvBytes bounds a validation's argument list, in bytes of
	// its canonical JSON: escapes count as they are written, so that whatever
	// the words are the record fits its 65,536 bytes, of which this leaves
	// 4,096 to the other members.
	MaxValidationArgvBytes = state.MaxValidationBytes - 4_096

	// MinValidationTimeout is the least timeout: below it nothing can be told
	// from a slow start.
	MinValidationTimeout = 1_000 * time.Millisecond
	// MaxValidationTimeout is the longest timeout, a day: the workspace is
	// leased for so long, and a command that was forgotten must end.
	MaxValidationTimeout = 86_400_000 * time.Millisecond
	// DefaultValidationTimeout is the command line's default (product.md).
	DefaultValidationTimeout = 600_000 * time.Millisecond
)

// A ValidationStart is validations/NNNN-start.json: what is about to be run,
// on which patch. It is published before anything is run.
type ValidationStart struct {
	JobID       canon.Digest
	Number      int          // 1..state.MaxValidations, in the order of their starts
	Name        string       // a person's label, empty where there is none
	Argv        []string     // the command, its own name first
	PatchDigest canon.Digest // of the job's patch, which the workspace is to be

	Timeout        time.Duration // whole milliseconds
	MaxOutputBytes int           // kept of each output
}

type validationStartText struct {
	Contract       string       `json:"contract"`
	JobID          canon.Digest `json:"jobId"`
	Number         int          `json:"number"`
	Name           *string      `json:"name,omitzero"`
	Argv           []string     `json:"argv"`
	PatchDigest    canon.Digest `json:"patchDigest"`
	TimeoutMs      int64        `json:"timeoutMs"`
	MaxOutputBytes int          `json:"maxOutputBytes"`
}

// ParseValidationStart reads the start of the job's validation number. Errors
// are fault.Malformed for its form, fault.StoreInconsistent where it belongs
// to something else.
func ParseValidationStart(text []byte, job canon.Digest, number int) (ValidationStart, error) {
	t, err := canon.Decode[validationStartText](text)
	switch {
	case err != nil:
		return ValidationStart{}, fault.New(fault.Malformed, "the validation's start is malformed: %w", err)
	case t.Contract != validationStartContract:
		return ValidationStart{}, fault.New(fault.Malformed, "validation contract %q is not %q", t.Contract, validationStartContract)
	case t.Name != nil && *t.Name == "":
		return ValidationStart{}, fault.New(fault.Malformed, "the validation's name is empty")
	case t.TimeoutMs < 0 || t.TimeoutMs > MaxValidationTimeout.Milliseconds(): // what no Duration may hold
		return ValidationStart{}, fault.New(fault.Malformed, "validation timeout %d ms is outside its bounds", t.TimeoutMs)
	}
	s := ValidationStart{
		JobID: t.JobID, Number: t.Number, Argv: t.Argv, PatchDigest: t.PatchDigest,
		Timeout: time.Duration(t.TimeoutMs) * time.Millisecond, MaxOutputBytes: t.MaxOutputBytes,
	}
	if t.Name != nil {
		s.Name = *t.Name
	}
	if err := s.validate(job, number); err != nil {
		return ValidationStart{}, err
	}
	return s, nil
}

// Format returns the canonical bytes of the start.
func (s ValidationStart) Format() ([]byte, error) {
	t := validationStartText{
		Contract: validationStartContract, JobID: s.JobID, Number: s.Number, Argv: s.Argv,
		PatchDigest: s.PatchDigest, TimeoutMs: s.Timeout.Milliseconds(), MaxOutputBytes: s.MaxOutputBytes,
	}
	if s.Name != "" {
		t.Name = &s.Name
	}
	return canon.Encode(t)
}

func (s ValidationStart) validate(job canon.Digest, number int) error {
	switch {
	case s.Number < 1 || s.Number > state.MaxValidations:
		return fault.New(fault.Malformed, "validation number %d is outside 1..%d", s.Number, state.MaxValidations)
	case !s.PatchDigest.Valid():
		return fault.New(fault.Malformed, "patch digest %q of the validation is no digest", s.PatchDigest)
	case s.JobID != job || s.Number != number:
		return fault.New(fault.StoreInconsistent, "the validation's start is number %d of job %q", s.Number, s.JobID)
	}
	return validateCommand(s.Name, s.Argv, s.Timeout, s.MaxOutputBytes)
}

// validateCommand checks what a caller asks for and a start records; the error
// is fault.Malformed.
func validateCommand(name string, argv []string, timeout time.Duration, maxOutputBytes int) error {
	if err := validateName(name); err != nil {
		return err
	}
	if err := validateArgv(argv); err != nil {
		return err
	}
	if err := validateTimeout(timeout); err != nil {
		return err
	}
	if maxOutputBytes < MinValidationOutputBytes || maxOutputBytes > MaxValidationOutputBytes {
		return fault.New(fault.Malformed, "validation output bound %d is outside %d..%d bytes",
			maxOutputBytes, MinValidationOutputBytes, MaxValidationOutputBytes)
	}
	return nil
}

// validateName checks a label; the empty one stands for none.
func validateName(name string) error {
	chars := canon.UTF16Len(name)
	switch {
	case chars > MaxValidationNameChars:
		return fault.New(fault.Malformed, "the validation's name has %d characters, more than %d", chars, MaxValidationNameChars)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fault.New(fault.Malformed, "the validation's name %q is not printable text", name)
	}
	return nil
}

func validateArgv(argv []string) error {
	if len(argv) == 0 || argv[0] == "" {
		return fault.New(fault.Malformed, "the validation names no command")
	}
	for i, argument := range argv {
		if !utf8.ValidString(argument) || strings.ContainsRune(argument, 0) {
			return fault.New(fault.Malformed, "argument %d of the validation is not UTF-8 without NUL", i)
		}
	}
	text, err := canon.Encode(argv)
	if err != nil {
		return fault.New(fault.Malformed, "the validation's arguments cannot be written: %w", err)
	}
	if len(text) > MaxValidationArgvBytes {
		return fault.New(fault.Malformed, "the validation's arguments have %d bytes as JSON, more than %d", len(text), MaxValidationArgvBytes).
			WithNext("put the words into a script outside the checkout, and name that")
	}
	return nil
}

func validateTimeout(timeout time.Duration) error {
	if timeout < MinValidationTimeout || timeout > MaxValidationTimeout {
		return fault.New(fault.Malformed, "validation timeout %v is outside %v..%v", timeout, MinValidationTimeout, MaxValidationTimeout)
	}
	return nil
}
