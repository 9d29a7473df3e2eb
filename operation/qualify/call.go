package qualify

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
)

// A flaw is what is wrong with the answer of a call.
type flaw int

const (
	sound        flaw = iota // a valid outcome of the request's binding
	unanswered               // exit status, signal, deadline, or killed
	overBound                // more bytes than the job admits
	notStrict                // no strict JSON
	notClosed                // strict JSON, but no outcome
	otherBinding             // an outcome of another binding
	wrongResult              // an outcome but for the digest or length of its result
)

// A call is one process of the adapter, from its start to its end.
type call struct {
	argv    operation.Action
	binding operation.Binding
	bound   int // on the answer
	took    time.Duration

	// begun and ended are ticks: a call that ended before another one began
	// came first, and overlapping ones have no order.
	begun, ended int

	exit    command.Exit
	err     error // nil where the process exited by itself
	flaw    flaw
	outcome operation.Outcome // where it is sound

	// improper is a call that no host makes; what it says is judged where it
	// is made, and not held against the other answers.
	improper bool
}

// A request is what one call sends.
type request struct {
	argv     operation.Action
	stdin    []byte
	binding  operation.Binding
	bound    int
	dir      string // empty: that of the options
	improper bool
}

// send makes one call. The error is not nil only where ctx itself is done.
func (e *examination) send(ctx context.Context, r request) (call, error) {
	c, _ := e.dispatch(ctx, ctx, r)
	if ctx.Err() != nil {
		return call{}, operation.Stopped(ctx)
	}
	return c, nil
}

// dispatch makes one call that life can end before its deadline.
func (e *examination) dispatch(ctx, life context.Context, r request) (call, error) {
	if r.dir == "" {
		r.dir = e.options.Dir
	}
	life, cancel := context.WithTimeout(life, e.options.Deadline)
	defer cancel()
	c := call{argv: r.argv, binding: r.binding, bound: r.bound, improper: r.improper, begun: e.now()}
	from := e.options.Now()
	c.exit, c.err = e.options.Call(life, command.Process{
		Executable: e.adapter.Executable,
		Args:       append(slices.Clone(e.adapter.ArgvPrefix), string(r.argv)),
		Stdin:      r.stdin,
		Env:        e.options.Env,
		Dir:        r.dir,
		MaxStdout:  r.bound,
		MaxStderr:  command.MaxStderrBytes,
	})
	c.took = e.options.Now().Sub(from)
	c.flaw, c.outcome = c.read()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tick++
	c.ended = e.tick
	e.calls = append(e.calls, c)
	if ctx.Err() != nil {
		return c, operation.Stopped(ctx)
	}
	return c, nil
}

func (e *examination) now() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tick++
	return e.tick
}

// read parses the answer.
func (c call) read() (flaw, operation.Outcome) {
	switch {
	case c.err != nil || c.exit.Status != 0:
		return unanswered, operation.Outcome{}
	case c.exit.StdoutOver:
		return overBound, operation.Outcome{}
	}
	canonical, err := canon.Canonicalize(c.exit.Stdout)
	if err != nil {
		return notStrict, operation.Outcome{}
	}
	outcome, err := operation.ParseOutcome(canonical, c.binding, c.bound)
	switch {
	case err == nil:
		return sound, outcome
	case fault.Is(err, fault.BindingMismatch):
		return otherBinding, operation.Outcome{}
	case c.onlyResultIsWrong(canonical):
		return wrongResult, operation.Outcome{}
	}
	return notClosed, operation.Outcome{}
}

// onlyResultIsWrong reports whether the answer would be an outcome if its
// result had the digest and the length of its text.
func (c call) onlyResultIsWrong(answer []byte) bool {
	type claimed struct {
		Text   string  `json:"text"`
		Digest string  `json:"digest"`
		Length float64 `json:"length"`
	}
	type right struct {
		Text   string       `json:"text"`
		Digest canon.Digest `json:"digest"`
		Length int          `json:"length"`
	}
	members, err := canon.Decode[map[string]jsontext.Value](answer)
	if err != nil {
		return false
	}
	result, err := canon.Decode[claimed](members["result"])
	if err != nil {
		return false
	}
	healed, err := canon.Encode(right{result.Text, canon.DigestText(result.Text), len(result.Text)})
	if err != nil {
		return false
	}
	members["result"] = healed
	text, err := canon.Encode(members)
	if err != nil {
		return false
	}
	_, err = operation.ParseOutcome(text, c.binding, operation.MaxOutputBytes)
	return err == nil
}

// refused reports whether the call failed, as one that asks for something
// improper must.
func (c call) refused() bool { return c.flaw == unanswered }

// knows reports whether the answer says that the ledger has the operation.
func (c call) knows() bool {
	return c.flaw == sound && c.outcome.State() != operation.Unknown
}

// isMissing reports whether the answer says that the ledger has no such
// operation.
func (c call) isMissing() bool {
	return c.flaw == sound && c.outcome.Reason() == operation.Missing
}

func (c call) isTerminal() bool { return c.flaw == sound && c.outcome.State() == operation.Terminal }

// said describes the call for the evidence: what was done and what came back,
// of the answer nothing but its state.
func (c call) said() string {
	return string(c.argv) + ": " + c.answer()
}

func (c call) answer() string {
	switch c.flaw {
	case unanswered:
		switch {
		case fault.Is(c.err, fault.Deadline):
			return fmt.Sprintf("no answer within %v", c.took.Round(time.Millisecond))
		case fault.Is(c.err, fault.Cancelled):
			return fmt.Sprintf("killed after %v", c.took.Round(time.Millisecond))
		case c.err != nil:
			return "could not be started, or died of a signal"
		}
		return fmt.Sprintf("exit status %d", c.exit.Status)
	case overBound:
		return fmt.Sprintf("more than %d bytes", c.bound)
	case notStrict:
		return "no strict JSON"
	case notClosed:
		return "JSON that is no outcome"
	case otherBinding:
		return "an outcome of another binding"
	case wrongResult:
		return "a result of another digest or length"
	}
	o := c.outcome
	switch o.State() {
	case operation.Unknown:
		return fmt.Sprintf("unknown, revision %d, %s", o.Revision(), o.Reason())
	case operation.Accepted:
		return fmt.Sprintf("accepted, revision %d, acceptance %.12s", o.Revision(), o.AcceptanceRef().Hex())
	}
	return fmt.Sprintf("terminal, revision %d, %s, acceptance %.12s", o.Revision(), o.Ending(), o.AcceptanceRef().Hex())
}
