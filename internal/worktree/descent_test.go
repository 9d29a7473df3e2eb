package worktree

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

func openTest(t *testing.T, dir string) *Root {
	t.Helper()
	root, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// TestDescentKeepsFewDirectoriesOpen goes down far beyond the bound, and about
// in all depths, and compares where it is with the path.
func TestDescentKeepsFewDirectoriesOpen(t *testing.T) {
	dir := t.TempDir()
	const depth = 4 * maxOpenDirectories
	paths := []string{""}
	for _, top := range []string{"a", "b"} {
		deep := top + strings.Repeat("/d", depth)
		if err := os.MkdirAll(filepath.Join(dir, deep), 0o755); err != nil {
			t.Fatal(err)
		}
		for i := range depth {
			paths = append(paths, top+strings.Repeat("/d", i+1))
		}
	}
	d := descent{root: openTest(t, dir)}
	r := rand.New(rand.NewPCG(9, 10))
	for range 500 {
		path := paths[r.IntN(len(paths))]
		fd, found, err := d.enter(path)
		if err != nil || found != Directory {
			t.Fatalf("%q: %v, %v", path, found, err)
		}
		got, err := statFD(fd)
		if err != nil {
			t.Fatal(err)
		}
		want, err := statAt(unix.AT_FDCWD, filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		if got.identity != want.identity || d.path != path {
			t.Fatalf("%q: is in %q", path, d.path)
		}
		open := 0
		for _, l := range d.levels {
			if l.fd >= 0 {
				open++
			}
		}
		if open > maxOpenDirectories+1 {
			t.Fatalf("%q: %d directories open", path, open)
		}
	}
	if err := d.leave(0); err != nil {
		t.Error(err)
	}
}

func TestListedEntriesAreBounded(t *testing.T) {
	l := listing{path: "d", entries: make([]Entry, MaxListed-1)}
	for _, dots := range []string{".", ".."} {
		if err := l.add(dots, Directory); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.add("last", File); err != nil {
		t.Fatal(err)
	}
	if err := l.add("more", File); !fault.Is(err, fault.OverBound) || len(l.entries) != MaxListed {
		t.Errorf("%d entries, %v", len(l.entries), err)
	}
}

// TestKindsAreLookedUp lists as on a file system that doesn't tell kinds.
func TestKindsAreLookedUp(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "directory"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", filepath.Join(dir, "symlink")); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(filepath.Join(dir, "special file"), 0o644); err != nil {
		t.Fatal(err)
	}
	l := listing{fd: openTest(t, dir).fd, path: "."}
	for _, name := range []string{"file", "directory", "symlink", "special file"} {
		if err := l.add(name, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, entry := range l.entries {
		if entry.Kind.String() != entry.Name {
			t.Errorf("%q is a %v", entry.Name, entry.Kind)
		}
	}
	if err := l.add("gone", 0); !fault.Is(err, fault.SourceMoved) {
		t.Errorf("a name that is gone: %v", err)
	}
}

// TestLongTargetsAreOverTheBound judges a target that this system would not
// make, and its order among other reasons.
func TestLongTargetsAreOverTheBound(t *testing.T) {
	s := scan{
		requests: []Request{{Path: "hidden"}, {Path: "link"}},
		results:  []Result{{Kind: Unreadable}, {Kind: Symlink, Size: MaxTarget + 1}},
	}
	if err := s.incomplete(Limits{}); !fault.Is(err, fault.OverBound) || !strings.Contains(err.Error(), fmt.Sprint(MaxTarget)) {
		t.Errorf("got %v", err)
	}
}
