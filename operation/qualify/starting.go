package qualify

import (
	"context"
	"fmt"
	"sync"

	"github.com/git-algal/git-algal/operation"
)

// tryObserveCreatesNothing looks an operation up before it is submitted. The
// lookup must start nothing, not even later, and must not make the submit
// believe that the operation was there.
func tryObserveCreatesNothing(ctx context.Context, e *examination) (result, error) {
	a, err := e.attempt(script{})
	if err != nil {
		return result{}, err
	}
	before, err := a.observe(ctx)
	if err != nil {
		return result{}, err
	}
	evidence := []string{before.said()}
	n, err := e.quietly(ctx, a.id())
	if err != nil {
		return result{}, err
	}
	if n > 0 {
		return failed("a lookup before the submit started the agent", append(evidence, startsOf(n))...), nil
	}
	after, err := a.complete(ctx)
	if err != nil {
		return result{}, err
	}
	if n, err = e.quietly(ctx, a.id()); err != nil {
		return result{}, err
	}
	evidence = append(evidence, "the submit after it: "+after.answer(), startsOf(n))
	if n != 1 {
		return failed("after a lookup the submit did not start the agent once", evidence...), nil
	}
	return passed(evidence...), nil
}

// tryBoundBeforeWork looks an operation up while its agent works.
func tryBoundBeforeWork(ctx context.Context, e *examination) (result, error) {
	a, err := e.attempt(script{Hold: true})
	if err != nil {
		return result{}, err
	}
	started, during, after, err := a.observeAtWork(ctx)
	if err != nil {
		return result{}, err
	}
	evidence := []string{"while the agent worked: " + during.said(), "then: " + after.said()}
	switch {
	case !started:
		return notTested("the agent did not start before the deadline of a call", evidence...), nil
	case during.isMissing():
		return failed("the agent works for an operation that the ledger does not have", evidence...), nil
	case during.flaw != sound:
		return notTested("there was no sound answer while the agent worked", evidence...), nil
	}
	return passed(evidence...), nil
}

// tryObserveStartsNothing looks an operation up while its agent works, and
// after it was settled.
func tryObserveStartsNothing(ctx context.Context, e *examination) (result, error) {
	a, err := e.attempt(script{Hold: e.report.Scripted})
	if err != nil {
		return result{}, err
	}
	var last call
	if a.script.Hold {
		_, _, submitted, err := a.observeAtWork(ctx)
		if err == nil {
			_, err = a.settle(ctx, submitted)
		}
		if err != nil {
			return result{}, err
		}
	} else if _, err := a.complete(ctx); err != nil {
		return result{}, err
	}
	for range 2 {
		if last, err = a.observe(ctx); err != nil {
			return result{}, err
		}
	}
	n, err := e.quietly(ctx, a.id())
	if err != nil {
		return result{}, err
	}
	evidence := []string{"the last lookup: " + last.said(), startsOf(n)}
	if n > 1 {
		return failed("a lookup started the agent again", evidence...), nil
	}
	return passed(evidence...), nil
}

// trySameRequest submits the same request twice, one call after the other.
func trySameRequest(ctx context.Context, e *examination) (result, error) {
	a, err := e.attempt(script{})
	if err != nil {
		return result{}, err
	}
	first, err := a.complete(ctx)
	if err != nil {
		return result{}, err
	}
	second, err := a.submit(ctx)
	if err != nil {
		return result{}, err
	}
	n, err := e.quietly(ctx, a.id())
	if err != nil {
		return result{}, err
	}
	evidence := []string{"first " + first.said(), "again " + second.said(), startsOf(n)}
	switch {
	case n > 1:
		return failed("the same request again started the agent again", evidence...), nil
	case second.refused():
		return failed("the same request again was refused", evidence...), nil
	case second.isMissing():
		return failed("the same request again is said to be missing", evidence...), nil
	}
	return passed(evidence...), nil
}

// tryConcurrentSubmits submits the same request in several calls at once.
func tryConcurrentSubmits(ctx context.Context, e *examination) (result, error) {
	a, err := e.attempt(script{})
	if err != nil {
		return result{}, err
	}
	r, err := a.submission()
	if err != nil {
		return result{}, err
	}
	var together sync.WaitGroup
	calls := make([]call, e.options.Together)
	gate := make(chan struct{})
	for i := range calls {
		together.Go(func() {
			<-gate
			calls[i], _ = e.dispatch(ctx, ctx, r) // ctx is looked at below
		})
	}
	close(gate)
	together.Wait()
	if ctx.Err() != nil {
		return result{}, operation.Stopped(ctx)
	}
	n, err := e.quietly(ctx, a.id())
	if err != nil {
		return result{}, err
	}
	answers := map[string]int{}
	for _, c := range calls {
		answers[c.said()]++
	}
	evidence := []string{startsOf(n)}
	for _, c := range calls {
		if said := c.said(); answers[said] > 0 {
			evidence = append(evidence, fmt.Sprintf("%d of %d: %s", answers[said], len(calls), said))
			delete(answers, said)
		}
	}
	switch {
	case n > 1:
		return failed("calls at once started the agent more than once", evidence...), nil
	case n == 0:
		return notTested("none of the calls started the agent", evidence...), nil
	}
	return passed(evidence...), nil
}
