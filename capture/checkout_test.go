package capture_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/gitplumb"
)

// A checkout is a repository in a temporary directory, away from whatever the
// machine configures.
type checkout struct{ dir string }

// isolated returns an environment with no home, fixed names and dates.
func isolated() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Vector", "GIT_AUTHOR_EMAIL=vector@example.invalid", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Vector", "GIT_COMMITTER_EMAIL=vector@example.invalid", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
}

// newCheckout returns an empty directory for a checkout.
func newCheckout(t testing.TB) checkout {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := checkout{filepath.Join(base, "checkout")}
	if err := os.Mkdir(c.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return c
}

// bash runs a script in the checkout.
func (c checkout) bash(t testing.TB, script string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", "set -e; umask 022\n"+script)
	cmd.Dir, cmd.Env = c.dir, isolated()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// tryGit runs git in the checkout and returns its stdout.
func (c checkout) tryGit(t testing.TB, stdin string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env = c.dir, isolated()
	cmd.Stdin = strings.NewReader(stdin)
	var diagnosis strings.Builder
	cmd.Stderr = &diagnosis
	out, err := cmd.Output()
	if err != nil {
		t.Logf("git %s: %v\n%s", args, err, diagnosis.String())
	}
	return string(out), err
}

func (c checkout) git(t testing.TB, args ...string) string {
	t.Helper()
	out, err := c.tryGit(t, "", args...)
	if err != nil {
		t.FailNow()
	}
	return out
}

// findGit finds the git that the package under test uses, once.
var findGit = sync.OnceValues(func() (*gitplumb.Git, error) {
	return gitplumb.FindGit(context.Background(), exec.LookPath, isolated())
})

func plumbing(t testing.TB) *gitplumb.Git {
	t.Helper()
	git, err := findGit()
	if err != nil {
		t.Fatal(err)
	}
	return git
}

// source is the checkout as it stands, admitted.
func (c checkout) source(t testing.TB) capture.Source {
	t.Helper()
	ctx := context.Background()
	repo, err := gitplumb.Open(ctx, c.dir, plumbing(t), gitplumb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	head, err := repo.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := repo.Fingerprint(ctx)
	if err != nil {
		t.Fatal(err)
	}
	control, err := repo.Control(ctx)
	if err != nil {
		t.Fatal(err)
	}
	id := repo.Identity()
	return capture.Source{
		Workspace: id.Workspace, GitDirectory: id.GitDirectory, Device: id.Device, Inode: id.Inode,
		Head: head.Commit, Tree: head.Tree, RawDigest: raw.Digest, Raw: &raw, Deciding: &control.Deciding,
	}
}

// largest are the largest limits that a job can have.
var largest = capture.Limits{MaxPatchBytes: 1_048_576, MaxChangedFiles: 64}

func (c checkout) capture(t testing.TB, source capture.Source, limits capture.Limits) (capture.Capture, error) {
	t.Helper()
	return capture.Stable(context.Background(), plumbing(t), source, limits)
}
