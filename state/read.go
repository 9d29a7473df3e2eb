package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
)

// Read returns the bytes of the record name as they are on disk, which may be
// valid and yet not canonical; parsing them is the caller's. Contract
// section 3.
//
// A record that is not there is fault.Missing. One that is reached through a
// symbolic link, is no regular file, belongs to a foreign user, is
// world-writable or over its bound is fault.StoreFile; a FIFO is refused
// without waiting for its writer.
func (s *Store) Read(name Name) ([]byte, error) {
	if err := name.check(); err != nil {
		return nil, err
	}
	return s.read(name)
}

// Exists reports whether the record name is there, under the conditions of
// [Store.Read] except for its size, and without reading it.
func (s *Store) Exists(name Name) (bool, error) {
	if err := name.check(); err != nil {
		return false, err
	}
	return s.exists(name.path)
}

// ModTime returns when the record name was published, as the file system
// remembers it: something to show a person, never to decide by. Its errors are
// those of [Store.Read].
func (s *Store) ModTime(name Name) (time.Time, error) {
	if err := name.check(); err != nil {
		return time.Time{}, err
	}
	dir, err := s.openDir(name.dir())
	if err != nil {
		return time.Time{}, err
	}
	defer dir.Close()
	info, err := s.statFile(dir, name.path)
	return info.Modified, err
}

func (t *tree) exists(below string) (bool, error) {
	dir, err := t.openDir(path.Dir(below))
	if err == nil {
		defer dir.Close()
		_, err = t.statFile(dir, below)
	}
	if fault.Is(err, fault.Missing) {
		return false, nil
	}
	return err == nil, err
}

// statFile describes, by its name in dir, a file that may be read; on any
// error it returns the zero Info.
func (t *tree) statFile(dir Dir, below string) (Info, error) {
	info, err := dir.Lstat(path.Base(below))
	if err != nil {
		return Info{}, t.refuseLookup("look at", below, err)
	}
	if err := t.checkEntry(info, KindFile, below); err != nil {
		return Info{}, err
	}
	return info, nil
}

func (t *tree) read(name Name) ([]byte, error) {
	dir, err := t.openDir(name.dir())
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return t.readIn(dir, name)
}

// readIn reads name, whose directory is dir.
func (t *tree) readIn(dir Dir, name Name) ([]byte, error) {
	data, err := t.readUpTo(dir, name.path, name.bound)
	if errors.Is(err, errOverBound) {
		return nil, fault.New(fault.StoreFile, "%q is longer than its %d bytes", t.at(name.path), name.bound)
	}
	return data, err
}

// errOverBound says that a file is longer than was asked for; the condition
// that follows differs between records and values.
var errOverBound = errors.New("over its bound")

// readUpTo reads the file at below, whose directory is dir, of at most bound bytes.
func (t *tree) readUpTo(dir Dir, below string, bound int) ([]byte, error) {
	file, err := dir.Open(path.Base(below))
	if err != nil {
		return nil, t.refuseOpen(dir, below, KindFile, err)
	}
	defer file.Close()
	info, err := file.Info()
	if err != nil {
		return nil, t.refuse("look at", below, err)
	}
	if err := t.checkEntry(info, KindFile, below); err != nil {
		return nil, err
	}
	if info.Size > int64(bound) {
		return nil, fmt.Errorf("%q is %w", t.at(below), errOverBound)
	}
	data := bytes.NewBuffer(make([]byte, 0, info.Size+bytes.MinRead))
	// One byte more than the bound: the file may have grown meanwhile.
	if _, err := data.ReadFrom(io.LimitReader(file, int64(bound)+1)); err != nil {
		return nil, t.refuse("read", below, err)
	}
	if data.Len() > bound {
		return nil, fmt.Errorf("%q is %w", t.at(below), errOverBound)
	}
	return data.Bytes(), nil
}
