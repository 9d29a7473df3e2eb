package qualify

import (
	"context"
	"fmt"
	"time"

	"github.com/git-algal/git-algal/operation"
)

const (
	// maxOutcomes is how many different outcomes lookups in a row may bring: an
	// operation has no more states than that by itself.
	maxOutcomes = 4

	// tooMuch is what the agent says where the bound is operation.MinOutputBytes.
	tooMuch = 8 * operation.MinOutputBytes
)

// tryLookupsAreFree makes one lookup more than a host can retain outcomes,
// while the agent works where that can be arranged.
func tryLookupsAreFree(ctx context.Context, e *examination) (result, error) {
	a, let := e.settled, func() (call, error) { return call{}, nil }
	when := "after the settlement"
	if e.report.Scripted {
		var err error
		if a, err = e.attempt(script{Hold: true}); err != nil {
			return result{}, err
		}
		if _, let, err = a.hold(ctx); err != nil {
			return result{}, err
		}
		when = "while the agent worked"
	} else if a == nil {
		return notTested("no operation was settled that could be looked up"), nil
	}
	different := map[operation.Outcome]bool{}
	sounds, last := 0, call{}
	var err error
	for range operation.MaxObservations + 1 {
		if last, err = a.observe(ctx); err != nil {
			break
		}
		if last.flaw == sound {
			sounds++
			different[last.outcome] = true
		}
	}
	if _, letErr := let(); err == nil {
		err = letErr
	}
	if err != nil {
		return result{}, err
	}
	evidence := []string{
		fmt.Sprintf("%d lookups %s: %d different outcomes", sounds, when, len(different)), "the last " + last.said(),
	}
	switch {
	case sounds <= maxOutcomes:
		return notTested("there were too few sound answers", evidence...), nil
	case len(different) > maxOutcomes:
		return failed("lookups alone make new outcomes", evidence...), nil
	}
	return passed(evidence...), nil
}

// trySettledMeansEnded has the agent leave a descendant that goes on writing,
// and looks whether anything is written after the operation is terminal.
func trySettledMeansEnded(ctx context.Context, e *examination) (result, error) {
	a, err := e.attempt(script{Hold: true, LingerMs: int(linger / time.Millisecond)})
	if err != nil {
		return result{}, err
	}
	started, during, c, err := a.observeAtWork(ctx)
	if err == nil {
		c, err = a.settle(ctx, c)
	}
	if err != nil {
		return result{}, err
	}
	before, err := e.written(a.id())
	if err != nil {
		return result{}, err
	}
	if err := pause(ctx, linger+e.options.Quiet); err != nil {
		return result{}, err
	}
	after, err := e.written(a.id())
	if err != nil {
		return result{}, err
	}
	evidence := []string{
		"while the agent worked: " + during.answer(), "at last: " + c.answer(),
		fmt.Sprintf("its descendant had written %d times by then, and %d times after that", before, after-before),
	}
	switch {
	case !started || after == 0:
		return notTested("the agent's descendant did not come to write", evidence...), nil
	case during.isTerminal():
		return failed("the operation was terminal while the agent worked", evidence...), nil
	case !c.isTerminal():
		return notTested("the operation did not become terminal", evidence...), nil
	case after > before:
		return failed("the operation was terminal while a descendant of the agent still wrote", evidence...), nil
	}
	return passed(evidence...), nil
}

// tryOutputBound has the agent say more than the smallest bound admits.
func tryOutputBound(ctx context.Context, e *examination) (result, error) {
	if !e.report.Scripted {
		return e.withinBounds(notTested("it needs the harmless agent, which says more than the bound admits")), nil
	}
	a, err := e.attemptOf(e.options.NewID(), script{Say: tooMuch}, operation.MinOutputBytes)
	if err != nil {
		return result{}, err
	}
	c, err := a.complete(ctx)
	if err != nil {
		return result{}, err
	}
	evidence := []string{fmt.Sprintf("%d bytes said under a bound of %d: %s", tooMuch, operation.MinOutputBytes, c.answer())}
	if !c.isTerminal() {
		return e.withinBounds(notTested("the operation did not become terminal", evidence...)), nil
	}
	return e.withinBounds(passed(append(evidence, fmt.Sprintf("the outcome has %d bytes", len(c.exit.Stdout)))...)), nil
}

// withinBounds returns otherwise, unless some answer of the examination was
// over its bound.
func (e *examination) withinBounds(otherwise result) result {
	for _, c := range e.calls {
		if c.flaw == overBound && !c.improper {
			return failed("an answer was longer than its job admits", c.said())
		}
	}
	return otherwise
}
