package gitindex_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
)

// repository is a repository that the git binary made, in an environment
// without the user's configuration.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) *repository {
	r := &repository{t, t.TempDir()}
	r.git("", "init", "-q", "-b", "main")
	r.git("", "config", "core.ignoreCase", "false") // what macOS would set otherwise
	return r
}

func (r *repository) try(stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=Fixture", "GIT_AUTHOR_EMAIL=fixture@example.invalid", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Fixture", "GIT_COMMITTER_EMAIL=fixture@example.invalid", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %v: %w\n%s", args, err, &stderr)
	}
	return string(out), err
}

func (r *repository) git(stdin string, args ...string) string {
	r.t.Helper()
	out, err := r.try(stdin, args...)
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

func (r *repository) write(path, content string) {
	r.t.Helper()
	path = filepath.Join(r.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) index() *gitindex.Index {
	r.t.Helper()
	x, err := gitindex.Decode(r.indexFile())
	if err != nil {
		r.t.Fatal(err)
	}
	return x
}

func (r *repository) indexFile() []byte {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, ".git", "index"))
	if err != nil {
		r.t.Fatal(err)
	}
	return data
}

// debugListing writes entries as git ls-files -z -s --debug prints them. The
// flags are those of git's memory: the high half holds the extended ones.
func debugListing(entries []gitindex.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		flags := uint32(e.Stage) << 12
		if e.AssumeValid {
			flags |= 0x8000
		}
		if e.SkipWorktree || e.IntentToAdd {
			flags |= 0x4000
		}
		if e.SkipWorktree {
			flags |= 1 << 30
		}
		if e.IntentToAdd {
			flags |= 1 << 29
		}
		fmt.Fprintf(&b, "%06o %x %d\t%s\x00", e.Mode, e.ID, e.Stage, e.Path)
		fmt.Fprintf(&b, "  ctime: %d:%d\n  mtime: %d:%d\n  dev: %d\tino: %d\n  uid: %d\tgid: %d\n  size: %d\tflags: %x\n",
			e.CTime.Sec, e.CTime.Nsec, e.MTime.Sec, e.MTime.Nsec, e.Dev, e.Ino, e.UID, e.GID, e.Size, flags)
	}
	return b.String()
}

// firstDifference cuts two listings to where they begin to differ.
func firstDifference(got, want string) string {
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	around := func(s string) string { return s[max(0, min(at-200, len(s))):min(at+200, len(s))] }
	return fmt.Sprintf("at byte %d\ndecoded   %q\ngit shows %q", at, around(got), around(want))
}

// TestGitAgrees makes random repositories of every version, with real files,
// entries of every mode, flags and stages, and compares all that git shows of
// the index, the tree that git writes, and every subtree.
func TestGitAgrees(t *testing.T) {
	for seed := range uint64(4) {
		for version := 2; version <= 4; version++ {
			t.Run(fmt.Sprintf("seed%d-v%d", seed, version), func(t *testing.T) {
				t.Parallel()
				testGitAgrees(t, rand.New(rand.NewPCG(seed, uint64(version))), version)
			})
		}
	}
}

func testGitAgrees(t *testing.T, r *rand.Rand, version int) {
	repo := newRepository(t)
	blob := strings.TrimSpace(repo.git("content\n", "hash-object", "-w", "--stdin"))
	paths := randomPaths(r, 120)
	var info strings.Builder
	var plain []string
	for _, path := range paths {
		switch r.IntN(7) {
		case 0:
			fmt.Fprintf(&info, "120000 %s 0\t%s\x00", blob, path)
		case 1:
			fmt.Fprintf(&info, "160000 %s 0\t%s\x00", blob, path)
		case 2:
			fmt.Fprintf(&info, "100755 %s 0\t%s\x00", blob, path)
		default:
			fmt.Fprintf(&info, "100644 %s 0\t%s\x00", blob, path)
			plain = append(plain, path)
		}
	}
	for i := range 20 { // with names that every file system takes
		repo.write(fmt.Sprintf("real/%c/%d", 'a'+r.IntN(3), i), fmt.Sprint(r.Uint32()))
	}
	repo.git("", "add", "-A", ".")
	repo.git(info.String(), "update-index", "-z", "--index-info")
	repo.git("", "update-index", "--index-version", fmt.Sprint(version))

	compare := func(what string) {
		t.Helper()
		x := repo.index()
		if got, want := debugListing(x.Entries), repo.git("", "ls-files", "-z", "-s", "--debug"); got != want {
			t.Fatalf("%s: %s", what, firstDifference(got, want))
		}
		if x.Trailer != gitindex.TrailerValid || len(x.Mandatory()) > 0 {
			t.Fatalf("%s: trailer %v, extensions %q", what, x.Trailer, x.Extensions)
		}
		trees := map[string]string{}
		root, err := gitindex.RootTree(x.Entries, func(path string, id [20]byte) { trees[path] = hex.EncodeToString(id[:]) })
		written, gitErr := repo.try("", "write-tree", "--missing-ok")
		if gitErr != nil {
			if err == nil {
				t.Fatalf("%s: git writes no tree: %v; RootTree gives %x", what, gitErr, root)
			}
			return
		}
		if err != nil || hex.EncodeToString(root[:]) != strings.TrimSpace(written) {
			t.Fatalf("%s: tree %x, %v, git wrote %s", what, root, err, written)
		}
		want := map[string]string{}
		for _, line := range strings.Split(strings.TrimSuffix(repo.git("", "ls-tree", "-z", "-r", "-t", strings.TrimSpace(written)), "\x00"), "\x00") {
			meta, path, _ := strings.Cut(line, "\t")
			if fields := strings.Fields(meta); len(fields) == 3 && fields[1] == "tree" {
				want[path] = fields[2]
			}
		}
		if fmt.Sprint(trees) != fmt.Sprint(want) {
			t.Fatalf("%s: subtrees %v, git wrote %v", what, trees, want)
		}
	}
	compare("plain")
	if got := repo.index().Version; got != max(version, 2) && !(version == 3 && got == 2) {
		t.Fatalf("version %d", got)
	}

	pick := func(share int) string {
		var b strings.Builder
		for _, path := range plain {
			if r.IntN(share) == 0 {
				b.WriteString(path + "\x00")
			}
		}
		return b.String()
	}
	repo.git(pick(4), "update-index", "-z", "--assume-unchanged", "--stdin")
	compare("assume-unchanged")

	repo.write("zz/new/intent", "x")
	repo.write("zzz-intent", "x")
	repo.git("", "add", "-N", "zz/new/intent", "zzz-intent")
	compare("intent to add")

	repo.git(pick(4), "update-index", "-z", "--skip-worktree", "--stdin")
	compare("skip-worktree")
	if got := repo.index().Version; got != max(version, 3) {
		t.Fatalf("extended flags in version %d", got)
	}

	var unmerged strings.Builder
	for _, path := range strings.Split(strings.TrimSuffix(pick(6), "\x00"), "\x00") {
		if path == "" {
			continue
		}
		fmt.Fprintf(&unmerged, "0 %s 0\t%s\x00", strings.Repeat("0", 40), path)
		for stage := 1; stage <= 3; stage++ {
			if r.IntN(3) > 0 {
				fmt.Fprintf(&unmerged, "100644 %s %d\t%s\x00", blob, stage, path)
			}
		}
	}
	repo.git(unmerged.String(), "update-index", "-z", "--index-info")
	compare("unmerged")
}

func TestGitAgreesOnEmptyIndex(t *testing.T) {
	repo := newRepository(t)
	repo.git("", "read-tree", "--empty")
	x := repo.index()
	if len(x.Entries) != 0 || x.Mandatory() != nil {
		t.Errorf("got %+v", x)
	}
	root, err := gitindex.RootTree(x.Entries, nil)
	if want := strings.TrimSpace(repo.git("", "write-tree")); err != nil || hex.EncodeToString(root[:]) != want {
		t.Errorf("empty tree %x, %v, want %s", root, err, want)
	}
}

// TestExtensionsOfGit makes git write each extension.
func TestExtensionsOfGit(t *testing.T) {
	fill := func(repo *repository) {
		repo.write("a/one", "1\n")
		repo.write("a/two", "2\n")
		repo.write("b/three", "3\n")
		repo.git("", "add", ".")
		repo.git("", "commit", "-q", "-m", "fixture")
	}
	for _, test := range []struct {
		name, want string
		mandatory  bool
		make       func(*repository)
	}{
		{"cached tree", "TREE", false, func(*repository) {}},
		{"resolve undo", "REUC", false, func(r *repository) {
			r.git("", "checkout", "-q", "-b", "side")
			r.write("a/one", "side\n")
			r.git("", "commit", "-q", "-a", "-m", "side")
			r.git("", "checkout", "-q", "main")
			r.write("a/one", "main\n")
			r.git("", "commit", "-q", "-a", "-m", "main")
			if _, err := r.try("", "merge", "side"); err == nil {
				r.t.Fatal("no conflict")
			}
			if stages := r.index().Entries[0].Stage; stages != 1 {
				r.t.Fatalf("stage %d", stages)
			}
			r.git("", "add", "a/one")
		}},
		{"untracked cache", "UNTR", false, func(r *repository) { r.git("", "update-index", "--force-untracked-cache") }},
		{"file system monitor", "FSMN", false, func(r *repository) {
			r.git("", "config", "core.fsmonitor", "true && :")
			r.git("", "update-index", "--fsmonitor")
		}},
		{"end of entries", "EOIE", false, func(r *repository) {
			r.git("", "-c", "index.recordEndOfIndexEntries=true", "update-index", "--index-version", "4", "--force-write-index")
		}},
		{"split index", "link", true, func(r *repository) {
			r.git("", "update-index", "--split-index")
			r.write("a/one", "changed\n")
			r.git("", "add", "a/one")
		}},
		{"split index of version 4", "link", true, func(r *repository) {
			r.git("", "update-index", "--index-version", "4")
			r.git("", "update-index", "--split-index")
			r.write("a/one", "changed\n")
			r.write("a/four", "4\n")
			r.git("", "add", ".")
		}},
		{"sparse index", "sdir", true, func(r *repository) {
			r.git("", "sparse-checkout", "set", "--cone", "--sparse-index", "a")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			repo := newRepository(t)
			fill(repo)
			test.make(repo)
			x := repo.index()
			if !x.Has(test.want) {
				t.Fatalf("extensions %q", x.Extensions)
			}
			if test.mandatory != slices.Contains(x.Mandatory(), test.want) || test.mandatory != (x.Entries == nil) {
				t.Errorf("mandatory %q, %d entries", x.Mandatory(), len(x.Entries))
			}
			if !test.mandatory {
				if got, want := debugListing(x.Entries), repo.git("", "ls-files", "-z", "-s", "--debug"); got != want {
					t.Error(firstDifference(got, want))
				}
			}
		})
	}
}

// TestOffsetTableOfGit reads an index that git wrote in blocks for several
// threads. Git does so for more entries than are admitted, and in version 4 it
// begins each block without a shared prefix.
func TestOffsetTableOfGit(t *testing.T) {
	repo := newRepository(t)
	var info strings.Builder
	for i := range 21_000 {
		fmt.Fprintf(&info, "100644 %040x 0\td%d/f%d\x00", i+1, i%9, i)
	}
	repo.git(info.String(), "-c", "index.threads=2", "update-index", "-z", "--index-info")
	repo.git("", "-c", "index.threads=2", "update-index", "--index-version", "4", "--force-write-index")
	data := repo.indexFile()
	if !bytes.Contains(data, []byte("IEOT")) {
		t.Fatal("git wrote no offset table")
	}
	if x, err := gitindex.Decode(data); !fault.Is(err, fault.FlaggedIndex) {
		t.Errorf("got %+v, %v", x, err)
	}
}

// TestGitTakesBrokenIndexes shows what of the strictness git does not have.
func TestGitTakesBrokenIndexes(t *testing.T) {
	repo := newRepository(t)
	blob := strings.TrimSpace(repo.git("content\n", "hash-object", "-w", "--stdin"))
	id, err := hex.DecodeString(blob)
	if err != nil {
		t.Fatal(err)
	}
	both := entries("a", "a-", "a/b")
	for i := range both {
		both[i].ID = [20]byte(id)
	}
	x := &gitindex.Index{Version: 2, Entries: both, Trailer: gitindex.TrailerBad}
	if err := os.WriteFile(filepath.Join(repo.dir, ".git", "index"), encode(x), 0o644); err != nil {
		t.Fatal(err)
	}
	got := repo.index()
	repo.git("", "write-tree") // git says nothing of the checksum nor of a and a/b
	if got.Trailer != gitindex.TrailerBad {
		t.Errorf("trailer %v", got.Trailer)
	}
	if tree, err := gitindex.RootTree(got.Entries, nil); !fault.Is(err, fault.GitFailed) {
		t.Errorf("tree %x, %v", tree, err)
	}
}
