package state

import (
	"github.com/git-algal/git-algal/internal/canon"
)

// A Ledger is the directory of an authority that keeps attempts. It is
// published, read and refused by the rules of a store; the package comment has
// its layout.
type Ledger struct{ store *Store }

// OpenLedger returns the ledger at root, an absolute path, under the
// conditions and with the errors of [Open].
func OpenLedger(fsys FS, root string) (*Ledger, error) {
	store, err := Open(fsys, root)
	if err != nil {
		return nil, err
	}
	return &Ledger{store}, nil
}

// Root returns the clean absolute path of the ledger.
func (l *Ledger) Root() string { return l.store.root }

// Create publishes an immutable record; see [Store.Create].
func (l *Ledger) Create(name Name, data []byte) error { return l.store.Create(name, data) }

// Read returns a record as it is on disk; see [Store.Read].
func (l *Ledger) Read(name Name) ([]byte, error) { return l.store.Read(name) }

// Exists reports whether a record is there; see [Store.Exists].
func (l *Ledger) Exists(name Name) (bool, error) { return l.store.Exists(name) }

// MakeDurable makes records durable that were found; see [Store.MakeDurable].
func (l *Ledger) MakeDurable(names ...Name) error { return l.store.MakeDurable(names...) }

// Put publishes a content-addressed value; see [Store.Put].
func (l *Ledger) Put(data []byte) (canon.Digest, error) { return l.store.Put(data) }

// Get returns a value; see [Store.Get].
func (l *Ledger) Get(digest canon.Digest, maxBytes int) ([]byte, error) {
	return l.store.Get(digest, maxBytes)
}

// Operations returns the keys of the operations that have a directory, in the
// order of their hex digits, under the conditions of [Store.Jobs].
func (l *Ledger) Operations() ([]canon.Digest, error) {
	return l.store.digests(operationsDir, "", KindDir)
}

// An Incarnation tells a ledger from a copy of it that was put in its place.
type Incarnation struct {
	Root, Operations uint64 // the inodes of the two directories
}

// Establish makes the directories of the ledger where they are missing,
// durably, and returns their incarnation. The errors are those of
// [Store.Create].
func (l *Ledger) Establish() (Incarnation, error) {
	if err := l.store.usable(); err != nil {
		return Incarnation{}, err
	}
	dir, err := l.store.ensureDir(operationsDir)
	if err != nil {
		return Incarnation{}, err
	}
	if err := dir.Close(); err != nil {
		return Incarnation{}, l.store.refuse("close", operationsDir, err)
	}
	return l.Incarnation()
}

// Incarnation returns what tells the ledger from a copy. A ledger that is not
// there, or has no operations, is fault.Missing.
func (l *Ledger) Incarnation() (Incarnation, error) {
	root, err := l.inode(".")
	if err != nil {
		return Incarnation{}, err
	}
	operations, err := l.inode(operationsDir)
	if err != nil {
		return Incarnation{}, err
	}
	return Incarnation{root, operations}, nil
}

func (l *Ledger) inode(below string) (uint64, error) {
	dir, err := l.store.openDir(below)
	if err != nil {
		return 0, err
	}
	defer dir.Close()
	info, err := dir.Info()
	if err != nil {
		return 0, l.store.refuse("look at", below, err)
	}
	return info.Inode, nil
}
