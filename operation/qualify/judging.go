package qualify

import (
	"context"
	"fmt"

	"github.com/git-algal/git-algal/operation"
)

// judgeForm returns a trial that holds every answer of the examination against
// one flaw.
func judgeForm(wrong flaw, reason string) func(context.Context, *examination) (result, error) {
	return func(_ context.Context, e *examination) (result, error) {
		answers := 0
		for _, c := range e.calls {
			if c.improper || c.flaw == unanswered {
				continue
			}
			if c.flaw == wrong {
				return failed(reason, c.said()), nil
			}
			if c.flaw == sound && (wrong != wrongResult || c.isTerminal()) {
				answers++
			}
		}
		if answers == 0 {
			return notTested("there was no answer that could show it"), nil
		}
		return passed(fmt.Sprintf("%d answers", answers)), nil
	}
}

// judgeStderr holds every call, a refused one too, against the bound on
// standard error.
func judgeStderr(_ context.Context, e *examination) (result, error) {
	ended := 0
	for _, c := range e.calls {
		if c.err == nil {
			ended++
		}
		if c.exit.StderrOver {
			return failed("a call wrote more to standard error than a host reads", c.said()), nil
		}
	}
	if ended == 0 {
		return notTested("no call came to an end by itself"), nil
	}
	return passed(fmt.Sprintf("%d calls", ended)), nil
}

// A conflict is why an outcome cannot stand beside an earlier one.
type conflict int

// The conflicts, the gravest first: an outcome that contradicts several
// earlier ones is held to have the gravest of its conflicts alone.
const (
	afterTerminal conflict = iota
	acceptanceChanged
	revisionFell
	equalRevision
	agreed
)

// between returns how b contradicts a, and whether the pair could have shown
// each conflict. Both are sound and of one binding; b did not end before a
// began. Where they overlap, neither came first.
func between(a, b call) (found conflict, could [agreed]bool) {
	first := a.ended < b.begun
	x, y := a.outcome, b.outcome
	could[afterTerminal] = x.State() == operation.Terminal && (first || y.State() == operation.Terminal)
	could[acceptanceChanged] = x.AcceptanceRef() != "" && y.AcceptanceRef() != ""
	could[revisionFell] = first
	could[equalRevision] = x.Revision() == y.Revision()
	switch {
	case could[afterTerminal] && x != y:
		return afterTerminal, could
	case could[acceptanceChanged] && x.AcceptanceRef() != y.AcceptanceRef():
		return acceptanceChanged, could
	case could[revisionFell] && y.Revision() < x.Revision():
		return revisionFell, could
	case could[equalRevision] && x != y:
		return equalRevision, could
	}
	return agreed, could
}

// A history is what a host would have retained of each operation, and what it
// would have refused.
type history struct {
	pairs     [agreed]int // that could have shown a conflict
	conflicts [agreed]*disagreement
}

// A disagreement is the first of its kind.
type disagreement struct{ earlier, later call }

// judged holds the sound answers of each operation against those before them.
// One that conflicts is no witness against later ones: a host refuses it.
func (e *examination) judged() *history {
	if e.history != nil {
		return e.history
	}
	h := &history{}
	retained := map[operation.Binding][]call{}
	for _, b := range e.calls {
		if b.flaw != sound || b.improper {
			continue
		}
		gravest, with := agreed, call{}
		for _, a := range retained[b.binding] {
			found, could := between(a, b)
			for c, possible := range could {
				if possible {
					h.pairs[c]++
				}
			}
			if found < gravest {
				gravest, with = found, a
			}
		}
		if gravest == agreed {
			retained[b.binding] = append(retained[b.binding], b)
		} else if h.conflicts[gravest] == nil {
			h.conflicts[gravest] = &disagreement{with, b}
		}
	}
	e.history = h
	return h
}

// judgeHistory returns a trial that gives the verdict on one conflict.
func judgeHistory(wrong conflict, reason string) func(context.Context, *examination) (result, error) {
	return func(_ context.Context, e *examination) (result, error) {
		h := e.judged()
		if d := h.conflicts[wrong]; d != nil {
			return failed(reason, "earlier "+d.earlier.said(), "later "+d.later.said()), nil
		}
		if h.pairs[wrong] == 0 {
			return notTested("there were no two answers that could show it"), nil
		}
		return passed(fmt.Sprintf("%d pairs of answers", h.pairs[wrong])), nil
	}
}
