package gitplumb

import (
	"bytes"
	"context"

	"github.com/git-algal/git-algal/internal/fault"
)

// HooksPath is the setting core.hooksPath as it counts in one checkout.
type HooksPath struct {
	Path  string // as git expands it, empty where the setting is unset or empty
	Scope string // "system", "global", "local" or "worktree", empty where it is unset
}

// HooksPath asks git from which directory it runs the hooks of the checkout
// at workspace, an absolute path. What the environment says is left out: it
// holds for one command only. Errors are fault.GitFailed.
func (g *Git) HooksPath(ctx context.Context, workspace string) (HooksPath, error) {
	out, err := g.run(ctx, invocation{
		dir:    workspace,
		args:   []string{"config", "--show-scope", "-z", "--type=path", "--get-all", "core.hooksPath"},
		prompt: true,
	})
	if err == errOutputBound {
		return HooksPath{}, fault.New(fault.GitFailed, "git says too much about %q", "core.hooksPath")
	}
	if err != nil {
		return HooksPath{}, err
	}
	var counts HooksPath
	for len(out) > 0 {
		scope, rest, _ := bytes.Cut(out, []byte{0})
		value, rest, found := bytes.Cut(rest, []byte{0})
		if !found {
			return HooksPath{}, fault.New(fault.GitFailed, "git lists a scope without a setting")
		}
		if out = rest; string(scope) != ownScope {
			counts = HooksPath{Path: string(value), Scope: string(scope)}
		}
	}
	return counts, nil
}
