package state

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strconv"
	"syscall"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

const (
	lockSuffix = ".lock"
	noteSuffix = ".note"

	jobLeasePrefix = "job-"
	admissionLease = "admission"

	// leasePoll is how long a waiter sleeps between two attempts; flock(2)
	// has no wait with a limit. It is short against the 5 s for which
	// preparations wait for each other.
	leasePoll = 25 * time.Millisecond
)

// A Lease is the exclusive right, among the processes of this machine, to
// change something. The system takes it back when the process ends, however
// it ends, so that a lease which is free proves nothing about an attempt.
//
// Leases are taken in the order job, workspace, admission (contract section
// 3), and a process that holds one must not ask for it again: it would find it
// held.
type Lease struct {
	tree  *tree
	lock  Lock
	note  string // path of the note below the root, empty where there is none
	noted bool
}

// JobLease takes the lease of one job, and waits for it up to wait; zero does
// not wait at all.
//
// A lease that stays held is fault.LeaseHeld and names the holder as far as
// its note goes. The end of ctx is fault.Cancelled or fault.Deadline. A lock
// file that may not be used is fault.StoreFile.
func (s *Store) JobLease(ctx context.Context, job canon.Digest, wait time.Duration) (*Lease, error) {
	if !job.Valid() {
		return nil, fault.New(fault.Malformed, "%q is not a sha256 digest", string(job))
	}
	return s.lease(ctx, path.Join(leasesDir, jobLeasePrefix+job.Hex()), "the job "+string(job), s.holder, wait)
}

// AdmissionLease takes the lease under which a preparation counts jobs and
// reservations and publishes its own; see [Store.JobLease].
func (s *Store) AdmissionLease(ctx context.Context, wait time.Duration) (*Lease, error) {
	return s.lease(ctx, path.Join(leasesDir, admissionLease), "admission to "+strconv.Quote(s.root), s.holder, wait)
}

// Release gives the lease back. The lock file stays: a lock on a deleted file
// would exclude nobody. Releasing twice is harmless.
func (l *Lease) Release() error {
	if l.lock == nil {
		return nil
	}
	l.removeNote()
	lock := l.lock
	l.lock = nil
	if err := lock.Unlock(); err != nil {
		return fault.New(fault.HostFailed, "cannot release a lease in %q: %w", l.tree.root, err)
	}
	return nil
}

// lease takes the lock at below, which is a path without suffix, for subject.
func (t *tree) lease(ctx context.Context, below, subject string, holder Holder, wait time.Duration) (*Lease, error) {
	if err := t.usable(); err != nil {
		return nil, err
	}
	dir, err := t.ensureVolatileDir(path.Dir(below))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	lock, err := t.waitForLock(ctx, dir, below+lockSuffix, wait)
	if errors.Is(err, ErrLocked) {
		return nil, fault.New(fault.LeaseHeld, "another process holds the lease of %s%s", subject, t.holderOf(dir, below)).
			WithNext("wait until it has ended, then repeat the command")
	}
	if err != nil {
		return nil, err
	}
	lease := &Lease{tree: t, lock: lock, note: below + noteSuffix}
	lease.noted = t.writeNote(dir, lease.note, holder)
	return lease, nil
}

// waitForLock tries until the lock is taken, and otherwise returns an error
// that is [ErrLocked] when it is still held after wait.
func (t *tree) waitForLock(ctx context.Context, dir Dir, below string, wait time.Duration) (Lock, error) {
	limit := time.NewTimer(wait)
	defer limit.Stop()
	for {
		if err := ctx.Err(); err != nil {
			return nil, interrupted(err, "waiting for a lease")
		}
		lock, err := t.tryLock(dir, below)
		if !errors.Is(err, ErrLocked) || wait <= 0 {
			return lock, err
		}
		again := time.NewTimer(leasePoll)
		select {
		case <-again.C:
		case <-limit.C:
			wait = 0 // one last attempt
		case <-ctx.Done():
		}
		again.Stop()
	}
}

// interrupted gives the end of a context its condition.
func interrupted(err error, doing string) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fault.New(fault.Deadline, "the deadline passed while %s: %w", doing, err)
	}
	return fault.New(fault.Cancelled, "cancelled while %s: %w", doing, err)
}

func (t *tree) tryLock(dir Dir, below string) (Lock, error) {
	// What lies there is judged before it is opened for a lock.
	if _, err := t.statFile(dir, below); err != nil && !fault.Is(err, fault.Missing) {
		return nil, err
	}
	lock, err := dir.TryLock(path.Base(below))
	switch {
	case err == nil:
		return lock, nil
	case errors.Is(err, ErrLocked):
		return nil, ErrLocked
	case errors.Is(err, syscall.ESTALE), errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.StoreFile, "the lock file %q was deleted or replaced while it was locked", t.at(below))
	}
	return nil, t.refuse("lock", below, err)
}
