package qualify

import (
	"context"
	"fmt"
	"slices"
)

// An Obligation is something that the protocol asks of every adapter.
type Obligation struct {
	Name        string   // lower case and hyphens; stable
	Section     string   // where it is written, as "contract section 7"
	Text        string   // what is obliged, in one sentence
	Proves      string   // what a passed trial shows
	CannotProve string   // what it leaves open
	Launches    bool     // the trial submits, so that an agent may be launched
	RestsOn     []string // names of obligations without which the trial says nothing

	trial func(context.Context, *examination) (result, error)
}

// A Verdict is what a trial came to.
type Verdict string

// The verdicts. NotTested is no kind of passing.
const (
	Passed    Verdict = "passed"
	Failed    Verdict = "failed"
	NotTested Verdict = "not-tested"
)

// A Finding is the verdict on one obligation.
type Finding struct {
	Obligation Obligation
	Verdict    Verdict
	Reason     string   // why it failed or was not tested; empty where it passed
	Evidence   []string // what was observed, at most MaxEvidence lines
}

// Bounds of the evidence that a finding shows. It is for a person to read; an
// adapter cannot make it long.
const (
	MaxEvidence      = 8   // lines, the last of which says how many were left out
	MaxEvidenceBytes = 200 // per line; longer than anything that a trial states
)

// A Report has one finding per obligation, in the order of [Obligations].
type Report struct {
	Findings []Finding
	Calls    int // of the adapter
	// Counted is true where the starts of the agent could be counted, Scripted
	// where it was the harmless agent of this package.
	Counted, Scripted bool
}

// Count returns how many findings have the verdict.
func (r Report) Count(v Verdict) int {
	n := 0
	for _, f := range r.Findings {
		if f.Verdict == v {
			n++
		}
	}
	return n
}

// verdictOn returns the verdict so far on a named obligation, empty where
// there is none yet.
func (r Report) verdictOn(name string) Verdict {
	i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Obligation.Name == name })
	if i < 0 {
		return ""
	}
	return r.Findings[i].Verdict
}

// A result is what a trial returns.
type result struct {
	verdict  Verdict
	reason   string
	evidence []string
}

func passed(evidence ...string) result { return result{Passed, "", evidence} }

func failed(reason string, evidence ...string) result { return result{Failed, reason, evidence} }

func notTested(reason string, evidence ...string) result { return result{NotTested, reason, evidence} }

// bounded returns the evidence within its bounds.
func bounded(evidence []string) []string {
	if over := len(evidence) - MaxEvidence; over > 0 {
		kept := slices.Clone(evidence[:MaxEvidence-1])
		evidence = append(kept, fmt.Sprintf("and %d more", over+1))
	}
	lines := make([]string, 0, len(evidence))
	for _, line := range evidence {
		lines = append(lines, line[:min(len(line), MaxEvidenceBytes)])
	}
	return lines
}
