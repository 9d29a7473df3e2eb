package faultfs

import (
	"slices"

	"github.com/git-algal/git-algal/state"
)

// A Loss says what becomes of the state that was not synced.
type Loss int

// The losses.
const (
	LoseAll  Loss = iota // only what was synced has survived
	LoseSome             // a random part of the rest has too
	LoseNone             // everything has
)

// Losses returns them all.
func Losses() []Loss { return []Loss{LoseAll, LoseSome, LoseNone} }

// String returns the name of the loss.
func (l Loss) String() string {
	switch l {
	case LoseAll:
		return "all lost"
	case LoseSome:
		return "some lost"
	}
	return "none lost"
}

// Crash stops the machine and starts it again with what has survived.
// Descriptors and locks have not, and neither plans nor a pending CrashAt.
//
// Of a file that was not synced LoseSome leaves its saved content, all of it,
// or a beginning with holes of zeros. Of the names in a directory it leaves,
// each independently of the others, any of the states that the name has had
// since the directory was synced.
func (f *FS) Crash(loss Loss) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if loss != LoseNone {
		f.forget(f.root, loss, map[*node]bool{})
	}
	f.settle(f.root, map[*node]bool{})
	f.restart()
}

// Kill ends all processes, while the machine goes on: descriptors and locks
// are gone as after a crash, but what was not synced is still there, and still
// not synced.
func (f *FS) Kill() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unlock(f.root, map[*node]bool{})
	f.restart()
}

// restart begins the next life. The caller holds mu.
func (f *FS) restart() {
	f.stopped, f.crashAt, f.durable = false, 0, 0
	f.plan, f.watch, f.ops, f.open = nil, nil, 0, 0
	f.life++
}

func (f *FS) unlock(n *node, done map[*node]bool) {
	if done[n] {
		return
	}
	done[n] = true
	n.locked = false
	for _, child := range n.entries {
		f.unlock(child, done)
	}
}

// forget takes from n, and from what it still holds, what has not survived.
func (f *FS) forget(n *node, loss Loss, done map[*node]bool) {
	if done[n] {
		return
	}
	done[n] = true
	switch n.info.Kind {
	case state.KindFile:
		n.data = f.survivingData(n, loss)
	case state.KindDir:
		n.entries = f.survivingEntries(n, loss)
		// In order, so that equal seeds give equal losses.
		for _, name := range sortedNames(n.entries) {
			f.forget(n.entries[name], loss, done)
		}
	}
}

func (f *FS) survivingData(n *node, loss Loss) []byte {
	if loss == LoseAll {
		return slices.Clone(n.saved)
	}
	switch f.random.IntN(3) {
	case 0:
		return slices.Clone(n.saved)
	case 1:
		return n.data
	}
	// What was saved stays; only what was written after it is torn.
	unsaved := len(n.data) - len(n.saved)
	torn := slices.Clone(n.data[:len(n.saved)+f.random.IntN(unsaved+1)])
	const block = 512 // bytes that a drive writes at once
	for start := len(n.saved); start < len(torn); start += block {
		if f.random.IntN(2) == 0 {
			clear(torn[start:min(start+block, len(torn))])
		}
	}
	return torn
}

func (f *FS) survivingEntries(n *node, loss Loss) map[string]*node {
	entries := make(map[string]*node, len(n.kept))
	for name, child := range n.kept {
		entries[name] = child
	}
	if loss == LoseAll {
		return entries
	}
	history := map[string][]*node{}
	var order []string
	for _, c := range n.changes {
		if history[c.name] == nil {
			order = append(order, c.name)
		}
		history[c.name] = append(history[c.name], c.node)
	}
	for _, name := range order {
		states := history[name]
		survived := f.random.IntN(len(states) + 1)
		if survived == 0 {
			continue // as it was at the last sync
		}
		if child := states[survived-1]; child != nil {
			entries[name] = child
		} else {
			delete(entries, name)
		}
	}
	return entries
}

// settle makes what is there durable: it is what the disk holds.
func (f *FS) settle(n *node, done map[*node]bool) {
	if done[n] {
		return
	}
	done[n] = true
	n.locked, n.doomed = false, false
	n.saved = slices.Clone(n.data)
	if n.info.Kind != state.KindDir {
		return
	}
	n.saveEntries()
	for _, child := range n.entries {
		f.settle(child, done)
	}
}
