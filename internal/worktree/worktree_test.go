package worktree_test

import (
	"context"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/worktree"
)

func TestOpenTakesRealDirectoriesOnly(t *testing.T) {
	c := newCheckout(t)
	c.directory("real/below")
	c.file("file", "x", 0o644)
	c.fifo("fifo")
	c.symlink("link", "real")
	for _, path := range []string{"real", "real/", "real//", "real/.", "real/below/..", "link/below"} {
		root, err := worktree.Open(c.dir + "/" + path)
		if err != nil {
			t.Errorf("%q: %v", path, err)
			continue
		}
		var st unix.Stat_t
		c.must(unix.Stat(c.dir+"/"+path, &st))
		if device, inode := root.Identity(); device != uint64(st.Dev) || inode != st.Ino {
			t.Errorf("%q: identity %d %d, want %d %d", path, device, inode, st.Dev, st.Ino)
		}
		if err := root.Close(); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
	for _, path := range []string{
		"link", "link/", "link//", "link/.", "link/below/..",
		"file", "file/", "fifo", "nothing", "nothing/x", strings.Repeat("n", 300),
	} {
		if root, err := worktree.Open(c.dir + "/" + path); !fault.Is(err, fault.WorkspaceMissing) || root != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
	for _, path := range []string{"", ".", "real"} {
		if _, err := worktree.Open(path); !fault.Is(err, fault.WorkspaceMissing) {
			t.Errorf("%q: %v", path, err)
		}
	}
}

// TestRootStaysWhereItWas renames the root and puts another in its place.
func TestRootStaysWhereItWas(t *testing.T) {
	c := newCheckout(t)
	c.file("root/f", "first", 0o644)
	root, err := worktree.Open(c.path("root"))
	c.must(err)
	defer root.Close()
	c.must(os.Rename(c.path("root"), c.path("moved")))
	c.file("root/f", "second", 0o644)
	content, _, err := root.ReadFile(context.Background(), "f", 100)
	if err != nil || string(content) != "first" {
		t.Errorf("got %q, %v", content, err)
	}
}

// TestBlobsAreThoseOfGit compares with what git would store.
func TestBlobsAreThoseOfGit(t *testing.T) {
	c := newCheckout(t)
	contents := []string{"", "x", "line\r\n", "\x00\xff", strings.Repeat("long\n", 100_000)}
	var paths []string
	for i, content := range contents {
		paths = append(paths, string(rune('a'+i)))
		c.file(paths[i], content, 0o644)
	}
	c.symlink("link", "some/target")
	report, err := c.scan(append(paths, "link")...)
	if err != nil || report.Incomplete != nil {
		t.Fatal(err, report.Incomplete)
	}
	hash := func(stdin string) string {
		cmd := exec.Command("git", "hash-object", "--stdin")
		cmd.Dir, cmd.Env, cmd.Stdin = c.dir, gitEnvironment(c.dir), strings.NewReader(stdin)
		out, err := cmd.Output()
		c.must(err)
		return strings.TrimSpace(string(out))
	}
	for i, content := range append(contents, "some/target") {
		if got, want := hex.EncodeToString(report.Results[i].Blob[:]), hash(content); got != want {
			t.Errorf("content %d: blob %s, git says %s", i, got, want)
		}
	}
}

// TestUnreadable is run by a user who may not read everything: by this process,
// or, where that is root's, by the same test under another user.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		runUnprivileged(t)
		return
	}
	c := newCheckout(t)
	c.file("file", "secret", 0o200)
	c.file("readable", "x", 0o644)
	c.file("searchable/f", "x", 0o644)
	c.file("closed/f", "secret", 0o644)
	c.file("z/.gitignore", "secret", 0)
	c.must(os.Chmod(c.path("searchable"), 0o300))
	c.must(os.Chmod(filepath.Join(c.dir, "closed"), 0))
	defer func() {
		c.must(os.Chmod(filepath.Join(c.dir, "searchable"), 0o700))
		c.must(os.Chmod(filepath.Join(c.dir, "closed"), 0o700))
	}()
	root := c.open()
	ctx := context.Background()
	scan := func(paths ...string) worktree.Report {
		t.Helper()
		report, err := root.Scan(ctx, blobs(paths...), worktree.Limits{Bytes: 1000})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	report := scan("readable", "closed/f", "file", "closed/g/h")
	if !fault.Is(report.Incomplete, fault.UnsupportedChange) || !strings.Contains(report.Incomplete.Error(), `"closed/f"`) {
		t.Errorf("incomplete: %v", report.Incomplete)
	}
	for i, want := range []worktree.Result{
		hashed(worktree.File, 0o644, "x"),
		{Kind: worktree.Unreadable},
		{Kind: worktree.Unreadable, Mode: 0o200, Size: 6},
		{Kind: worktree.Unreadable},
	} {
		if report.Results[i] != want {
			t.Errorf("result %d: got %+v, want %+v", i, report.Results[i], want)
		}
	}
	if report, err := root.Scan(ctx, blobs("file", "readable"), worktree.Limits{Bytes: 6}); err != nil || !fault.Is(report.Incomplete, fault.OverBound) {
		t.Errorf("over the bound and unreadable: %v, %v", report.Incomplete, err)
	}
	if found := scan("searchable/f").Results[0].Kind; found != worktree.File && found != worktree.Unreadable {
		t.Errorf("in a directory that may only be searched: %v", found)
	}
	for _, directory := range []string{"closed", "closed/deeper", "searchable"} {
		if entries, err := root.List(ctx, directory); !fault.Is(err, fault.UnsupportedChange) {
			t.Errorf("%q: got %v, %v", directory, entries, err)
		}
	}
	for _, path := range []string{"file", "closed/f", "closed/g/h", "z/.gitignore"} {
		if content, _, err := root.ReadFile(ctx, path, 100); !fault.Is(err, fault.UnsupportedChange) {
			t.Errorf("%q: got %q, %v", path, content, err)
		}
	}
}

// runUnprivileged runs the calling test once more as a user who owns nothing
// else.
func runUnprivileged(t *testing.T) {
	const nobody = 65534
	dir, err := os.MkdirTemp("", "unprivileged")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "test")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, content, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.Env = dir, []string{"TMPDIR=" + dir, "HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("as another user: %v\n%s", err, out)
	}
}
