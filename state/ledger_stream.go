package state

import (
	"errors"
	"io/fs"
	"path"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// A Stream is a file of an operation that is no record: it grows, it may be
// torn by a crash, and it counts for nothing until a record names its digest.
type Stream string

// The streams of an operation.
const (
	Prompt     Stream = "prompt"     // what the agent reads
	Stdout     Stream = "stdout"     // what it says
	Stderr     Stream = "stderr"     // what it says beside
	Supervisor Stream = "supervisor" // what went wrong around it
)

func (s Stream) valid() bool {
	return s == Prompt || s == Stdout || s == Stderr || s == Supervisor
}

// Path returns the absolute path of a stream, for a process that is given a
// path instead of a descriptor.
func (l *Ledger) Path(key canon.Digest, stream Stream) (string, error) {
	below, err := streamPath(key, stream)
	if err != nil {
		return "", err
	}
	return l.store.at(below), nil
}

func streamPath(key canon.Digest, stream Stream) (string, error) {
	if !key.Valid() || !stream.valid() {
		return "", fault.New(fault.Malformed, "no operation %q has a file %q", string(key), string(stream))
	}
	return path.Join(operationDir(key), string(stream)), nil
}

// Write makes a stream anew and opens it for writing; one that a dead process
// left behind is taken away. The caller holds the operation's lease. Nothing
// is durable before the file is synced and a record is published beside it.
func (l *Ledger) Write(key canon.Digest, stream Stream) (File, error) {
	below, err := streamPath(key, stream)
	if err != nil {
		return nil, err
	}
	if err := l.store.usable(); err != nil {
		return nil, err
	}
	dir, err := l.store.ensureVolatileDir(path.Dir(below))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	file, err := dir.Create(path.Base(below))
	if errors.Is(err, fs.ErrExist) {
		if err := dir.Remove(path.Base(below)); err != nil {
			return nil, l.store.refuse("take away", below, err)
		}
		file, err = dir.Create(path.Base(below))
	}
	if err != nil {
		return nil, l.store.refuse("make", below, err)
	}
	return file, nil
}

// Open opens a stream for reading, under the conditions of [Store.Read]. One
// that is not there is fault.Missing.
func (l *Ledger) Open(key canon.Digest, stream Stream) (File, error) {
	below, err := streamPath(key, stream)
	if err != nil {
		return nil, err
	}
	dir, err := l.store.openDir(path.Dir(below))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	file, err := dir.Open(path.Base(below))
	if err != nil {
		return nil, l.store.refuseOpen(dir, below, KindFile, err)
	}
	info, err := file.Info()
	if err != nil {
		err = l.store.refuse("look at", below, err)
	} else {
		err = l.store.checkEntry(info, KindFile, below)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// Discard takes a stream away. One that is not there is gone already.
func (l *Ledger) Discard(key canon.Digest, stream Stream) error {
	below, err := streamPath(key, stream)
	if err != nil {
		return err
	}
	dir, err := l.store.openDir(path.Dir(below))
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Remove(path.Base(below)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return l.store.refuse("take away", below, err)
	}
	return nil
}
