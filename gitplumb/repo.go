package gitplumb

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// Options are the choices of one pass.
type Options struct {
	// Frozen are the copies that the admission kept (contract section 5). They
	// are used in place of the files that core.excludesFile and
	// core.attributesFile name now. Nil means to read those files.
	Frozen Frozen
}

// Identity says which directory a checkout is (contract section 4, intent).
type Identity struct {
	Workspace       string // canonical path of the checkout's root
	GitDirectory    string // canonical path of its git directory
	CommonDirectory string // canonical path of what all worktrees share
	Device, Inode   string // of the root, decimal
}

// A Repo is one pass over one checkout; see the package comment.
type Repo struct {
	git      *Git
	identity Identity
	config   config
	refs     refStore
	askedID  string // what git took HEAD for when the pass began, empty for none
	frozen   Frozen // as in Options
	objects  *objectStore

	memo memo
}

// Open begins a pass over the checkout whose root is workspace, an absolute
// path. It reads no content and no index.
//
// It refuses, in this order: a path that is not absolute (fault.Usage); a
// missing path, something else than a directory, or a symlink, which a
// trailing slash does not hide (fault.WorkspaceMissing); a git inside the
// checkout, and whatever git itself refuses: no repository, a bare one, the
// git directory, a foreign owner without safe.directory (fault.GitFailed); a
// directory that is not the root of its repository (fault.NotRoot); paths that
// no record can hold (fault.UnsafePath); SHA-256
// (fault.SHA256Repository); formats and extensions outside the list in
// formats.go (fault.UnsupportedRepo). An unborn or broken HEAD is refused by
// [Repo.Head].
func Open(ctx context.Context, workspace string, git *Git, options Options) (*Repo, error) {
	root, device, inode, err := canonicalRoot(workspace)
	if err != nil {
		return nil, err
	}
	if err := git.checkPlacement(root); err != nil {
		return nil, err
	}
	if err := refuseWaiting(root); err != nil {
		return nil, err
	}

	type configured struct {
		config
		err error
	}
	answer := make(chan configured, 1)
	go func() {
		c, err := readConfig(ctx, git, root)
		answer <- configured{c, err}
	}()
	place, err := locate(ctx, git, root)
	settings := <-answer
	if err != nil {
		return nil, err
	}
	if !sameDirectory(place.toplevel, root) {
		return nil, fault.New(fault.NotRoot, "%q is not the root of its repository, which is %q", root, place.toplevel).
			WithNext("use %q", place.toplevel)
	}
	if place.objectFormat != "sha1" {
		return nil, sha256Refused()
	}
	if settings.err != nil {
		return nil, settings.err
	}
	if err := checkFormat(settings.config); err != nil {
		return nil, err
	}
	gitDir, err := canonicalDirectory(place.gitDir)
	if err != nil {
		return nil, err
	}
	commonDir, err := canonicalDirectory(place.commonDir)
	if err != nil {
		return nil, err
	}
	for _, directory := range []string{gitDir, commonDir} {
		if err := checkRecordable(directory); err != nil {
			return nil, err
		}
	}
	if err := checkWorktreeSetting(settings.config, root, gitDir); err != nil {
		return nil, err
	}
	if err := git.checkPlacement(gitDir, commonDir); err != nil {
		return nil, err
	}
	return &Repo{
		git: git,
		identity: Identity{
			Workspace: root, GitDirectory: gitDir, CommonDirectory: commonDir,
			Device: device, Inode: inode,
		},
		config:  settings.config,
		refs:    refStore{gitDir: gitDir, commonDir: commonDir},
		askedID: place.head,
		frozen:  options.Frozen,
		objects: newObjectStore(filepath.Join(commonDir, "objects")),
	}, nil
}

// Close releases the files that the pass holds open. The Repo must not be
// used afterwards.
func (r *Repo) Close() error {
	return errors.Join(r.objects.close(), r.memo.close())
}

// Identity returns the identity as Open found it.
func (r *Repo) Identity() Identity { return r.identity }

// Around begins a pass over the checkout that contains dir, an absolute path.
// Beyond what [Open] refuses, it fails with fault.GitFailed where git finds no
// checkout around dir.
func Around(ctx context.Context, dir string, git *Git, options Options) (*Repo, error) {
	// Most often dir is the root, and one question to git is saved.
	if root, err := canonicalDirectory(dir); err == nil && filepath.IsAbs(dir) {
		if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil {
			if repo, err := Open(ctx, root, git, options); err == nil {
				return repo, nil
			}
		}
	}
	root, err := discover(ctx, dir, git)
	if err != nil {
		return nil, err
	}
	return Open(ctx, root, git, options)
}

// discover returns the canonical path of the root of the checkout that contains dir.
func discover(ctx context.Context, dir string, git *Git) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", fault.New(fault.Usage, "%q is not an absolute path", dir)
	}
	resolved, err := canonicalDirectory(dir)
	if err != nil {
		return "", err
	}
	if err := git.checkPlacement(resolved); err != nil {
		return "", err
	}
	root, err := ask(ctx, git, resolved, "--show-toplevel")
	if err != nil {
		return "", err
	}
	return canonicalDirectory(root)
}

// canonicalRoot checks that workspace is a real directory and returns its
// canonical path, device and inode.
func canonicalRoot(workspace string) (root, device, inode string, err error) {
	if !filepath.IsAbs(workspace) || strings.ContainsRune(workspace, 0) {
		return "", "", "", fault.New(fault.Usage, "workspace %q is not an absolute path", workspace)
	}
	// Clean removes the trailing slash that would make lstat follow a symlink.
	info, err := os.Lstat(filepath.Clean(workspace))
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return "", "", "", fault.New(fault.WorkspaceMissing, "workspace %q does not exist", workspace)
	case err != nil:
		return "", "", "", fault.New(fault.WorkspaceMissing, "workspace %q cannot be reached: %w", workspace, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return "", "", "", fault.New(fault.WorkspaceMissing, "workspace %q is a symlink", workspace).
			WithNext("name the directory itself")
	case !info.IsDir():
		return "", "", "", fault.New(fault.WorkspaceMissing, "workspace %q is not a directory", workspace)
	}
	root, err = canonicalDirectory(workspace)
	if err != nil {
		return "", "", "", err
	}
	if err := checkRecordable(root); err != nil {
		return "", "", "", err
	}
	status, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", "", "", fault.New(fault.UnsupportedSystem, "this system names no device and inode")
	}
	// The types of both members differ between systems; the decimals do not.
	return root, decimal(uint64(status.Dev)), decimal(uint64(status.Ino)), nil
}

// checkRecordable refuses a directory whose path no record can hold.
func checkRecordable(path string) error {
	if !utf8.ValidString(path) || canon.UTF16Len(path) > MaxPathUnits {
		return fault.New(fault.UnsafePath, "the path %q is not UTF-8, or longer than %d characters", path, MaxPathUnits)
	}
	return nil
}

// checkWorktreeSetting refuses core.worktree elsewhere. Where git does not
// honour it, as in an included file, the next git may.
func checkWorktreeSetting(c config, root, gitDir string) error {
	path := c.text("core.worktree")
	if path == "" {
		return nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(gitDir, path)
	}
	if resolved, err := filepath.EvalSymlinks(path); err != nil || !sameDirectory(resolved, root) {
		return fault.New(fault.NotRoot, "setting %q moves the checkout of %q to %q", "core.worktree", root, path)
	}
	return nil
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// canonicalDirectory resolves every symlink in path.
func canonicalDirectory(path string) (string, error) {
	resolved, err := filepath.EvalSymlinks(filepath.Clean(path))
	if err != nil {
		return "", fault.New(fault.WorkspaceMissing, "directory %q cannot be resolved: %w", path, err)
	}
	return resolved, nil
}

func sameDirectory(a, b string) bool {
	if a == b {
		return true
	}
	infoA, errA := os.Lstat(a)
	infoB, errB := os.Lstat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// place is git's own answer to where it is.
type place struct {
	objectFormat, toplevel, gitDir, commonDir string
	head                                      string // hex, empty where git resolves none
}

// locate lets git decide discovery, ownership and bareness in one process.
func locate(ctx context.Context, g *Git, root string) (place, error) {
	out, err := g.run(ctx, invocation{
		dir: root,
		args: []string{"rev-parse", "--path-format=absolute", "--show-object-format",
			"--show-toplevel", "--git-dir", "--git-common-dir", "--revs-only", "HEAD"},
		prompt: true,
	})
	if err != nil {
		return place{}, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	switch len(lines) {
	case 4:
		return place{lines[0], lines[1], lines[2], lines[3], ""}, nil
	case 5:
		return place{lines[0], lines[1], lines[2], lines[3], lines[4]}, nil
	}
	// A path with a newline makes the joint answer ambiguous.
	var p place
	for _, question := range []struct {
		answer *string
		flags  []string
	}{
		{&p.objectFormat, []string{"--show-object-format"}},
		{&p.toplevel, []string{"--show-toplevel"}},
		{&p.gitDir, []string{"--git-dir"}},
		{&p.commonDir, []string{"--git-common-dir"}},
		{&p.head, []string{"--revs-only", "HEAD"}},
	} {
		if *question.answer, err = ask(ctx, g, root, question.flags...); err != nil {
			return place{}, err
		}
	}
	return p, nil
}

// ask puts one question to git rev-parse.
func ask(ctx context.Context, g *Git, dir string, flags ...string) (string, error) {
	out, err := g.run(ctx, invocation{
		dir: dir, args: append([]string{"rev-parse", "--path-format=absolute"}, flags...), prompt: true,
	})
	return strings.TrimSuffix(string(out), "\n"), err
}
