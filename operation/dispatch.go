package operation

import (
	"context"
	"errors"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
)

// JoinGrace is how long [Dispatch] waits for a transport that was told to stop
// and still runs. It is longer than a process transport takes to end and join
// its child.
const JoinGrace = 10 * time.Second

type answer struct {
	text []byte
	err  error
}

// Dispatch makes one call and returns the outcome that it brought back.
//
// Nothing is dispatched, and the error is that of [Call.Request],
// fault.Cancelled or fault.Deadline, if the call is out of bounds or ctx is
// done already. Afterwards every error leaves the attempt exactly as uncertain
// as it was: fault.Cancelled and fault.Deadline (the call's or ctx's) when the
// call was stopped, the transport's own condition where it names one, else
// fault.Uncoded, and the errors of [ParseOutcome]. An outcome that arrives
// while a stopped transport winds up is evidence like any other.
//
// A transport that does not return within [JoinGrace] of being stopped is
// abandoned, still running: cancellation of Go code is cooperative.
func Dispatch(ctx context.Context, transport Transport, action Action, call Call) (Outcome, error) {
	request, err := call.Request(action)
	if err != nil {
		return Outcome{}, err
	}
	if ctx.Err() != nil {
		return Outcome{}, Stopped(ctx)
	}
	call.Payload = request.Payload // a canonical copy, for the transport to own
	ctx, cancel := context.WithTimeout(ctx, call.Deadline)
	defer cancel()

	send := transport.Observe
	if action == Submit {
		send = transport.Submit
	}
	answers := make(chan answer, 1) // an abandoned transport must not block on its answer
	go func() {
		text, err := send(ctx, call)
		answers <- answer{text, err}
	}()
	var got answer
	select {
	case got = <-answers:
	case <-ctx.Done():
		select {
		case got = <-answers:
		case <-time.After(JoinGrace):
			return Outcome{}, Stopped(ctx)
		}
	}
	if got.err != nil {
		return Outcome{}, transportFault(ctx, got.err)
	}
	return ParseOutcome(got.text, call.Binding, call.MaxOutputBytes)
}

// transportFault gives err its condition. An error of unknown origin keeps its
// text to itself: it may hold anything.
func transportFault(ctx context.Context, err error) error {
	if _, coded := fault.Of(err); coded {
		return err
	}
	if cause := ctx.Err(); cause != nil && errors.Is(err, cause) {
		return Stopped(ctx)
	}
	return &fault.Error{Condition: fault.Uncoded, Message: "the operation's transport failed", Err: err}
}

// Stopped returns why ctx, which is done, stopped a call: fault.Cancelled if
// the caller cancelled, else fault.Deadline.
func Stopped(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fault.New(fault.Cancelled, "the call was cancelled: %w", ctx.Err())
	}
	return fault.New(fault.Deadline, "the call's deadline has passed: %w", ctx.Err())
}
