package gitplumb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-algal/git-algal/internal/fault"
)

// gitIn runs git with fixed names in a directory.
func gitIn(t testing.TB, dir string, stdin []byte, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=T", "GIT_AUTHOR_EMAIL=t@example.invalid", "GIT_COMMITTER_NAME=T", "GIT_COMMITTER_EMAIL=t@example.invalid"}
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %q: %v", args, err)
	}
	return out
}

// manyObjects makes a repository whose blobs and trees deltify well.
func manyObjects(t testing.TB, commits int) string {
	t.Helper()
	dir := t.TempDir()
	gitIn(t, dir, nil, "init", "-q", "-b", "main", "--template=", ".")
	random := rand.New(rand.NewPCG(1, 2))
	var stream bytes.Buffer
	text := make([]string, 200)
	for i := range text {
		text[i] = fmt.Sprintf("line %d %d", i, random.Uint64())
	}
	for i := range commits {
		text[random.IntN(len(text))] = fmt.Sprintf("changed %d", i)
		content := strings.Join(text, "\n")
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter T <t@example.invalid> %d +0000\ndata 1\nm", 1000+i)
		fmt.Fprintf(&stream, "\nM 100644 inline d%d/f%d\ndata %d\n%s\nM 100644 inline common\ndata %d\n%s%d\n\n", i%7, i%50, len(content), content, len(content)+len(fmt.Sprint(i)), content, i)
	}
	gitIn(t, dir, stream.Bytes(), "fast-import", "--quiet")
	return dir
}

func checkAllObjects(t *testing.T, dir string, store *objectStore) {
	t.Helper()
	ctx := context.Background()
	kinds := map[string]plumbing.ObjectType{"commit": plumbing.CommitObject, "tree": plumbing.TreeObject, "blob": plumbing.BlobObject}
	listing := gitIn(t, dir, nil, "cat-file", "--batch-all-objects", "--batch-check")
	count := 0
	for line := range strings.Lines(string(listing)) {
		fields := strings.Fields(line)
		id := plumbing.NewHash(fields[0])
		content, err := store.read(ctx, id, kinds[fields[1]], 1<<20)
		if err != nil || fmt.Sprint(len(content)) != fields[2] {
			t.Fatalf("%s: %d bytes, %v", line, len(content), err)
		}
		count++
	}
	if count == 0 {
		t.Fatal("no objects")
	}
	_, err := store.read(ctx, plumbing.NewHash("0123456789012345678901234567890123456789"), plumbing.BlobObject, 1)
	if !fault.Is(err, fault.GitFailed) {
		t.Errorf("an object that is not there: %v", err)
	}
}

func TestObjects(t *testing.T) {
	for name, args := range map[string][]string{
		"loose":         nil,
		"packed":        {"repack", "-a", "-d", "-f", "-q", "--depth=50"},
		"index v1":      {"-c", "pack.indexVersion=1", "repack", "-a", "-d", "-f", "-q"},
		"large offsets": {"-c", "pack.indexVersion=2", "repack", "-a", "-d", "-f", "-q"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := manyObjects(t, 120)
			objects := filepath.Join(dir, ".git", "objects")
			switch {
			case args == nil:
				packs, err := filepath.Glob(filepath.Join(objects, "pack", "*.pack"))
				if err != nil || len(packs) == 0 {
					t.Fatal("no packs", err)
				}
				for _, path := range packs {
					pack, err := os.ReadFile(path)
					if err != nil {
						t.Fatal(err)
					}
					if err := errors.Join(os.Remove(path), os.Remove(strings.TrimSuffix(path, ".pack")+".idx")); err != nil {
						t.Fatal(err)
					}
					gitIn(t, dir, pack, "unpack-objects", "-q")
				}
			default:
				gitIn(t, dir, nil, args...)
			}
			if name == "large offsets" {
				// Every offset above 64 goes through the table of large ones.
				for _, path := range glob(t, filepath.Join(objects, "pack", "*.pack")) {
					index := strings.TrimSuffix(path, ".pack") + ".idx"
					if err := os.Remove(index); err != nil {
						t.Fatal(err)
					}
					gitIn(t, dir, nil, "index-pack", "--index-version=2,64", path)
				}
			}
			store := newObjectStore(objects)
			defer store.close()
			checkAllObjects(t, dir, store)
		})
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%q: %v", pattern, err)
	}
	return paths
}

func TestAlternates(t *testing.T) {
	base := t.TempDir()
	one := manyObjects(t, 5)
	for _, odd := range []string{"with space", "with:colon", "with\"quote", "with*star[x]"} {
		dir := filepath.Join(base, odd)
		gitIn(t, base, nil, "clone", "-q", "--shared", "--template=", one, dir)
		further := filepath.Join(base, "relative to "+odd)
		gitIn(t, base, nil, "init", "-q", "--template=", further)
		info := filepath.Join(further, ".git", "objects", "info")
		if err := os.MkdirAll(info, 0o755); err != nil {
			t.Fatal(err)
		}
		relative := "# a comment\n\n../../../" + odd + "/.git/objects\n"
		if err := os.WriteFile(filepath.Join(info, "alternates"), []byte(relative), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, at := range []string{dir, further} {
			store := newObjectStore(filepath.Join(at, ".git", "objects"))
			checkAllObjects(t, one, store)
			if err := store.close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestParseAlternates(t *testing.T) {
	got := parseAlternates("/a\n#/b\n\n\"/c\\td\"\nrelative/e")
	want := []string{"/a", "/c\td", "relative/e"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestForgedObjects(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	gitIn(t, dir, nil, "init", "-q", "--template=", ".")
	one := strings.TrimSpace(string(gitIn(t, dir, []byte("one"), "hash-object", "-w", "--stdin")))
	two := strings.TrimSpace(string(gitIn(t, dir, []byte("two"), "hash-object", "-w", "--stdin")))
	objects := filepath.Join(dir, ".git", "objects")
	file := func(id string) string { return filepath.Join(objects, id[:2], id[2:]) }
	forged, err := os.ReadFile(file(two))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file(one)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file(one), forged, 0o600); err != nil {
		t.Fatal(err)
	}
	store := newObjectStore(objects)
	defer store.close()
	_, err = store.read(ctx, plumbing.NewHash(one), plumbing.BlobObject, 100)
	if !fault.Is(err, fault.SourceMoved) {
		t.Errorf("forged: %v", err)
	}
	if _, err = store.read(ctx, plumbing.NewHash(two), plumbing.BlobObject, 3); err != nil {
		t.Errorf("at the bound: %v", err)
	}
	if _, err = store.read(ctx, plumbing.NewHash(two), plumbing.BlobObject, 2); !fault.Is(err, fault.OverBound) {
		t.Errorf("over the bound: %v", err)
	}
	if _, err = store.read(ctx, plumbing.NewHash(two), plumbing.TreeObject, 3); !fault.Is(err, fault.GitFailed) {
		t.Errorf("another kind: %v", err)
	}
}

// TestDamagedPacks flips bytes of a pack and its index: reading fails or gives
// the right object, and never ends the program.
func TestDamagedPacks(t *testing.T) {
	ctx := context.Background()
	dir := manyObjects(t, 20)
	gitIn(t, dir, nil, "repack", "-a", "-d", "-f", "-q")
	objects := filepath.Join(dir, ".git", "objects")
	var ids []plumbing.Hash
	for line := range strings.Lines(string(gitIn(t, dir, nil, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))) {
		ids = append(ids, plumbing.NewHash(strings.TrimSpace(line)))
	}
	random := rand.New(rand.NewPCG(3, 4))
	for _, path := range []string{glob(t, filepath.Join(objects, "pack", "*.pack"))[0], glob(t, filepath.Join(objects, "pack", "*.idx"))[0]} {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		for range 150 {
			damaged := bytes.Clone(whole)
			for range 1 + random.IntN(4) {
				damaged[random.IntN(len(damaged))] ^= byte(1 << random.IntN(8))
			}
			if random.IntN(4) == 0 {
				damaged = damaged[:random.IntN(len(damaged))]
			}
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			store := newObjectStore(objects)
			for range 5 {
				id := ids[random.IntN(len(ids))]
				for _, kind := range []plumbing.ObjectType{plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject} {
					content, err := store.read(ctx, id, kind, 1<<20)
					if err == nil && hashObject(kind, content) != id {
						t.Fatalf("%s was read as something else", id)
					}
				}
			}
			if err := store.close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzTree(f *testing.F) {
	f.Add([]byte("100644 a\x0001234567890123456789"))
	f.Add([]byte("40000 d\x0001234567890123456789100644 e\x0001234567890123456789"))
	f.Add([]byte("120000 .git\x0001234567890123456789"))
	f.Fuzz(func(t *testing.T, content []byte) {
		previous := ""
		_ = eachTreeEntry(plumbing.ZeroHash, content, func(name string, entry treeEntry) error {
			if CheckPath(strings.ToValidUTF8(name, "?")) != nil && len(name) < MaxPathUnits {
				t.Fatalf("the unsafe name %q passed", name)
			}
			if name == previous {
				t.Fatalf("%q twice", name)
			}
			previous = name
			return nil
		})
	})
}
