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
// It fails with fault.NotClean when one of them does not hold, and otherwise
// as [Repo.Head], [Repo.Status], [Repo.Index] and [Repo.Fingerprint] fail, in
// that order; with fault.UnsupportedRepo when an object of HEAD is replaced.
func (r *Repo) Clean(ctx context.Context) error {
	head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	status, err := r.Status(ctx)
	if err != nil {
		return err
	}
	if n := len(status.Entries); n > 0 {
		first := status.Entries[0]
		return notClean("the checkout is not clean: %d %s, first %q %q", n, plural(n, "path differs", "paths differ"), first.XY, first.Path)
	}
	index, err := r.Index(ctx)
	if err != nil {
		return err
	}
	if index.Tree != head.Tree {
		if err := r.sameEntries(ctx); err != nil {
			return err
		}
	}
	if _, err := r.Fingerprint(ctx); err != nil {
		return err
	}
	if err := r.contentIsIndex(ctx); err != nil {
		return err
	}
	return r.replacedInUse(ctx)
}

// sameEntries accepts an index whose tree has another name than HEAD's and
// the same entries: trees of git's first years hold modes that no index can.
func (r *Repo) sameEntries(ctx context.Context) error {
	difference, err := r.headDifference(ctx)
	if err != nil {
		return err
	}
	index, err := r.decodedIndex()
	if err != nil {
		return err
	}
	inIndex := make(map[string]bool, len(index.Entries))
	for i := range index.Entries {
		entry := &index.Entries[i]
		inIndex[entry.Path] = true
		if head, inHead := difference.inHead(entry); indexCode(entry, head, inHead) != ' ' {
			return notClean("the index holds another %q than HEAD", entry.Path)
		}
	}
	for path := range difference.entries {
		if !inIndex[path] {
			return notClean("the index lacks %q, which HEAD has", path)
		}
	}
	return nil
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
		if code := r.checkoutCode(&index.Entries[i], found[i]); code != ' ' {
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
