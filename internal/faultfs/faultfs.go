// Package faultfs is a file system in memory that implements [state.FS] and
// breaks on demand: it crashes before any operation, forgets what was not
// synced, and lets single operations fail, before, after or half-way through
// taking effect.
//
// # What is durable
//
// The model promises as little as POSIX does. The content of a file is durable
// once the file was synced; a name, of a file or a directory, once the
// directory that holds it was synced; nothing else is. A removal that was not
// synced may be undone, a name may come back, or appear without its content.
// The only guarantee beyond that is the one every local file system gives: a
// name that was renamed over has its old file or its new one.
//
// After a failed sync of a file, a later sync of it succeeds and saves
// nothing, as on Linux, where pages that could not be written count as clean.
//
// # Life
//
// An [FS] is one machine. [FS.CrashAt] stops it before its kth durable
// operation: that one and everything later fails with [ErrStopped] until
// [FS.Crash] decides what of the unsynced state has survived and starts it
// again, or [FS.Kill] starts only the processes again. Descriptors and locks
// survive neither. [FS.Inject] lets operations fail without a crash. Everything random follows from the seed.
package faultfs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"sync"
	"syscall"

	"github.com/git-algal/git-algal/state"
)

// ErrStopped is what every operation of a stopped machine returns, and every
// operation on a descriptor from before a crash.
var ErrStopped = errors.New("the machine has stopped")

// A Kind says what an operation does.
type Kind string

// The kinds of operations. Those up to SyncDir are durable: they change what
// a crash can leave, and [FS.CrashAt] counts them. The others are reads, and
// the end of a descriptor.
const (
	Create  Kind = "create"
	Write   Kind = "write"
	Sync    Kind = "sync"
	Mkdir   Kind = "mkdir"
	Link    Kind = "link"
	Rename  Kind = "rename"
	Remove  Kind = "remove"
	SyncDir Kind = "sync-dir"

	Close Kind = "close" // of a file that was written
	Open  Kind = "open"
	Read  Kind = "read"
	List  Kind = "list"
	Stat  Kind = "stat"
	Lock  Kind = "lock"
)

// Durable reports whether operations of the kind change what a crash leaves.
func (k Kind) Durable() bool {
	switch k {
	case Create, Write, Sync, Mkdir, Link, Rename, Remove, SyncDir:
		return true
	}
	return false
}

// An Op is one operation that is about to happen.
type Op struct {
	N    int // from 1, over all operations since New, Clone or the last Inject
	Kind Kind
	Path string // absolute; of a rename or link the new name
}

// A Fault is what becomes of an operation. The zero Fault lets it happen.
type Fault struct {
	Err    error // what it reports, nil for no fault
	Effect Effect
}

// An Effect is how much of a failing operation happens nevertheless.
type Effect int

// The effects of failing operations. Half is for Write and Sync, where half of
// the bytes is written or made durable; for the others it is None. An
// operation that is not durable has no effect when it fails.
const (
	None Effect = iota
	Half
	Whole
)

// An FS is a machine's file system. It holds one tree from "/" and may be
// used from several goroutines.
type FS struct {
	mu     sync.Mutex
	root   *node
	random *rand.Rand
	nonces uint64
	inodes uint64 // numbers given so far

	plan    func(Op) Fault
	watch   func(k int, as *FS)
	ops     int
	durable int // durable operations since New, Clone or the last CrashAt
	crashAt int // 0: never
	stopped bool
	life    int // counts starts; a descriptor works in its own life only
	open    int // descriptors of this life that are not closed
}

// New returns an empty, durable file system: the directory "/", mode 0755.
func New(seed uint64) *FS {
	return &FS{root: newDir(0o755), random: rand.New(rand.NewPCG(seed, 0))}
}

// Clone returns an independent copy of the machine and of everything that it
// has and has not saved, without its descriptors, locks, plans and counts.
func (f *FS) Clone(seed uint64) *FS {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.copy(seed)
}

func (f *FS) copy(seed uint64) *FS {
	return &FS{
		root:   f.root.clone(map[*node]*node{}),
		random: rand.New(rand.NewPCG(seed, 0)),
		nonces: f.nonces,
		inodes: f.inodes,
	}
}

// numbered gives a node its number, which tells it from every other one of
// this machine, unless it has one. The caller holds mu.
func (f *FS) numbered(n *node) *node {
	if n != nil && n.info.Inode == 0 {
		f.inodes++
		n.info.Inode = f.inodes
	}
	return n
}

// CrashAt lets the machine stop before its kth durable operation from now,
// or never when k is 0, and starts counting again.
func (f *FS) CrashAt(k int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.crashAt, f.durable = k, 0
}

// Watch shows before every durable operation from now on, numbered as CrashAt
// numbers them, the machine as it is: what a crash at this moment would stop. A
// whole life is watched in one go; nil ends it. The watcher must not use f.
func (f *FS) Watch(watcher func(k int, as *FS)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watch, f.durable = watcher, 0
}

// Durable returns how many durable operations have happened since New, Clone
// or the last CrashAt.
func (f *FS) Durable() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.durable
}

// Stopped reports whether the machine has stopped.
func (f *FS) Stopped() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stopped
}

// Inject lets plan decide what becomes of every operation from now on; nil
// ends it. Operations are numbered from 1 again. The plan must not use the
// file system.
func (f *FS) Inject(plan func(Op) Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.plan, f.ops = plan, 0
}

// OpenDescriptors returns how many directories, files and locks are open.
func (f *FS) OpenDescriptors() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open
}

// step lets one operation begin. The caller holds mu.
func (f *FS) step(kind Kind, where string) Fault {
	if f.stopped {
		return Fault{Err: ErrStopped}
	}
	if kind.Durable() {
		if f.durable+1 == f.crashAt {
			f.stopped = true
			return Fault{Err: ErrStopped}
		}
		f.durable++
		if f.watch != nil {
			f.watch(f.durable, f.copy(uint64(f.durable)))
		}
	}
	f.ops++
	if f.plan == nil {
		return Fault{}
	}
	return f.plan(Op{f.ops, kind, where})
}

// do runs one operation whose effect happens as a whole or not at all. The
// caller holds mu.
func (f *FS) do(kind Kind, where string, effect func() error) error {
	fault := f.step(kind, where)
	if fault.Err != nil && (fault.Effect != Whole || !kind.Durable()) {
		return fault.Err
	}
	if err := effect(); err != nil {
		return err
	}
	return fault.Err
}

// OpenRoot implements [state.FS].
func (f *FS) OpenRoot(at string) (state.Dir, error) { return f.openPath(at, false) }

// OpenAncestor implements [state.FS].
func (f *FS) OpenAncestor(at string) (state.Dir, error) { return f.openPath(at, true) }

func (f *FS) openPath(at string, follow bool) (state.Dir, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var opened state.Dir
	err := f.do(Open, at, func() error {
		found, err := f.resolve(at, follow)
		if err != nil {
			return err
		}
		opened, err = f.descriptor(found, at)
		return err
	})
	return opened, err
}

// descriptor opens a directory. The caller holds mu.
func (f *FS) descriptor(n *node, at string) (state.Dir, error) {
	switch {
	case n.info.Kind == state.KindSymlink:
		return nil, syscall.ELOOP
	case n.info.Kind != state.KindDir:
		return nil, syscall.ENOTDIR
	case n.info.Owner != state.OwnerForeign && n.info.Perm&0o400 == 0,
		n.info.Owner == state.OwnerForeign && n.info.Perm&0o004 == 0:
		return nil, syscall.EACCES
	}
	return &dir{f.handle(n, at)}, nil
}

// maxLinks bounds the symbolic links on one path, as systems do.
const maxLinks = 40

// resolve walks an absolute path; follow also follows a symbolic link that is
// its last component. The caller holds mu.
func (f *FS) resolve(at string, follow bool) (*node, error) {
	if !path.IsAbs(at) {
		return nil, fmt.Errorf("faultfs: %q is not absolute", at)
	}
	for range maxLinks {
		next, found := f.substitute(at, follow)
		if !found {
			return f.lookup(at)
		}
		at = next
	}
	return nil, syscall.ELOOP
}

// substitute returns at with its first symbolic link replaced by its target.
func (f *FS) substitute(at string, follow bool) (string, bool) {
	n := f.root
	names := components(at)
	for i, name := range names {
		child, ok := n.entries[name]
		if !ok {
			return "", false
		}
		if child.info.Kind == state.KindSymlink && (follow || i < len(names)-1) {
			target := child.target
			if !path.IsAbs(target) {
				target = path.Join("/", path.Join(names[:i]...), target)
			}
			return path.Join(append([]string{target}, names[i+1:]...)...), true
		}
		n = child
	}
	return "", false
}

// lookup walks a path that has no symbolic link left to follow.
func (f *FS) lookup(at string) (*node, error) {
	n := f.root
	for _, name := range components(at) {
		if n.info.Kind != state.KindDir {
			return nil, syscall.ENOTDIR
		}
		child, ok := n.entries[name]
		if !ok {
			return nil, syscall.ENOENT
		}
		n = child
	}
	return n, nil
}

// components returns the names on an absolute path, none for "/".
func components(at string) []string {
	return strings.FieldsFunc(path.Clean(at), func(r rune) bool { return r == '/' })
}

// Nonce implements [state.FS]. Nonces are counted, so that a life with the
// same operations gives the same names.
func (f *FS) Nonce() (nonce [24]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.nonces++
	binary.BigEndian.PutUint64(nonce[16:], f.nonces)
	return nonce
}
