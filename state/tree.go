package state

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/git-algal/git-algal/internal/fault"
)

// A tree is a root directory and what is published below it: the common
// ground of [Store] and [Registry].
type tree struct {
	fs   FS
	root string // absolute and clean

	// failed is set by the first failed sync and never cleared. What the
	// system still holds in memory after one is unknown, and a later sync
	// that succeeds does not bring it back; only another process, or another
	// Open, that looks at what is there may go on.
	failed atomic.Bool

	mu sync.Mutex
	// durable holds the directories, as paths below the root, whose own entry
	// this tree has synced since it was opened. That a directory exists
	// proves nothing: its maker may have died before the sync.
	durable map[string]bool
}

// open returns the tree at root, which need not exist. The file system of the
// root, or of what it will be made in, must be a local one.
func open(fsys FS, root string) (*tree, error) {
	if !filepath.IsAbs(root) {
		return nil, fault.New(fault.Usage, "the path %q of a store is not absolute", root)
	}
	t := &tree{fs: fsys, root: filepath.Clean(root), durable: map[string]bool{}}
	dir, err := t.openRoot()
	if fault.Is(err, fault.Missing) {
		dir, _, err = t.nearestAncestor()
	}
	if err != nil {
		return nil, err
	}
	return t, dir.Close()
}

// usable refuses durable operations after a failed sync.
func (t *tree) usable() error {
	if !t.failed.Load() {
		return nil
	}
	return fault.New(fault.HostFailed, "the store %q takes no more records since a sync failed", t.root).
		WithNext("look after the disk, then repeat the command")
}

// sync makes file or directory durable, or ends the use of the tree.
func (t *tree) sync(s interface{ Sync() error }, where string) error {
	if err := s.Sync(); err != nil {
		t.failed.Store(true)
		return t.refuse("sync", where, err)
	}
	return nil
}

// at returns the path that a person sees for a path below the root.
func (t *tree) at(below string) string { return filepath.Join(t.root, filepath.FromSlash(below)) }

// refuseLookup is refuse for what may simply not be there, which is
// fault.Missing. Where something is written, what is not there any more is
// the host's failure and no answer.
func (t *tree) refuseLookup(action, below string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Missing, "%q is not there", t.at(below))
	}
	return t.refuse(action, below, err)
}

// refuse gives an error of the system its condition: what is of the wrong
// kind is fault.StoreFile, a directory beyond all bounds fault.OverBound, and
// everything else the host's failure.
func (t *tree) refuse(action, below string, err error) error {
	condition := fault.HostFailed
	switch {
	case isAny(err, syscall.ELOOP, syscall.ENOTDIR, syscall.EISDIR):
		condition = fault.StoreFile
	case errors.Is(err, ErrTooManyEntries):
		condition = fault.OverBound
	}
	var located *fs.PathError
	if errors.As(err, &located) {
		err = located.Err
	}
	return fault.New(condition, "cannot %s %q: %w", action, t.at(below), err)
}

func isAny(err error, numbers ...syscall.Errno) bool {
	for _, number := range numbers {
		if errors.Is(err, number) {
			return true
		}
	}
	return false
}

// checkEntry refuses what a store never makes: another kind than want, an
// entry of somebody who is neither this user nor root, and one that anybody
// may write to. Other permission bits decide nothing.
func (t *tree) checkEntry(info Info, want Kind, below string) error {
	wrong := ""
	switch {
	case info.Kind == KindSymlink:
		wrong = "is a symbolic link"
	case info.Kind != want && want == KindDir:
		wrong = "is not a directory"
	case info.Kind != want:
		wrong = "is not a regular file"
	case info.Owner == OwnerForeign:
		wrong = "belongs to another user"
	case info.Perm&0o002 != 0:
		wrong = "can be written to by everybody"
	default:
		return nil
	}
	return fault.New(fault.StoreFile, "%q %s", t.at(below), wrong).
		WithNext("find out who put it there before anything else")
}

// refuseOpen explains why the entry at below, whose directory is dir, could
// not be opened: systems say so in different numbers, and the kind or owner of
// the entry says more.
func (t *tree) refuseOpen(dir Dir, below string, want Kind, err error) error {
	if info, lstatErr := dir.Lstat(path.Base(below)); lstatErr == nil {
		if odd := t.checkEntry(info, want, below); odd != nil {
			return odd
		}
	}
	return t.refuseLookup("open", below, err)
}

// admit takes an opened directory for the one at below, or closes it.
func (t *tree) admit(dir Dir, below string) (Dir, error) {
	info, err := dir.Info()
	if err != nil {
		err = t.refuse("look at", below, err)
	} else if err = t.checkEntry(info, KindDir, below); err == nil {
		err = t.checkSystem(dir, t.at(below))
	}
	if err != nil {
		_ = dir.Close()
		return nil, err
	}
	return dir, nil
}

func (t *tree) checkSystem(dir Dir, where string) error {
	system, err := dir.System()
	if err != nil {
		return fault.New(fault.HostFailed, "cannot look at the file system of %q: %w", where, err)
	}
	if system.Shared {
		return fault.New(fault.UnsupportedSystem,
			"%q lies on a network or shared file system (%s), where locks and syncs prove nothing", where, system.Name).
			WithNext("choose a directory on a local disk")
	}
	return nil
}

func (t *tree) openRoot() (Dir, error) {
	dir, err := t.fs.OpenRoot(t.root)
	if err != nil {
		return nil, t.refuseLookup("open", ".", err)
	}
	return t.admit(dir, ".")
}

// openDir opens the directory below the root for reading what is there.
// fault.Missing when it, or one above it, is not.
func (t *tree) openDir(below string) (Dir, error) {
	dir, err := t.openRoot()
	if err != nil || below == "." {
		return dir, err
	}
	done := "."
	for name := range strings.SplitSeq(below, "/") {
		done = path.Join(done, name)
		next, err := dir.OpenDir(name)
		if err != nil {
			err = t.refuseOpen(dir, done, KindDir, err)
		}
		_ = dir.Close()
		if err != nil {
			return nil, err
		}
		if dir, err = t.admit(next, done); err != nil {
			return nil, err
		}
	}
	return dir, nil
}

// ensureDir opens the directory below the root and makes it, and every one
// above it, where they are missing. On return all their entries are durable.
func (t *tree) ensureDir(below string) (Dir, error) {
	dir, err := t.ensureRoot()
	if err != nil {
		return nil, err
	}
	if err := t.makeRootDurable(); err != nil {
		_ = dir.Close()
		return nil, err
	}
	return t.descend(dir, below, true)
}

// ensureVolatileDir is ensureDir for what need not survive the machine: locks.
func (t *tree) ensureVolatileDir(below string) (Dir, error) {
	dir, err := t.ensureRoot()
	if err != nil {
		return nil, err
	}
	return t.descend(dir, below, false)
}

func (t *tree) descend(dir Dir, below string, durable bool) (Dir, error) {
	if below == "." {
		return dir, nil
	}
	done := "."
	for name := range strings.SplitSeq(below, "/") {
		parent := done
		done = path.Join(done, name)
		next, err := t.enter(dir, name, done)
		if err == nil && durable && !t.isDurable(done) {
			if err = t.sync(dir, parent); err == nil {
				t.setDurable(done, true)
			} else {
				_ = next.Close()
			}
		}
		_ = dir.Close()
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

// enter opens the directory name in dir, or makes it.
func (t *tree) enter(dir Dir, name, below string) (Dir, error) {
	next, err := dir.OpenDir(name)
	if errors.Is(err, fs.ErrNotExist) {
		t.setDurable(below, false)
		// Another process may make it at the same moment.
		if err := dir.Mkdir(name); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, t.refuse("make", below, err)
		}
		next, err = dir.OpenDir(name)
	}
	if err != nil {
		return nil, t.refuseOpen(dir, below, KindDir, err)
	}
	return t.admit(next, below)
}

func (t *tree) isDurable(below string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.durable[below]
}

func (t *tree) setDurable(below string, durable bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.durable[below] = durable
}
