package hooks

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
)

// settingHooksPath is the setting that moves the hooks.
const settingHooksPath = "core.hooksPath"

// A Place is the directory from which git runs the hooks of a checkout.
type Place struct {
	Directory string // canonical where it exists
	Exists    bool
	Scope     string // of core.hooksPath, empty where it is unset
	Shared    bool   // other repositories may have the same hooks
}

// UsualPlace returns the hooks directory that git uses where core.hooksPath is
// unset. The error is that of [FindPlace] for what is no directory.
func UsualPlace(layout gitplumb.Layout) (Place, error) {
	return resolvePlace(layout, filepath.Join(layout.CommonDirectory, "hooks"))
}

// FindPlace asks git for the hooks directory of the checkout at workspace, of
// the repository with the given layout. Errors are fault.UnsupportedRepo for a
// directory in which no guard can stand, with the reason: one that is named by
// a relative core.hooksPath, one inside a worktree, and what is no directory;
// and those of [gitplumb.Git.HooksPath].
func FindPlace(ctx context.Context, git *gitplumb.Git, workspace string, layout gitplumb.Layout) (Place, error) {
	setting, err := git.HooksPath(ctx, workspace)
	if err != nil {
		return Place{}, err
	}
	if setting.Scope == "" {
		p, err := UsualPlace(layout)
		if err != nil {
			return Place{}, err
		}
		return p, p.check(layout, workspace)
	}
	switch {
	case setting.Path == "":
		return Place{}, fault.New(fault.UnsupportedRepo, "setting %q is empty, which turns hooks off", settingHooksPath).
			WithNext("git config --%s --unset %s", setting.Scope, settingHooksPath)
	case !filepath.IsAbs(setting.Path):
		return Place{}, fault.New(fault.UnsupportedRepo,
			"setting %q is %q, a relative path: it means files inside each worktree, which are part of the source and the worker's to change", settingHooksPath, setting.Path).
			WithNext("let it name an absolute path outside every worktree, or unset it, and repeat the command")
	}
	p, err := resolvePlace(layout, setting.Path)
	if err != nil {
		return Place{}, err
	}
	p.Scope = setting.Scope
	return p, p.check(layout, workspace)
}

// resolvePlace returns the place at an absolute path, which need not exist.
func resolvePlace(layout gitplumb.Layout, dir string) (Place, error) {
	p := Place{Directory: filepath.Clean(dir)}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return Place{}, fault.New(fault.HostFailed, "the hooks directory %q cannot be reached: %w", dir, err)
	case !info.IsDir():
		return Place{}, fault.New(fault.UnsupportedRepo, "the hooks directory %q is no directory, so git runs no hooks", dir)
	default:
		if p.Directory, err = filepath.EvalSymlinks(dir); err != nil {
			return Place{}, fault.New(fault.HostFailed, "the hooks directory %q cannot be resolved: %w", dir, err)
		}
		p.Exists = true
	}
	p.Shared = !within(layout.CommonDirectory, p.Directory)
	return p, nil
}

// check refuses a place among the files of a worktree.
func (p Place) check(layout gitplumb.Layout, workspace string) error {
	if !p.Shared {
		return nil
	}
	return outsideWorktrees(layout, workspace, p.Directory)
}

// CheckProgram refuses, with fault.AdapterPlacement, a program that whoever
// works in a worktree of the repository can replace. standing is the root of
// one of them.
func CheckProgram(layout gitplumb.Layout, standing, program string) error {
	resolved, err := filepath.EvalSymlinks(program)
	if err != nil {
		return fault.New(fault.HostFailed, "the program %q cannot be resolved: %w", program, err)
	}
	for _, path := range []string{program, resolved} {
		if err := outsideWorktrees(layout, standing, path); err != nil {
			return fault.New(fault.AdapterPlacement, "the program %q cannot guard anything: %w", program, err).
				WithNext("install git-algal outside the checkout")
		}
	}
	return nil
}

// outsideWorktrees refuses a path inside a worktree of the repository.
func outsideWorktrees(layout gitplumb.Layout, standing, path string) error {
	worktrees, err := layout.Worktrees(standing)
	if err != nil {
		return err
	}
	for _, w := range worktrees {
		if within(w.Workspace, path) {
			return fault.New(fault.UnsupportedRepo, "%q lies inside worktree %q, where files are part of the source and the worker's to change", path, w.Workspace).
				WithNext("use a directory outside every worktree")
		}
	}
	return nil
}
