package local

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
)

// ConclusionContract names the terminal record.
const ConclusionContract = "git-algal.ledger-terminal.v1"

// MaxStreamBytes bounds what a ledger keeps of an agent's standard output, and
// of its standard error: far more than a person reads, and a disk that a
// thousand operations don't fill.
const MaxStreamBytes = 64 << 20

// A Conclusion is the terminal record of an operation: the outcome that is
// answered from then on, byte for byte, and how it came about.
type Conclusion struct {
	By     Author // BySupervisor, ByEvidence or ByOperator
	At     Moment
	Reason string // 1 to MaxReasonBytes
	// Exit and the streams are there where the supervisor saw the end.
	Exit           *Exit
	Stdout, Stderr *Kept
	Outcome        operation.Outcome
}

// An Exit says how the agent's own process ended. With neither status nor
// signal nobody saw it.
type Exit struct {
	Status *int   `json:"status,omitzero"` // 0..255
	Signal string `json:"signal,omitzero"`
	Left   bool   `json:"left"` // descendants were there when the grace was over, and were ended
}

// Kept is what a ledger has of a stream.
type Kept struct {
	Bytes     int64        `json:"bytes"` // at most MaxStreamBytes
	Digest    canon.Digest `json:"digest"`
	Truncated bool         `json:"truncated"` // the agent wrote more
}

type conclusionRecord struct {
	Contract string         `json:"contract"`
	By       Author         `json:"by"`
	At       Moment         `json:"at"`
	Reason   string         `json:"reason"`
	Exit     *Exit          `json:"exit,omitzero"`
	Stdout   *Kept          `json:"stdout,omitzero"`
	Stderr   *Kept          `json:"stderr,omitzero"`
	Outcome  jsontext.Value `json:"outcome"`
}

// ParseConclusion reads terminal.json as that of binding. It returns
// fault.BindingMismatch for another binding's, and else fault.Malformed.
func ParseConclusion(text []byte, binding operation.Binding) (Conclusion, error) {
	wire, err := decode[conclusionRecord](ConclusionContract, text)
	if err != nil {
		return Conclusion{}, err
	}
	if err := checkContract(wire.Contract, ConclusionContract); err != nil {
		return Conclusion{}, err
	}
	outcome, err := operation.ParseOutcome(wire.Outcome, binding, operation.MaxOutputBytes)
	if err != nil {
		return Conclusion{}, err
	}
	c := Conclusion{wire.By, wire.At, wire.Reason, wire.Exit, wire.Stdout, wire.Stderr, outcome}
	if err := c.Validate(); err != nil {
		return Conclusion{}, err
	}
	return c, nil
}

// Validate returns a fault.Malformed error unless every member has its form.
func (c Conclusion) Validate() error {
	if c.By != BySupervisor && c.By != ByEvidence && c.By != ByOperator {
		return malformed("an outcome is not by %q", c.By)
	}
	if err := c.At.validate(); err != nil {
		return err
	}
	if err := checkReason(c.Reason, 1); err != nil {
		return err
	}
	if (c.Exit != nil) != (c.By == BySupervisor) || (c.Stdout != nil) != (c.Exit != nil) || (c.Stderr != nil) != (c.Exit != nil) {
		return malformed("the exit and the streams are there exactly where the supervisor saw the end")
	}
	if c.Exit != nil {
		if err := c.Exit.validate(); err != nil {
			return err
		}
		for _, kept := range []*Kept{c.Stdout, c.Stderr} {
			if kept.Bytes < 0 || kept.Bytes > MaxStreamBytes || !kept.Digest.Valid() {
				return malformed("a stream has not 0 to %d bytes and a digest", MaxStreamBytes)
			}
		}
	}
	if c.Outcome.State() != operation.Terminal || c.Outcome.Revision() != revisionTerminal {
		return malformed("the outcome is not terminal at revision %d", revisionTerminal)
	}
	return nil
}

func (e Exit) validate() error {
	const mostStatus, mostSignal = 255, 32
	if e.Status != nil && (*e.Status < 0 || *e.Status > mostStatus || e.Signal != "") || len(e.Signal) > mostSignal {
		return malformed("an exit has a status of 0 to %d, or a signal, or neither", mostStatus)
	}
	return nil
}

// Format returns the canonical bytes, or a fault.Malformed error as Validate.
func (c Conclusion) Format() ([]byte, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return encode(ConclusionContract, conclusionRecord{
		ConclusionContract, c.By, c.At, c.Reason, c.Exit, c.Stdout, c.Stderr, c.Outcome.Canonical(),
	})
}
