package faultfs

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/git-algal/git-algal/state"
)

// What follows sets and reads scenes for tests. It counts as no operation, is
// durable at once, and panics on a path that makes no sense: a test that
// cannot set its scene tests nothing.

// WriteFile makes a file of mode 0600 and the directories above it, of mode
// 0700, or gives the file that is there new content.
func (f *FS) WriteFile(at string, data []byte) {
	f.place(at, func(old *node) *node {
		if old == nil || old.info.Kind != state.KindFile {
			old = newFile(0o600)
		}
		old.data, old.saved = slices.Clone(data), slices.Clone(data)
		return old
	})
}

// MkdirAll makes a directory of mode 0700 and those above it.
func (f *FS) MkdirAll(at string) {
	f.place(at, func(old *node) *node {
		if old == nil {
			old = newDir(0o700)
		}
		return old
	})
}

// Symlink makes a symbolic link, in place of whatever has its name.
func (f *FS) Symlink(target, at string) {
	f.place(at, func(*node) *node {
		return &node{info: state.Info{Kind: state.KindSymlink, Perm: 0o777, Device: device}, target: target}
	})
}

// Mkfifo makes something that is neither file, directory nor link.
func (f *FS) Mkfifo(at string) {
	f.place(at, func(*node) *node {
		return &node{info: state.Info{Kind: state.KindSpecial, Perm: 0o600, Device: device}}
	})
}

// Delete takes a name away, with all that is below it.
func (f *FS) Delete(at string) {
	f.place(at, func(*node) *node { return nil })
}

// Move gives what is at one path another name.
func (f *FS) Move(from, to string) {
	var moved *node
	f.place(from, func(old *node) *node {
		moved = old
		return nil
	})
	f.place(to, func(*node) *node { return moved })
}

// Chmod changes the permission bits of what is at the path.
func (f *FS) Chmod(at string, perm uint32) {
	f.amend(at, func(n *node) { n.info.Perm = perm })
}

// Chown changes the owner of what is at the path.
func (f *FS) Chown(at string, owner state.Owner) {
	f.amend(at, func(n *node) { n.info.Owner = owner })
}

// Mount says which file system holds the directory at the path. Directories
// below it are not changed.
func (f *FS) Mount(at string, system state.System) {
	f.amend(at, func(n *node) { n.system = system })
}

// Files returns the content of every regular file below the directory at the
// path, by its path relative to it. A directory that is not there has none.
func (f *FS) Files(at string) map[string][]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	files := map[string][]byte{}
	if n, err := f.resolve(at, false); err == nil {
		collect(n, "", files)
	}
	return files
}

// Entry describes what is at the path, and whether anything is.
func (f *FS) Entry(at string) (state.Info, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.resolve(at, false)
	if err != nil {
		return state.Info{}, false
	}
	return n.describe(), true
}

func collect(n *node, at string, files map[string][]byte) {
	if n.info.Kind == state.KindFile {
		files[at] = slices.Clone(n.data)
	}
	for name, child := range n.entries {
		collect(child, path.Join(at, name), files)
	}
}

func (f *FS) amend(at string, change func(*node)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.resolve(at, false)
	if err != nil {
		panic(fmt.Sprintf("faultfs: %s: %v", at, err))
	}
	change(n)
}

// place puts what with returns for what is there, nil for nothing, at an
// absolute path, without following links.
func (f *FS) place(at string, with func(old *node) *node) {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := components(at)
	if len(names) == 0 {
		panic("faultfs: the root directory is always there")
	}
	parent := f.root
	for _, name := range names[:len(names)-1] {
		child, ok := parent.entries[name]
		if !ok {
			child = f.numbered(newDir(0o700))
			parent.put(name, child)
		}
		if child.info.Kind != state.KindDir {
			panic(fmt.Sprintf("faultfs: %s: %s is no directory", at, name))
		}
		parent = child
	}
	name := names[len(names)-1]
	parent.put(name, f.numbered(with(parent.entries[name])))
}

// put sets a name durably.
func (n *node) put(name string, to *node) {
	if to == nil {
		delete(n.entries, name)
		delete(n.kept, name)
	} else {
		n.entries[name], n.kept[name] = to, to
	}
	n.changes = slices.DeleteFunc(n.changes, func(c change) bool { return c.name == name })
}

func sortedNames(entries map[string]*node) []string {
	return slices.Sorted(maps.Keys(entries))
}
