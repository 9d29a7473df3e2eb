package state

import (
	"errors"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// Put publishes data, one JSON value of at most [MaxValueBytes] canonical
// bytes, as a content-addressed value and returns its digest. It is durable
// and idempotent as [Store.Create] is.
//
// A value that is there and does not have the digest of its name is
// fault.StoreInconsistent; it is never repaired silently. The other errors
// are those of [Store.Create].
func (s *Store) Put(data []byte) (canon.Digest, error) {
	digest, canonical, err := canon.DigestCanonical(data)
	if err != nil {
		return "", fault.New(fault.Malformed, "a value is to be JSON: %w", err)
	}
	name := value(digest)
	if len(canonical) > name.bound {
		return "", fault.New(fault.OverBound, "a value of %d bytes is over %d", len(canonical), name.bound)
	}
	err = s.create(name, canonical, func(existing []byte) error {
		_, err := s.rehash(digest, existing)
		return err
	})
	if err != nil {
		return "", err
	}
	return digest, nil
}

// Get returns the value of the digest, of at most maxBytes bytes, after
// hashing it again: canon.DigestText of what it returns is the digest.
//
// A value that is not there is fault.Missing, one that is longer on disk than
// maxBytes or [MaxValueBytes] fault.OverBound, one of another digest
// fault.StoreInconsistent, one that may not be read fault.StoreFile.
func (s *Store) Get(digest canon.Digest, maxBytes int) ([]byte, error) {
	name := value(digest)
	if err := name.check(); err != nil {
		return nil, err
	}
	dir, err := s.openDir(name.dir())
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	bound := max(0, min(maxBytes, name.bound))
	data, err := s.readUpTo(dir, name.path, bound)
	if errors.Is(err, errOverBound) {
		return nil, fault.New(fault.OverBound, "the value %q is longer than %d bytes", s.at(name.path), bound)
	}
	if err != nil {
		return nil, err
	}
	return s.rehash(digest, data)
}

// rehash returns the bytes of which digest is the digest: data as they are,
// which includes the canonical form of the recorded host where it orders
// member names in its own way, or else their canonical form.
func (s *Store) rehash(digest canon.Digest, data []byte) ([]byte, error) {
	if canon.DigestText(data) == digest {
		return data, nil
	}
	if again, canonical, err := canon.DigestCanonical(data); err == nil && again == digest {
		return canonical, nil
	}
	return nil, fault.New(fault.StoreInconsistent, "the value %q does not have the digest of its name", s.at(value(digest).path))
}
