package operation

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of a call's deadline (contract section 2).
const (
	MinDeadline = 1 * time.Millisecond
	MaxDeadline = 600_000 * time.Millisecond
)

// A Call is one use of a transport.
type Call struct {
	Binding        Binding
	Payload        jsontext.Value // Submit only
	Deadline       time.Duration  // MinDeadline to MaxDeadline, from the start of the call
	MaxOutputBytes int            // MinOutputBytes to MaxOutputBytes, of the answer
}

// Request returns the wire request of the call. The errors are fault.Malformed
// for any bound of contract section 2 and those of [NewSubmit].
func (c Call) Request(action Action) (Request, error) {
	if c.Deadline < MinDeadline || c.Deadline > MaxDeadline {
		return Request{}, malformed("deadline %v is not within %v..%v", c.Deadline, MinDeadline, MaxDeadline)
	}
	if c.MaxOutputBytes < MinOutputBytes || c.MaxOutputBytes > MaxOutputBytes {
		return Request{}, malformed("output bound %d is not within %d..%d bytes", c.MaxOutputBytes, MinOutputBytes, MaxOutputBytes)
	}
	request, _, err := newRequest(action, c.Binding, c.Payload)
	return request, err
}

// A Transport carries a call to an authority and brings back its words. The
// bytes returned are untrusted: [Dispatch] parses them. A Transport owns its
// Call; changing it changes nothing for the host.
//
// Each method makes at most one attempt to reach the authority. It does not
// retry, not even after a failure that looks harmless, and does nothing if ctx
// is done when it is called. Soon after ctx is done or the deadline has passed
// it returns, with everything that it started itself ended and joined. That
// stops no provider and proves no settlement; neither does any error.
//
// An error that carries a [fault.Condition] is reported under its code;
// any other has none (contract section 8).
type Transport interface {
	// Submit hands the attempt to the authority, which durably binds the
	// operation to its request before it admits any work: the same binding
	// again starts nothing, another one fails. The host calls Submit at most
	// once for an operation, ever.
	Submit(ctx context.Context, call Call) ([]byte, error)

	// Observe looks the exact binding up. It submits, resumes, retries,
	// cancels and releases nothing.
	Observe(ctx context.Context, call Call) ([]byte, error)
}
