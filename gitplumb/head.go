package gitplumb

import (
	"bytes"
	"context"
	"errors"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-algal/git-algal/internal/fault"
)

// maxCommitBytes bounds a commit object, in bytes. Messages of that length
// exist in no project; what is needed of a commit is its first line.
const maxCommitBytes = 16 << 20

// Head is the commit that a checkout stands on.
type Head struct {
	Commit string // 40 hexadecimal digits
	Tree   string // 40 hexadecimal digits, the commit's tree
	Ref    string // the branch's full name, empty when HEAD is detached
}

// Head returns the checkout's HEAD. The commit and its tree are read and
// re-hashed.
//
// It fails with fault.GitFailed for an unborn branch, a broken reference (an
// empty loose reference is broken, whatever packed-refs holds) and for a
// commit that is missing or none; with fault.SourceMoved when HEAD is not what
// git took it for as the pass began, and when the commit does not hash to its
// name.
func (r *Repo) Head(ctx context.Context) (Head, error) {
	return once(&r.memo.head, func() (Head, error) { return r.readHead(ctx) })
}

func (r *Repo) readHead(ctx context.Context) (Head, error) {
	id, name, err := r.refs.resolve("HEAD")
	if errors.Is(err, errNoRef) {
		return Head{}, fault.New(fault.GitFailed, "HEAD names %q, which has no commit yet", name).
			WithNext("commit something first")
	}
	if err != nil {
		return Head{}, err
	}
	if id.String() != r.askedID {
		return Head{}, fault.New(fault.SourceMoved, "HEAD is %s, and git took it for %q", id, r.askedID)
	}
	content, err := r.objects.read(ctx, id, plumbing.CommitObject, maxCommitBytes)
	if err != nil {
		return Head{}, err
	}
	line, _, _ := bytes.Cut(content, []byte("\n"))
	treeText, found := bytes.CutPrefix(line, []byte("tree "))
	tree, ok := parseID(string(treeText))
	if !found || !ok || len(treeText) != 2*len(tree) {
		return Head{}, fault.New(fault.GitFailed, "commit %s names no tree", id)
	}
	// What git would need to compare must be there, also where nothing differs.
	if _, err := r.objects.read(ctx, tree, plumbing.TreeObject, maxTreeBytes); err != nil {
		return Head{}, err
	}
	if err := r.checkShallow(); err != nil {
		return Head{}, err
	}
	head := Head{Commit: id.String(), Tree: tree.String()}
	if name != "HEAD" {
		head.Ref = name
	}
	return head, nil
}

// checkShallow refuses a shallow file that git would fail on.
func (r *Repo) checkShallow() error {
	content, err := r.controlFile(r.identity.CommonDirectory, "shallow")
	if err != nil {
		return err
	}
	for line := range bytes.Lines(content) {
		if _, ok := parseID(string(line)); !ok {
			return fault.New(fault.GitFailed, "the file %q in the git directory is broken", "shallow")
		}
	}
	return nil
}
