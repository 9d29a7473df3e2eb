package gitplumb_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
)

func TestFindGit(t *testing.T) {
	ctx := context.Background()
	path, err := lookGit("git")
	if err != nil {
		t.Fatal(err)
	}
	c := plain(t)
	git := c.findGit()
	if git.Path() != path {
		t.Errorf("path is %q, want %q", git.Path(), path)
	}
	if want := strings.TrimPrefix(strings.TrimSpace(c.git("version")), "git version "); git.Version() != want {
		t.Errorf("version is %q, want %q", git.Version(), want)
	}

	script := func(text string) func(string) (string, error) {
		file := filepath.Join(t.TempDir(), "git")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return func(string) (string, error) { return file, nil }
	}
	for name, look := range map[string]func(string) (string, error){
		"none":         func(string) (string, error) { return "", errors.New("none") },
		"relative":     func(string) (string, error) { return "bin/git", nil },
		"too old":      script("echo git version 2.35.9"),
		"no version":   script("echo git version unknown"),
		"fails":        script("exit 3"),
		"no such file": func(string) (string, error) { return "/nonexistent/git", nil },
	} {
		_, err := gitplumb.FindGit(ctx, look, c.env)
		if !fault.Is(err, fault.GitFailed) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, version := range []string{"2.36.0", "2.39.5 (Apple Git-154)", "3.0.1"} {
		if _, err := gitplumb.FindGit(ctx, script("echo 'git version "+version+"'"), c.env); err != nil {
			t.Errorf("version %q: %v", version, err)
		}
	}
}

func TestCancelKillsGit(t *testing.T) {
	hang := filepath.Join(t.TempDir(), "git")
	if err := os.WriteFile(hang, []byte("#!/bin/sh\nsleep 1000 & sleep 1000\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	look := func(string) (string, error) { return hang, nil }
	env := []string{"PATH=" + os.Getenv("PATH")}

	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err := gitplumb.FindGit(ctx, look, env)
	wantFault(t, err, fault.Deadline)
	if spent := time.Since(begin); spent > 10*time.Second {
		t.Errorf("took %v", spent)
	}
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	_, err = gitplumb.FindGit(ctx, look, env)
	wantFault(t, err, fault.Cancelled)
}

func TestGitInsideTheCheckoutIsRefused(t *testing.T) {
	ctx := context.Background()
	real, err := lookGit("git")
	if err != nil {
		t.Fatal(err)
	}
	c := plain(t)
	for _, inside := range []string{"bin", ".git/bin"} {
		c.sh("mkdir " + inside)
		file := c.path(inside + "/git")
		if err := os.Symlink(real, file); err != nil {
			t.Fatal(err)
		}
		git, err := gitplumb.FindGit(ctx, func(string) (string, error) { return file, nil }, c.env)
		if err != nil {
			t.Fatal(err)
		}
		_, err = gitplumb.Open(ctx, c.dir, git, gitplumb.Options{})
		wantFault(t, err, fault.GitFailed)
	}
	// A symlink from outside into the checkout is no better.
	copied := c.path("copied")
	if err := os.WriteFile(copied, []byte("#!/bin/sh\nexec "+real+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "git")
	if err := os.Symlink(copied, outside); err != nil {
		t.Fatal(err)
	}
	git, err := gitplumb.FindGit(ctx, func(string) (string, error) { return outside, nil }, c.env)
	if err != nil {
		t.Fatal(err)
	}
	_, err = gitplumb.Open(ctx, c.dir, git, gitplumb.Options{})
	wantFault(t, err, fault.GitFailed)
}

func TestEnvironmentNeverRedirects(t *testing.T) {
	c := plain(t)
	other := plain(t)
	other.sh("echo more >>a.txt; echo u >u")
	want := c.pass().Identity()
	program, trace := c.plant()
	c.env = append(c.env,
		"GIT_DIR="+other.path(".git"), "GIT_WORK_TREE="+other.dir, "GIT_INDEX_FILE="+other.path(".git/index"),
		"GIT_OBJECT_DIRECTORY="+other.path(".git/objects"), "GIT_CEILING_DIRECTORIES=/", "GIT_CONFIG_GLOBAL=/nonexistent",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0="+program,
		"GIT_CONFIG_PARAMETERS='core.bare=true'", "GIT_EXEC_PATH=/nonexistent", "GIT_TRACE="+filepath.Join(c.home, "trace"))
	repo := c.pass()
	if got := repo.Identity(); got != want {
		t.Errorf("identity is %+v, want %+v", got, want)
	}
	if err := repo.Clean(context.Background()); err != nil {
		t.Error(err)
	}
	wantNeverRan(t, trace)
	if entries, err := os.ReadDir(c.home); err != nil || len(entries) != 0 {
		t.Errorf("the home holds %v (%v)", entries, err)
	}
}

func TestTemporaryFilesLieOutside(t *testing.T) {
	c := plain(t)
	c.git("config", "core.autocrlf", "true") // git's way
	c.sh("mkdir tmp; echo tmp >.gitignore; git add .gitignore; git commit -q -m ignore")
	for i, entry := range c.env {
		if strings.HasPrefix(entry, "TMPDIR=") {
			c.env[i] = "TMPDIR=" + c.path("tmp")
		}
	}
	before, err := os.Stat(c.path("tmp"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.pass().Clean(context.Background()); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(c.path("tmp"))
	if err != nil {
		t.Fatal(err)
	}
	if !before.ModTime().Equal(after.ModTime()) {
		t.Error("a temporary file lay inside the checkout")
	}
}

func TestAround(t *testing.T) {
	ctx := context.Background()
	c := plain(t)
	git := c.findGit()
	// A .git that is no repository hides nothing: git looks further up.
	if err := os.MkdirAll(c.path("d/e/.git"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{c.dir, c.path("d"), c.dir + "/", c.path("d/e")} {
		repo, err := gitplumb.Around(ctx, dir, git, gitplumb.Options{})
		if err != nil || repo.Identity().Workspace != c.dir {
			t.Errorf("%q: got %+v, %v", dir, repo, err)
			continue
		}
		if err := repo.Close(); err != nil {
			t.Error(err)
		}
	}
	for dir, want := range map[string]fault.Condition{
		filepath.Dir(c.dir): fault.GitFailed, c.path(".git"): fault.GitFailed, c.path("none"): fault.WorkspaceMissing, "d": fault.Usage,
	} {
		_, err := gitplumb.Around(ctx, dir, git, gitplumb.Options{})
		wantFault(t, err, want)
	}
}

func TestOpenRefuses(t *testing.T) {
	ctx := context.Background()
	c := plain(t)
	base := filepath.Dir(c.dir)
	c.sh("git init -q --bare ../bare; git init -q --object-format=sha256 ../sha256; git init -q ../unborn; ln -s ws ../link; echo x >../file; mkdir ../none")
	git := c.findGit()
	for name, want := range map[string]fault.Condition{
		"ws/d":        fault.NotRoot,
		"ws/.git":     fault.GitFailed,
		"bare":        fault.GitFailed,
		"sha256":      fault.SHA256Repository,
		"link":        fault.WorkspaceMissing,
		"link/":       fault.WorkspaceMissing,
		"link/.":      fault.WorkspaceMissing,
		"file":        fault.WorkspaceMissing,
		"file/x":      fault.WorkspaceMissing,
		"nonexistent": fault.WorkspaceMissing,
		"none":        fault.GitFailed,
	} {
		_, err := gitplumb.Open(ctx, base+"/"+name, git, gitplumb.Options{})
		if !fault.Is(err, want) {
			t.Errorf("%q: got %v, want %s", name, err, want)
		}
	}
	_, err := gitplumb.Open(ctx, "ws", git, gitplumb.Options{})
	wantFault(t, err, fault.Usage)

	unborn, err := gitplumb.Open(ctx, base+"/unborn", git, gitplumb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer unborn.Close()
	_, err = unborn.Head(ctx)
	wantFault(t, err, fault.GitFailed)
	wantFault(t, unborn.Clean(ctx), fault.GitFailed)
}

// TestWhatGitWouldWaitFor puts a FIFO in the place of each file that git opens
// before it answers anything.
func TestWhatGitWouldWaitFor(t *testing.T) {
	for _, name := range []string{"HEAD", "config", "packed-refs", "refs/heads/main", "commondir", "shallow", "index"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := plain(t)
			git := c.findGit()
			c.sh("rm -f .git/" + name + "; mkfifo .git/" + name)
			begin := time.Now()
			_, err := gitplumb.Open(context.Background(), c.dir, git, gitplumb.Options{})
			wantFault(t, err, fault.GitFailed)
			if spent := time.Since(begin); spent > 10*time.Second {
				t.Errorf("took %v", spent)
			}
		})
	}
}
