package gitplumb

import (
	"context"
	"encoding/hex"

	"github.com/git-algal/git-algal/internal/fault"
)

// Clean returns nil when the checkout is exactly HEAD, which is three things
// (contract section 5): the status is empty; the tree that the index entries
// make by our own computation is HEAD's; and the content of every tracked file
// is what the index says. Every file is read.
//
// It fails as [Repo.Head] and [Repo.Index] fail; with fault.NotClean when one
// of the three does not hold; with fault.UnsupportedRepo when HEAD's tree is
// one that no index can make; and as [Repo.Status] and [Repo.Fingerprint] fail.
func (r *Repo) Clean(ctx context.Context) error {
	head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	index, err := r.Index(ctx)
	if err != nil {
		return err
	}
	status, err := r.Status(ctx)
	if fault.Is(err, fault.HiddenDrift) {
		return notClean("%w", err)
	}
	if err != nil && index.Tree == head.Tree {
		return err
	}
	if n := len(status.Entries); n > 0 {
		first := status.Entries[0]
		return notClean("the checkout is not clean: %d %s, first %q %q", n, plural(n, "path differs", "paths differ"), first.XY, first.Path)
	}
	if index.Tree != head.Tree {
		return r.otherTree(ctx, index, head)
	}
	if _, err := r.Fingerprint(ctx); err != nil {
		return err
	}
	return r.contentIsIndex(ctx)
}

// otherTree says why the index makes another tree than HEAD's.
func (r *Repo) otherTree(ctx context.Context, index Index, head Head) error {
	difference, err := r.headDifference(ctx)
	if fault.Is(err, fault.Cancelled) || fault.Is(err, fault.Deadline) {
		return err
	}
	entries, indexErr := r.decodedIndex()
	if err == nil && indexErr == nil && !difference.any(entries.Entries) {
		// Directories without a file, or modes of git's first years.
		return fault.New(fault.UnsupportedRepo, "HEAD's tree %s holds what no index can hold", head.Tree)
	}
	return notClean("the index makes the tree %s, and HEAD has %s", index.Tree, head.Tree)
}

// contentIsIndex compares the content of every tracked file with the index,
// whatever the status said.
func (r *Repo) contentIsIndex(ctx context.Context) error {
	found, err := r.content(ctx)
	if err != nil {
		return err
	}
	index, err := r.decodedIndex()
	if err != nil {
		return err
	}
	for i := range index.Entries {
		if code := r.checkoutCode(&index.Entries[i], found[i].Result, found[i].id); code != ' ' {
			return notClean("%q holds %s, and the index says %s", index.Entries[i].Path,
				hex.EncodeToString(found[i].id[:]), hex.EncodeToString(index.Entries[i].ID[:]))
		}
	}
	return nil
}

func notClean(format string, args ...any) error {
	return fault.New(fault.NotClean, format, args...).
		WithNext("commit it, stash it (git stash -u), or work in another worktree (git worktree add ../NAME)")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
