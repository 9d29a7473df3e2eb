package local

import (
	"context"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/state"
)

// The steps of a stop beside those of a lookup.
const (
	orderStop   step = "publish stopping.json"
	preventGate step = "publish start.json: not started, or find what was launched"
	endTree     step = "end the tree and wait for the kernel's proof"
	settleStop  step = "look up what follows"
	admitStop   step = "publish admitted.json by the operator"
)

// stopPause is how long a stop waits for the holder of the lease, which sees
// the order or the end of the tree by itself.
const stopPause = 50 * time.Millisecond

// A stop ends an operation on the operator's order. It publishes the order,
// makes sure that nothing starts after it, or ends what was started, and then
// lets whoever holds the lease publish the outcome: the supervisor, or, where
// that is gone, a lookup.
type stop struct {
	binding operation.Binding
	key     canon.Digest
	reason  string

	next   step
	lease  lease // of an operation that is not admitted
	lookup *lookup
	tree   custody.Identity
	answer operation.Outcome
}

func newStop(binding operation.Binding, reason string) (*stop, error) {
	key, err := keyOf(binding)
	if err != nil {
		return nil, err
	}
	return &stop{binding: binding, key: key, reason: reason, next: lookUp}, nil
}

func (s *stop) drop() {
	if s.lookup != nil {
		s.lookup.drop()
		s.lookup = nil
	}
	if s.lease != nil {
		_ = s.lease.Close()
		s.lease = nil
	}
}

func (s *stop) step(ctx context.Context, w *world) (done bool, err error) {
	switch s.next {
	case lookUp:
		return s.lookUp(w)
	case takeLease:
		return false, s.takeLease(ctx, w)
	case admitStop:
		return false, s.admit(w)
	case orderStop:
		s.next = preventGate
		_, err := publish(w.book, state.Stopping(s.key), Mark{StoppingContract, momentOf(w.now()), s.reason})
		return false, err
	case preventGate:
		return false, s.preventGate(w)
	case endTree:
		s.next = settleStop
		return false, s.endTree(ctx, w)
	case settleStop:
		return s.settle(ctx, w)
	}
	return false, fault.New(fault.Usage, "a stop has no step %q", s.next)
}

// lookUp sees whether the operation is concluded or admitted.
func (s *stop) lookUp(w *world) (done bool, err error) {
	if err := w.sound(); err != nil {
		return false, err
	}
	c, there, err := findConclusion(w.book, s.key, s.binding)
	switch {
	case err != nil:
		return false, err
	case there:
		s.answer = c.Outcome
		return true, w.book.MakeDurable(state.Admitted(s.key), state.Concluded(s.key))
	}
	a, there, err := findAdmission(w.book, s.key)
	switch {
	case err != nil:
		return false, err
	case there && a.Binding != s.binding:
		return false, fault.New(fault.BindingMismatch, "operation %q is admitted for another request", s.binding.OperationID)
	case there:
		s.next = orderStop
		return false, w.book.MakeDurable(state.Admitted(s.key))
	}
	s.next = takeLease
	if s.lease != nil {
		s.next = admitStop
	}
	return false, nil
}

// takeLease reserves an operation that nobody has admitted; where somebody is
// about to, it waits for the admission.
func (s *stop) takeLease(ctx context.Context, w *world) error {
	s.next = lookUp
	held, err := w.book.Lease(s.key)
	switch {
	case err == nil:
		s.lease = held
		return nil
	case fault.Is(err, fault.LeaseHeld):
		return w.pause(ctx, stopPause)
	}
	return err
}

func (s *stop) admit(w *world) error {
	s.next = orderStop
	_, err := publish(w.book, state.Admitted(s.key), operatorAdmission(w, s.binding))
	return err
}

// operatorAdmission admits an operation that nobody submitted, so that it
// never can be.
func operatorAdmission(w *world, binding operation.Binding) Admission {
	return Admission{
		Contract: AdmissionContract, Binding: binding, Machine: w.machine, At: momentOf(w.now()),
		By: ByOperator, Work: ProcessTree,
	}
}

// preventGate competes for the one record of the start. A supervisor that
// loses opens no gate; one that has won has published what to end.
func (s *stop) preventGate(w *world) error {
	s.next = settleStop
	if stands, err := publish(w.book, state.Start(s.key), notStarted()); err != nil || stands {
		return err
	}
	start, there, err := findStart(w.book, s.key)
	if err != nil || !there || start.Tree == nil {
		return err
	}
	s.tree, s.next = *start.Tree, endTree
	return w.book.MakeDurable(state.Start(s.key))
}

// endTree ends the tree, and goes on if the kernel cannot prove it: then the
// supervisor may, or nobody.
func (s *stop) endTree(ctx context.Context, w *world) error {
	err := w.kernel.end(ctx, s.tree)
	if fault.Is(err, fault.UnsupportedSystem) {
		return nil
	}
	return err
}

// settle looks up what follows until the lease's holder has concluded.
func (s *stop) settle(ctx context.Context, w *world) (done bool, err error) {
	if s.lookup == nil {
		held := s.lease
		s.lease = nil
		if s.lookup, err = newLookup(s.binding, held); err != nil {
			return false, err
		}
	}
	done, err = s.lookup.step(ctx, w)
	if err != nil || !done {
		return false, err
	}
	held := s.lookup.lease != nil
	s.answer = s.lookup.answer
	s.lookup.drop()
	s.lookup = nil
	if s.answer.State() == operation.Terminal || held {
		return true, nil
	}
	return false, w.pause(ctx, stopPause)
}
