package local

import (
	"context"
	"io"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// An Attempt is what a ledger holds of one operation, for people: nothing that
// it says is an answer.
type Attempt struct {
	Admission  Admission
	Start      *Start      // nil before the launch
	Stopping   *Mark       // nil without an order to stop
	Unresolved *Mark       // nil unless nothing could be proven once
	Conclusion *Conclusion // nil before the outcome
	// Held says that a process held the lease a moment ago: the supervisor, or
	// somebody who looked.
	Held bool
}

// Attempts returns the operations that are admitted, in the order of their
// keys. The errors are those of reading.
func (l *Ledger) Attempts() ([]Attempt, error) {
	keys, err := l.book.Operations()
	if err != nil {
		return nil, err
	}
	var attempts []Attempt
	for _, key := range keys {
		attempt, err := l.attempt(key)
		if fault.Is(err, fault.Missing) {
			continue // a submit that died before its admission
		}
		if err != nil {
			return nil, err
		}
		attempts = append(attempts, attempt)
	}
	return attempts, nil
}

// Attempt returns what the ledger holds of an operation. One that is not
// admitted is fault.Missing.
func (l *Ledger) Attempt(id operation.Identity) (Attempt, error) {
	key, err := operation.ReservationKey(l.identity.Authority, id)
	if err != nil {
		return Attempt{}, err
	}
	return l.attempt(key)
}

// attempt reads against the order of publication, so that a running writer
// never looks like a contradiction.
func (l *Ledger) attempt(key canon.Digest) (Attempt, error) {
	text, err := l.book.Read(state.Concluded(key))
	if err != nil && !fault.Is(err, fault.Missing) {
		return Attempt{}, err
	}
	concluded := err == nil
	var a Attempt
	for _, mark := range []struct {
		name     state.Name
		contract string
		into     **Mark
	}{{state.Unresolved(key), UnresolvedContract, &a.Unresolved}, {state.Stopping(key), StoppingContract, &a.Stopping}} {
		if m, there, err := findMark(l.book, mark.name, mark.contract); err != nil {
			return Attempt{}, err
		} else if there {
			*mark.into = &m
		}
	}
	if s, there, err := findStart(l.book, key); err != nil {
		return Attempt{}, err
	} else if there {
		a.Start = &s
	}
	admission, there, err := findAdmission(l.book, key)
	if err != nil {
		return Attempt{}, err
	}
	if !there {
		return Attempt{}, fault.New(fault.Missing, "no operation %q is admitted in the ledger %q", string(key), l.Dir())
	}
	a.Admission = admission
	if concluded {
		c, err := ParseConclusion(text, admission.Binding)
		if err != nil {
			return Attempt{}, err
		}
		a.Conclusion = &c
		return a, nil
	}
	a.Held, err = l.held(key)
	return a, err
}

// held reports whether the operation's lease is held.
func (l *Ledger) held(key canon.Digest) (bool, error) {
	free, err := l.book.Lease(key)
	if fault.Is(err, fault.LeaseHeld) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, free.Close()
}

// waitPause is how often a wait looks.
const waitPause = 200 * time.Millisecond

// Wait waits until the operation is concluded or nobody holds its lease, and
// returns it as it is then. It makes no protocol call and concludes nothing: a
// free lease proves nothing about the work. The errors are those of
// [Ledger.Attempt], and fault.Cancelled or fault.Deadline for the end of ctx.
func (l *Ledger) Wait(ctx context.Context, id operation.Identity) (Attempt, error) {
	for {
		attempt, err := l.Attempt(id)
		if err != nil || attempt.Conclusion != nil || !attempt.Held {
			return attempt, err
		}
		if err := pause(ctx, waitPause); err != nil {
			return attempt, err
		}
	}
}

// Stop ends the operation of binding and returns what the ledger answers from
// then on: a terminal outcome, or unknown where nothing on this machine can
// prove the end. An operation that was never submitted is admitted and
// concluded as cancelled, so that it never can be; one that has ended is left
// as it did. reason is kept, of at most [MaxReasonBytes]; it may be empty.
//
// The errors are fault.BindingMismatch for an operation that is admitted for
// another request, fault.Cancelled or fault.Deadline for the end of ctx, and
// those of reading and publishing.
func (l *Ledger) Stop(ctx context.Context, binding operation.Binding, reason string) (operation.Outcome, error) {
	s, err := newStop(binding, reason)
	if err != nil {
		return operation.Outcome{}, err
	}
	err = perform(ctx, l.world(), s)
	return s.answer, err
}

// Settle concludes the operation of binding as ending, failed or cancelled, on
// the operator's responsibility and for the reason that they give (1 to
// [MaxReasonBytes]), and returns the outcome. An operation that was never
// submitted is admitted first.
//
// A lease that is held, by the supervisor for one, and a process of the tree
// that is still there are fault.LeaseHeld; an operation that has ended is
// fault.RecordConflict. The other errors are those of [Ledger.Stop].
func (l *Ledger) Settle(ctx context.Context, binding operation.Binding, ending operation.Ending, reason string) (operation.Outcome, error) {
	for tries := 1; ; tries++ {
		s, err := newSettlement(binding, ending, reason)
		if err != nil {
			return operation.Outcome{}, err
		}
		err = perform(ctx, l.world(), s)
		if !fault.Is(err, fault.LeaseHeld) || tries == settleTries {
			return s.answer, err
		}
		if err := pause(ctx, waitPause); err != nil {
			return operation.Outcome{}, err
		}
	}
}

// settleTries is how often a settlement asks for the lease: whoever merely
// looks at the operation has it for a moment.
const settleTries = 5

// Stream opens what the ledger has of an operation's stream, which may still
// grow. One that is not there is fault.Missing.
func (l *Ledger) Stream(id operation.Identity, name state.Stream) (io.ReadCloser, error) {
	key, err := operation.ReservationKey(l.identity.Authority, id)
	if err != nil {
		return nil, err
	}
	file, err := l.book.Open(key, name)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// StreamPath returns the absolute path of an operation's stream, whether or not
// there is one.
func (l *Ledger) StreamPath(id operation.Identity, name state.Stream) (string, error) {
	key, err := operation.ReservationKey(l.identity.Authority, id)
	if err != nil {
		return "", err
	}
	return l.book.Path(key, name)
}

func (l *Ledger) world() *world {
	return l.env.world(l.book, l.identity.Authority, l.identity.Machine)
}
