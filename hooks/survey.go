package hooks

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

// A Guarded is one worktree and how it is guarded.
type Guarded struct {
	Workspace string
	Place     Place
	Hooks     []Hook // one per name, nil where Refusal says why
	// Refusal says why no guard can stand there, or why nobody knows.
	Refusal error
	Holding Holding
	// Unknown says why it is not known who holds the worktree.
	Unknown error
}

// Guards reports whether every hook stands as this version writes it, and its
// program is there.
func (g Guarded) Guards() bool {
	for _, h := range g.Hooks {
		if h.State != Installed || ProgramMissing(h) {
			return false
		}
	}
	return len(g.Hooks) > 0
}

// ProgramMissing reports whether an installed hook's program cannot be run.
func ProgramMissing(h Hook) bool {
	if h.Script.Program == "" {
		return false
	}
	info, err := os.Stat(h.Script.Program)
	return err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0
}

// Survey looks at every worktree of the repository, the main one first. standing is the
// root of one of them.
func Survey(ctx context.Context, fsys state.FS, registry *state.Registry, git *gitplumb.Git, standing string, layout gitplumb.Layout) ([]Guarded, error) {
	worktrees, err := layout.Worktrees(standing)
	if err != nil {
		return nil, err
	}
	var all []Guarded
	for _, w := range worktrees {
		g := Guarded{Workspace: w.Workspace}
		g.Holding, g.Unknown = HoldingOf(fsys, registry, w.Workspace)
		g.Place, g.Hooks, g.Refusal = lookAt(ctx, git, w.Workspace, layout)
		if fault.Is(g.Refusal, fault.Cancelled) || fault.Is(g.Refusal, fault.Deadline) {
			return nil, g.Refusal
		}
		all = append(all, g)
	}
	return all, nil
}

func lookAt(ctx context.Context, git *gitplumb.Git, workspace string, layout gitplumb.Layout) (Place, []Hook, error) {
	if _, err := os.Lstat(workspace); errors.Is(err, fs.ErrNotExist) {
		return Place{}, nil, fault.New(fault.WorkspaceMissing, "worktree %q is gone", workspace).
			WithNext("git worktree prune")
	}
	p, err := FindPlace(ctx, git, workspace, layout)
	if err != nil {
		return Place{}, nil, err
	}
	hooks, err := Look(p)
	return p, hooks, err
}
