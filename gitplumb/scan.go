package gitplumb

import (
	"context"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
	"github.com/git-algal/git-algal/internal/worktree"
)

// root returns the checkout's root, held open for the rest of the pass. It
// must be the directory that Open saw.
func (r *Repo) root() (*worktree.Root, error) {
	return once(&r.memo.root, func() (*worktree.Root, error) {
		root, err := worktree.Open(r.identity.Workspace)
		if err != nil {
			return nil, err
		}
		root.Count(&r.git.tally)
		if device, inode := root.Identity(); decimal(device) != r.identity.Device || decimal(inode) != r.identity.Inode {
			return nil, fault.New(fault.SourceMoved, "workspace %q is another directory than before", r.identity.Workspace)
		}
		return root, nil
	})
}

// scan reads what every path of the index holds, once in a pass: one result
// for each path in index order, the stages of an unmerged path sharing theirs.
// Bounds are not errors here but the report's Incomplete: a status does not
// fail for them.
func (r *Repo) scan(ctx context.Context) (worktree.Report, error) {
	return once(&r.memo.scan, func() (worktree.Report, error) {
		if err := r.readAhead(ctx); err != nil {
			return worktree.Report{}, err
		}
		return r.memo.ahead.wait()
	})
}

// readAhead begins the scan, for who has something else to find out meanwhile.
// It must not be called before the deciding control was compared, nor while git
// is still to be asked about the content: what git said must be true of what is
// read afterwards (contract section 5).
func (r *Repo) readAhead(ctx context.Context) error {
	if r.memo.ahead != nil {
		return nil
	}
	index, err := r.decodedIndex()
	if err != nil {
		return err
	}
	root, err := r.root()
	if err != nil {
		return err
	}
	requests := make([]worktree.Request, 0, len(index.Entries))
	for i := range index.Entries {
		requests = append(requests, worktree.Request{Path: index.Entries[i].Path, Blob: true})
	}
	ctx, cancel := context.WithCancel(ctx)
	ahead := &readingAhead{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(ahead.done)
		ahead.report, ahead.err = root.Scan(ctx, requests, worktree.Limits{Bytes: MaxRawBytes})
	}()
	r.memo.ahead = ahead
	return nil
}

// A readingAhead is a scan that goes on beside its pass.
type readingAhead struct {
	cancel context.CancelFunc
	done   chan struct{} // closed once report and err are there
	report worktree.Report
	err    error
}

func (a *readingAhead) wait() (worktree.Report, error) {
	<-a.done
	a.cancel()
	return a.report, a.err
}

// rawEntry turns what lies at a tracked path into its raw entry.
func rawEntry(entry *gitindex.Entry, found *worktree.Result) (RawEntry, error) {
	raw := RawEntry{Path: entry.Path, Mode: found.Mode, Digest: found.Digest()}
	switch found.Kind {
	case worktree.File:
		raw.Kind, raw.Bytes = RawFile, found.Size
	case worktree.Symlink:
		raw.Kind = RawSymlink
	case worktree.Missing:
		raw.Kind = RawMissing
	default:
		return RawEntry{}, fault.New(fault.UnsupportedChange, "tracked path %q is %s", entry.Path, article(found.Kind)).About(entry.Path).
			WithNext("restore it: git restore -- PATH")
	}
	return raw, nil
}

// article names a kind in a sentence.
func article(kind worktree.Kind) string {
	switch kind {
	case worktree.Directory, worktree.Special:
		return "a " + kind.String()
	}
	return kind.String()
}
