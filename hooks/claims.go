package hooks

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/state"
)

// Holder returns the job whose unresolved claim holds workspace, a canonical
// path, in the store that the registry names; ok is false where there is
// none. A store that has vanished holds none. Errors are those of state and of
// [jobs.Service.Inspect]: then nobody knows.
func Holder(fsys state.FS, registry *state.Registry, workspace string) (job canon.Digest, status jobs.Status, ok bool, err error) {
	root, ok, err := registry.Lookup(workspace)
	if err != nil || !ok {
		return "", "", false, err
	}
	store, err := state.Open(fsys, root)
	if err != nil {
		return "", "", false, err
	}
	service := &jobs.Service{FS: fsys, Store: store}
	job, ok, err = service.ClaimOf(workspace)
	if err != nil || !ok {
		return "", "", false, err
	}
	snap, err := service.Inspect(job)
	if err != nil {
		return "", "", false, err
	}
	return job, snap.Status, !snap.Status.Settled(), nil
}

// unresolved returns the unresolved claims on the checkouts of the
// repository. The error joins whatever could not be looked at; the claims that
// could be are returned all the same.
func unresolved(fsys state.FS, registryDir string, layout gitplumb.Layout, dir string) ([]Claim, error) {
	worktrees, failure := layout.Worktrees(dir)
	registry, err := state.OpenRegistry(fsys, registryDir)
	if err != nil {
		return nil, errors.Join(failure, err)
	}
	around := worktreeAround(worktrees, layout, dir)
	var claims []Claim
	for _, w := range worktrees {
		job, status, held, err := Holder(fsys, registry, w.Workspace)
		failure = errors.Join(failure, err)
		if !held {
			continue
		}
		c := Claim{
			Job: job, Status: status, Workspace: w.Workspace, Qualifier: "main-worktree/",
			Here: w.GitDirectory == layout.GitDirectory || w.Workspace == around,
		}
		if w.Name != "" {
			c.Qualifier = "worktrees/" + w.Name + "/"
		}
		head, err := gitplumb.Layout{GitDirectory: w.GitDirectory, CommonDirectory: layout.CommonDirectory}.Reference("HEAD")
		failure = errors.Join(failure, err)
		c.Branch = head.Target
		claims = append(claims, c)
	}
	return claims, failure
}

// worktreeAround returns the root of the innermost worktree around dir, empty
// where there is none. The repository's own directory lies in the main
// checkout and is not part of it.
func worktreeAround(worktrees []gitplumb.Worktree, layout gitplumb.Layout, dir string) string {
	if within(layout.CommonDirectory, dir) {
		return ""
	}
	around := ""
	for _, w := range worktrees {
		if within(w.Workspace, dir) && len(w.Workspace) > len(around) {
			around = w.Workspace
		}
	}
	return around
}

// within reports whether path is dir or lies below it; both are clean and
// absolute.
func within(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
