package gitplumb

import (
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-algal/git-algal/internal/gitindex"
	"github.com/git-algal/git-algal/internal/worktree"
)

// A memo holds what one pass has found out. Each member is computed at most
// once, errors included.
type memo struct {
	head        result[Head]
	frozen      result[Frozen]
	files       map[string]*result[[]byte] // control files, by path
	replaced    result[map[string]plumbing.Hash]
	index       result[*gitindex.Index]
	split       bool // the index is two files
	indexTree   result[[20]byte]
	difference  result[headDifference]
	attributes  result[attributeUse]
	conversions result[conversions]
	root        result[*worktree.Root]
	ahead       *readingAhead // nil before the scan has begun
	scan        result[worktree.Report]
	content     result[[]content]
	walk        result[walk]
	reason      result[string]
	status      result[Status]
	raw         result[Raw]
}

func (m *memo) close() error {
	if m.ahead != nil {
		m.ahead.cancel()
		<-m.ahead.done // it reads below the root
	}
	if m.root.value == nil {
		return nil
	}
	return m.root.value.Close()
}

// A result is the outcome of something that is done once.
type result[T any] struct {
	done  bool
	value T
	err   error
}

// once returns the result, computing it at the first call.
func once[T any](r *result[T], compute func() (T, error)) (T, error) {
	if !r.done {
		r.value, r.err = compute()
		r.done = true
	}
	return r.value, r.err
}
