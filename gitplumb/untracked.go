package gitplumb

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
	"github.com/git-algal/git-algal/internal/ignore"
	"github.com/git-algal/git-algal/internal/worktree"
)

const (
	// maxIgnoreBytes bounds one .gitignore, in bytes.
	maxIgnoreBytes = 1 << 20

	ignoreName = ".gitignore"
	dotGitName = ".git"
)

// A walk is what the way through all directories of a checkout found.
type walk struct {
	untracked []string // sorted bytewise, a slash behind a nested repository
	disputed  string   // a pattern on which gits disagree, empty for none
}

// untracked returns what git status shows as untracked.
func (r *Repo) untracked(ctx context.Context) ([]string, error) {
	w, err := r.walk(ctx)
	return w.untracked, err
}

// walk goes through the checkout once. Ignored directories are not entered.
// With an index that is over a bound it only looks for what git must not meet.
func (r *Repo) walk(ctx context.Context) (walk, error) {
	return once(&r.memo.walk, func() (walk, error) {
		index, err := r.decodedIndex()
		blind := err != nil && boundRefusal(err)
		if blind {
			index = &gitindex.Index{}
		} else if err != nil {
			return walk{}, err
		}
		root, err := r.root()
		if err != nil {
			return walk{}, err
		}
		top, err := r.topMatcher(ctx)
		if err != nil {
			return walk{}, err
		}
		disputed, _ := top.Disputed()
		w := walker{
			ctx: ctx, found: walk{disputed: disputed}, cursor: root.Cursor(), repo: r, blind: blind,
			files:       make(map[string]bool, len(index.Entries)),
			directories: map[string]bool{},
		}
		if w.fold, err = r.config.boolean("core.ignorecase", false); err != nil {
			return walk{}, err
		}
		for i := range index.Entries {
			w.files[w.key(index.Entries[i].Path)] = true
		}
		for _, directory := range trackedDirectories(index.Entries) {
			w.directories[w.key(directory)] = true
		}
		err = w.directory("", top)
		if closeErr := w.cursor.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return walk{}, err
		}
		slices.Sort(w.found.untracked)
		return w.found, nil
	})
}

// topMatcher returns the patterns that apply in the whole checkout.
func (r *Repo) topMatcher(ctx context.Context) (*ignore.Matcher, error) {
	frozen, err := r.freeze(ctx)
	if err != nil {
		return nil, err
	}
	excludes, err := frozen.excludes()
	if err != nil {
		return nil, err
	}
	info, err := r.controlFile(r.identity.CommonDirectory, "info/exclude")
	if err != nil {
		return nil, err
	}
	fold, err := r.config.boolean("core.ignorecase", false)
	if err != nil {
		return nil, err
	}
	return ignore.New(excludes, info, fold), nil
}

// A walker goes through directories.
type walker struct {
	ctx         context.Context
	cursor      *worktree.Cursor
	repo        *Repo
	files       map[string]bool // tracked paths, as keys
	directories map[string]bool // directories that lead to one, as keys
	fold        bool            // letters that differ in case alone are the same
	blind       bool            // what is tracked is not known, so nothing is collected
	found       walk
	bytes       int // what the untracked paths take in a status
}

// key returns what stands for a path among tracked ones. Git folds the letters
// of ASCII alone.
func (w *walker) key(path string) string {
	if !w.fold {
		return path
	}
	folded := []byte(path)
	for i, c := range folded {
		if 'A' <= c && c <= 'Z' {
			folded[i] = c - 'A' + 'a'
		}
	}
	return string(folded)
}

// directory collects what is untracked in a directory that is not ignored.
func (w *walker) directory(directory string, above *ignore.Matcher) error {
	if w.ctx.Err() != nil {
		return stopped(w.ctx)
	}
	entries, err := w.cursor.List(w.ctx, directory)
	if err != nil {
		return err
	}
	prefix := ""
	if directory != "" {
		prefix = directory + "/"
		if !w.directories[w.key(directory)] && w.repo.isRepository(directory) {
			if w.files[w.key(directory)] {
				return nil // a tracked file of that name has changed its type
			}
			return w.add(directory + "/")
		}
	}
	matcher, err := w.enter(directory, prefix, entries, above)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := prefix + entry.Name
		switch {
		case w.key(entry.Name) == dotGitName:
		case entry.Kind == worktree.Directory:
			if matcher.Ignored(path, true) {
				// Whatever is below stays ignored (gitignore(5)), and tracked
				// files are read by the scan.
				continue
			}
			if err := w.directory(path, matcher); err != nil {
				return err
			}
		case entry.Kind != worktree.File && entry.Kind != worktree.Symlink:
		case w.files[w.key(path)] || matcher.Ignored(path, false):
		default:
			if err := w.add(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// enter returns the matcher for a directory with the .gitignore in it. Git
// does not follow a symlink of that name, and it waits for ever where a FIFO
// has it.
func (w *walker) enter(directory, prefix string, entries []worktree.Entry, above *ignore.Matcher) (*ignore.Matcher, error) {
	for _, entry := range entries {
		if entry.Name != ignoreName {
			continue
		}
		switch entry.Kind {
		case worktree.File:
			content, _, err := w.cursor.ReadFile(w.ctx, prefix+ignoreName, maxIgnoreBytes)
			if err != nil {
				return nil, err
			}
			matcher := above.Enter(directory, content)
			if pattern, disputed := matcher.Disputed(); disputed {
				w.found.disputed = pattern
			}
			return matcher, nil
		case worktree.Special:
			return nil, specialRefused(prefix + ignoreName)
		}
	}
	return above.Enter(directory, nil), nil
}

func specialRefused(path string) error {
	return fault.New(fault.UnsupportedChange, "%q is a special file, and git would wait for it", path).About(path).
		WithNext("remove it")
}

// add notes an untracked path. A status that is over its bound ends the walk.
func (w *walker) add(path string) error {
	const overhead = len(untrackedXY) + 2 // a blank and a NUL
	if w.blind {
		return nil
	}
	if w.bytes += overhead + len(path); w.bytes > MaxStatusBytes {
		return statusOverBound()
	}
	w.found.untracked = append(w.found.untracked, path)
	return nil
}

// isRepository reports whether git takes a directory of the checkout for a
// repository of its own: it has a .git that is a git directory, or a file that
// names one.
func (r *Repo) isRepository(directory string) bool {
	gitDir, ok := r.nestedGitDirectory(directory)
	return ok && isGitDirectory(gitDir)
}

// nestedGitDirectory returns where the git directory of a nested repository
// would be.
func (r *Repo) nestedGitDirectory(directory string) (string, bool) {
	path := filepath.Join(r.identity.Workspace, directory, dotGitName)
	info, err := os.Stat(path)
	if err != nil {
		return "", false
	}
	if info.IsDir() {
		// The checkout's own git directory makes no other repository.
		resolved, err := filepath.EvalSymlinks(path)
		return path, err == nil && resolved != r.identity.GitDirectory
	}
	content, err := readRegular(path, maxRefBytes)
	if err != nil {
		return "", false
	}
	target, found := strings.CutPrefix(strings.TrimRight(string(content), "\r\n"), "gitdir: ")
	if !found {
		return "", false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	return target, true
}

// hasCommit reports whether a directory of the checkout is a repository whose
// HEAD leads to a commit. In place of a tracked file, git takes such a
// directory for a submodule.
func (r *Repo) hasCommit(directory string) bool {
	gitDir, ok := r.nestedGitDirectory(directory)
	if !ok || !isGitDirectory(gitDir) {
		return false
	}
	_, _, err := refStore{gitDir: gitDir, commonDir: commonDirectory(gitDir)}.resolve("HEAD")
	return err == nil
}

// commonDirectory returns what a git directory shares with others.
func commonDirectory(gitDir string) string {
	content, err := readRegular(filepath.Join(gitDir, "commondir"), maxRefBytes)
	if err != nil {
		return gitDir
	}
	common := strings.TrimRight(string(content), "\r\n")
	if !filepath.IsAbs(common) {
		common = filepath.Join(gitDir, common)
	}
	return common
}

// isGitDirectory reports whether git takes the directory for a git directory:
// HEAD names a reference or an object, and objects and refs exist, in the
// common directory where there is one.
func isGitDirectory(path string) bool {
	if target, err := os.Readlink(filepath.Join(path, "HEAD")); err == nil {
		if !strings.HasPrefix(target, "refs/") {
			return false
		}
	} else {
		head, err := readRegular(filepath.Join(path, "HEAD"), maxRefBytes)
		if err != nil {
			return false
		}
		target, symbolic := strings.CutPrefix(string(head), "ref:")
		if symbolic && !strings.HasPrefix(strings.TrimLeft(target, " \t\r\n"), "refs/") {
			return false
		}
		if _, detached := parseID(string(head)); !symbolic && !detached {
			return false
		}
	}
	common := commonDirectory(path)
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
