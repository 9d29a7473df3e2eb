package hooks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/hooks"
	"github.com/git-algal/git-algal/internal/canon"
)

// updates are commands that change a reference, each on its own and all of
// them in turn.
var updates = []string{
	"echo more >>a.txt && git commit -q -a -m more",
	"git commit -q --amend -m amended",
	"git commit -q --allow-empty -m empty",
	"echo stashed >>a.txt && git stash",
	"git merge -q -m merged side",
	"git branch new-1",
	"git checkout -q -b new-2",
	"git switch -q -c new-3",
	"git switch -q --detach",
	"git branch -f forced HEAD",
	"git branch -m named renamed",
	"git branch -D dropped",
	"git update-ref -d refs/heads/deleted",
	"git update-ref refs/odd/one HEAD",
	"git update-ref --no-deref HEAD HEAD~1",
	"git tag t1",
	"git tag -a -m annotated t2",
	"git notes add -m noted",
	"git worktree add -q ../made-1",
	"git worktree add -q -b new-4 ../made-2",
	"git worktree add -q --detach ../made-3",
	"git fetch -q origin pushed-1:refs/heads/fetched",
	"git push -q origin HEAD:refs/heads/pushed-2",
	"git push -q origin --delete pushed-1",
}

// neutral are commands that leave every reference as it is.
var neutral = []string{
	"git status --short",
	"git update-ref refs/heads/side refs/heads/side",
	"id=$(git rev-parse side) && echo $id >../repo/.git/refs/heads/side && git pack-refs --all",
	"git pack-refs --all",
	"id=$(git rev-parse main) && echo $id >../repo/.git/refs/heads/main && git gc -q",
	"git push -q ../remote.git side:refs/heads/pushed-0",
}

// TestClaimedCheckout holds every update against a claim on the main
// checkout, and the same updates after its job is settled.
func TestClaimedCheckout(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.install()
	job := s.claim(s.workspace)
	for _, script := range updates {
		s.refused(s.workspace, script, job)
		s.write(filepath.Join(s.workspace, "a.txt"), "two\n", 0o644)
	}
	before := s.refs()
	for _, script := range neutral {
		s.passes(s.workspace, script)
		if after := s.refs(); after != before {
			t.Errorf("%s changed references:\n%s\nbefore:\n%s", script, after, before)
		}
	}
	s.settle(job)
	s.age(time.Minute)
	for _, script := range updates {
		before := s.refs()
		s.passes(s.workspace, script)
		if s.refs() == before {
			t.Errorf("%s changes nothing", script)
		}
	}
}

// TestElsewhere holds that another worktree goes on working, and cannot move
// the branch or the HEAD of the claimed checkout.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.install()
	job := s.claim(s.workspace)
	for _, script := range []string{
		"git update-ref refs/heads/main refs/heads/main~1",
		"git update-ref -d refs/heads/main",
		"git branch -m main renamed",
		"git fetch -q --update-head-ok --force origin pushed-0:refs/heads/main",
		"git update-ref --no-deref main-worktree/HEAD HEAD~1",
	} {
		s.refused(s.worktree, script, job)
	}
	for _, script := range []string{"git branch -f main HEAD~1", "git branch -D main"} {
		before := s.refs()
		if out, err := s.try(s.worktree, script); err == nil || s.refs() != before {
			t.Errorf("%s: git itself refuses it for a branch that is checked out: %v\n%s", script, err, out)
		}
	}
	claimed := func() string {
		return s.read(filepath.Join(s.workspace, ".git/HEAD")) + s.sh(s.workspace, "git rev-parse HEAD && git status --short")
	}
	before := claimed()
	for _, script := range append(slices.Clone(neutral), updates...) {
		s.passes(s.worktree, script)
	}
	if after := claimed(); after != before {
		t.Errorf("the claimed checkout moved: %s, before: %s", after, before)
	}
}

// TestClaimedWorktree holds the same with the claim on the second worktree.
func TestClaimedWorktree(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.install()
	job := s.claim(s.worktree)
	s.refused(s.worktree, "git branch new-1", job)
	s.refused(s.worktree, "git commit -q --allow-empty -m empty", job)
	s.refused(s.worktree, "mkdir -p deep && cd deep && git tag t1", job)
	s.refused(s.worktree, "git worktree add -q --detach ../made-1", job)
	s.refused(s.worktree, "git push -q origin other", job)
	s.refused(s.workspace, "git update-ref refs/heads/other main~1", job)
	s.refused(s.workspace, "git update-ref --no-deref worktrees/other/HEAD main~1", job)
	s.refused(s.root, `git --git-dir="$1/repo/.git/worktrees/other" branch new-1`, job)
	s.refused(s.root, `git --git-dir="$1/repo/.git" update-ref refs/heads/other main~1`, job)
	s.sh(s.workspace, "git config receive.denyCurrentBranch ignore")
	s.sh(s.remote, "git fetch -q ../repo main")
	s.refused(s.remote, "git push -q -f ../repo FETCH_HEAD~1:refs/heads/other", job)
	s.passes(s.workspace, "git branch new-1 && git commit -q --allow-empty -m empty && git push -q origin main other")
	s.passes(s.root, `git --git-dir="$1/repo/.git" branch new-2`)
	s.passes(s.remote, "git push -q ../repo FETCH_HEAD:refs/heads/new-3")
}

// TestNestedWorktree holds that a worktree inside the claimed checkout is
// elsewhere, and that a folder of the checkout is not.
func TestNestedWorktree(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.sh(s.workspace, "echo trees >.git/info/exclude && git worktree add -q -b nested trees/nested")
	s.install()
	job := s.claim(s.workspace)
	s.passes(filepath.Join(s.workspace, "trees/nested"), "git commit -q --allow-empty -m empty && git branch new-1")
	s.refused(filepath.Join(s.workspace, "trees"), "git branch new-2", job)
	s.refused(filepath.Join(s.workspace, ".git"), "git update-ref refs/heads/new-2 main", job)
	s.refused(s.root, `git --git-dir="$1/repo/.git" branch new-2`, job)
}

// TestResidue documents what a guard cannot keep from changing: git changes
// index and files before it asks, and asks about some changes not at all.
func TestResidue(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.install()
	job := s.claim(s.workspace)
	for _, c := range []struct{ script, status, left string }{
		{"git reset -q --hard HEAD~1", "M  a.txt\n", ""},
		{"git cherry-pick side", "A  s.txt\n", "MERGE_MSG"},
		{"git rebase -q side", "M  a.txt\nA  s.txt\n", "rebase-merge"},
		{"git reset -q HEAD~1", " M a.txt\n", ""},
	} {
		s.refused(s.workspace, c.script, job)
		if got := s.sh(s.workspace, "git status --short"); c.script != "git reset -q HEAD~1" && got != c.status {
			t.Errorf("%s leaves %q, not %q", c.script, got, c.status)
		}
		if c.left != "" {
			if _, err := os.Stat(filepath.Join(s.workspace, ".git", c.left)); err != nil {
				t.Errorf("%s: %v", c.script, err)
			}
		}
		// What a person does about it: nothing of it updates a reference.
		s.passes(s.workspace, "rm -rf .git/rebase-merge .git/MERGE_MSG && git read-tree --reset -u HEAD && git status --short")
	}
	s.passes(s.workspace, "git -c core.hooksPath=/dev/null branch around")
	s.passes(s.workspace, "git push -q --no-verify --dry-run origin main")
	if out, err := s.try(s.workspace, "git switch -q side"); err != nil {
		if !strings.Contains(out, string(job)) {
			t.Errorf("git switch: %v\n%s", err, out)
		}
		return // this git asks about symbolic references, too
	}
	s.passes(s.workspace, "git switch -q main")
	s.passes(s.workspace, "git worktree add -q ../made side")
}

// TestEnvironmentHidesNothing holds that a worker's environment cannot lead
// the hook to another registry or program.
func TestEnvironmentHidesNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.install()
	job := s.claim(s.workspace)
	for _, variable := range []string{
		"HOME=/nonexistent", "XDG_STATE_HOME=/nonexistent", "GIT_ALGAL_STORE=/nonexistent", "PATH=/usr/bin:/bin",
		"GIT_CEILING_DIRECTORIES=/", "TMPDIR=/nonexistent", "GIT_WORK_TREE=" + s.root,
	} {
		s.refused(s.workspace, "git branch new-1", job, variable)
	}
	s.refused(s.root, "ln -sfn repo link && cd link && git branch new-1", job)
}

// TestNeverBricks holds that whatever keeps the guard from judging lets work
// go on, with a word about it.
func TestNeverBricks(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.install()
	job := s.claim(s.workspace)
	stored := filepath.Join(s.root, "store/coding-jobs", job.Hex(), "started.json")
	entry := filepath.Join(s.registryDir(), canon.DigestText(s.workspace).Hex()+".json")
	const broken = "registry entry"

	number := 0
	branch := func() string {
		number++
		return fmt.Sprintf("git branch new-%d", number)
	}
	for _, c := range []struct {
		what    string
		path    string
		harm    func(path string) error
		warning string // empty where nobody needs to know
	}{
		{"a vanished store", filepath.Join(s.root, "store"), os.RemoveAll, ""},
		{"a vanished registry", s.registryDir(), os.RemoveAll, ""},
		{"a broken entry", entry, overwrite, broken},
		{"a registry for everybody", s.registryDir(), func(path string) error { return os.Chmod(path, 0o777) }, "warning:"},
		{"a broken job", stored, overwrite, "warning:"},
		{"an unknown job", filepath.Dir(stored), os.RemoveAll, "warning:"},
	} {
		s.refused(s.workspace, branch(), job)
		whole := filepath.Join(s.root, "whole")
		s.sh(s.root, "rm -rf whole && cp -a '"+c.path+"' whole")
		if err := c.harm(c.path); err != nil {
			t.Fatal(err)
		}
		s.warns(s.workspace, branch(), c.warning)
		s.sh(s.root, "rm -rf '"+c.path+"' && mv whole '"+c.path+"'")
		if _, err := os.Stat(whole); err == nil {
			t.Fatalf("%s was not restored", c.what)
		}
	}

	other := s.claim(s.worktree)
	if err := overwrite(entry); err != nil {
		t.Fatal(err)
	}
	s.refused(s.worktree, branch(), other)
	s.warns(s.workspace, branch(), broken)

	in := s.installation()
	in.Program = filepath.Join(s.root, "program")
	s.installs(in)
	s.warns(s.worktree, branch(), in.Program+" is gone")
	s.warns(s.worktree, "git push -q origin main", in.Program+" is gone")
	for _, program := range []string{"#!/bin/sh\nexit 2", "#!/bin/sh\nkill -9 $$", "#!/nonexistent", "\x7fELF no program"} {
		s.write(in.Program, program, 0o755)
		s.warns(s.worktree, branch(), "ends with status")
	}
}

func overwrite(path string) error { return os.WriteFile(path, []byte("{"), 0o600) }

// TestManyUpdates holds that git may say more than fits a pipe.
func TestManyUpdates(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.install()
	head := strings.TrimSpace(s.sh(s.workspace, "git rev-parse HEAD"))
	many := func(name string) string {
		var b strings.Builder
		const pipeBytes = 64 << 10
		for i := 0; b.Len() < 2*pipeBytes; i++ {
			fmt.Fprintf(&b, "create refs/heads/%s/%0200d %s\n", name, i, head)
		}
		s.write(filepath.Join(s.root, name), b.String(), 0o600)
		return "git update-ref --stdin <../" + name
	}
	s.passes(s.worktree, many("unclaimed"))
	job := s.claim(s.workspace)
	s.refused(s.workspace, many("claimed"), job)
	s.passes(s.worktree, many("elsewhere"))
}

// TestPreparedClaim holds that a claim whose job was never launched stands in
// the way as well: its run died between claim and marker.
func TestPreparedClaim(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.install()
	job := s.claim(s.workspace)
	dir := filepath.Join(s.root, "store/coding-jobs", job.Hex())
	for _, name := range []string{"started.json", "result.json"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s.refused(s.workspace, "git branch new-1", job)
}

// TestAllClear holds when the script needs no program, and that a claim ends
// that.
func TestAllClear(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	in := s.installation()
	calls := filepath.Join(s.root, "calls")
	recorder := filepath.Join(s.root, "recorder")
	s.write(recorder, "#!/bin/sh\necho called >>'"+calls+"'\nexec '"+in.Program+"' \"$@\"\n", 0o755)
	in.Program = recorder
	s.installs(in)
	called := func(script string, want bool) {
		t.Helper()
		if err := os.WriteFile(calls, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s.passes(s.worktree, script)
		if got := s.read(calls) != ""; got != want {
			t.Errorf("%s: the program is called: %v", script, got)
		}
	}
	called("git branch no-registry", false)
	job := s.claim(s.worktree)
	s.refused(s.worktree, "git branch x", job)
	s.settle(job)
	s.age(-time.Minute)
	called("git branch registry-is-young", true)
	called("git branch registry-is-still-young", true)
	s.age(time.Minute)
	called("git branch registry-is-old", true)
	called("git branch all-clear", false)
	called("git commit -q --allow-empty -m x && git push -q origin HEAD", false)
	// Through another name of the repository the script is not sure.
	s.sh(s.root, "ln -s repo link")
	called(`git --git-dir="$1/link/.git" branch by-another-name`, true)
	called(`git --git-dir="$1/link/.git/worktrees/other" branch -f by-another-name HEAD~1`, true)
	called(`cd "$1/link" && git branch -f by-another-name HEAD`, false)
	called(`GIT_COMMON_DIR="$1/repo/.git" git branch named-by-the-environment`, true)
	// Another claim takes the all-clear away at once, and so does a registry
	// that seems older.
	other := s.claim(s.workspace)
	s.refused(s.workspace, "git branch x", other)
	called("git branch another-claim", true)
	s.age(time.Minute)
	called("git branch old-claim", true)
	called("git branch still-claimed", true)
	s.refused(s.workspace, "git branch x", other)
	s.settle(other)
	entry := filepath.Join(s.registryDir(), canon.DigestText(s.workspace).Hex()+".json")
	s.sh(s.root, "touch '"+entry+"'") // as a run does before it publishes its claim
	s.age(time.Minute)
	called("git branch about-to-claim", true)
	called("git branch still-about-to-claim", true)
	s.sh(s.root, "touch -d '1 day ago' '"+entry+"'")
	s.age(time.Minute)
	called("git branch settled", true)
	called("git branch all-clear-again", false)
	s.age(time.Hour)
	called("git branch registry-went-back", true)
	called("git branch all-clear-once-more", false)
}

// TestAllClearNeedsAnotherTime holds when an all-clear is given: where a later
// change of the registry would have another time, in whole seconds too.
func TestAllClearNeedsAnotherTime(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.settle(s.claim(s.workspace))
	in := s.installation()
	second := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	fine := 250*time.Millisecond + 1
	for _, c := range []struct {
		changed, now time.Duration // after second
		clear        bool
	}{
		{0, 2*time.Second - 1, false},
		{0, 2 * time.Second, true},
		{250 * time.Millisecond, 2 * time.Second, false}, // perhaps a clock of 10 ms or coarser
		{250 * time.Millisecond, 2250 * time.Millisecond, true},
		{fine, 900 * time.Millisecond, false},
		{fine, 1100*time.Millisecond - 1, false},
		{fine, 1100 * time.Millisecond, true},
		{fine, 0, false}, // a clock that went back
	} {
		changed := second.Add(c.changed)
		if err := os.Chtimes(s.registryDir(), changed, changed); err != nil {
			t.Fatal(err)
		}
		guard := hooks.Guard{
			FS: s.fs(), Now: func() time.Time { return second.Add(c.now) },
			Directory: s.workspace, Warn: func(err error) { t.Error(err) },
		}
		call := hooks.Call{Hook: hooks.ReferenceTransaction, Args: []string{"prepared"}, Registry: s.registryDir(), AllClears: in.AllClears}
		if err := guard.Answer(call, strings.NewReader("")); err != nil {
			t.Fatal(err)
		}
		common := filepath.Join(s.workspace, ".git")
		_, err := os.Stat(filepath.Join(in.AllClears, common, "all-clear"))
		if (err == nil) != c.clear {
			t.Errorf("changed at %v, asked at %v: all-clear %v", c.changed, c.now, err == nil)
		}
		hooks.ForgetAllClear(in.AllClears, common)
	}
}

// TestAllClearNames holds that the script finds the all-clear of a repository
// whose own path looks like a worktree's, and of one that shares its hooks.
func TestAllClearNames(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.settle(s.claim(s.workspace))
	s.age(time.Minute)
	for _, name := range []string{"worktrees/project", "worktrees/worktrees"} {
		s.sh(s.root, `git init -q -b main `+name+` && cd `+name+` && git commit -q --allow-empty -m one
			git worktree add -q -b linked linked && git config core.hooksPath "$1/hooks"`)
		place, err := hooks.FindPlace(t.Context(), s.git(), filepath.Join(s.root, name), layoutOf(t, filepath.Join(s.root, name)))
		if err != nil || !place.Shared {
			t.Fatalf("%+v, %v", place, err)
		}
		in := s.installation()
		for _, dir := range []string{filepath.Join(s.root, name), filepath.Join(s.root, name, "linked")} {
			list, err := hooks.Install(place, in)
			installed(t, list, err)
			s.passes(dir, "git branch first-$(basename $PWD)")
			broken := in
			broken.Program = filepath.Join(s.root, "gone")
			place.Exists = true
			list, err = hooks.Install(place, broken)
			installed(t, list, err)
			s.passes(dir, "git branch second-$(basename $PWD)") // no word of the program
		}
		hooks.ForgetAllClear(in.AllClears, filepath.Join(s.root, name, ".git"))
		s.warns(filepath.Join(s.root, name), "git branch third", "is gone")
	}
	if got := entries(t, s.root+"/state"); strings.Contains(got, "hooks") {
		t.Errorf("an all-clear is left: %s", got)
	}
}

func layoutOf(t *testing.T, root string) gitplumb.Layout {
	t.Helper()
	layout, err := gitplumb.ReadLayout(filepath.Join(root, ".git"), "")
	if err != nil {
		t.Fatal(err)
	}
	return layout
}

// age lets the registry look as if it had last changed some time ago.
func (s *scene) age(d time.Duration) {
	s.tb.Helper()
	then := time.Now().Add(-d)
	if err := os.Chtimes(s.registryDir(), then, then); err != nil {
		s.tb.Fatal(err)
	}
}
