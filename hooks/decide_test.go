package hooks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/hooks"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

var (
	zero = strings.Repeat("0", 40)
	idA  = strings.Repeat("a", 40)
	idB  = strings.Repeat("b", 40)
)

const (
	mainBranch = "refs/heads/main"
	sideBranch = "refs/heads/side"
)

// TestDecideChanges holds what counts as a change of a reference.
func TestDecideChanges(t *testing.T) {
	here := []hooks.Claim{{Job: canon.DigestText("job"), Status: jobs.Uncertain, Workspace: "/w", Branch: mainBranch, Here: true}}
	update := func(ref, old, new string) hooks.Update { return hooks.Update{Ref: ref, Old: old, New: new} }
	for _, c := range []struct {
		what    string
		updates []hooks.Update
		stored  map[string]gitplumb.Reference
		locked  bool
		changes bool
	}{
		{"nothing", nil, nil, false, false},
		{"creation", []hooks.Update{update(sideBranch, zero, idA)}, map[string]gitplumb.Reference{sideBranch: {}}, false, true},
		{"update", []hooks.Update{update(sideBranch, idA, idB)}, map[string]gitplumb.Reference{sideBranch: {ID: idA}}, false, true},
		{"update of a packed one", []hooks.Update{update(sideBranch, idA, idB)}, map[string]gitplumb.Reference{sideBranch: {Packed: idA}}, false, true},
		{"the same value", []hooks.Update{update(sideBranch, zero, idA)}, map[string]gitplumb.Reference{sideBranch: {ID: idA}}, false, false},
		{"the same value, packed", []hooks.Update{update(sideBranch, zero, idA)}, map[string]gitplumb.Reference{sideBranch: {Packed: idA}}, true, false},
		{"the outdated packed value", []hooks.Update{update(sideBranch, zero, idA)}, map[string]gitplumb.Reference{sideBranch: {ID: idB, Packed: idA}}, true, true},
		{"deletion", []hooks.Update{update(sideBranch, idA, zero)}, map[string]gitplumb.Reference{sideBranch: {ID: idA}}, true, true},
		{"deletion of both, the packed one first", []hooks.Update{update(sideBranch, zero, zero)}, map[string]gitplumb.Reference{sideBranch: {ID: idA, Packed: idA}}, true, true},
		{"deletion of both", []hooks.Update{update(sideBranch, idA, zero)}, map[string]gitplumb.Reference{sideBranch: {ID: idA, Packed: idA}}, true, true},
		{"pruning", []hooks.Update{update(sideBranch, idA, zero)}, map[string]gitplumb.Reference{sideBranch: {ID: idA, Packed: idA}}, false, false},
		{"pruning of another value", []hooks.Update{update(sideBranch, idB, zero)}, map[string]gitplumb.Reference{sideBranch: {ID: idB, Packed: idA}}, false, true},
		{"deletion of nothing", []hooks.Update{update(sideBranch, zero, zero)}, map[string]gitplumb.Reference{sideBranch: {}}, true, false},
		{"an unreadable one", []hooks.Update{update(sideBranch, zero, idA)}, nil, false, true},
		{
			"HEAD with its branch", []hooks.Update{update("HEAD", idA, idA), update(mainBranch, idA, idA)},
			map[string]gitplumb.Reference{"HEAD": {Target: mainBranch}, mainBranch: {ID: idA}}, false, false,
		},
		{
			"commit", []hooks.Update{update("HEAD", idA, idB), update(mainBranch, idA, idB)},
			map[string]gitplumb.Reference{"HEAD": {Target: mainBranch}, mainBranch: {ID: idA}}, false, true,
		},
		{"detaching", []hooks.Update{update("HEAD", zero, idA)}, map[string]gitplumb.Reference{"HEAD": {Target: mainBranch}}, false, true},
		{"detached already", []hooks.Update{update("HEAD", zero, idA)}, map[string]gitplumb.Reference{"HEAD": {ID: idA}}, false, false},
		{"switching", []hooks.Update{update("HEAD", "ref:"+mainBranch, "ref:"+sideBranch)}, map[string]gitplumb.Reference{"HEAD": {Target: mainBranch}}, false, true},
		{"switching to the same", []hooks.Update{update("HEAD", zero, "ref:"+mainBranch)}, map[string]gitplumb.Reference{"HEAD": {Target: mainBranch}}, false, false},
	} {
		err := hooks.Decide(here, hooks.Transaction{Updates: c.updates, Stored: c.stored, PackedLocked: c.locked})
		if refused := fault.Is(err, fault.Claimed); refused != c.changes || !refused && err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// TestDecideClaims holds whose updates a claim refuses.
func TestDecideClaims(t *testing.T) {
	claim := hooks.Claim{Job: canon.DigestText("job"), Status: jobs.Prepared, Workspace: "/w", Branch: mainBranch, Qualifier: "worktrees/w/"}
	detached := claim
	detached.Branch = ""
	here := claim
	here.Here = true
	for _, c := range []struct {
		claims  []hooks.Claim
		ref     string
		refused bool
	}{
		{nil, mainBranch, false},
		{[]hooks.Claim{claim}, mainBranch, true},
		{[]hooks.Claim{claim}, sideBranch, false},
		{[]hooks.Claim{claim}, "HEAD", false},
		{[]hooks.Claim{claim}, "worktrees/w/HEAD", true},
		{[]hooks.Claim{claim}, "worktrees/w2/HEAD", false},
		{[]hooks.Claim{detached}, mainBranch, false},
		{[]hooks.Claim{here}, sideBranch, true},
		{[]hooks.Claim{detached, here}, "HEAD", true},
		{[]hooks.Claim{{Job: claim.Job, Workspace: "/x"}}, "HEAD", false},
	} {
		err := hooks.Decide(c.claims, hooks.Transaction{Updates: []hooks.Update{{Ref: c.ref, Old: idA, New: idB}}})
		if fault.Is(err, fault.Claimed) != c.refused || err == nil == c.refused {
			t.Errorf("%q under %+v: %v", c.ref, c.claims, err)
		}
		if c.refused && (!strings.Contains(err.Error(), string(claim.Job)) || !strings.Contains(err.Error(), fmt.Sprintf("%q", c.ref))) {
			t.Errorf("the refusal names neither job nor reference: %v", err)
		}
		err = hooks.DecidePush(c.claims, []hooks.Push{{LocalRef: "x", LocalID: idA, RemoteRef: mainBranch, RemoteID: idB}})
		if wants := len(c.claims) > 0 && c.claims[len(c.claims)-1].Here; fault.Is(err, fault.Claimed) != wants {
			t.Errorf("a push under %+v: %v", c.claims, err)
		}
	}
	if err := hooks.DecidePush([]hooks.Claim{here}, []hooks.Push{{LocalRef: "x", LocalID: idA, RemoteRef: mainBranch, RemoteID: idA}}); err != nil {
		t.Errorf("a push of what is there: %v", err)
	}
}
