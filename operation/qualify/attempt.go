package qualify

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
)

const (
	// usualOutputBytes bounds the answers of an ordinary operation.
	usualOutputBytes = 65_536

	// pollPause lies between two lookups of an operation that is not settled.
	pollPause = 50 * time.Millisecond
	// maxFailedLookups in a row end the waiting for a settlement.
	maxFailedLookups = 3
)

// An attempt is one operation of an examination.
type attempt struct {
	*examination
	script  script
	binding operation.Binding
	payload jsontext.Value
	bound   int
}

// attempt returns a fresh operation, which the adapter hears of only when it
// is submitted or looked up.
func (e *examination) attempt(s script) (*attempt, error) {
	return e.attemptOf(e.options.NewID(), s, usualOutputBytes)
}

func (e *examination) attemptOf(id operation.Identity, s script, bound int) (*attempt, error) {
	s.Mark = markOf(id)
	prompt, err := s.prompt()
	if err != nil {
		return nil, err
	}
	payload, err := e.options.Payload(Task{OperationID: id, Prompt: prompt, MaxOutputBytes: bound, MaxRuntime: e.options.Deadline})
	if err != nil {
		return nil, err
	}
	digest, canonical, err := canon.DigestCanonical(payload)
	if err != nil {
		return nil, err
	}
	return &attempt{e, s, operation.Binding{OperationID: id, AuthorityID: e.adapter.AuthorityID, RequestDigest: digest}, canonical, bound}, nil
}

// rival returns another request for the same operation: its agent would do the
// same.
func (a *attempt) rival() (*attempt, error) {
	s := a.script
	s.Say++
	return a.attemptOf(a.binding.OperationID, s, a.bound)
}

// nobody returns the binding of an operation that is never submitted.
func (e *examination) nobody() operation.Binding {
	id := e.options.NewID()
	return operation.Binding{OperationID: id, AuthorityID: e.adapter.AuthorityID, RequestDigest: canon.DigestText(string(id))}
}

func (a *attempt) id() operation.Identity { return a.binding.OperationID }

func (a *attempt) submission() (request, error) {
	r, err := operation.NewSubmit(a.binding, a.payload)
	if err != nil {
		return request{}, err
	}
	stdin, err := r.Format()
	return request{argv: operation.Submit, stdin: stdin, binding: a.binding, bound: a.bound}, err
}

func lookup(binding operation.Binding, bound int) (request, error) {
	r, err := operation.NewObserve(binding)
	if err != nil {
		return request{}, err
	}
	stdin, err := r.Format()
	return request{argv: operation.Observe, stdin: stdin, binding: binding, bound: bound}, err
}

func (a *attempt) submit(ctx context.Context) (call, error) {
	r, err := a.submission()
	if err != nil {
		return call{}, err
	}
	return a.send(ctx, r)
}

func (a *attempt) observe(ctx context.Context) (call, error) {
	return a.look(ctx, a.binding, a.bound)
}

// look looks a binding up, as a host does.
func (e *examination) look(ctx context.Context, binding operation.Binding, bound int) (call, error) {
	r, err := lookup(binding, bound)
	if err != nil {
		return call{}, err
	}
	return e.send(ctx, r)
}

// complete submits the operation and observes it until it is terminal. Where
// that does not happen within a call's deadline, the last call is returned.
func (a *attempt) complete(ctx context.Context) (call, error) {
	c, err := a.submit(ctx)
	if err != nil {
		return call{}, err
	}
	return a.settle(ctx, c)
}

// settle observes until the operation is terminal, beginning with what is
// known of it.
func (a *attempt) settle(ctx context.Context, c call) (call, error) {
	failures := 0
	for end := a.options.Now().Add(a.options.Deadline); !c.isTerminal() && a.options.Now().Before(end); {
		if failures == maxFailedLookups {
			break
		}
		if err := pause(ctx, pollPause); err != nil {
			return call{}, err
		}
		var err error
		if c, err = a.observe(ctx); err != nil {
			return call{}, err
		}
		if failures++; c.flaw == sound {
			failures = 0
		}
	}
	return c, nil
}

// A flight is a submit that is under way.
type flight struct {
	kill func()    // ends the adapter with its process group, as a host does
	done chan call // one call, when it has ended
}

// begin submits the operation and does not wait for the answer. The caller
// receives from done, whatever happens.
func (a *attempt) begin(ctx context.Context) (flight, error) {
	r, err := a.submission()
	if err != nil {
		return flight{}, err
	}
	life, kill := context.WithCancel(ctx)
	f := flight{kill, make(chan call, 1)}
	go func() {
		defer kill()
		c, _ := a.dispatch(ctx, life, r)
		f.done <- c
	}()
	return f, nil
}

// hold submits an operation whose agent waits to be released, and returns when
// the agent has started, or reports that it did not. Then let is to be called:
// it releases the agent and returns the answer of the submit.
func (a *attempt) hold(ctx context.Context) (started bool, let func() (call, error), err error) {
	f, err := a.begin(ctx)
	if err != nil {
		return false, nil, err
	}
	let = func() (call, error) {
		err := a.release(a.id())
		if err != nil {
			f.kill()
		}
		c := <-f.done
		if ctx.Err() != nil {
			return call{}, operation.Stopped(ctx)
		}
		return c, err
	}
	started, err = a.started(ctx, a.id())
	if err != nil {
		f.kill()
		<-f.done
		return false, nil, err
	}
	return started, let, nil
}

// observeAtWork looks the operation up while its agent works and returns both
// answers: that of the lookup, and that of the submission once it was let go.
func (a *attempt) observeAtWork(ctx context.Context) (started bool, during, after call, err error) {
	started, let, err := a.hold(ctx)
	if err != nil {
		return false, call{}, call{}, err
	}
	during, err = a.observe(ctx)
	after, letErr := let()
	if err == nil {
		err = letErr
	}
	return started, during, after, err
}
