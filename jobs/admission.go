package jobs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
)

// An admission is one pass over a checkout that was found exactly clean.
type admission struct {
	identity gitplumb.Identity
	head     gitplumb.Head
	raw      gitplumb.Raw
	control  gitplumb.Control
}

// admit reads the checkout behind repo and refuses it unless it is exactly
// clean at expectedHead (contract section 5). Where deciding is not nil it is
// compared before anything is read on its say.
func admit(ctx context.Context, repo Checkout, expectedHead string, deciding *gitplumb.Deciding) (admission, error) {
	a := admission{identity: repo.Identity()}
	var err error
	if a.head, err = repo.Head(ctx); err != nil {
		return admission{}, err
	}
	if a.head.Commit != expectedHead {
		return admission{}, fault.New(fault.NotClean, "HEAD is %q, not the expected %q", a.head.Commit, expectedHead).
			WithNext("check out the expected commit, or name the present one with --expect-head")
	}
	if a.control, err = repo.Control(ctx); err != nil {
		return admission{}, err
	}
	if deciding != nil {
		if err := gitplumb.CompareDeciding(*deciding, a.control); err != nil {
			return admission{}, err
		}
	}
	if err := repo.Clean(ctx); err != nil {
		return admission{}, err
	}
	a.raw, err = repo.Fingerprint(ctx)
	return a, err
}

// separate refuses a store that overlaps the workspace or its git directories:
// a worker could write into it, or it into what is judged. Paths are canonical;
// the store need not exist yet.
func separate(storeRoot string, id gitplumb.Identity) error {
	store, err := canonicalPath(storeRoot)
	if err != nil {
		return err
	}
	for _, dir := range []string{id.Workspace, id.GitDirectory, id.CommonDirectory} {
		if within(dir, store) || within(store, dir) {
			return fault.New(fault.StorePlacement, "store %q and workspace %q overlap", store, id.Workspace).
				WithNext("choose a store outside the checkout with --store")
		}
	}
	return nil
}

// canonicalPath resolves the symlinks of path's longest existing part.
func canonicalPath(path string) (string, error) {
	path = filepath.Clean(path)
	resolved, err := filepath.EvalSymlinks(path)
	if err == nil {
		return resolved, nil
	}
	if _, lstatErr := os.Lstat(path); lstatErr == nil || !os.IsNotExist(err) || path == filepath.Dir(path) {
		return "", fault.New(fault.StoreFile, "store path %q cannot be resolved: %w", path, err)
	}
	parent, err := canonicalPath(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	return filepath.Join(parent, filepath.Base(path)), nil
}

// within reports whether path is dir or lies below it.
func within(dir, path string) bool {
	if dir == path {
		return true
	}
	return strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// checkExecutable refuses an adapter that the worker, or anybody, can replace
// (contract section 7). A missing executable is admitted: the call then fails.
func checkExecutable(executable string, id gitplumb.Identity) (warnings []string, err error) {
	path, err := filepath.EvalSymlinks(executable)
	if err != nil {
		path = filepath.Clean(executable)
	}
	for _, p := range []string{filepath.Clean(executable), path} {
		for _, dir := range []string{id.Workspace, id.GitDirectory, id.CommonDirectory} {
			if within(dir, p) {
				return nil, fault.New(fault.AdapterPlacement, "adapter executable %q lies inside the checkout, where the worker can replace it", executable).
					WithNext("install the adapter outside the checkout")
			}
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil
	}
	if info.Mode().Perm()&0o002 != 0 {
		return nil, fault.New(fault.AdapterPlacement, "adapter executable %q is writable by everybody", executable).
			WithNext("remove that permission with: chmod o-w %s", executable)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 && int(stat.Uid) != os.Geteuid() {
		warnings = append(warnings, "adapter executable "+quote(executable)+" belongs to another user")
	}
	return warnings, nil
}
