package operation

import "github.com/git-algal/git-algal/internal/fault"

// MaxObservations bounds the outcomes that a job retains (contract section 2).
// None is ever evicted, so an authority must not raise its revision for mere
// lookups.
const MaxObservations = 16

// A History is every outcome retained for one binding, oldest first. An empty
// History is ready to use; append what [History.Admit] lets follow.
type History []Outcome

// Admit decides whether next may follow, held against every witness, oldest
// first (contract section 6): the revision never falls, an equal revision is
// the identical outcome, an acceptanceRef once seen never changes, and after
// terminal only the identical outcome comes.
//
// reuse is true if next is the latest outcome again: nothing is to be written.
// The errors are fault.BindingMismatch, fault.EvidenceConflict and, for a new
// outcome beyond [MaxObservations], fault.OverBound. next is never recorded
// by Admit itself.
func (h History) Admit(next Outcome) (reuse bool, err error) {
	if next.State() == "" {
		return false, malformed("the zero outcome is no evidence")
	}
	for _, witness := range h {
		if err := witness.precedes(next); err != nil {
			return false, err
		}
	}
	if latest, ok := h.Latest(); ok && latest == next {
		return true, nil
	}
	if len(h) >= MaxObservations {
		return false, fault.New(fault.OverBound, "operation %q already has %d retained outcomes", next.Binding().OperationID, MaxObservations)
	}
	return false, nil
}

// precedes returns why next cannot come after o.
func (o Outcome) precedes(next Outcome) error {
	switch {
	case next.binding != o.binding:
		return fault.New(fault.BindingMismatch, "outcome is not of the same binding as the retained ones")
	case next.revision < o.revision:
		return fault.New(fault.EvidenceConflict, "stale outcome: revision %d after %d", next.revision, o.revision)
	case next.revision == o.revision && next != o:
		return fault.New(fault.EvidenceConflict, "conflicting outcome: another one of revision %d is retained", o.revision)
	case o.state == Terminal && next != o:
		return fault.New(fault.EvidenceConflict, "conflicting outcome: revision %d is terminal and retained", o.revision)
	case o.state != Unknown && next.state != Unknown && next.acceptanceRef != o.acceptanceRef:
		return fault.New(fault.EvidenceConflict, "conflicting outcome: it names another acceptance than revision %d", o.revision)
	}
	return nil
}

// Latest returns the newest outcome, if there is one.
func (h History) Latest() (Outcome, bool) {
	if len(h) == 0 {
		return Outcome{}, false
	}
	return h[len(h)-1], true
}

// Terminal returns the terminal outcome, if there is one. It is the latest.
func (h History) Terminal() (Outcome, bool) {
	latest, ok := h.Latest()
	if !ok || latest.state != Terminal {
		return Outcome{}, false
	}
	return latest, true
}
