package local

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

// The steps of a submit, in their order.
const (
	lookUp        step = "look the operation up"
	probeCustody  step = "probe custody"
	reserve       step = "take the lease of a new operation"
	lookAgain     step = "look again under the lease"
	writePrompt   step = "write the prompt"
	admit         step = "publish admitted.json"
	hand          step = "start the supervisor and hand it the lease"
	await         step = "wait for the supervisor"
	answerOutcome step = "answer"
)

// leasePause is how long a submit waits for another that admits the same
// operation: that one is a few writes away from its admission or its end.
const leasePause = 20 * time.Millisecond

// A submit admits an operation and has it started, at most once ever. An
// operation that is there already is looked up instead.
type submit struct {
	binding    operation.Binding
	key        canon.Digest
	task       task
	definition definition.Definition
	digest     canon.Digest // of the definition
	limit      time.Time    // when it answers what is known

	next       step
	lookup     *lookup // while it looks something up
	lease      lease
	found      custody.Found
	supervisor supervisor
	answer     operation.Outcome
}

func (s *submit) drop() {
	if s.lookup != nil {
		s.lookup.drop()
	}
	if s.lease != nil {
		_ = s.lease.Close()
		s.lease = nil
	}
}

func (s *submit) step(ctx context.Context, w *world) (done bool, err error) {
	switch s.next {
	case lookUp:
		return s.lookUp(ctx, w)
	case probeCustody:
		s.next = reserve
		if len(s.found.Mechanisms) == 0 {
			s.found, err = w.kernel.probe(ctx)
		}
		return false, err
	case reserve:
		return false, s.reserve(ctx, w)
	case lookAgain:
		return false, s.lookAgain(w)
	case writePrompt:
		s.next = admit
		return false, s.writePrompt(w)
	case admit:
		s.next = hand
		return false, s.admit(w)
	case hand:
		return false, s.hand(w)
	case await:
		return false, s.await(ctx, w)
	case answerOutcome:
		return s.conclude(ctx, w)
	}
	return false, fault.New(fault.Usage, "a submit has no step %q", s.next)
}

// lookUp answers for an operation that is there, and goes on for a new one.
func (s *submit) lookUp(ctx context.Context, w *world) (done bool, err error) {
	done, err = s.stepLookup(ctx, w, nil)
	if err != nil || !done {
		return false, err
	}
	if s.answer.State() == operation.Unknown && s.answer.Reason() == operation.Missing {
		s.next = probeCustody
		return false, nil
	}
	return true, nil
}

// stepLookup takes one step of a lookup, which it begins with the lease held.
func (s *submit) stepLookup(ctx context.Context, w *world, held lease) (done bool, err error) {
	if s.lookup == nil {
		if s.lookup, err = newLookup(s.binding, held); err != nil {
			return false, err
		}
	}
	done, err = s.lookup.step(ctx, w)
	if err == nil && done {
		s.answer = s.lookup.answer
		s.lookup.drop()
		s.lookup = nil
	}
	return done, err
}

func (s *submit) reserve(ctx context.Context, w *world) error {
	held, err := w.book.Lease(s.key)
	switch {
	case err == nil:
		s.lease, s.next = held, lookAgain
		return nil
	case fault.Is(err, fault.LeaseHeld):
		// Somebody else admits it, or has: what there is to say is looked up.
		s.next = lookUp
		if !w.now().Before(s.limit) {
			return err
		}
		return w.pause(ctx, leasePause)
	}
	return err
}

// lookAgain sees whether somebody else admitted the operation before the lease
// was ours.
func (s *submit) lookAgain(w *world) error {
	_, there, err := findAdmission(w.book, s.key)
	if err != nil {
		return err
	}
	if there {
		s.next = answerOutcome
		return nil
	}
	s.next = writePrompt
	return nil
}

func (s *submit) writePrompt(w *world) error {
	file, err := w.book.Write(s.key, state.Prompt)
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, s.task.prompt)
	if err := errors.Join(err, file.Close()); err != nil {
		return fault.New(fault.HostFailed, "cannot write the prompt's file: %w", err)
	}
	return nil
}

func (s *submit) admit(w *world) error {
	admission := Admission{
		Contract: AdmissionContract, Binding: s.binding, Machine: w.machine, At: momentOf(w.now()), By: BySubmit,
		Work: ProcessTree, ForeignServer: s.definition.ForeignServer,
		Run: &Run{
			Definition: s.digest, Workspace: s.task.workspace, GitDirectory: s.task.gitDirectory,
			Prompt: canon.DigestText(s.task.prompt), RuntimeMs: agentRuntime(s.definition, s.task.call).Milliseconds(),
			MaxOutputBytes: s.task.maxOutputBytes, Custody: s.found,
		},
	}
	stands, err := publish(w.book, state.Admitted(s.key), admission)
	if err == nil && !stands {
		err = fault.New(fault.RecordConflict, "operation %q was admitted without its lease", s.binding.OperationID)
	}
	return err
}

// hand gives the lease away. Where the supervisor can't be started the lease
// is still ours, and the lookup under it finds that nothing was launched.
func (s *submit) hand(w *world) error {
	trouble, err := w.book.Write(s.key, state.Supervisor)
	if err != nil {
		return err
	}
	defer trouble.Close()
	started, err := w.start.supervise(s.key, s.lease, trouble)
	if err != nil {
		s.next = answerOutcome
		return nil
	}
	s.lease, s.supervisor, s.next = nil, started, await
	return nil
}

func (s *submit) await(ctx context.Context, w *world) error {
	ctx, cancel := context.WithTimeout(ctx, s.limit.Sub(w.now()))
	defer cancel()
	s.next = answerOutcome
	// That it has not ended in time is no error: then the operation is accepted.
	if err := s.supervisor.wait(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

func (s *submit) conclude(ctx context.Context, w *world) (done bool, err error) {
	held := s.lease
	s.lease = nil // the lookup's from here on
	return s.stepLookup(ctx, w, held)
}
