package state

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"syscall"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// An OperationLease is the right to start an operation and to conclude it. It
// is the one lease that a process hands to a child, so it lasts until the last
// process that has it has closed it or ended.
type OperationLease struct{ baton Baton }

// Lease takes the lease of an operation without waiting, or returns
// fault.LeaseHeld. The other errors are those of [Store.JobLease].
func (l *Ledger) Lease(key canon.Digest) (*OperationLease, error) {
	return l.withLock(key, func(dir Dir, name string) (Baton, error) { return dir.TryBaton(name) })
}

// Adopt takes over the lease whose descriptor a parent handed to this process.
// A descriptor that does not hold it is fault.LeaseHeld or fault.StoreFile, and
// is closed.
func (l *Ledger) Adopt(key canon.Digest, file *os.File) (*OperationLease, error) {
	lease, err := l.withLock(key, func(dir Dir, name string) (Baton, error) { return dir.AdoptBaton(name, file) })
	if err != nil {
		_ = file.Close()
	}
	return lease, err
}

func (l *Ledger) withLock(key canon.Digest, take func(dir Dir, name string) (Baton, error)) (*OperationLease, error) {
	if !key.Valid() {
		return nil, fault.New(fault.Malformed, "%q is not a sha256 digest", string(key))
	}
	if err := l.store.usable(); err != nil {
		return nil, err
	}
	below := path.Join(leasesDir, key.Hex()+lockSuffix)
	dir, err := l.store.ensureVolatileDir(path.Dir(below))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if _, err := l.store.statFile(dir, below); err != nil && !fault.Is(err, fault.Missing) {
		return nil, err
	}
	held, err := take(dir, path.Base(below))
	switch {
	case err == nil:
		return &OperationLease{held}, nil
	case errors.Is(err, ErrLocked):
		return nil, fault.New(fault.LeaseHeld, "another process holds the lease of the operation %q", string(key)).
			WithNext("wait until it has ended, or stop it")
	case errors.Is(err, syscall.ESTALE), errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.StoreFile, "the lock file %q was deleted or replaced while it was locked", l.store.at(below))
	}
	return nil, l.store.refuse("lock", below, err)
}

// File returns the descriptor to hand to one child, which takes it over with
// [Ledger.Adopt]; nil on a file system in memory.
func (l *OperationLease) File() *os.File { return l.baton.File() }

// Close gives up this process's part in the lease. Closing twice is harmless.
func (l *OperationLease) Close() error {
	if err := l.baton.Close(); err != nil {
		return fault.New(fault.HostFailed, "cannot close the lease of an operation: %w", err)
	}
	return nil
}
