package state

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"syscall"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// Create publishes data, one JSON value, as the immutable record name. It is
// idempotent: a record that is there with equal canonical bytes is made
// durable and that is all. Contract section 3, publication.
//
// When it returns nil, the canonical form of data is durable under its name,
// directories included. When it fails, the record is there whole or not at
// all, and the same call may be repeated, after a failed sync on a store that
// is opened again.
//
// Data over the bound is fault.OverBound, data that is no JSON
// fault.Malformed, a record that is there and says something else
// fault.RecordConflict (nothing has changed), one that may not be read
// fault.StoreFile. Failures of the system are fault.HostFailed.
func (s *Store) Create(name Name, data []byte) error {
	canonical, err := name.canonical(data)
	if err != nil {
		return err
	}
	return s.create(name, canonical, func(existing []byte) error {
		if equalJSON(existing, canonical) {
			return nil
		}
		return fault.New(fault.RecordConflict, "%q is there and says something else", s.at(name.path))
	})
}

// canonical returns the canonical form of data if it may stand under the name.
func (n Name) canonical(data []byte) ([]byte, error) {
	if err := n.check(); err != nil {
		return nil, err
	}
	canonical, err := canon.Canonicalize(data)
	if err != nil {
		return nil, fault.New(fault.Malformed, "%q is to hold JSON: %w", n.path, err)
	}
	if len(canonical) > n.bound {
		return nil, fault.New(fault.OverBound, "%q would hold %d bytes and may hold %d", n.path, len(canonical), n.bound)
	}
	return canonical, nil
}

// equalJSON compares what is on disk, which another program may have written
// otherwise than canonically, with canonical bytes.
func equalJSON(existing, canonical []byte) bool {
	if bytes.Equal(existing, canonical) {
		return true
	}
	same, err := canon.Canonicalize(existing)
	return err == nil && bytes.Equal(same, canonical)
}

// create publishes data under a name that is free, or lets settle judge what
// is there. Who wins a race is decided by link(2) alone.
func (t *tree) create(name Name, data []byte, settle func(existing []byte) error) error {
	if err := t.usable(); err != nil {
		return err
	}
	dir, err := t.ensureDir(name.dir())
	if err != nil {
		return err
	}
	defer dir.Close()
	existing, err := t.readIn(dir, name)
	if fault.Is(err, fault.Missing) {
		err = t.link(dir, name, data)
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return err
		}
		existing, err = t.readIn(dir, name)
	}
	if err != nil {
		return err
	}
	if err := settle(existing); err != nil {
		return err
	}
	// Its maker synced the content before the link, but may have died before
	// the entry was durable.
	return t.sync(dir, name.dir())
}

// MakeDurable makes records durable that were found under the names: whoever
// published them may have been killed before the last step. Nobody may publish
// what follows from a record that was read, before this has returned nil.
// Names under which there is nothing are passed over.
//
// The errors are those of [Store.Create].
func (s *Store) MakeDurable(names ...Name) error {
	if err := s.usable(); err != nil {
		return err
	}
	synced := map[string]bool{}
	for _, name := range names {
		there, err := s.Exists(name)
		if err != nil {
			return err
		}
		if there && !synced[name.dir()] {
			if err := s.syncEntries(name.dir()); err != nil {
				return err
			}
			synced[name.dir()] = true
		}
	}
	return nil
}

// syncEntries makes the entries of an existing directory durable, and its own.
func (t *tree) syncEntries(below string) error {
	dir, err := t.ensureDir(below)
	if err != nil {
		return err
	}
	defer dir.Close()
	return t.sync(dir, below)
}

// link installs data under its name without replacing. The link is the
// moment of publication, the sync after it that of the promise.
func (t *tree) link(dir Dir, name Name, data []byte) error {
	temporary, err := t.writeTemporary(dir, name, data)
	if err != nil {
		return err
	}
	// Removing the temporary changes no record, so whatever comes of it
	// changes no answer: one that stays behind is ignored.
	defer dir.Remove(temporary)
	err = dir.Link(temporary, name.base())
	if isAny(err, syscall.EPERM, syscall.ENOTSUP, syscall.EOPNOTSUPP) {
		return fault.New(fault.UnsupportedSystem, "the file system of %q makes no hard links: %w", t.at(name.path), err)
	}
	if err != nil {
		return t.refuse("publish", name.path, err)
	}
	return t.sync(dir, name.dir())
}

// writeTemporary writes and syncs data as a new temporary beside name, and
// returns the temporary's name. On error it has tried to take it away.
func (t *tree) writeTemporary(dir Dir, name Name, data []byte) (string, error) {
	nonce := t.fs.Nonce()
	temporary := temporaryPrefix + hex.EncodeToString(nonce[:])
	err := t.fill(dir, temporary, name, data)
	if err != nil {
		_ = dir.Remove(temporary)
		return "", err
	}
	return temporary, nil
}

func (t *tree) fill(dir Dir, temporary string, name Name, data []byte) error {
	file, err := dir.Create(temporary)
	if err != nil {
		return t.refuse("make a temporary for", name.path, err)
	}
	n, err := file.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err != nil {
		_ = file.Close()
		return t.refuse("write", name.path, err)
	}
	if err := t.sync(file, name.path); err != nil {
		_ = file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return t.refuse("close", name.path, err)
	}
	return nil
}
