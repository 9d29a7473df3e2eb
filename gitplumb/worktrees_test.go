package gitplumb_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
)

func readLayout(t *testing.T, gitDir, commonDir string) gitplumb.Layout {
	t.Helper()
	l, err := gitplumb.ReadLayout(gitDir, commonDir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLayout(t *testing.T) {
	c := plain(t)
	c.git("worktree", "add", "-q", "-b", "side", "../side")
	c.sh("ln -s ws ../link")
	git, side := c.path(".git"), filepath.Join(filepath.Dir(c.dir), "side")
	sideGit := filepath.Join(git, "worktrees", "side")
	for _, l := range []struct {
		gitDir, commonDir string
		want              gitplumb.Layout
	}{
		{git, "", gitplumb.Layout{GitDirectory: git, CommonDirectory: git}},
		{filepath.Join(c.dir, "../link/.git"), "", gitplumb.Layout{GitDirectory: git, CommonDirectory: git}},
		{filepath.Join(side, ".git"), "", gitplumb.Layout{GitDirectory: sideGit, CommonDirectory: git}},
		{sideGit, "", gitplumb.Layout{GitDirectory: sideGit, CommonDirectory: git}},
		{sideGit, sideGit, gitplumb.Layout{GitDirectory: sideGit, CommonDirectory: sideGit}},
	} {
		if got := readLayout(t, l.gitDir, l.commonDir); got != l.want {
			t.Errorf("%s: %+v, not %+v", l.gitDir, got, l.want)
		}
	}
	for name, text := range map[string]string{"empty": "", "wrong": "gitdir /x\n", "nowhere": "gitdir: nowhere\n", "long": strings.Repeat("x", 16_385)} {
		c.write(name, text)
		_, err := gitplumb.ReadLayout(c.path(name), "")
		if !fault.Is(err, fault.GitFailed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := gitplumb.ReadLayout(c.path("missing"), ""); !fault.Is(err, fault.GitFailed) {
		t.Errorf("missing: %v", err)
	}
}

// TestWorktrees holds the list against git's.
func TestWorktrees(t *testing.T) {
	c := plain(t)
	c.sh("git worktree add -q ../one && git worktree add -q --detach ../two && git worktree add -q ../gone && rm -rf ../gone && mkdir .git/worktrees/broken")
	l := readLayout(t, c.path(".git"), "")
	found, err := l.Worktrees("")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, w := range found {
		got = append(got, w.Workspace)
		wantDir := c.path(".git/worktrees/" + w.Name)
		if w.Name == "" {
			wantDir = c.path(".git")
		}
		if w.GitDirectory != wantDir {
			t.Errorf("%+v", w)
		}
	}
	for line := range strings.Lines(c.git("worktree", "list", "--porcelain")) {
		if path, found := strings.CutPrefix(line, "worktree "); found {
			want = append(want, strings.TrimSpace(path))
		}
	}
	slices.Sort(got[1:])
	slices.Sort(want[1:])
	if !slices.Equal(got, want) {
		t.Errorf("%q, git lists %q", got, want)
	}
}

// TestMainCheckout holds when the main checkout is known.
func TestMainCheckout(t *testing.T) {
	c := newCheckout(t)
	c.sh("git init -q --separate-git-dir=../apart.git ../apart && git init -q --bare ../bare.git")
	base := filepath.Dir(c.dir)
	separate := readLayout(t, filepath.Join(base, "apart", ".git"), "")
	for standing, want := range map[string]int{"": 0, filepath.Join(base, "apart"): 1, c.dir: 0, filepath.Join(base, "none"): 0} {
		found, err := separate.Worktrees(standing)
		if err != nil || len(found) != want {
			t.Errorf("standing in %q: %+v, %v", standing, found, err)
		}
	}
	found, err := readLayout(t, filepath.Join(base, "bare.git"), "").Worktrees(base)
	if err != nil || len(found) != 0 {
		t.Errorf("bare: %+v, %v", found, err)
	}
}

// TestReference holds what is stored against git's own answers.
func TestReference(t *testing.T) {
	c := plain(t)
	c.sh(`git branch packed && git tag t && git pack-refs --all && git commit -q --allow-empty -m two
		git branch loose && git branch -f packed && git symbolic-ref refs/heads/alias refs/heads/loose
		git worktree add -q -b side ../side && git -C ../side update-ref refs/worktree/own HEAD && git update-ref ORIG_HEAD HEAD~1
		git worktree add -q --detach ../two HEAD~1
		echo broken >.git/refs/heads/broken`)
	l := readLayout(t, c.path(".git"), "")
	id := func(name string) string { return strings.TrimSpace(c.git("rev-parse", name)) }
	first, second := id("HEAD~1"), id("HEAD")
	var names []string
	expected := map[string]gitplumb.Reference{}
	for name, want := range map[string]gitplumb.Reference{
		"HEAD":                             {Target: "refs/heads/main"},
		"ORIG_HEAD":                        {ID: first},
		"refs/heads/main":                  {ID: second, Packed: first},
		"refs/heads/packed":                {ID: second, Packed: first},
		"refs/heads/loose":                 {ID: second},
		"refs/heads/alias":                 {Target: "refs/heads/loose"},
		"refs/tags/t":                      {Packed: first},
		"refs/heads/none":                  {},
		"refs/heads":                       {},
		"FETCH_HEAD":                       {},
		"refs/worktree/own":                {},
		"worktrees/side/refs/worktree/own": {ID: second},
		"worktrees/side/HEAD":              {Target: "refs/heads/side"},
		"worktrees/two/HEAD":               {ID: first},
		"worktrees/none/HEAD":              {},
		"main-worktree/HEAD":               {Target: "refs/heads/main"},
		"main-worktree/refs/heads/main":    {ID: second, Packed: first},
	} {
		got, err := l.Reference(name)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v, not %+v", name, got, err, want)
		}
		names = append(names, name)
		expected[name] = want
	}
	if got := l.References(append(names, "refs/heads/broken", "config")); !maps.Equal(got, expected) {
		t.Errorf("at once: %+v, not %+v", got, expected)
	}
	linked := readLayout(t, filepath.Join(filepath.Dir(c.dir), "side", ".git"), "")
	if got, err := linked.Reference("HEAD"); err != nil || got.Target != "refs/heads/side" {
		t.Errorf("HEAD of the other worktree: %+v, %v", got, err)
	}
	for _, name := range []string{
		"", "head", "config", "refs/heads/broken", "refs/../config", "../x", "worktrees/../HEAD", "worktrees/./HEAD", "worktrees//HEAD",
		"worktrees/side", "main-worktree/config", "refs/heads/x.lock",
	} {
		if got, err := l.Reference(name); !fault.Is(err, fault.GitFailed) || got != (gitplumb.Reference{}) {
			t.Errorf("%q: %+v, %v", name, got, err)
		}
	}
	c.sh("rm .git/packed-refs && mkdir .git/packed-refs")
	if got := l.References([]string{"HEAD", "refs/heads/loose"}); !maps.Equal(got, map[string]gitplumb.Reference{"HEAD": expected["HEAD"]}) {
		t.Errorf("packed-refs cannot be read: %+v", got)
	}
	if l.PackedLocked() {
		t.Error("packed-refs is not locked")
	}
	if err := os.WriteFile(c.path(".git/packed-refs.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if !l.PackedLocked() {
		t.Error("packed-refs is locked")
	}
}

// TestHooksPath holds the setting as git sees it, the command line's aside.
func TestHooksPath(t *testing.T) {
	c := plain(t)
	c.env = append(c.env, "GIT_CONFIG_NOSYSTEM=1")
	for _, step := range []struct {
		script string
		want   gitplumb.HooksPath
	}{
		{"true", gitplumb.HooksPath{}},
		{"git config --global core.hooksPath '~/hooks'", gitplumb.HooksPath{Path: filepath.Join(c.home, "hooks"), Scope: "global"}},
		{"git config core.hooksPath .husky", gitplumb.HooksPath{Path: ".husky", Scope: "local"}},
		{"git config core.hooksPath ''", gitplumb.HooksPath{Scope: "local"}},
		{"git config core.hooksPath '/a\nb'", gitplumb.HooksPath{Path: "/a\nb", Scope: "local"}},
		{"git config extensions.worktreeConfig true && git config --worktree core.hooksPath /w", gitplumb.HooksPath{Path: "/w", Scope: "worktree"}},
	} {
		c.sh(step.script)
		got, err := c.findGit().HooksPath(t.Context(), c.dir)
		if err != nil || got != step.want {
			t.Errorf("%s: %+v, %v, not %+v", step.script, got, err, step.want)
		}
	}
	c.write(".git/config", "[broken")
	if _, err := c.findGit().HooksPath(t.Context(), c.dir); !fault.Is(err, fault.GitFailed) {
		t.Errorf("a broken configuration: %v", err)
	}
}
