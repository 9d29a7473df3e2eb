package hooks

import (
	"fmt"
	"strings"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

// A Claim is an unresolved claim on one checkout of the repository.
type Claim struct {
	Job       canon.Digest
	Status    jobs.Status
	Workspace string
	Branch    string // full name of what the checkout has checked out, empty where that is no branch
	Qualifier string // before the names of the checkout's own references elsewhere: "main-worktree/" or "worktrees/NAME/"
	Here      bool   // what git asks about is done from this checkout
}

// A Transaction is what git is about to do to the references, and what is
// stored when it asks.
type Transaction struct {
	Updates []Update
	// Stored holds what is stored under the names that concern a claim. A
	// name without an entry is one that could not be read.
	Stored map[string]gitplumb.Reference
	// PackedLocked says that packed-refs is locked.
	PackedLocked bool
}

// Decide returns nil where no claim stands in the way of the transaction, and
// fault.Claimed, naming the job, where one does: for every update that
// changes a reference if it is made from the claimed checkout, else for one
// of the claimed checkout's branch or of its own references.
func Decide(claims []Claim, t Transaction) error {
	for _, u := range t.Updates {
		if !t.changes(u) {
			continue
		}
		for _, c := range claims {
			if c.concerns(u.Ref) {
				return c.refuses("reference %q stays as it is", u.Ref)
			}
		}
	}
	return nil
}

// DecidePush is Decide for a push, which changes nothing here: it is refused
// from the claimed checkout alone, where it would change anything there.
func DecidePush(claims []Claim, pushes []Push) error {
	for _, p := range pushes {
		if p.LocalID == p.RemoteID {
			continue
		}
		for _, c := range claims {
			if c.Here {
				return c.refuses("nothing is pushed to %q", p.RemoteRef)
			}
		}
	}
	return nil
}

// concerns reports whether the claim keeps ref from changing.
func (c Claim) concerns(ref string) bool {
	return c.Here || c.Branch != "" && ref == c.Branch || c.Qualifier != "" && strings.HasPrefix(ref, c.Qualifier)
}

// refuses returns the refusal; its consequence is in the manner of fmt.Errorf.
func (c Claim) refuses(consequence string, args ...any) error {
	return fault.New(fault.Claimed, "workspace %q is claimed by job %q, which is %s; %w",
		c.Workspace, c.Job, c.Status, fmt.Errorf(consequence, args...)).
		WithNext("git algal inspect %s says how to settle it", c.Job)
}

// changes reports whether the update changes the reference. What could not be
// read counts as changed.
func (t Transaction) changes(u Update) bool {
	stored, known := t.Stored[u.Ref]
	if !known {
		return true
	}
	target, symbolic := strings.CutPrefix(u.New, symbolicPrefix)
	switch {
	case symbolic:
		return stored.Target != target
	case isZero(u.New):
		pruned := !t.PackedLocked && stored.Packed != "" && u.Old == stored.Packed
		return stored != (gitplumb.Reference{}) && !pruned
	case stored.Target != "":
		// Git updates the branch behind it in the same transaction, unless the
		// symbolic reference itself becomes an id.
		return !t.updates(stored.Target)
	case stored.ID != "":
		return stored.ID != u.New
	}
	return stored.Packed != u.New
}

func (t Transaction) updates(ref string) bool {
	for _, u := range t.Updates {
		if u.Ref == ref {
			return true
		}
	}
	return false
}
