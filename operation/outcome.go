package operation

import (
	"math"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// Bounds of an outcome (contract section 2).
const (
	// MinOutputBytes and MaxOutputBytes bound the bound: a job admits its own
	// maxOutputBytes between them, and the whole canonical outcome, JSON
	// overhead included, must fit.
	MinOutputBytes = 1_024
	MaxOutputBytes = 1_048_576

	// MaxRevision is the highest revision. Only unknown has revision 0.
	MaxRevision = math.MaxInt32

	// MaxProofBytes bounds the canonical outcome without result.text. The
	// bounds of its other members keep it far below; a test holds that.
	MaxProofBytes = 4_096
)

// A State tells the three outcomes apart.
type State string

// The states.
const (
	Unknown  State = "unknown"  // the authority cannot settle anything
	Accepted State = "accepted" // the authority durably registered this attempt
	Terminal State = "terminal" // the attempt and all admitted work are settled
)

// A Reason says why the authority does not know.
type Reason string

// The reasons of an unknown outcome. None of them proves that no work exists.
const (
	Missing     Reason = "missing"
	Expired     Reason = "expired"
	Unavailable Reason = "unavailable"
	Unresolved  Reason = "unresolved"
)

// An Ending says how settled work ended.
type Ending string

// The endings of a terminal outcome.
const (
	Completed Ending = "completed"
	Failed    Ending = "failed"
	Cancelled Ending = "cancelled"
)

// Settlement is what a terminal outcome asserts, in full: every effect,
// descendant writer and queued action of the attempt has ended and none can
// start later.
const Settlement = "all-admitted-work-settled"

// An Outcome is what an authority says of one attempt: a tagged union by
// [Outcome.State]. A nonzero Outcome is valid and immutable; two are equal (==)
// exactly if their canonical bytes are.
type Outcome struct {
	binding       Binding
	revision      int
	state         State
	reason        Reason
	acceptanceRef canon.Digest
	ending        Ending
	text          string
	canonical     string
	ref           canon.Digest
}

// The wire forms, one per state.
type (
	outcomeHead struct {
		Contract string `json:"contract"`
		Binding
		Revision int   `json:"revision"`
		State    State `json:"state"`
	}
	unknownOutcome struct {
		outcomeHead
		Reason Reason `json:"reason"`
	}
	acceptedOutcome struct {
		outcomeHead
		AcceptanceRef canon.Digest `json:"acceptanceRef"`
	}
	terminalOutcome struct {
		outcomeHead
		AcceptanceRef canon.Digest `json:"acceptanceRef"`
		Outcome       Ending       `json:"outcome"`
		Settlement    string       `json:"settlement"`
		Result        result       `json:"result"`
	}
	result struct {
		Text   string       `json:"text"`
		Digest canon.Digest `json:"digest"` // over the UTF-8 bytes of Text
		Length int          `json:"length"` // of Text in UTF-8 bytes
	}
)

// NewUnknown returns the outcome of an authority that cannot settle anything,
// at a revision from 0, or a fault.Malformed error.
func NewUnknown(binding Binding, revision int, reason Reason) (Outcome, error) {
	return newOutcome(unknownOutcome{outcomeHead{Protocol, binding, revision, Unknown}, reason}, binding)
}

// NewAccepted returns the outcome of a durable admission, at a revision from 1,
// or a fault.Malformed error. acceptanceRef is the digest of the authority's
// admission record and never changes afterwards.
func NewAccepted(binding Binding, revision int, acceptanceRef canon.Digest) (Outcome, error) {
	return newOutcome(acceptedOutcome{outcomeHead{Protocol, binding, revision, Accepted}, acceptanceRef}, binding)
}

// NewTerminal returns the outcome that asserts [Settlement], at a revision from
// 1, or a fault.Malformed error. text must leave the canonical outcome within
// [MaxOutputBytes]; whoever answers a job holds it to the job's own bound.
func NewTerminal(binding Binding, revision int, acceptanceRef canon.Digest, ending Ending, text string) (Outcome, error) {
	return newOutcome(terminalOutcome{outcomeHead{Protocol, binding, revision, Terminal},
		acceptanceRef, ending, Settlement, result{text, canon.DigestText(text), len(text)}}, binding)
}

func newOutcome(wire any, binding Binding) (Outcome, error) {
	text, err := canon.Encode(wire)
	if err != nil {
		return Outcome{}, malformed("outcome: %w", err)
	}
	return ParseOutcome(text, binding, MaxOutputBytes)
}

// ParseOutcome reads untrusted text as an outcome of binding whose canonical
// form has at most maxOutputBytes ([MinOutputBytes] to [MaxOutputBytes]) bytes.
// It returns fault.BindingMismatch for an outcome of another binding, and
// fault.Malformed for everything else that contract section 4 refuses, bounds
// and wrong arguments included. No error quotes the text.
func ParseOutcome(text []byte, binding Binding, maxOutputBytes int) (Outcome, error) {
	if err := binding.Validate(); err != nil {
		return Outcome{}, err
	}
	if maxOutputBytes < MinOutputBytes || maxOutputBytes > MaxOutputBytes {
		return Outcome{}, malformed("output bound %d is not within %d..%d bytes", maxOutputBytes, MinOutputBytes, MaxOutputBytes)
	}
	canonical, err := canon.Canonicalize(text)
	if err != nil {
		return Outcome{}, malformed("outcome: %w", err)
	}
	if len(canonical) > maxOutputBytes {
		return Outcome{}, malformed("outcome has %d canonical bytes, more than %d", len(canonical), maxOutputBytes)
	}
	outcome, err := outcomeOf(canonical)
	if err != nil {
		return Outcome{}, err
	}
	if outcome.binding != binding {
		return Outcome{}, fault.New(fault.BindingMismatch, "outcome is not that of operation %q of authority %q for its request", binding.OperationID, binding.AuthorityID)
	}
	outcome.canonical, outcome.ref = string(canonical), canon.DigestText(canonical)
	return outcome, nil
}

// outcomeOf reads the members of canonical by its state.
func outcomeOf(canonical []byte) (Outcome, error) {
	state, err := stringMember(canonical, "state")
	if err != nil {
		return Outcome{}, err
	}
	var head outcomeHead
	var o Outcome
	switch State(state) {
	case Unknown:
		w, err := decodeAnswer[unknownOutcome]("an unknown outcome", canonical)
		if err != nil {
			return Outcome{}, err
		}
		head, o.reason = w.outcomeHead, w.Reason
	case Accepted:
		w, err := decodeAnswer[acceptedOutcome]("an accepted outcome", canonical)
		if err != nil {
			return Outcome{}, err
		}
		head, o.acceptanceRef = w.outcomeHead, w.AcceptanceRef
	case Terminal:
		w, err := decodeAnswer[terminalOutcome]("a terminal outcome", canonical)
		if err != nil {
			return Outcome{}, err
		}
		if err := w.check(); err != nil {
			return Outcome{}, err
		}
		head, o.acceptanceRef = w.outcomeHead, w.AcceptanceRef
		o.ending, o.text = w.Outcome, w.Result.Text
	default:
		return Outcome{}, malformed("outcome has no state of %q, %q, %q", Unknown, Accepted, Terminal)
	}
	if head.Contract != Protocol {
		return Outcome{}, malformed("outcome has another contract than %q", Protocol)
	}
	o.binding, o.revision, o.state = head.Binding, head.Revision, head.State
	if err := o.check(); err != nil {
		return Outcome{}, err
	}
	return o, nil
}

// check holds what the states share.
func (o Outcome) check() error {
	lowest := 1
	if o.state == Unknown {
		lowest = 0
		switch o.reason {
		case Missing, Expired, Unavailable, Unresolved:
		default:
			return malformed("unknown outcome has no reason of %q, %q, %q, %q", Missing, Expired, Unavailable, Unresolved)
		}
	} else if !o.acceptanceRef.Valid() {
		return malformed("%s outcome has no sha256 digest as its acceptanceRef", o.state)
	}
	if o.revision < lowest || o.revision > MaxRevision {
		return malformed("revision %d of an %s outcome is not within %d..%d", o.revision, o.state, lowest, MaxRevision)
	}
	return nil
}

// check holds what only a terminal outcome says.
func (w terminalOutcome) check() error {
	switch w.Outcome {
	case Completed, Failed, Cancelled:
	default:
		return malformed("terminal outcome did not end as %q, %q, %q", Completed, Failed, Cancelled)
	}
	if w.Settlement != Settlement {
		return malformed("terminal outcome does not assert %q", Settlement)
	}
	if w.Result.Digest != canon.DigestText(w.Result.Text) || w.Result.Length != len(w.Result.Text) {
		return malformed("terminal outcome's result does not have its digest and length")
	}
	return nil
}

// Binding returns the attempt that the outcome is about.
func (o Outcome) Binding() Binding { return o.binding }

// Revision returns the authority's record revision, 0 (unknown only) to
// [MaxRevision].
func (o Outcome) Revision() int { return o.revision }

// State returns the state, empty for the zero Outcome.
func (o Outcome) State() State { return o.state }

// Reason returns why the authority does not know; empty unless unknown.
func (o Outcome) Reason() Reason { return o.reason }

// AcceptanceRef returns the authority's admission record; empty if unknown.
func (o Outcome) AcceptanceRef() canon.Digest { return o.acceptanceRef }

// Ending returns how settled work ended; empty unless terminal.
func (o Outcome) Ending() Ending { return o.ending }

// Text returns the agent's answer, possibly empty; empty unless terminal.
func (o Outcome) Text() string { return o.text }

// Canonical returns a copy of the canonical bytes, which is the value that the
// store retains.
func (o Outcome) Canonical() []byte { return []byte(o.canonical) }

// Ref returns the digest of the canonical bytes; empty for the zero Outcome.
func (o Outcome) Ref() canon.Digest { return o.ref }
