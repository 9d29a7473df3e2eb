package gitplumb_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
)

// A checkout is a repository of a test, with a home of its own.
type checkout struct {
	t    testing.TB
	dir  string
	home string
	env  []string // of whoever judges
}

// newCheckout makes an empty repository.
func newCheckout(t testing.TB) *checkout {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &checkout{t: t, dir: filepath.Join(base, "ws"), home: filepath.Join(base, "home")}
	for _, dir := range []string{c.dir, c.home} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "TMPDIR=" + base}
	c.git("init", "-q", "-b", "main", "--template=", ".")
	return c
}

// plain makes a repository with two committed files.
func plain(t testing.TB) *checkout {
	c := newCheckout(t)
	c.write("a.txt", "alpha\n")
	c.write("d/b.txt", "beta\n")
	c.commit("plain")
	return c
}

// run runs a program in the checkout with fixed names and dates.
func (c *checkout) run(name string, args ...string) string {
	c.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	cmd.Env = append(slices.Clone(c.env), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.invalid", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.invalid", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	out, err := cmd.Output()
	if err != nil {
		stderr := ""
		if exit, ok := err.(*exec.ExitError); ok {
			stderr = string(exit.Stderr)
		}
		c.t.Fatalf("%s %q: %v\n%s", name, args, err, stderr)
	}
	return string(out)
}

func (c *checkout) git(args ...string) string {
	c.t.Helper()
	return c.run("git", args...)
}

// sh runs a script with -eu.
func (c *checkout) sh(script string) string {
	c.t.Helper()
	return c.run("bash", "-euc", script)
}

func (c *checkout) commit(message string) {
	c.t.Helper()
	c.git("add", "-A", ".")
	c.git("commit", "-q", "--allow-empty", "-m", message)
}

func (c *checkout) path(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

func (c *checkout) write(name, content string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.path(name)), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.path(name), []byte(content), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// status is git's own answer, as contract section 5 asks for it.
func (c *checkout) status() string {
	c.t.Helper()
	return c.git("-c", "core.fileMode=true", "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false", "--no-optional-locks",
		"status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames")
}

// findGit finds git for whoever judges.
func (c *checkout) findGit() *gitplumb.Git {
	c.t.Helper()
	git, err := gitplumb.FindGit(context.Background(), lookGit, c.env)
	if err != nil {
		c.t.Fatal(err)
	}
	return git
}

// open begins a pass, which ends with the test.
func (c *checkout) open(options gitplumb.Options) *gitplumb.Repo {
	c.t.Helper()
	repo, err := gitplumb.Open(context.Background(), c.dir, c.findGit(), options)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		if err := repo.Close(); err != nil {
			c.t.Error(err)
		}
	})
	return repo
}

func (c *checkout) pass() *gitplumb.Repo {
	c.t.Helper()
	return c.open(gitplumb.Options{})
}

// wantStatus holds the status of a new pass against git's and returns it.
func (c *checkout) wantStatus(way gitplumb.Way) gitplumb.Status {
	c.t.Helper()
	status, err := c.pass().Status(context.Background())
	if err != nil {
		c.t.Fatal(err)
	}
	if want := c.status(); string(status.Text) != want {
		c.t.Errorf("status is %q, git says %q", status.Text, want)
	}
	if status.Way != way {
		c.t.Errorf("the way is %q (%s), want %q", status.Way, status.Reason, way)
	}
	return status
}

// wantFault fails the test unless err has the condition.
func wantFault(t testing.TB, err error, condition fault.Condition) {
	t.Helper()
	if !fault.Is(err, condition) {
		t.Errorf("got %v, want %s", err, condition)
	}
}

// plant writes a program that leaves a file behind when it runs, and returns
// its path and that file's.
func (c *checkout) plant() (program, trace string) {
	c.t.Helper()
	base := filepath.Dir(c.dir)
	program, trace = filepath.Join(base, "planted"), filepath.Join(base, "trace")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n: >"+trace+"\nexec cat\n"), 0o755); err != nil {
		c.t.Fatal(err)
	}
	return program, trace
}

func wantNeverRan(t testing.TB, trace string) {
	t.Helper()
	if _, err := os.Lstat(trace); err == nil {
		t.Error("a planted program ran")
	}
}
