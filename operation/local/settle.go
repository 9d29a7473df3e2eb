package local

import (
	"context"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/state"
)

// The steps of a settlement beside those of a lookup and a stop.
const (
	concludeByWord step = "publish terminal.json by the operator"
)

// A settlement concludes an operation by the operator's word, where nothing
// can prove anything. It takes no word against the kernel's: while a process
// of the tree is seen, or a supervisor holds the lease, it refuses.
type settlement struct {
	binding operation.Binding
	key     canon.Digest
	ending  operation.Ending // Failed or Cancelled
	reason  string

	next      step
	lease     lease
	admission Admission
	tree      custody.Identity
	answer    operation.Outcome
}

func newSettlement(binding operation.Binding, ending operation.Ending, reason string) (*settlement, error) {
	key, err := keyOf(binding)
	if err != nil {
		return nil, err
	}
	if ending != operation.Failed && ending != operation.Cancelled {
		return nil, fault.New(fault.Usage, "an operation is settled as %q or %q, not as %q: only the agent completes it", operation.Failed, operation.Cancelled, ending)
	}
	if err := checkReason(reason, 1); err != nil {
		return nil, err
	}
	return &settlement{binding: binding, key: key, ending: ending, reason: reason, next: takeLease}, nil
}

func (s *settlement) drop() {
	if s.lease != nil {
		_ = s.lease.Close()
		s.lease = nil
	}
}

func (s *settlement) step(_ context.Context, w *world) (done bool, err error) {
	switch s.next {
	case takeLease:
		s.next = readConclusion
		if err := w.sound(); err != nil {
			return false, err
		}
		s.lease, err = w.book.Lease(s.key)
		return false, err
	case readConclusion:
		return false, s.readConclusion(w)
	case readAdmission:
		return false, s.readAdmission(w)
	case denyStart:
		s.next = readStart
		_, err := publish(w.book, state.Start(s.key), notStarted())
		return false, err
	case readStart:
		return false, s.readStart(w)
	case askKernel:
		return false, s.askKernel(w)
	case concludeByWord:
		return s.conclude(w)
	}
	return false, fault.New(fault.Usage, "a settlement has no step %q", s.next)
}

func (s *settlement) readConclusion(w *world) error {
	s.next = readAdmission
	c, there, err := findConclusion(w.book, s.key, s.binding)
	if err == nil && there {
		err = fault.New(fault.RecordConflict, "operation %q has ended already, as %q", s.binding.OperationID, c.Outcome.Ending())
	}
	return err
}

func (s *settlement) readAdmission(w *world) error {
	a, there, err := findAdmission(w.book, s.key)
	if err != nil {
		return err
	}
	if !there {
		a = operatorAdmission(w, s.binding)
		if _, err := publish(w.book, state.Admitted(s.key), a); err != nil {
			return err
		}
	}
	if a.Binding != s.binding {
		return fault.New(fault.BindingMismatch, "operation %q is admitted for another request", s.binding.OperationID)
	}
	s.admission, s.next = a, denyStart
	return nil
}

func (s *settlement) readStart(w *world) error {
	start, there, err := findStart(w.book, s.key)
	switch {
	case err != nil:
		return err
	case !there:
		s.next = denyStart
	case start.Tree == nil:
		s.next = concludeByWord
	default:
		s.tree, s.next = *start.Tree, askKernel
	}
	return nil
}

func (s *settlement) askKernel(w *world) error {
	evidence, err := w.kernel.look(s.tree)
	if err != nil {
		return err
	}
	if evidence == custody.Alive {
		return fault.New(fault.LeaseHeld, "a process of operation %q is still there", s.binding.OperationID).
			WithNext("stop it first")
	}
	s.next = concludeByWord
	return nil
}

func (s *settlement) conclude(w *world) (done bool, err error) {
	if err := w.book.MakeDurable(state.Admitted(s.key), state.Start(s.key), state.Stopping(s.key)); err != nil {
		return false, err
	}
	outcome, err := terminal(s.admission, s.ending, "settled by the operator: "+s.reason, true)
	if err != nil {
		return false, err
	}
	stands, err := publish(w.book, state.Concluded(s.key), Conclusion{
		By: ByOperator, At: momentOf(w.now()), Reason: s.reason, Outcome: outcome,
	})
	if err == nil && !stands {
		err = fault.New(fault.RecordConflict, "operation %q was concluded without its lease", s.binding.OperationID)
	}
	s.answer = outcome
	return err == nil, err
}
