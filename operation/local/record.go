package local

import (
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// Bounds of texts in the ledger's records, in UTF-8 bytes.
const (
	MaxReasonBytes  = 1_024 // a sentence, of the operator or of this program
	MaxMachineBytes = 256   // what the system calls the machine
)

func malformed(format string, args ...any) error {
	return fault.New(fault.Malformed, format, args...)
}

// decode reads text as the closed record T.
func decode[T any](contract string, text []byte) (T, error) {
	record, err := canon.Decode[T](text)
	if err != nil {
		return record, malformed("record %q: %w", contract, err)
	}
	return record, nil
}

func encode(contract string, record any) ([]byte, error) {
	text, err := canon.Encode(record)
	if err != nil {
		return nil, malformed("record %q: %w", contract, err)
	}
	return text, nil
}

func checkContract(got, want string) error {
	if got != want {
		return malformed("a record %q has another contract", want)
	}
	return nil
}

// A Moment is a time as records hold it: RFC 3339, UTC, whole seconds. It is
// for people; nothing is decided by it.
type Moment string

func momentOf(t time.Time) Moment { return Moment(t.UTC().Format(time.RFC3339)) }

func (m Moment) validate() error {
	if t, err := time.Parse(time.RFC3339, string(m)); err != nil || momentOf(t) != m {
		return malformed("member %q is no UTC time of whole seconds", "at")
	}
	return nil
}

func checkReason(reason string, least int) error {
	if len(reason) < least || len(reason) > MaxReasonBytes {
		return malformed("a reason has %d to %d bytes, not %d", least, MaxReasonBytes, len(reason))
	}
	return nil
}
