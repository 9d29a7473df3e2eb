package local

import (
	"context"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/state"
)

// A step names what an act does next.
type step string

// The steps of a lookup, in the order of their matches.
const (
	readConclusion step = "read terminal.json"
	checkLedger    step = "check the ledger"
	readAdmission  step = "read admitted.json"
	takeLease      step = "take the lease"
	readUnresolved step = "read unresolved.json"
	readStart      step = "read start.json"
	denyStart      step = "publish start.json: not started"
	askKernel      step = "ask the kernel"
	concludeLost   step = "publish terminal.json: result lost"
	concludeNever  step = "publish terminal.json: not started"
	markUnresolved step = "publish unresolved.json"
	sayUnresolved  step = "answer unresolved"
)

// The reasons of outcomes that follow from evidence. They are also what the
// outcome says as its text.
const (
	reasonNever = "not started: the attempt ended before anything was launched"
	reasonLost  = "result lost: the process tree ended without a supervisor that recorded how"
)

// A lookup finds what the ledger can say of an operation. It signals and starts
// nothing, and publishes only what its evidence proves: the first match decides.
//
//	terminal record                         terminal, the same bytes for ever
//	ledger missing, unreadable, another's   an error: the host learns nothing
//	no admission                            unknown 0, missing
//	lease held                              unknown 2 if that is recorded, else accepted 1
//	lease free                              take it and begin again; then
//	  nothing was launched                  publish terminal failed, not started
//	  launched in another boot              publish terminal failed, result lost
//	  the kernel proves the tree's end      the same
//	  anything else                         record and answer unknown 2, unresolved
//
// With an order to stop, the two outcomes are cancelled instead of failed.
type lookup struct {
	key     canon.Digest
	binding operation.Binding
	next    step

	lease     lease // once it was free
	admission Admission
	tree      custody.Identity

	answer operation.Outcome
}

// newLookup returns the lookup of binding. Whoever holds the operation's lease
// passes it on; nil lets the lookup take it.
func newLookup(binding operation.Binding, held lease) (*lookup, error) {
	key, err := keyOf(binding)
	if err != nil {
		return nil, err
	}
	return &lookup{key: key, binding: binding, next: readConclusion, lease: held}, nil
}

func (l *lookup) drop() {
	if l.lease != nil {
		_ = l.lease.Close()
		l.lease = nil
	}
}

func (l *lookup) step(_ context.Context, w *world) (done bool, err error) {
	switch l.next {
	case readConclusion:
		return l.readConclusion(w)
	case checkLedger:
		l.next = readAdmission
		return false, w.sound()
	case readAdmission:
		return l.readAdmission(w)
	case takeLease:
		return false, l.takeLease(w)
	case readUnresolved:
		return l.readUnresolved(w)
	case readStart:
		return false, l.readStart(w)
	case denyStart:
		// Whether ours or another's stands, it is read next.
		l.next = readStart
		_, err := publish(w.book, state.Start(l.key), notStarted())
		return false, err
	case askKernel:
		return false, l.askKernel(w)
	case concludeLost:
		return false, l.conclude(w, reasonLost)
	case concludeNever:
		return false, l.conclude(w, reasonNever)
	case markUnresolved:
		return false, l.markUnresolved(w)
	case sayUnresolved:
		return l.say(w, unresolved, state.Unresolved(l.key))
	}
	return false, fault.New(fault.Usage, "a lookup has no step %q", l.next)
}

func (l *lookup) readConclusion(w *world) (done bool, err error) {
	c, there, err := findConclusion(w.book, l.key, l.binding)
	if err != nil || !there {
		l.next = checkLedger
		return false, err
	}
	l.answer = c.Outcome
	return true, w.book.MakeDurable(state.Admitted(l.key), state.Concluded(l.key))
}

func (l *lookup) readAdmission(w *world) (done bool, err error) {
	a, there, err := findAdmission(w.book, l.key)
	switch {
	case err != nil:
		return false, err
	case !there:
		l.answer, err = missing(l.binding)
		return true, err
	case a.Binding != l.binding:
		return false, fault.New(fault.BindingMismatch, "operation %q is admitted for another request", l.binding.OperationID).
			WithNext("choose another operation id: this one keeps its request for good")
	}
	l.admission = a
	l.next = readStart
	if l.lease == nil {
		l.next = takeLease
	}
	return false, nil
}

func (l *lookup) takeLease(w *world) error {
	held, err := w.book.Lease(l.key)
	switch {
	case err == nil:
		l.lease, l.next = held, readConclusion
		return nil
	case fault.Is(err, fault.LeaseHeld):
		l.next = readUnresolved
		return nil
	}
	return err
}

// readUnresolved answers while another process holds the lease.
func (l *lookup) readUnresolved(w *world) (done bool, err error) {
	_, there, err := findMark(w.book, state.Unresolved(l.key), UnresolvedContract)
	switch {
	case err != nil:
		return false, err
	case there:
		return l.say(w, unresolved, state.Unresolved(l.key))
	}
	return l.say(w, accepted, state.Admitted(l.key))
}

// say answers what follows from the admission, once the record that it follows
// from is durable: an answer outlives every crash.
func (l *lookup) say(w *world, outcome func(Admission) (operation.Outcome, error), from state.Name) (done bool, err error) {
	if err := w.book.MakeDurable(from); err != nil {
		return false, err
	}
	l.answer, err = outcome(l.admission)
	return err == nil, err
}

func (l *lookup) readStart(w *world) error {
	s, there, err := findStart(w.book, l.key)
	switch {
	case err != nil:
		return err
	case !there:
		l.next = denyStart
	case s.Tree == nil:
		l.next = concludeNever
	case l.admission.ForeignServer:
		l.next = markUnresolved // whatever the kernel says of the tree
	default:
		l.tree, l.next = *s.Tree, askKernel
	}
	return nil
}

func (l *lookup) askKernel(w *world) error {
	evidence, err := w.kernel.look(l.tree)
	if err != nil {
		return err
	}
	switch evidence {
	case custody.Gone, custody.OtherBoot:
		l.next = concludeLost
	case custody.OtherMachine:
		return fault.New(fault.StoreInconsistent, "operation %q was launched on another machine", l.binding.OperationID)
	default:
		l.next = markUnresolved
	}
	return nil
}

// conclude publishes an outcome from evidence, under the lease, and begins
// again, where it is found: this one or another.
func (l *lookup) conclude(w *world, reason string) error {
	c, err := concludeAs(w, l.key, l.admission, operation.Failed, reason)
	if err != nil {
		return err
	}
	l.next = readConclusion
	if _, err = publish(w.book, state.Concluded(l.key), c); err != nil {
		return err
	}
	// What the supervisor would have taken away; what stays does no harm.
	_ = w.book.Discard(l.key, state.Prompt)
	if reason == reasonLost {
		_ = w.kernel.remove(l.tree)
	}
	return nil
}

// concludeAs returns the conclusion from evidence. What it follows from is
// durable when it returns.
func concludeAs(w *world, key canon.Digest, a Admission, ending operation.Ending, reason string) (Conclusion, error) {
	stopping, err := isStopping(w.book, key)
	if err != nil {
		return Conclusion{}, err
	}
	if stopping {
		ending = operation.Cancelled
	}
	if err := w.book.MakeDurable(state.Admitted(key), state.Start(key), state.Stopping(key)); err != nil {
		return Conclusion{}, err
	}
	outcome, err := terminal(a, ending, reason, true)
	if err != nil {
		return Conclusion{}, err
	}
	return Conclusion{By: ByEvidence, At: momentOf(w.now()), Reason: reason, Outcome: outcome}, nil
}

func (l *lookup) markUnresolved(w *world) error {
	l.next = sayUnresolved
	return publishUnresolved(w, l.key, "the kernel could not prove that nobody of the process tree is left")
}

// publishUnresolved marks the operation once; the first mark stays.
func publishUnresolved(w *world, key canon.Digest, reason string) error {
	_, err := publish(w.book, state.Unresolved(key), Mark{UnresolvedContract, momentOf(w.now()), reason})
	return err
}
