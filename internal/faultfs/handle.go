package faultfs

import (
	"errors"
	"io"
	"os"
	"path"
	"syscall"

	"github.com/git-algal/git-algal/state"
)

// A handle is an open descriptor of one life of the machine.
type handle struct {
	fs     *FS
	node   *node
	path   string
	life   int
	closed bool
}

// handle opens a descriptor. The caller holds mu.
func (f *FS) handle(n *node, at string) *handle {
	f.open++
	return &handle{fs: f, node: n, path: at, life: f.life}
}

var errClosed = errors.New("faultfs: the descriptor is closed")

// enter locks the machine for an operation of this descriptor; the caller
// unlocks it in any case.
func (h *handle) enter() error {
	h.fs.mu.Lock()
	switch {
	case h.life != h.fs.life:
		return ErrStopped
	case h.closed:
		return errClosed
	}
	return nil
}

// do runs one operation of this descriptor as a whole.
func (h *handle) do(kind Kind, where string, effect func() error) error {
	err := h.enter()
	defer h.fs.mu.Unlock()
	if err != nil {
		return err
	}
	return h.fs.do(kind, where, effect)
}

// end closes the descriptor. The caller holds mu.
func (h *handle) end() {
	h.closed = true
	h.fs.open--
}

func (h *handle) Info() (info state.Info, err error) {
	err = h.do(Stat, h.path, func() error {
		info = h.node.describe()
		return nil
	})
	return info, err
}

// file implements [state.File].
type file struct {
	*handle
	writing bool
	offset  int
}

func (o *file) Read(p []byte) (n int, err error) {
	err = o.do(Read, o.path, func() error {
		if o.node.info.Kind != state.KindFile {
			return syscall.EINVAL
		}
		if o.offset >= len(o.node.data) {
			return io.EOF
		}
		n = copy(p, o.node.data[o.offset:])
		o.offset += n
		return nil
	})
	return n, err
}

func (o *file) Write(p []byte) (int, error) {
	err := o.enter()
	defer o.fs.mu.Unlock()
	if err != nil {
		return 0, err
	}
	if !o.writing {
		return 0, syscall.EBADF
	}
	fault := o.fs.step(Write, o.path)
	n := len(p)
	if fault.Err != nil {
		n = part(n, fault.Effect)
	}
	o.node.data = append(o.node.data, p[:n]...)
	return n, fault.Err
}

func (o *file) Sync() error {
	err := o.enter()
	defer o.fs.mu.Unlock()
	if err != nil {
		return err
	}
	fault := o.fs.step(Sync, o.path)
	n := len(o.node.data)
	if fault.Err != nil {
		n = part(n, fault.Effect)
	}
	if n > 0 || fault.Err == nil {
		o.node.saveData(n)
	}
	o.node.doomed = o.node.doomed || fault.Err != nil
	return fault.Err
}

// part returns how many of n bytes a failing operation still handles.
func part(n int, effect Effect) int {
	switch effect {
	case Whole:
		return n
	case Half:
		return n / 2
	}
	return 0
}

func (o *file) Close() error {
	err := o.enter()
	defer o.fs.mu.Unlock()
	if err != nil {
		return err
	}
	o.end() // a descriptor is gone even when close reports an error
	if !o.writing {
		return nil
	}
	return o.fs.step(Close, o.path).Err
}

// dir implements [state.Dir].
type dir struct{ *handle }

func (d *dir) at(name string) string { return path.Join(d.path, name) }

func (d *dir) System() (system state.System, err error) {
	err = d.do(Stat, d.path, func() error {
		system = d.node.system
		return nil
	})
	return system, err
}

func (d *dir) Lstat(name string) (info state.Info, err error) {
	err = d.do(Stat, d.at(name), func() error {
		child, ok := d.node.entries[name]
		if !ok {
			return syscall.ENOENT
		}
		info = child.describe()
		return nil
	})
	return info, err
}

func (d *dir) Names(limit int) (names []string, err error) {
	err = d.do(List, d.path, func() error {
		for name := range d.node.entries {
			names = append(names, name)
		}
		if len(names) > limit {
			names = nil
			return state.ErrTooManyEntries
		}
		return nil
	})
	return names, err
}

func (d *dir) OpenDir(name string) (opened state.Dir, err error) {
	err = d.do(Open, d.at(name), func() error {
		child, ok := d.node.entries[name]
		if !ok {
			return syscall.ENOENT
		}
		opened, err = d.fs.descriptor(child, d.at(name))
		return err
	})
	return opened, err
}

func (d *dir) Open(name string) (opened state.File, err error) {
	err = d.do(Open, d.at(name), func() error {
		child, ok := d.node.entries[name]
		switch {
		case !ok:
			return syscall.ENOENT
		case child.info.Kind == state.KindSymlink:
			return syscall.ELOOP
		}
		opened = &file{handle: d.fs.handle(child, d.at(name))}
		return nil
	})
	return opened, err
}

func (d *dir) Mkdir(name string) error {
	return d.do(Mkdir, d.at(name), func() error {
		if _, ok := d.node.entries[name]; ok {
			return syscall.EEXIST
		}
		d.node.set(name, d.fs.numbered(newDir(0o700)))
		return nil
	})
}

func (d *dir) Create(name string) (opened state.File, err error) {
	err = d.do(Create, d.at(name), func() error {
		if _, ok := d.node.entries[name]; ok {
			return syscall.EEXIST
		}
		made := d.fs.numbered(newFile(0o600))
		d.node.set(name, made)
		opened = &file{handle: d.fs.handle(made, d.at(name)), writing: true}
		return nil
	})
	if err != nil && opened != nil {
		// It took effect, and the caller has no descriptor to close.
		d.fs.mu.Lock()
		opened.(*file).end()
		d.fs.mu.Unlock()
		opened = nil
	}
	return opened, err
}

func (d *dir) Link(from, to string) error {
	return d.do(Link, d.at(to), func() error {
		source, ok := d.node.entries[from]
		if !ok {
			return syscall.ENOENT
		}
		if _, ok := d.node.entries[to]; ok {
			return syscall.EEXIST
		}
		d.node.set(to, source)
		return nil
	})
}

func (d *dir) Rename(from, to string) error {
	return d.do(Rename, d.at(to), func() error {
		source, ok := d.node.entries[from]
		if !ok {
			return syscall.ENOENT
		}
		if over, ok := d.node.entries[to]; ok && over.info.Kind == state.KindDir {
			return syscall.EISDIR
		}
		d.node.set(to, source)
		d.node.set(from, nil)
		return nil
	})
}

func (d *dir) Remove(name string) error {
	return d.do(Remove, d.at(name), func() error {
		if _, ok := d.node.entries[name]; !ok {
			return syscall.ENOENT
		}
		d.node.set(name, nil)
		return nil
	})
}

func (d *dir) Sync() error {
	return d.do(SyncDir, d.path, func() error {
		d.node.saveEntries()
		return nil
	})
}

func (d *dir) Close() error {
	err := d.enter()
	defer d.fs.mu.Unlock()
	if err == nil {
		d.end()
	}
	return err
}

func (d *dir) TryLock(name string) (lock state.Lock, err error) {
	made, err := d.Create(name)
	switch {
	case err == nil:
		_ = made.Close()
	case !errors.Is(err, syscall.EEXIST):
		return nil, err
	}
	err = d.do(Lock, d.at(name), func() error {
		child, ok := d.node.entries[name]
		switch {
		case !ok:
			return syscall.ENOENT
		case child.info.Kind != state.KindFile:
			return syscall.ELOOP
		case child.locked:
			return state.ErrLocked
		}
		child.locked = true
		lock = &heldLock{d.fs.handle(child, d.at(name))}
		return nil
	})
	return lock, err
}

// TryBaton takes the lock as a baton that the process hands on by giving the
// value itself away: this machine's processes are goroutines.
func (d *dir) TryBaton(name string) (state.Baton, error) {
	lock, err := d.TryLock(name)
	if err != nil {
		return nil, err
	}
	return &baton{lock}, nil
}

// AdoptBaton refuses: no descriptor of the system belongs to this machine.
func (d *dir) AdoptBaton(_ string, file *os.File) (state.Baton, error) {
	return nil, errors.Join(syscall.ESTALE, file.Close())
}

// baton implements [state.Baton].
type baton struct{ lock state.Lock }

func (b *baton) File() *os.File { return nil }

func (b *baton) Close() error {
	if b.lock == nil {
		return nil
	}
	lock := b.lock
	b.lock = nil
	return lock.Unlock()
}

// heldLock implements [state.Lock].
type heldLock struct{ *handle }

func (l *heldLock) Unlock() error {
	err := l.enter()
	defer l.fs.mu.Unlock()
	if err != nil {
		return err
	}
	l.end()
	l.node.locked = false
	return nil
}
