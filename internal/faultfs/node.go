package faultfs

import (
	"maps"
	"slices"

	"github.com/git-algal/git-algal/state"
)

// device is the number of the one file system.
const device = 1

// A node is a file, a directory, a symbolic link or something special, with
// what it holds and what of that would survive.
type node struct {
	info   state.Info // Size is computed
	system state.System

	data   []byte // of a file
	saved  []byte // what the last successful sync of it saved
	doomed bool   // a sync has failed: later ones save nothing
	locked bool

	entries map[string]*node // of a directory
	kept    map[string]*node // what its last successful sync saved
	changes []change         // since then, oldest first

	target string // of a symbolic link
}

// A change gave name in a directory the node, or took the name away.
type change struct {
	name string
	node *node // nil: removed
}

func newDir(perm uint32) *node {
	return &node{
		info:    state.Info{Kind: state.KindDir, Perm: perm, Device: device},
		entries: map[string]*node{}, kept: map[string]*node{},
	}
}

func newFile(perm uint32) *node {
	return &node{info: state.Info{Kind: state.KindFile, Perm: perm, Device: device}}
}

func (n *node) describe() state.Info {
	info := n.info
	info.Size = int64(len(n.data))
	return info
}

// set gives or, with nil, takes away a name.
func (n *node) set(name string, to *node) {
	if to == nil {
		delete(n.entries, name)
	} else {
		n.entries[name] = to
	}
	n.changes = append(n.changes, change{name, to})
}

// saveEntries makes the names of a directory durable.
func (n *node) saveEntries() {
	n.kept = maps.Clone(n.entries)
	n.changes = nil
}

// saveData makes the first part of a file's content durable.
func (n *node) saveData(bytes int) {
	if !n.doomed {
		n.saved = slices.Clone(n.data[:bytes])
	}
}

// clone copies the node and everything below; a file of two names stays one.
func (n *node) clone(done map[*node]*node) *node {
	if n == nil {
		return nil
	}
	if copied, ok := done[n]; ok {
		return copied
	}
	c := *n
	done[n] = &c
	c.locked = false
	c.data, c.saved = slices.Clone(n.data), slices.Clone(n.saved)
	cloneAll := func(entries map[string]*node) map[string]*node {
		if entries == nil {
			return nil
		}
		copied := make(map[string]*node, len(entries))
		for name, child := range entries {
			copied[name] = child.clone(done)
		}
		return copied
	}
	c.entries, c.kept = cloneAll(n.entries), cloneAll(n.kept)
	c.changes = slices.Clone(n.changes)
	for i := range c.changes {
		c.changes[i].node = c.changes[i].node.clone(done)
	}
	return &c
}
