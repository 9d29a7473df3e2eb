package operation

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// RequestContract names the wire request.
const RequestContract = "algal.coding-operation-request.v1"

// MaxRequestBytes bounds a whole canonical request (contract section 2). A
// host writes nothing else, so an adapter need not read more.
const MaxRequestBytes = 1_048_576

// An Action is what a request asks of the authority, and the last argument of
// an adapter's command. An adapter refuses a request whose action is not that
// argument.
type Action string

// The actions. There is no other: nothing cancels, retries, recovers or resets.
const (
	Submit  Action = "submit"  // admit this attempt and start it, at most once ever
	Observe Action = "observe" // say what is retained; starts and changes nothing
)

// A Request is what the host writes to an adapter, one per call. Payload is
// canonical for Submit and nil for Observe: a lookup cannot need the task to
// decide whether to launch it.
type Request struct {
	Action  Action
	Binding Binding
	Payload jsontext.Value
}

// The wire forms.
type (
	submitRequest struct {
		Contract string         `json:"contract"`
		Action   Action         `json:"action"`
		Binding  Binding        `json:"binding"`
		Payload  jsontext.Value `json:"payload"`
	}
	observeRequest struct {
		Contract string  `json:"contract"`
		Action   Action  `json:"action"`
		Binding  Binding `json:"binding"`
	}
)

// NewSubmit returns the request that submits payload, whose canonical digest
// the binding must name. It returns fault.Malformed for a payload or a whole
// request outside the bounds of contract section 2, and fault.BindingMismatch
// for another digest.
func NewSubmit(binding Binding, payload jsontext.Value) (Request, error) {
	request, _, err := newRequest(Submit, binding, payload)
	return request, err
}

// NewObserve returns the request that looks binding up, or fault.Malformed.
func NewObserve(binding Binding) (Request, error) {
	request, _, err := newRequest(Observe, binding, nil)
	return request, err
}

// ParseRequest reads a request as an adapter receives it. The errors are those
// of [NewSubmit].
func ParseRequest(text []byte) (Request, error) {
	action, err := stringMember(text, "action")
	if err != nil {
		return Request{}, err
	}
	var contract string
	var request Request
	switch Action(action) {
	case Submit:
		wire, err := decode[submitRequest](RequestContract, text)
		if err != nil {
			return Request{}, err
		}
		contract, request = wire.Contract, Request{wire.Action, wire.Binding, wire.Payload}
	case Observe:
		wire, err := decode[observeRequest](RequestContract, text)
		if err != nil {
			return Request{}, err
		}
		contract, request = wire.Contract, Request{wire.Action, wire.Binding, nil}
	default:
		return Request{}, malformed("member %q is neither %q nor %q", "action", Submit, Observe)
	}
	if contract != RequestContract {
		return Request{}, malformed("request has another contract than %q", RequestContract)
	}
	request, _, err = newRequest(request.Action, request.Binding, request.Payload)
	return request, err
}

// Format returns the canonical bytes. The errors are those of [NewSubmit].
func (r Request) Format() ([]byte, error) {
	_, text, err := newRequest(r.Action, r.Binding, r.Payload)
	return text, err
}

// newRequest is the only maker of requests: it holds every bound and returns
// the request with its canonical bytes.
func newRequest(action Action, binding Binding, payload jsontext.Value) (Request, []byte, error) {
	if err := binding.Validate(); err != nil {
		return Request{}, nil, err
	}
	var wire any
	switch action {
	case Submit:
		canonical, digest, err := canonicalPayload(payload)
		if err != nil {
			return Request{}, nil, err
		}
		if digest != binding.RequestDigest {
			return Request{}, nil, fault.New(fault.BindingMismatch, "payload does not have the digest %q of its binding", binding.RequestDigest)
		}
		payload = canonical
		wire = submitRequest{RequestContract, action, binding, payload}
	case Observe:
		if payload != nil {
			return Request{}, nil, malformed("a request to %q carries no payload", Observe)
		}
		wire = observeRequest{RequestContract, action, binding}
	default:
		return Request{}, nil, malformed("action is neither %q nor %q", Submit, Observe)
	}
	text, err := canon.Encode(wire)
	if err != nil {
		return Request{}, nil, malformed("record %q: %w", RequestContract, err)
	}
	if len(text) > MaxRequestBytes {
		return Request{}, nil, malformed("request has %d canonical bytes, more than %d", len(text), MaxRequestBytes)
	}
	return Request{action, binding, payload}, text, nil
}
