package gitindex

import (
	"crypto/sha1"
	"hash"
	"strconv"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// RootTree returns the name of the tree that git write-tree makes of the
// entries, which are those of a decoded index. Where visit is not nil it is
// called with the path and the name of every subtree, a subtree before the
// tree that holds it; equal names mean that nothing below the path differs.
//
// As git write-tree does, it leaves out intent-to-add entries and the
// directories that hold nothing else, and includes skip-worktree entries and
// gitlinks.
//
// It refuses with [fault.FlaggedIndex] an unmerged entry, and with
// [fault.GitFailed] entries out of order and a name that is a file and a
// directory at once, of which git makes a tree that nobody can check out.
//
// The time is linear in the length of all paths.
func RootTree(entries []Entry, visit func(directory string, tree [sha1.Size]byte)) ([sha1.Size]byte, error) {
	b := treeBuilder{hash: sha1.New(), visit: visit}
	var order pathOrder
	for i := range entries {
		e := &entries[i]
		if e.Stage != 0 {
			return [sha1.Size]byte{}, fault.New(fault.FlaggedIndex, "the index entry %q is unmerged", e.Path)
		}
		if err := order.admit(e.Path); err != nil {
			return [sha1.Size]byte{}, err
		}
		b.move(e.Path)
		if !e.IntentToAdd {
			b.add(e.Mode, e.Path[b.base():], e.ID)
		}
	}
	b.move("")
	return b.sum(0), nil
}

// A treeBuilder writes the trees of ascending paths. The content of a tree
// that is not complete yet lies in buffer, behind that of the trees that hold
// it; a complete tree is hashed, cut off, and replaced by its entry in its
// parent. Names that ascend bytewise with their slashes are in tree order.
type treeBuilder struct {
	hash   hash.Hash
	header []byte // what is hashed before the content, kept for its memory
	visit  func(string, [sha1.Size]byte)
	buffer []byte
	path   string     // of the entry that was added last
	open   []openTree // the directories of path below the root, outermost first
}

// An openTree is a directory that may get more entries.
type openTree struct {
	end   int // its path is path[:end], and path[end] is a slash
	begin int // where its content begins in the buffer
}

// base returns where the last component of the path begins.
func (b *treeBuilder) base() int {
	if len(b.open) == 0 {
		return 0
	}
	return b.open[len(b.open)-1].end + 1
}

// move closes the directories that path is not in, and opens those that it is.
func (b *treeBuilder) move(path string) {
	common := commonPrefix(b.path, path)
	for len(b.open) > 0 && b.base() > common {
		b.closeTree()
	}
	b.path = path
	for {
		base := b.base()
		length := strings.IndexByte(path[base:], '/')
		if length < 0 {
			return
		}
		b.open = append(b.open, openTree{end: base + length, begin: len(b.buffer)})
	}
}

func (b *treeBuilder) closeTree() {
	closed := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	if len(b.buffer) == closed.begin {
		return // nothing but intent-to-add entries
	}
	id := b.sum(closed.begin)
	b.buffer = b.buffer[:closed.begin]
	b.add(ModeTree, b.path[b.base():closed.end], id)
	if b.visit != nil {
		b.visit(b.path[:closed.end], id)
	}
}

// add appends a tree entry: the mode in octal without leading zeros, a blank,
// the name, a NUL, the object's name in binary.
func (b *treeBuilder) add(mode uint32, name string, id [sha1.Size]byte) {
	b.buffer = strconv.AppendUint(b.buffer, uint64(mode), 8)
	b.buffer = append(b.buffer, ' ')
	b.buffer = append(b.buffer, name...)
	b.buffer = append(b.buffer, 0)
	b.buffer = append(b.buffer, id[:]...)
}

// sum returns the name of the tree whose content begins at begin.
func (b *treeBuilder) sum(begin int) [sha1.Size]byte {
	content := b.buffer[begin:]
	b.header = append(b.header[:0], "tree "...)
	b.header = strconv.AppendInt(b.header, int64(len(content)), 10)
	b.header = append(b.header, 0)
	b.hash.Reset()
	b.hash.Write(b.header)
	b.hash.Write(content)
	b.header = b.hash.Sum(b.header[:0])
	return [sha1.Size]byte(b.header)
}

// A pathOrder admits paths that ascend strictly and of which none is a
// directory of another. In ascending order the paths that begin a later path
// form a stack, each beginning the next, so only its top can be a directory of
// the path that comes.
type pathOrder struct {
	last     string
	prefixes []string
}

func (o *pathOrder) admit(path string) error {
	if path <= o.last {
		return broken("%q does not belong behind %q", path, o.last)
	}
	o.last = path
	for len(o.prefixes) > 0 {
		top := o.prefixes[len(o.prefixes)-1]
		if !strings.HasPrefix(path, top) {
			o.prefixes = o.prefixes[:len(o.prefixes)-1]
			continue
		}
		if path[len(top)] == '/' {
			return broken("%q is a file and a directory", top)
		}
		break
	}
	o.prefixes = append(o.prefixes, path)
	return nil
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
