package xcb

import (
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

// Version is the version of the envelope, the only one there is.
const Version = 1

// A State is how the worker's session stands after the run.
type State string

// The states. Only StateIdle goes with completed work.
const (
	StateIdle          State = "idle"
	StateWorking       State = "working"
	StateNeedsAnswer   State = "needs_answer"
	StateNeedsAction   State = "needs_action"
	StateNeedsApproval State = "needs_approval"
	StateLimited       State = "limited"
	StateFailed        State = "failed"
	StateCancelled     State = "cancelled"
	StateUncertain     State = "uncertain"
)

// A Terminal is how the agent's last turn ended.
type Terminal string

// The ends of a turn.
const (
	TerminalCompleted  Terminal = "completed"
	TerminalTokenLimit Terminal = "token_limit"
	TerminalTurnLimit  Terminal = "turn_limit"
	TerminalCancelled  Terminal = "cancelled"
	TerminalFailed     Terminal = "failed"
)

// Effects is what the worker knows of the effects of its run.
type Effects string

// The knowledge of effects. EffectsUncertain settles nothing.
const (
	EffectsNone      Effects = "none"
	EffectsSettled   Effects = "settled"
	EffectsUncertain Effects = "uncertain"
)

// A Failure is the cause to which the worker puts a failed run.
type Failure string

// The causes of a failure.
const (
	FailureAccountQuota   Failure = "account_quota"
	FailureModelQuota     Failure = "model_quota"
	FailureAuthentication Failure = "authentication"
	FailurePolicy         Failure = "policy"
	FailureTransport      Failure = "transport"
	FailureUnknown        Failure = "unknown"
)

// An Envelope is the worker's answer, a closed record (contract section 6,
// "v1"). Its canonical bytes are the value that the store retains.
type Envelope struct {
	Version int                `json:"version"` // always Version
	Session operation.Identity `json:"session"`
	State   State              `json:"state"`
	Outcome Outcome            `json:"outcome"`
	Text    string             `json:"text"` // the agent's answer, possibly empty
}

// An Outcome is what the worker says about the end of its run.
type Outcome struct {
	Terminal         Terminal `json:"terminal"`
	Joined           bool     `json:"joined"` // every descendant of the run was waited for
	Effects          Effects  `json:"effects"`
	PendingAttention bool     `json:"pending_attention"` // someone is asked for something
	Failure          *Failure `json:"failure"`           // nil, written null, where there is none
}

// ParseEnvelope reads untrusted text as an envelope of at most maxOutputBytes
// ([operation.MinOutputBytes] to [operation.MaxOutputBytes]) bytes; the
// canonical form never has more bytes than the text.
//
// A longer text is fault.OverBound, every other text that is no envelope
// fault.AdapterUnparsed: no strict JSON, other members, another version, a
// value outside its enumeration, a session that is no identity. A bound out of
// range is fault.Malformed. No error quotes the text.
func ParseEnvelope(text []byte, maxOutputBytes int) (Envelope, error) {
	if err := validateBound(maxOutputBytes); err != nil {
		return Envelope{}, err
	}
	if len(text) > maxOutputBytes {
		return Envelope{}, fault.New(fault.OverBound, "the envelope has %d bytes, more than %d", len(text), maxOutputBytes)
	}
	canonical, err := canon.Canonicalize(text)
	if err != nil {
		return Envelope{}, unparsed("the envelope: %w", err)
	}
	envelope, err := canon.Decode[Envelope](canonical)
	if err != nil { // the cause may name members, which the worker chose
		return Envelope{}, unparsed("the envelope does not have exactly its members, each of its type")
	}
	if err := envelope.Validate(); err != nil {
		return Envelope{}, err
	}
	return envelope, nil
}

// Validate returns a fault.AdapterUnparsed error, which quotes nothing of the
// envelope, unless version, session and enumerations are those of the record.
func (e Envelope) Validate() error {
	if e.Version != Version {
		return unparsed("the envelope has another version than %d", Version)
	}
	if _, err := operation.ParseIdentity(string(e.Session)); err != nil {
		return unparsed("the envelope's session: %w", err)
	}
	switch e.State {
	case StateIdle, StateWorking, StateNeedsAnswer, StateNeedsAction, StateNeedsApproval,
		StateLimited, StateFailed, StateCancelled, StateUncertain:
	default:
		return unparsed("the envelope's state is none that version %d has", Version)
	}
	switch e.Outcome.Terminal {
	case TerminalCompleted, TerminalTokenLimit, TerminalTurnLimit, TerminalCancelled, TerminalFailed:
	default:
		return unparsed("the envelope's terminal is none that version %d has", Version)
	}
	switch e.Outcome.Effects {
	case EffectsNone, EffectsSettled, EffectsUncertain:
	default:
		return unparsed("the envelope's effects are none that version %d has", Version)
	}
	if e.Outcome.Failure == nil {
		return nil
	}
	switch *e.Outcome.Failure {
	case FailureAccountQuota, FailureModelQuota, FailureAuthentication, FailurePolicy, FailureTransport, FailureUnknown:
	default:
		return unparsed("the envelope's failure is none that version %d has", Version)
	}
	return nil
}

// Format returns the canonical bytes, or the error of Validate.
func (e Envelope) Format() ([]byte, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	text, err := canon.Encode(e)
	if err != nil {
		return nil, unparsed("the envelope: %w", err)
	}
	return text, nil
}

// Ref returns the digest of the canonical bytes, or the error of Validate.
func (e Envelope) Ref() (canon.Digest, error) {
	text, err := e.Format()
	if err != nil {
		return "", err
	}
	return canon.DigestText(text), nil
}

// Settled reports whether the worker asserts that its work has ended: joined,
// and no effect uncertain. How it ended is another question.
func (e Envelope) Settled() bool {
	return e.Outcome.Joined && e.Outcome.Effects != EffectsUncertain
}

// Completed reports whether settled work did what it was asked to, given the
// exit status of the worker's process, 0 to 255.
func (e Envelope) Completed(exitStatus int) bool {
	return e.Settled() && exitStatus == 0 && e.State == StateIdle && e.Outcome.Terminal == TerminalCompleted &&
		!e.Outcome.PendingAttention && e.Outcome.Failure == nil
}

func unparsed(format string, args ...any) error {
	return fault.New(fault.AdapterUnparsed, format, args...)
}

func malformed(format string, args ...any) error {
	return fault.New(fault.Malformed, format, args...)
}
