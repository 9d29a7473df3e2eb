package jobs

import (
	"context"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/gitplumb"
)

// Checkouts judges the checkouts that jobs stand on. Everything that a
// [Service] knows of a checkout it learns here, and it never learns it from
// what the store remembers. [OnGit] is the one in earnest.
type Checkouts interface {
	// Open begins one pass over the checkout at workspace, as
	// [gitplumb.Open] does; the caller closes it.
	Open(ctx context.Context, workspace string, options gitplumb.Options) (Checkout, error)

	// Capture takes the change of a checkout, twice, as [capture.Stable]
	// does.
	Capture(ctx context.Context, source capture.Source, limits capture.Limits) (capture.Capture, error)

	// Excerpts shows how paths differ between two captures of a source, as
	// [capture.Excerpts] does.
	Excerpts(ctx context.Context, source capture.Source, before, after capture.Artifact, paths []string) ([]capture.Excerpt, error)
}

// A Checkout is one pass over a checkout; [gitplumb.Repo] says what its
// methods return.
type Checkout interface {
	Identity() gitplumb.Identity
	Head(ctx context.Context) (gitplumb.Head, error)
	Control(ctx context.Context) (gitplumb.Control, error)
	Status(ctx context.Context) (gitplumb.Status, error)
	Clean(ctx context.Context) error
	Fingerprint(ctx context.Context) (gitplumb.Raw, error)
	Close() error
}

// OnGit returns the Checkouts that gitplumb and capture judge.
func OnGit(git *gitplumb.Git) Checkouts { return onGit{git} }

type onGit struct{ git *gitplumb.Git }

func (g onGit) Open(ctx context.Context, workspace string, options gitplumb.Options) (Checkout, error) {
	repo, err := gitplumb.Open(ctx, workspace, g.git, options)
	if err != nil {
		return nil, err // a nil *Repo is no nil Checkout
	}
	return repo, nil
}

func (g onGit) Capture(ctx context.Context, source capture.Source, limits capture.Limits) (capture.Capture, error) {
	return capture.Stable(ctx, g.git, source, limits)
}

func (g onGit) Excerpts(ctx context.Context, source capture.Source, before, after capture.Artifact, paths []string) ([]capture.Excerpt, error) {
	return capture.Excerpts(ctx, g.git, source, before, after, paths)
}
