package gitplumb

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
	"github.com/git-algal/git-algal/internal/worktree"
)

// A Change is one path that a patch on HEAD has to carry.
type Change struct {
	Path string

	// Untracked says that the index does not know the path. It rides along as
	// raw content, and HEAD may hold another file of the same path, whose
	// deletion is then a Change of its own.
	Untracked bool

	OldMode uint32 // in HEAD: 0o100644, 0o100755 or, deleted, 0o120000; 0 where HEAD has nothing
	OldID   string // the blob in HEAD, 40 hexadecimal digits; empty where HEAD has nothing
	NewMode uint32 // in the checkout: 0o100644 or 0o100755; 0 when deleted
	NewID   string // the blob that git would store; empty when deleted or untracked
}

// Added reports whether HEAD has nothing at the path.
func (c Change) Added() bool { return c.OldMode == 0 }

// Deleted reports whether the checkout has nothing at the path.
func (c Change) Deleted() bool { return c.NewMode == 0 }

// Changes returns what differs between HEAD and the checkout: first every
// tracked path, in the order of git diff, then every untracked file, in the
// order of the status. A path whose content git would store unchanged is not
// among them, whatever the status says.
//
// It fails with fault.UnsupportedChange for a symlink that is added, changed,
// replaced or replacing, for special files, and for a tracked path that has
// become a directory or lies below something that is none; with
// fault.UnsafePath for a nested repository; otherwise as [Repo.Status] and
// [Repo.Fingerprint] fail. Replacements under refs/replace/ do not apply: a
// fresh clone has none.
func (r *Repo) Changes(ctx context.Context) ([]Change, error) {
	if _, err := r.Status(ctx); err != nil {
		return nil, err
	}
	if _, err := r.Fingerprint(ctx); err != nil {
		return nil, err
	}
	changes, err := r.trackedChanges(ctx)
	if err != nil {
		return nil, err
	}
	untracked, err := r.untrackedChanges(ctx)
	if err != nil {
		return nil, err
	}
	return append(changes, untracked...), nil
}

func (r *Repo) trackedChanges(ctx context.Context) ([]Change, error) {
	difference, err := r.headDifference(ctx)
	if err != nil {
		return nil, err
	}
	found, err := r.content(ctx)
	if err != nil {
		return nil, err
	}
	index, err := r.decodedIndex()
	if err != nil {
		return nil, err
	}
	var changes []Change
	inIndex := make(map[string]bool, len(index.Entries))
	for i := range index.Entries {
		entry := &index.Entries[i]
		inIndex[entry.Path] = true
		change := Change{Path: entry.Path}
		if head, inHead := difference.inHead(entry); inHead {
			change.OldMode, change.OldID = head.mode, hex.EncodeToString(head.id[:])
		}
		if mode, present := r.modeOf(entry, found[i].Result); present {
			stored := found[i].seen()
			change.NewMode, change.NewID = mode, hex.EncodeToString(stored[:])
		}
		if change.OldMode == change.NewMode && change.OldID == change.NewID {
			continue
		}
		if err := change.admissible(found[i].Kind); err != nil {
			return nil, err
		}
		changes = append(changes, change)
	}
	for path, head := range difference.entries {
		if inIndex[path] {
			continue
		}
		change := Change{Path: path, OldMode: head.mode, OldID: hex.EncodeToString(head.id[:])}
		if err := change.admissible(worktree.Missing); err != nil {
			return nil, err
		}
		changes = append(changes, change)
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes, nil
}

// admissible refuses a change that a patch must not carry (contract section
// 5). The deletion of a symlink is one that it may.
func (c Change) admissible(kind worktree.Kind) error {
	if err := CheckPath(c.Path); err != nil {
		return err
	}
	switch {
	case c.OldMode == gitindex.ModeGitlink:
		return submoduleRefused(c.Path)
	case kind == worktree.Special:
		return fault.New(fault.UnsupportedChange, "%q is a special file", c.Path).About(c.Path)
	case c.Deleted():
		return nil
	case c.OldMode == gitindex.ModeSymlink || c.NewMode == gitindex.ModeSymlink:
		return fault.New(fault.UnsupportedChange, "the symlink %q was added, changed or replaced", c.Path).About(c.Path).
			WithNext("put it back; a patch carries regular files")
	}
	return nil
}

// untrackedChanges returns the untracked files with their modes.
func (r *Repo) untrackedChanges(ctx context.Context) ([]Change, error) {
	status, err := r.Status(ctx)
	if err != nil {
		return nil, err
	}
	var changes []Change
	var requests []worktree.Request
	for _, entry := range status.Entries {
		if entry.XY != untrackedXY {
			continue
		}
		if err := CheckPath(entry.Path); err != nil {
			return nil, err
		}
		requests = append(requests, worktree.Request{Path: entry.Path})
	}
	root, err := r.root()
	if err != nil {
		return nil, err
	}
	// Nothing is read of them here: a bound of no bytes leaves kind and mode.
	report, err := root.Scan(ctx, requests, worktree.Limits{})
	if err != nil {
		return nil, err
	}
	for i := range requests {
		path, found := requests[i].Path, &report.Results[i]
		switch found.Kind {
		case worktree.File:
		case worktree.Missing, worktree.BehindSymlink:
			return nil, fault.New(fault.SourceMoved, "%q is gone", path)
		default:
			return nil, fault.New(fault.UnsupportedChange, "untracked %q is %s", path, article(found.Kind)).About(path).
				WithNext("remove or ignore it; a patch carries regular files")
		}
		mode, _ := modeOf(found)
		changes = append(changes, Change{Path: path, Untracked: true, NewMode: mode})
	}
	return changes, nil
}

// CleanContent returns the bytes that git would store for a tracked file of
// the checkout: raw where nothing converts the path, otherwise converted by
// git. They hash to the NewID of its Change. It fails with fault.OverBound
// over max bytes and with fault.SourceMoved when they are not what the pass
// has seen.
func (r *Repo) CleanContent(ctx context.Context, path string, max int64) ([]byte, error) {
	found, err := r.content(ctx)
	if err != nil {
		return nil, err
	}
	index, err := r.decodedIndex()
	if err != nil {
		return nil, err
	}
	i, tracked := slices.BinarySearchFunc(index.Entries, path, func(entry gitindex.Entry, path string) int {
		return cmp.Compare(entry.Path, path)
	})
	if !tracked || found[i].Kind != worktree.File {
		return nil, fault.New(fault.UnsupportedChange, "%q is no tracked file", path)
	}
	if r.Converted(path) {
		return r.convertedContent(ctx, path, found[i].id, max)
	}
	content, err := r.RawContent(ctx, path, max)
	if err != nil {
		return nil, err
	}
	if hashBlob(content) != found[i].seen() {
		return nil, fault.New(fault.SourceMoved, "%q changed while it was read", path)
	}
	return content, nil
}
