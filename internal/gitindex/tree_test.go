package gitindex_test

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
)

func TestRootTreeOfNothingIsTheEmptyTree(t *testing.T) {
	const empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	intent := entries("a", "d/e/f")
	for i := range intent {
		intent[i].IntentToAdd = true
	}
	for name, es := range map[string][]gitindex.Entry{"no entries": nil, "intent to add alone": intent} {
		tree, err := gitindex.RootTree(es, func(path string, _ [20]byte) { t.Errorf("%s: subtree %q", name, path) })
		if got := hex.EncodeToString(tree[:]); err != nil || got != empty {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

func TestRootTreeRefuses(t *testing.T) {
	unmerged := entries("a", "b")
	unmerged[1].Stage = 2
	for name, test := range map[string]struct {
		entries []gitindex.Entry
		want    fault.Condition
	}{
		"unmerged":                 {unmerged, fault.FlaggedIndex},
		"descending":               {entries("b", "a"), fault.GitFailed},
		"twice":                    {entries("a", "a"), fault.GitFailed},
		"file and directory":       {entries("a", "a/b"), fault.GitFailed},
		"with others between":      {entries("a", "a!", "a-", "a--/x", "a.b", "a/b"), fault.GitFailed},
		"below a directory":        {entries("d/a", "d/a-/x", "d/a/b"), fault.GitFailed},
		"far below":                {entries("a", "a/b/c/d"), fault.GitFailed},
		"the one in between":       {entries("a", "a-", "a-/x", "b"), fault.GitFailed},
		"a directory nested again": {entries("a", "a-", "a-b/c", "a/b"), fault.GitFailed},
	} {
		if tree, err := gitindex.RootTree(test.entries, nil); !fault.Is(err, test.want) {
			t.Errorf("%s: %x, %v", name, tree, err)
		}
	}
	for _, admitted := range [][]string{{"a", "a-/b", "a.b", "a0"}, {"a-", "a-b", "a/b"}, {"d/a", "da", "e/a/b"}} {
		if _, err := gitindex.RootTree(entries(admitted...), nil); err != nil {
			t.Errorf("%q: %v", admitted, err)
		}
	}
}

// TestRootTreeFindsConflictsLikeASet compares with the obvious way to find a
// path that is a file and a directory.
func TestRootTreeFindsConflictsLikeASet(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		var paths []string
		for range 1 + r.IntN(7) {
			path := ""
			for range 1 + r.IntN(6) {
				path += string("a-/0"[r.IntN(4)])
			}
			path = strings.Trim(path, "/")
			for strings.Contains(path, "//") {
				path = strings.ReplaceAll(path, "//", "/")
			}
			if path != "" {
				paths = append(paths, path)
			}
		}
		slices.Sort(paths)
		paths = slices.Compact(paths)
		conflict := false
		for _, file := range paths {
			for _, other := range paths {
				conflict = conflict || strings.HasPrefix(other, file+"/")
			}
		}
		if _, err := gitindex.RootTree(entries(paths...), nil); (err != nil) != conflict {
			t.Fatalf("%q: conflict %v, error %v", paths, conflict, err)
		}
	}
}

func TestRootTreeIsLinearInDepth(t *testing.T) {
	var paths []string
	for i := range 85 {
		paths = append(paths, strings.Repeat("a/", (gitindex.MaxPath-4)/2)+fmt.Sprintf("%02d", i))
		paths = append(paths, fmt.Sprintf("%02d/", i)+strings.Repeat("b/", (gitindex.MaxPath-6)/2)+"c")
	}
	slices.Sort(paths)
	subtrees := 0
	if _, err := gitindex.RootTree(entries(paths...), func(string, [20]byte) { subtrees++ }); err != nil {
		t.Fatal(err)
	}
	if want := (gitindex.MaxPath-4)/2 + 85*(1+(gitindex.MaxPath-6)/2); subtrees != want {
		t.Errorf("%d subtrees, want %d", subtrees, want)
	}
}

func TestCanonicalMode(t *testing.T) {
	for mode, want := range map[uint32]uint32{
		0o100644: gitindex.ModeFile, 0o100664: gitindex.ModeFile, 0o100600: gitindex.ModeFile, 0o100611: gitindex.ModeFile,
		0o100755: gitindex.ModeExecutable, 0o100700: gitindex.ModeExecutable,
		0o120000: gitindex.ModeSymlink, 0o120777: gitindex.ModeSymlink,
		0o040000: gitindex.ModeTree, 0o040755: gitindex.ModeTree,
		0o160000: gitindex.ModeGitlink,
	} {
		if got := gitindex.CanonicalMode(mode); got != want {
			t.Errorf("%06o: %06o, want %06o", mode, got, want)
		}
	}
}

func BenchmarkRootTree(b *testing.B) {
	paths := make([]string, gitindex.MaxEntries)
	for i := range paths {
		paths[i] = fmt.Sprintf("directory-%04d/file-%06d.go", i/16, i)
	}
	es := entries(paths...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := gitindex.RootTree(es, nil); err != nil {
			b.Fatal(err)
		}
	}
}
