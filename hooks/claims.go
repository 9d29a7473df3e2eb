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

// A Holding is what the registry, and the store that it names, say of a
// workspace.
type Holding struct {
	Store  string       // root of the store, empty where none has claimed the workspace
	Job    canon.Digest // that the claim names, empty where there is no claim
	Status jobs.Status  // of the job
}

// Unresolved reports whether the claim stands in the way.
func (h Holding) Unresolved() bool { return h.Job != "" && !h.Status.Settled() }

// HoldingOf returns who holds workspace, a canonical path. A store that has
// vanished holds nothing. Errors are those of state and of
// [jobs.Service.Inspect]: then nobody knows.
func HoldingOf(fsys state.FS, registry *state.Registry, workspace string) (Holding, error) {
	root, ok, err := registry.Lookup(workspace)
	if err != nil || !ok {
		return Holding{}, err
	}
	return holdingIn(fsys, root, workspace)
}

// holdingIn returns who holds workspace in the store at root.
func holdingIn(fsys state.FS, root, workspace string) (Holding, error) {
	store, err := state.Open(fsys, root)
	if err != nil {
		return Holding{}, err
	}
	service := &jobs.Service{FS: fsys, Store: store}
	job, ok, err := service.ClaimOf(workspace)
	if err != nil || !ok {
		return Holding{Store: root}, err
	}
	snap, err := service.Inspect(job)
	if err != nil {
		return Holding{}, err
	}
	return Holding{root, job, snap.Status}, nil
}

// A standing is what is known of the claims on the checkouts of a repository.
type standing struct {
	claims []Claim // the unresolved ones
	clear  bool    // there is none, and none is about to be published
}

// survey looks at every checkout of the repository; dir is where git runs the
// hook. The error joins whatever could not be looked at; the claims that could
// be are returned all the same.
func survey(fsys state.FS, registryDir string, layout gitplumb.Layout, dir string) (standing, error) {
	worktrees, failure := layout.Worktrees(dir)
	registry, err := state.OpenRegistry(fsys, registryDir)
	if err != nil {
		return standing{}, errors.Join(failure, err)
	}
	around := worktreeAround(worktrees, layout, dir)
	s := standing{clear: true}
	for _, w := range worktrees {
		root, known, err := registry.Lookup(w.Workspace)
		var h Holding
		if known {
			// In this order: a claim that is published meanwhile is seen.
			s.clear = s.clear && !claiming(registry.Dir(), root, w.Workspace)
			h, err = holdingIn(fsys, root, w.Workspace)
		}
		failure = errors.Join(failure, err)
		s.clear = s.clear && failure == nil && !h.Unresolved()
		if !h.Unresolved() {
			continue
		}
		c := Claim{
			Job: h.Job, Status: h.Status, Workspace: w.Workspace, Qualifier: "main-worktree/",
			Here: w.GitDirectory == layout.GitDirectory || w.Workspace == around,
		}
		if w.Name != "" {
			c.Qualifier = "worktrees/" + w.Name + "/"
		}
		head, err := gitplumb.Layout{GitDirectory: w.GitDirectory, CommonDirectory: layout.CommonDirectory}.Reference("HEAD")
		failure = errors.Join(failure, err)
		c.Branch = head.Target
		s.claims = append(s.claims, c)
	}
	return s, failure
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
