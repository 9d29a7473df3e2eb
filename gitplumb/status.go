package gitplumb

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
)

// MaxStatusBytes bounds the status text, in bytes (contract section 2).
const MaxStatusBytes = 32_768

// Way says how a status was found out.
type Way string

// The ways.
const (
	WayOwn Way = "own" // computed from content, git not asked
	WayGit Way = "git" // git's answer, compared with the own computation
)

// Status is the difference between HEAD, index and checkout.
type Status struct {
	Entries []StatusEntry
	Text    []byte // byte for byte what git prints, see Repo.Status
	Way     Way
	Reason  string // why git was asked, for people; empty on the own way
}

// untrackedXY are the letters of a path that the index does not know.
const untrackedXY = "??"

// A StatusEntry is one line of a status.
type StatusEntry struct {
	XY   string // two letters as in git-status(1), "??" for untracked
	Path string // bytes; a slash at the end marks a nested repository
}

// Status returns what "git status --porcelain=v1 -z --untracked-files=all
// --ignore-submodules=none --no-renames" prints with core.fileMode=true and a
// cold cache: no time, no file system monitor and no cached tree is trusted.
// The order is git's. Filters may run on git's way.
//
// It fails with fault.OverBound when the text is over MaxStatusBytes; with
// fault.UnsupportedRepo for submodules and for a feature with which neither
// way is sound; with fault.HiddenDrift when git says that a path is unchanged
// and its content says otherwise; with fault.UnsupportedChange for a directory
// that cannot be listed and for pattern files that are no files; with
// fault.GitFailed when git fails or the index is damaged. It does not fail for
// what only [Repo.Index] and [Repo.Fingerprint] refuse.
func (r *Repo) Status(ctx context.Context) (Status, error) {
	return once(&r.memo.status, func() (Status, error) {
		reason, err := r.whyGit(ctx)
		if err != nil {
			return Status{}, err
		}
		if reason == "" {
			var status Status
			if status, reason, err = r.ownStatus(ctx); reason == "" {
				return status, err
			}
		}
		status, err := r.gitStatus(ctx)
		if err != nil {
			return Status{}, err
		}
		status.Reason = reason
		return status, nil
	})
}

// Way returns the way that the content of the checkout demands and, for git's,
// the reason. [Repo.Status] may still ask git about a checkout that is plain. It
// fails as Status does where neither way is sound.
func (r *Repo) Way(ctx context.Context) (Way, string, error) {
	reason, err := r.whyGit(ctx)
	switch {
	case err != nil:
		return "", "", err
	case reason == "":
		return WayOwn, "", nil
	}
	return WayGit, reason, nil
}

func newStatus(entries []StatusEntry, way Way) (Status, error) {
	var text []byte
	for _, entry := range entries {
		text = append(text, entry.XY...)
		text = append(text, ' ')
		text = append(text, entry.Path...)
		text = append(text, 0)
		if len(text) > MaxStatusBytes {
			return Status{}, statusOverBound()
		}
	}
	return Status{Entries: entries, Text: text, Way: way}, nil
}

func statusOverBound() error {
	return fault.New(fault.OverBound, "the status takes more than %d bytes", MaxStatusBytes).
		WithNext("commit, stash or ignore what changed")
}

// gitStatus asks git. Where the own computation covers what the checkout
// contains, both must agree.
func (r *Repo) gitStatus(ctx context.Context) (Status, error) {
	submodules := "none"
	index, indexErr := r.decodedIndex()
	if indexErr != nil && !boundRefusal(indexErr) {
		return Status{}, indexErr
	}
	// Before git is asked: a FIFO in the place of a pattern file would make it
	// wait for ever, and a directory that it cannot list would be left out.
	if _, err := r.walk(ctx); err != nil {
		return Status{}, err
	}
	if indexErr == nil {
		if _, err := r.attributeUse(ctx); err != nil {
			return Status{}, err
		}
	}
	comparable := indexErr == nil && admitIndex(index) == nil
	if comparable {
		_, err := r.ownEntries(ctx)
		if comparable = err == nil; err != nil && !errors.Is(err, errContentBound) {
			return Status{}, err
		}
	} else {
		// A submodule's own settings would count inside it. Those that are
		// seen are refused before; one in an index that is refused for its
		// size is not looked into.
		submodules = "all"
	}
	text, err := r.ask(ctx, invocation{
		args: []string{"status", "--porcelain=v1", "-z", "--untracked-files=all",
			"--ignore-submodules=" + submodules, "--no-renames"},
		maxOutput: MaxStatusBytes,
	})
	if errors.Is(err, errOutputBound) {
		return Status{}, statusOverBound()
	}
	if err != nil {
		return Status{}, err
	}
	entries, err := parseStatus(text)
	if err != nil {
		return Status{}, err
	}
	if comparable {
		if err := r.compare(ctx, index, entries); err != nil {
			return Status{}, err
		}
	}
	return Status{Entries: entries, Text: text, Way: WayGit}, nil
}

// compare holds git's answer against the own computation.
func (r *Repo) compare(ctx context.Context, index *gitindex.Index, said []StatusEntry) error {
	covered, err := r.comparison(ctx)
	if err != nil {
		return err
	}
	found, err := r.content(ctx)
	if err != nil {
		return err
	}
	acceptUnread(index.Entries, found, said)
	own, err := r.ownEntries(ctx)
	if err != nil {
		return err
	}
	return covered.agree(said, own)
}

// boundRefusal reports whether an index was refused for its size, which keeps
// nobody from asking git about the checkout.
func boundRefusal(err error) bool {
	return fault.Is(err, fault.OverBound) || fault.Is(err, fault.FlaggedIndex)
}

// parseStatus reads the answer of git status.
func parseStatus(text []byte) ([]StatusEntry, error) {
	var entries []StatusEntry
	for len(text) > 0 {
		line, rest, found := bytes.Cut(text, []byte{0})
		if !found || len(line) < 4 || line[2] != ' ' {
			return nil, fault.New(fault.GitFailed, "git status gave an answer of unknown form")
		}
		entries = append(entries, StatusEntry{XY: string(line[:2]), Path: string(line[3:])})
		text = rest
	}
	return entries, nil
}

// A comparison says which parts of git's answer the own computation covers.
type comparison struct {
	head      bool // the first letter; not where refs/replace/ changes HEAD
	untracked bool // not where names or patterns mean different things to gits
}

// comparison returns what can be compared in this checkout.
func (r *Repo) comparison(ctx context.Context) (comparison, error) {
	var covered comparison
	replaced, err := r.replaceRefs(ctx)
	if err != nil {
		return comparison{}, err
	}
	covered.head = len(replaced) == 0
	walk, err := r.walk(ctx)
	if err != nil {
		return comparison{}, err
	}
	covered.untracked = walk.disputed == ""
	for _, key := range []string{"core.ignorecase", "core.precomposeunicode"} {
		renames, err := r.config.boolean(key, false)
		if err != nil {
			return comparison{}, err
		}
		covered.untracked = covered.untracked && !renames
	}
	return covered, nil
}

// letters reduces the lines of a status to what is compared: two letters for
// each path, with 'u' behind it for an untracked one.
func (c comparison) letters(entries []StatusEntry) map[string]string {
	letters := make(map[string]string, len(entries))
	for _, entry := range entries {
		if entry.XY == untrackedXY {
			if c.untracked {
				letters[entry.Path+"\x00u"] = entry.XY
			}
			continue
		}
		xy := entry.XY
		if !c.head {
			xy = " " + xy[1:]
		}
		if xy != unchangedXY {
			letters[entry.Path+"\x00"] = xy
		}
	}
	return letters
}

// unchangedXY are the letters of a path that git does not show.
const unchangedXY = "  "

// agree compares what git says with the own computation.
func (c comparison) agree(git, own []StatusEntry) error {
	said, computed := c.letters(git), c.letters(own)
	for _, key := range union(said, computed) {
		if said[key] == computed[key] {
			continue
		}
		path, untracked, _ := strings.Cut(key, "\x00")
		if said[key] == "" && untracked == "" {
			return fault.New(fault.HiddenDrift, "%q is %q by its content, and git says that it is unchanged", path, computed[key]).
				WithNext("git update-index --really-refresh shows what changed")
		}
		return fault.New(fault.UnsupportedRepo, "git and our own reading disagree on %q: %q and %q", path, said[key], computed[key])
	}
	return nil
}
