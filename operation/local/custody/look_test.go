//go:build linux

package custody

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
)

// TestWeigh holds every combination of facts: nothing is Gone that one fact
// speaks against, or that only a weak mechanism speaks for.
func TestWeigh(t *testing.T) {
	namespace := Identity{Mechanisms: []Mechanism{Namespace}}
	both := Identity{Mechanisms: []Mechanism{Namespace, Cgroup}}
	bothConfined := Identity{Mechanisms: []Mechanism{Namespace, Cgroup}, Confined: true}
	confined := Identity{Mechanisms: []Mechanism{Cgroup}, Confined: true}
	leaky := Identity{Mechanisms: []Mechanism{Cgroup, Subreaper}}
	subreaper := Identity{Mechanisms: []Mechanism{Subreaper}}
	for _, c := range []struct {
		identity    Identity
		init, group fact
		want        Evidence
	}{
		{namespace, over, unknown, Gone},
		{namespace, going, unknown, Alive},
		{namespace, unknown, unknown, Unprovable},
		{both, over, over, Gone},
		{both, over, unknown, Unprovable},
		{both, unknown, over, Unprovable},
		{both, over, going, Alive},
		{both, going, over, Alive},
		{both, unknown, unknown, Unprovable},
		{bothConfined, unknown, over, Gone},
		{bothConfined, over, unknown, Unprovable},
		{bothConfined, going, over, Alive},
		{confined, over, over, Gone},
		{confined, unknown, over, Gone},
		{confined, over, unknown, Unprovable},
		{confined, going, over, Alive},
		{confined, over, going, Alive},
		{leaky, over, over, Unprovable},
		{leaky, over, going, Alive},
		{subreaper, over, unknown, Unprovable},
		{subreaper, going, unknown, Alive},
	} {
		if got := weigh(c.identity, c.init, c.group); got != c.want {
			t.Errorf("%v, confined %t, init %d, cgroup %d: %v, want %v",
				c.identity.Mechanisms, c.identity.Confined, c.init, c.group, got, c.want)
		}
	}
}

// TestLookElsewhere looks at a living tree as if from another place.
func TestLookElsewhere(t *testing.T) {
	options := testOptions(t, "")
	tree, err := Prepare(t.Context(), Spec{Options: options, Argv: options.InitArgv, Dir: "/"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	}()
	identity := tree.Identity()
	look := func(change func(*Identity)) Evidence {
		i := identity
		change(&i)
		evidence, err := Look(i)
		if err != nil {
			t.Fatal(err)
		}
		return evidence
	}
	outside := func(i *Identity) {
		i.PIDNamespace = "pid:[1]"
		if i.Has(Cgroup) {
			i.CgroupNamespace = "cgroup:[1]"
		}
	}
	if got := look(func(*Identity) {}); got != Alive {
		t.Errorf("here: %v", got)
	}
	if got := look(func(i *Identity) { i.Machine = "other" }); got != OtherMachine {
		t.Errorf("another machine: %v", got)
	}
	if got := look(func(i *Identity) { i.Boot = "other" }); got != OtherBoot {
		t.Errorf("another boot: %v", got)
	}
	if got := look(outside); got != Unprovable {
		t.Errorf("other namespaces: %v", got)
	}
	if identity.Has(Cgroup) {
		if got := look(func(i *Identity) { i.PIDNamespace = "pid:[1]" }); got != Alive {
			t.Errorf("another PID namespace, same cgroups: %v", got)
		}
		if got := look(func(i *Identity) { i.CgroupMountInode = "77"; i.PIDNamespace = "pid:[1]" }); got != Unprovable {
			t.Errorf("another root of cgroups: %v", got)
		}
	}
	if _, err := Look(Identity{}); !fault.Is(err, fault.Malformed) {
		t.Errorf("no identity: %v", err)
	}
}

func TestStaleCgroups(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{CgroupPrefix + "0", CgroupPrefix + "1", "other"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, CgroupPrefix+"1", "populated"), 0o755); err != nil {
		t.Fatal(err)
	}
	left := func() (names []string) {
		entries, err := os.ReadDir(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	removeStale(root, time.Now())
	if n := len(left()); n != 3 {
		t.Errorf("fresh ones were removed: %v", left())
	}
	removeStale(root, time.Now().Add(2*staleAfter))
	if names := left(); len(names) != 2 || names[0] != CgroupPrefix+"1" || names[1] != "other" {
		t.Errorf("left: %v", names)
	}
}
