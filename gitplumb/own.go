package gitplumb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
	"github.com/git-algal/git-algal/internal/worktree"
)

// ownStatus computes the status of a plain checkout. It may still leave it to
// git and says why: the content is over a bound that a status does not have,
// or a pattern file holds what gits disagree on.
func (r *Repo) ownStatus(ctx context.Context) (status Status, leave string, err error) {
	if err := r.readAhead(ctx); err != nil {
		return Status{}, "", err
	}
	entries, err := r.ownEntries(ctx)
	if errors.Is(err, errContentBound) {
		return Status{}, "the content is over a bound", nil
	}
	if err != nil {
		return Status{}, "", err
	}
	walk, err := r.walk(ctx)
	if err != nil {
		return Status{}, "", err
	}
	if walk.disputed != "" {
		return Status{}, "the pattern " + strconv.Quote(walk.disputed), nil
	}
	status, err = newStatus(entries, WayOwn)
	return status, "", err
}

// ownEntries computes what git status would say from the content of the
// checkout, the entries of the index and HEAD's tree. It knows conversions: it
// compares what git would store for a converted path.
func (r *Repo) ownEntries(ctx context.Context) ([]StatusEntry, error) {
	difference, err := r.headDifference(ctx)
	if err != nil {
		return nil, err
	}
	untracked, err := r.untracked(ctx)
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
	entries := r.tracked(index.Entries, found, difference)
	for _, path := range untracked {
		entries = append(entries, StatusEntry{XY: untrackedXY, Path: path})
	}
	return entries, nil
}

// A content is what git would make of what lies at one tracked path.
type content struct {
	*worktree.Result
	id [20]byte // what git would store, where there is a file or a symlink

	// unread says that git goes by what it read under other attributes, and
	// takes the path for unchanged. Its bytes are those of the index.
	unread bool
}

// seen returns what git takes the content for.
func (c content) seen() [20]byte {
	if c.unread {
		return c.Blob
	}
	return c.id
}

// acceptUnread notes the paths that git shows as unchanged without having
// looked at them, whose bytes are those of the index and would be stored
// otherwise by now. That happens when attributes change: nothing in the
// checkout did. It is not clean either; see [Repo.Clean].
func acceptUnread(entries []gitindex.Entry, found []content, said []StatusEntry) {
	changed := make(map[string]bool, len(said))
	for _, line := range said {
		changed[line.Path] = changed[line.Path] || line.XY != untrackedXY && line.XY[1] != ' '
	}
	for i := range entries {
		entry := &entries[i]
		found[i].unread = found[i].id != entry.ID && found[i].Blob == entry.ID && found[i].Hashed && !changed[entry.Path]
	}
}

// errContentBound is wrapped where not everything was read because the content
// is over a bound.
var errContentBound = errors.New("not all content was read")

// content returns what every tracked path holds, for git.
func (r *Repo) content(ctx context.Context) ([]content, error) {
	return once(&r.memo.content, func() ([]content, error) {
		report, err := r.scan(ctx)
		if err != nil {
			return nil, err
		}
		if fault.Is(report.Incomplete, fault.OverBound) {
			return nil, fmt.Errorf("%w: %w", errContentBound, report.Incomplete)
		}
		if report.Incomplete != nil {
			return nil, report.Incomplete
		}
		index, err := r.decodedIndex()
		if err != nil {
			return nil, err
		}
		converted, err := r.conversions(ctx)
		if err != nil {
			return nil, err
		}
		var asked []string
		found := make([]content, len(report.Results))
		for i := range report.Results {
			found[i] = content{Result: &report.Results[i], id: report.Results[i].Blob}
			if path := index.Entries[i].Path; converted.paths[path] && found[i].Kind == worktree.File {
				asked = append(asked, path)
			}
		}
		clean, err := r.cleanIDs(ctx, asked)
		if err != nil {
			return nil, err
		}
		for i := range found {
			if id, ok := clean[index.Entries[i].Path]; ok {
				found[i].id = id
			}
		}
		return found, nil
	})
}

// tracked returns the lines of a status about paths in the index or in HEAD,
// in git's order, which is that of the bytes of the paths.
func (r *Repo) tracked(entries []gitindex.Entry, found []content, difference headDifference) []StatusEntry {
	var lines []StatusEntry
	for i := range entries {
		entry := &entries[i]
		head, inHead := difference.inHead(entry)
		x, y := indexCode(entry, head, inHead), r.checkoutCode(entry, found[i].Result, found[i].seen())
		if x != ' ' || y != ' ' {
			lines = append(lines, StatusEntry{XY: string([]byte{x, y}), Path: entry.Path})
		}
	}
	if len(difference.entries) == 0 {
		return lines
	}
	present := make(map[string]bool, len(entries))
	for i := range entries {
		present[entries[i].Path] = true
	}
	for path := range difference.entries {
		if !present[path] {
			lines = append(lines, StatusEntry{XY: "D ", Path: path})
		}
	}
	slices.SortFunc(lines, func(a, b StatusEntry) int { return cmp.Compare(a.Path, b.Path) })
	return lines
}

// indexCode is the first letter of a status: HEAD against the index. To it an
// intent-to-add entry is not there.
func indexCode(entry *gitindex.Entry, head treeEntry, inHead bool) byte {
	switch {
	case entry.IntentToAdd && inHead:
		return 'D'
	case entry.IntentToAdd:
		return ' '
	case !inHead:
		return 'A'
	case typeOf(head.mode) != typeOf(entry.Mode):
		return 'T'
	case head != treeEntry{mode: entry.Mode, id: entry.ID}:
		return 'M'
	}
	return ' '
}

// checkoutCode is the second letter of a status: the index against the
// checkout.
func (r *Repo) checkoutCode(entry *gitindex.Entry, found *worktree.Result, stored [20]byte) byte {
	mode, present := r.modeOf(entry, found)
	switch {
	case !present:
		return 'D'
	case entry.IntentToAdd:
		return 'A'
	case typeOf(mode) != typeOf(entry.Mode):
		return 'T'
	case mode != entry.Mode, stored != entry.ID, found.Kind == worktree.Special:
		return 'M'
	case entry.Size != 0 && entry.Size != uint32(found.Size):
		// Git takes a file for modified when its length is not the one that the
		// index noted, and does not look at the content. Conversions make both
		// true at once.
		return 'M'
	}
	return ' '
}

// modeOf returns the mode that git gives to what was found at an entry: with
// core.symlinks=false a file is what a symlink is checked out as, and a
// repository with a commit is a submodule.
func (r *Repo) modeOf(entry *gitindex.Entry, found *worktree.Result) (mode uint32, present bool) {
	switch {
	case entry.Mode == gitindex.ModeSymlink && found.Kind == worktree.File:
		if symlinks, err := r.config.boolean("core.symlinks", true); err == nil && !symlinks {
			return gitindex.ModeSymlink, true
		}
	case found.Kind == worktree.Directory && r.hasCommit(entry.Path):
		return gitindex.ModeGitlink, true
	}
	return modeOf(found)
}

// modeOf returns the mode that git gives to what was found. Special files
// count as files; nothing is there where a directory is, or behind a symlink.
func modeOf(found *worktree.Result) (mode uint32, present bool) {
	switch found.Kind {
	case worktree.Symlink:
		return gitindex.ModeSymlink, true
	case worktree.File, worktree.Special:
		if found.Mode&ownerExecute != 0 {
			return gitindex.ModeExecutable, true
		}
		return gitindex.ModeFile, true
	}
	return 0, false
}

const modeTypeMask = 0o170000

func typeOf(mode uint32) uint32 { return mode & modeTypeMask }
