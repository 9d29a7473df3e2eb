package local

import (
	"encoding/hex"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

// A Ledger is the embedded adapter's ledger on disk, opened by its operator.
// It was made on this machine and is where it was made.
type Ledger struct {
	env      Environment
	book     disk
	identity Identity
}

// disk is a ledger on disk as a book.
type disk struct{ *state.Ledger }

func (d disk) Lease(key canon.Digest) (lease, error) {
	held, err := d.Ledger.Lease(key)
	if err != nil {
		return nil, err
	}
	return held, nil
}

// authorityPrefix begins the identity of an authority; 32 hexadecimal digits of
// chance follow.
const authorityPrefix = "git-algal."

// Create returns the ledger in the absolute directory dir, and makes it where
// there is none, for an authority that no other ledger has. Creating it again
// after a crash completes it.
//
// A ledger that is there and was made elsewhere is fault.StoreInconsistent.
// The other errors are those of [state.OpenLedger] and state.Ledger.Create.
func Create(env Environment, dir string) (*Ledger, error) {
	machine, err := env.machine()
	if err != nil {
		return nil, err
	}
	book, err := state.OpenLedger(env.FS, dir)
	if err != nil {
		return nil, err
	}
	made, err := book.Establish()
	if err != nil {
		return nil, err
	}
	const chance = 16 // bytes: two ledgers never meet
	nonce := env.FS.Nonce()
	authority, err := operation.ParseIdentity(authorityPrefix + hex.EncodeToString(nonce[len(nonce)-chance:]))
	if err != nil {
		return nil, err
	}
	// Of several that make it at once one wins, and the others find its ledger.
	if there, err := book.Exists(state.LedgerIdentity()); err != nil {
		return nil, err
	} else if !there {
		if _, err := publish(disk{book}, state.LedgerIdentity(), Identity{authority, machine, made}); err != nil {
			return nil, err
		}
	}
	if err := book.MakeDurable(state.LedgerIdentity()); err != nil {
		return nil, err
	}
	return Open(env, dir)
}

// Open returns the ledger in the absolute directory dir. One that is not there
// is fault.Missing, one that was made on another machine, or is a copy, is
// fault.StoreInconsistent. The other errors are those of [state.OpenLedger].
func Open(env Environment, dir string) (*Ledger, error) {
	machine, err := env.machine()
	if err != nil {
		return nil, err
	}
	book, err := state.OpenLedger(env.FS, dir)
	if err != nil {
		return nil, err
	}
	id, err := identityOf(book)
	if err != nil {
		return nil, err
	}
	if err := isSound(book, id.Authority, machine); err != nil {
		return nil, err
	}
	return &Ledger{env, disk{book}, id}, nil
}

func identityOf(book *state.Ledger) (Identity, error) {
	id, there, err := find(disk{book}, state.LedgerIdentity(), ParseIdentity)
	if err == nil && !there {
		err = fault.New(fault.Missing, "there is no ledger in %q", book.Root())
	}
	return id, err
}

// isSound returns why the ledger is not authority's, of this machine, and
// where it was made.
func isSound(book *state.Ledger, authority operation.Identity, machine string) error {
	id, err := identityOf(book)
	if err != nil {
		return err
	}
	found, err := book.Incarnation()
	if err != nil {
		return err
	}
	return id.holds(authority, machine, found)
}

// Dir returns the clean absolute path of the ledger.
func (l *Ledger) Dir() string { return l.book.Root() }

// Authority returns the identity of the ledger's authority.
func (l *Ledger) Authority() operation.Identity { return l.identity.Authority }

// Define keeps the definition, durably, and returns the digest by which an
// adapter's arguments name it.
func (l *Ledger) Define(d definition.Definition) (canon.Digest, error) {
	text, err := d.Format()
	if err != nil {
		return "", err
	}
	return l.book.Put(text)
}

// Definition returns the definition of the digest; see [state.Store.Get].
func (l *Ledger) Definition(digest canon.Digest) (definition.Definition, error) {
	return definitionOf(l.book, digest)
}

func definitionOf(b book, digest canon.Digest) (definition.Definition, error) {
	text, err := b.Get(digest, definition.MaxBytes)
	if err != nil {
		return definition.Definition{}, err
	}
	return definition.Parse(text)
}
