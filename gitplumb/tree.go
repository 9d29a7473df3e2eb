package gitplumb

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
)

const (
	// maxTreeBytes bounds one tree object, in bytes: a directory of 16,384
	// names of 4,096 characters would not fit the listing either.
	maxTreeBytes = 16 << 20

	// maxHeadEntries bounds the entries of HEAD that are compared one by one.
	// Of so many, more are missing from an index of 16,384 than a status text
	// of 32,768 bytes can say.
	maxHeadEntries = 4 * gitindex.MaxEntries

	// maxTreeDepth bounds directories in directories: a path has fewer.
	maxTreeDepth = 4096
)

// A treeEntry is a file, symlink or submodule in HEAD's tree.
type treeEntry struct {
	mode uint32 // canonical
	id   [20]byte
}

// A headDifference is what HEAD's tree holds where it is not the tree of the
// index. Everything below a directory in equal is the same in both.
type headDifference struct {
	equal   map[string]bool
	entries map[string]treeEntry
	same    bool // both trees are equal as a whole
}

// headDifference compares HEAD's tree with the tree of the index, reading
// only the trees that differ.
func (r *Repo) headDifference(ctx context.Context) (headDifference, error) {
	return once(&r.memo.difference, func() (headDifference, error) {
		none := headDifference{}
		head, err := r.Head(ctx)
		if err != nil {
			return none, err
		}
		index, err := r.decodedIndex()
		if err != nil {
			return none, err
		}
		own, err := r.indexTree()
		if err != nil && !fault.Is(err, fault.FlaggedIndex) {
			return none, err
		}
		want := plumbing.NewHash(head.Tree)
		if err == nil && want == own {
			return headDifference{same: true}, nil
		}
		// Unmerged entries make no tree: then nothing is known to be equal.
		subtrees := map[string][20]byte{}
		if err == nil {
			_, err = gitindex.RootTree(index.Entries, func(directory string, id [20]byte) { subtrees[directory] = id })
			if err != nil {
				return none, err
			}
		}
		d := headDifference{equal: map[string]bool{}, entries: map[string]treeEntry{}}
		return d, r.compareTree(ctx, "", want, subtrees, &d)
	})
}

func (r *Repo) compareTree(ctx context.Context, directory string, id plumbing.Hash, subtrees map[string][20]byte, d *headDifference) error {
	if strings.Count(directory, "/") > maxTreeDepth {
		return fault.New(fault.OverBound, "HEAD's tree is deeper than %d directories", maxTreeDepth)
	}
	content, err := r.objects.read(ctx, id, plumbing.TreeObject, maxTreeBytes)
	if err != nil {
		return err
	}
	prefix := ""
	if directory != "" {
		prefix = directory + "/"
	}
	return eachTreeEntry(id, content, func(name string, entry treeEntry) error {
		path := prefix + name
		if entry.mode != gitindex.ModeTree {
			d.entries[path] = entry
			if len(d.entries) > maxHeadEntries {
				return fault.New(fault.OverBound, "HEAD's tree has more than %d entries that the index may lack", maxHeadEntries)
			}
			return nil
		}
		if own, present := subtrees[path]; present && own == entry.id {
			d.equal[path] = true
			return nil
		}
		return r.compareTree(ctx, path, entry.id, subtrees, d)
	})
}

// eachTreeEntry reads the entries of a tree object, which stand in the order
// of their names, a directory's with a slash behind it. Git compares trees in
// that order, and shows nonsense for one that does not keep it.
func eachTreeEntry(id plumbing.Hash, content []byte, visit func(name string, entry treeEntry) error) error {
	previous := ""
	for len(content) > 0 {
		modeText, rest, found := bytes.Cut(content, []byte(" "))
		name, rest, terminated := bytes.Cut(rest, []byte{0})
		mode, err := strconv.ParseUint(string(modeText), 8, 32)
		var entry treeEntry
		if !found || !terminated || err != nil || len(rest) < len(entry.id) {
			return fault.New(fault.GitFailed, "tree %s is broken", id)
		}
		switch component := string(name); {
		case component == "", component == ".", component == "..",
			strings.EqualFold(component, ".git"), strings.Contains(component, "/"):
			return fault.New(fault.UnsafePath, "tree %s holds the unsafe name %q", id, component)
		}
		entry.mode = gitindex.CanonicalMode(uint32(mode))
		key := string(name)
		if entry.mode == gitindex.ModeTree {
			key += "/"
		}
		if key <= previous {
			return fault.New(fault.GitFailed, "tree %s is out of order at %q", id, name)
		}
		previous = key
		copy(entry.id[:], rest)
		content = rest[len(entry.id):]
		if err := visit(string(name), entry); err != nil {
			return err
		}
	}
	return nil
}

// inHead returns what HEAD holds at a path of the index. The second result is
// false where HEAD has nothing there.
func (d headDifference) inHead(entry *gitindex.Entry) (treeEntry, bool) {
	if d.same || d.belowEqual(entry.Path) {
		return treeEntry{mode: entry.Mode, id: entry.ID}, !entry.IntentToAdd
	}
	found, ok := d.entries[entry.Path]
	return found, ok
}

// any reports whether any entry differs, is missing or is too much.
func (d headDifference) any(entries []gitindex.Entry) bool {
	known := 0
	for i := range entries {
		head, inHead := d.inHead(&entries[i])
		if indexCode(&entries[i], head, inHead) != ' ' {
			return true
		}
		if _, listed := d.entries[entries[i].Path]; listed {
			known++
		}
	}
	return known != len(d.entries)
}

func (d headDifference) belowEqual(path string) bool {
	for at := 0; ; {
		slash := strings.IndexByte(path[at:], '/')
		if slash < 0 {
			return false
		}
		at += slash
		if d.equal[path[:at]] {
			return true
		}
		at++
	}
}
