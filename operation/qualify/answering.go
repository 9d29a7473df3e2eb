package qualify

import (
	"context"
	"fmt"

	"github.com/git-algal/git-algal/operation"
)

// tryAnswersSubmit is the first trial that submits. It finds out whether the
// starts can be counted, and leaves an operation to look up.
func tryAnswersSubmit(ctx context.Context, e *examination) (result, error) {
	a, err := e.attempt(script{})
	if err != nil {
		return result{}, err
	}
	c, err := a.submit(ctx)
	if err != nil {
		return result{}, err
	}
	if c.flaw == unanswered {
		return failed("a fresh operation was not answered", c.said()), nil
	}
	e.ordinary = c.took
	evidence := []string{c.said()}
	if c, err = a.settle(ctx, c); err != nil {
		return result{}, err
	}
	if c.isTerminal() {
		e.settled = a
	}
	if err := e.findAgent(ctx, a); err != nil {
		return result{}, err
	}
	if !e.report.Counted {
		return passed(append(evidence, "the agent left no mark, so its starts cannot be counted")...), nil
	}
	return passed(evidence...), nil
}

// findAgent finds out what can be seen of the agent, by what one start left.
func (e *examination) findAgent(ctx context.Context, a *attempt) error {
	if e.options.Workspace != "" {
		n, err := CountStarts(e.options.Workspace, a.id())
		if err != nil {
			return err
		}
		e.report.Scripted = n > 0
	}
	if e.options.Starts == nil {
		e.report.Counted = e.report.Scripted
		return nil
	}
	n, err := e.quietly(ctx, a.id())
	e.report.Counted = n > 0
	return err
}

func tryAnswersObserve(ctx context.Context, e *examination) (result, error) {
	if e.settled == nil {
		return notTested("no operation was settled that could be looked up"), nil
	}
	c, err := e.settled.observe(ctx)
	if err != nil {
		return result{}, err
	}
	if c.flaw == unanswered {
		return failed("the lookup of a settled operation was not answered", c.said()), nil
	}
	return passed(c.said()), nil
}

// tryMissingBeforeSubmit looks up what was never submitted, twice: the first
// lookup must not make the second one know more.
func tryMissingBeforeSubmit(ctx context.Context, e *examination) (result, error) {
	nobody := e.nobody()
	var evidence []string
	for range 2 {
		c, err := e.look(ctx, nobody, usualOutputBytes)
		if err != nil {
			return result{}, err
		}
		evidence = append(evidence, c.said())
		switch o := c.outcome; {
		case c.err != nil:
			return notTested("the adapter did not come to an end by itself", evidence...), nil
		case c.flaw == unanswered:
			// A failure says nothing, and nothing is known.
		case c.flaw != sound:
			return notTested("the answer was no outcome of the request", evidence...), nil
		case o.Reason() == operation.Unavailable:
			return notTested("the ledger says that it is unavailable", evidence...), nil
		case !c.isMissing() || o.Revision() != 0:
			return failed("something is known of an operation that was never submitted", evidence...), nil
		}
	}
	return passed(evidence...), nil
}

// tryAnswersElsewhere looks the settled operation up from another directory: a
// ledger that is found by the working directory is not one ledger.
func tryAnswersElsewhere(ctx context.Context, e *examination) (result, error) {
	if e.settled == nil {
		return notTested("no operation was settled that could be looked up"), nil
	}
	if e.options.Elsewhere == "" {
		return notTested("there is no other directory to call the adapter from"), nil
	}
	here, err := e.settled.observe(ctx)
	if err != nil {
		return result{}, err
	}
	if !here.isTerminal() {
		return notTested("the settled operation was not found in the usual directory either", here.said()), nil
	}
	r, err := lookup(e.settled.binding, e.settled.bound)
	if err != nil {
		return result{}, err
	}
	r.dir, r.improper = e.options.Elsewhere, true
	there, err := e.send(ctx, r)
	if err != nil {
		return result{}, err
	}
	evidence := []string{"here: " + here.answer(), "from elsewhere: " + there.answer()}
	for range 2 { // an answer that changes with every call is another fault
		again, err := e.settled.observe(ctx)
		if err != nil {
			return result{}, err
		}
		evidence = append(evidence, "here again: "+again.answer())
		if again.flaw != sound || again.outcome != here.outcome {
			return notTested("the answers differ in one directory as well", evidence...), nil
		}
	}
	if there.flaw != sound || there.outcome != here.outcome {
		return failed("another process in another directory does not get the same outcome", evidence...), nil
	}
	return passed(evidence...), nil
}

// startsOf states a count for the evidence.
func startsOf(n int) string {
	if n == 1 {
		return "the agent was started once"
	}
	return fmt.Sprintf("the agent was started %d times", n)
}
