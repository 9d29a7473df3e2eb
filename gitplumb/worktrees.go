package gitplumb

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/git-algal/git-algal/internal/fault"
)

const (
	// maxPointerBytes bounds a file that holds one path, in bytes: .git,
	// commondir and gitdir.
	maxPointerBytes = 16_384

	worktreesDir = "worktrees"
	gitName      = ".git"
)

// A Layout says where the parts of a repository lie, as one of its checkouts
// sees them. It is read from files as gitrepository-layout(5) describes them
// and starts no process, so that a hook, which runs at every change of a
// reference, can afford it. It judges nothing: [Open] does.
type Layout struct {
	GitDirectory    string // canonical path of the checkout's git directory
	CommonDirectory string // canonical path of what all worktrees share
}

// A Worktree is one checkout of a repository.
type Worktree struct {
	Workspace    string // canonical path of its root, also where that is gone
	GitDirectory string // canonical path
	Name         string // below worktrees/, empty for the main checkout
}

// ReadLayout returns the layout of the repository whose git directory is
// gitDir, or is named by the file gitDir; that path is absolute. A
// commonDir that is not empty takes the place of what the files say, as
// GIT_COMMON_DIR does. Errors are fault.GitFailed.
func ReadLayout(gitDir, commonDir string) (Layout, error) {
	var l Layout
	named, info, err := gitDir, fs.FileInfo(nil), error(nil)
	if info, err = os.Stat(gitDir); err == nil && !info.IsDir() {
		named, err = readPointer(gitDir, "gitdir: ")
	}
	if err == nil {
		l.GitDirectory, err = filepath.EvalSymlinks(named)
	}
	if err == nil && commonDir == "" {
		commonDir, err = readPointer(filepath.Join(l.GitDirectory, "commondir"), "")
		if errors.Is(err, fs.ErrNotExist) {
			commonDir, err = l.GitDirectory, nil
		}
	}
	if err == nil {
		l.CommonDirectory, err = filepath.EvalSymlinks(commonDir)
	}
	if err != nil {
		return Layout{}, fault.New(fault.GitFailed, "the git directory %q cannot be found: %w", gitDir, err)
	}
	return l, nil
}

// readPointer returns the path that a file holds behind prefix, absolute.
func readPointer(file, prefix string) (string, error) {
	text, err := readRegular(file, maxPointerBytes)
	if err != nil {
		return "", err
	}
	path, found := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), prefix)
	if !found || path == "" || strings.ContainsRune(path, 0) {
		return "", &fs.PathError{Op: "read", Path: file, Err: errNoPath}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	return path, nil
}

var errNoPath = errors.New("it holds no path")

// Worktrees returns the checkouts of the repository, the main one first. A git
// directory that is not called ".git" does not say where its main checkout
// lies: that one is found only if it is standing, an absolute path that may be
// empty. Worktrees whose files cannot be read are left out. The error is
// fault.GitFailed where they cannot be listed.
func (l Layout) Worktrees(standing string) ([]Worktree, error) {
	var found []Worktree
	if root := l.mainCheckout(standing); root != "" {
		found = append(found, Worktree{Workspace: root, GitDirectory: l.CommonDirectory})
	}
	entries, err := os.ReadDir(filepath.Join(l.CommonDirectory, worktreesDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return found, fault.New(fault.GitFailed, "the worktrees of %q cannot be listed: %w", l.CommonDirectory, err)
	}
	for _, entry := range entries {
		dir := filepath.Join(l.CommonDirectory, worktreesDir, entry.Name())
		pointer, err := readPointer(filepath.Join(dir, "gitdir"), "")
		if err != nil {
			continue
		}
		found = append(found, Worktree{Workspace: resolved(filepath.Dir(pointer)), GitDirectory: dir, Name: entry.Name()})
	}
	return found, nil
}

func (l Layout) mainCheckout(standing string) string {
	if filepath.Base(l.CommonDirectory) == gitName {
		return filepath.Dir(l.CommonDirectory)
	}
	if standing == "" {
		return ""
	}
	named, err := readPointer(filepath.Join(standing, gitName), "gitdir: ")
	if err != nil || !sameDirectory(named, l.CommonDirectory) {
		return ""
	}
	return resolved(standing)
}

// resolved returns the canonical path of a directory that may be gone.
func resolved(path string) string {
	if canonical, err := filepath.EvalSymlinks(path); err == nil {
		return canonical
	}
	if parent, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(parent, filepath.Base(path))
	}
	return filepath.Clean(path)
}

// A Reference is what is stored under a name. The zero Reference is one that
// does not exist.
type Reference struct {
	ID     string // of the loose reference, hexadecimal
	Target string // of the loose reference, where it is symbolic
	Packed string // the id in packed-refs, hexadecimal
}

// Reference returns what is stored under a full name: "refs/…", "HEAD" and
// its like, also those of another checkout, "main-worktree/HEAD" and
// "worktrees/NAME/HEAD". Errors are fault.GitFailed for a name that is none
// and for a reference that is broken.
func (l Layout) Reference(name string) (Reference, error) {
	store, local, ok := l.storeOf(name)
	if !ok {
		return Reference{}, brokenReference(name)
	}
	r, err := looseReference(store, local)
	if err != nil || !validRefName(local) {
		return r, err
	}
	id, err := store.packed(local)
	switch {
	case err == nil:
		r.Packed = id.String()
	case !errors.Is(err, errNoRef):
		return Reference{}, err
	}
	return r, nil
}

// References returns what is stored under many names, as Reference does, and
// reads packed-refs once. Names that cannot be read are left out.
func (l Layout) References(names []string) map[string]Reference {
	found := make(map[string]Reference, len(names))
	packable := map[string][]string{} // by the name in packed-refs
	for _, name := range names {
		store, local, ok := l.storeOf(name)
		if !ok {
			continue
		}
		r, err := looseReference(store, local)
		if err != nil {
			continue
		}
		found[name] = r
		if validRefName(local) {
			packable[local] = append(packable[local], name)
		}
	}
	if len(packable) == 0 {
		return found
	}
	text, err := refStore{gitDir: l.GitDirectory, commonDir: l.CommonDirectory}.packedText()
	for line := range bytes.Lines(text) {
		digits, packed, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		aliases, wanted := packable[packed]
		if !wanted {
			continue
		}
		id, ok := parseID(digits)
		for _, name := range aliases {
			if r := found[name]; ok {
				r.Packed = id.String()
				found[name] = r
			} else {
				delete(found, name)
			}
		}
	}
	if err != nil {
		for _, aliases := range packable {
			for _, name := range aliases {
				delete(found, name)
			}
		}
	}
	return found
}

// storeOf returns where a full name is stored, and the name there.
func (l Layout) storeOf(name string) (store refStore, local string, ok bool) {
	store, local = refStore{gitDir: l.GitDirectory, commonDir: l.CommonDirectory}, name
	if rest, found := strings.CutPrefix(name, "main-worktree/"); found {
		store.gitDir, local = l.CommonDirectory, rest
	} else if rest, found := strings.CutPrefix(name, worktreesDir+"/"); found {
		worktree, rest, _ := strings.Cut(rest, "/")
		if worktree == "" || worktree == "." || worktree == ".." {
			return refStore{}, "", false
		}
		store.gitDir, local = filepath.Join(l.CommonDirectory, worktreesDir, worktree), rest
	}
	return store, local, validRefName(local) || isPseudoRef(local)
}

// looseReference returns what the file of a reference says, the zero
// Reference where there is none.
func looseReference(store refStore, name string) (Reference, error) {
	text, err := store.loose(name)
	if errors.Is(err, errNoRef) {
		return Reference{}, nil
	}
	if err != nil {
		return Reference{}, err
	}
	if target, symbolic := strings.CutPrefix(text, "ref:"); symbolic {
		return Reference{Target: strings.Trim(target, " \t\r\n")}, nil
	}
	id, ok := parseID(text)
	if !ok {
		return Reference{}, brokenReference(name)
	}
	return Reference{ID: id.String()}, nil
}

func brokenReference(name string) error {
	return fault.New(fault.GitFailed, "reference %q is broken", name)
}

// PackedLocked reports whether some process holds the lock of packed-refs.
func (l Layout) PackedLocked() bool {
	_, err := os.Lstat(filepath.Join(l.CommonDirectory, "packed-refs.lock"))
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// isPseudoRef reports whether name is one like HEAD or ORIG_HEAD.
func isPseudoRef(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}
