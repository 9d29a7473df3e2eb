package hooks_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/hooks"
	"github.com/git-algal/git-algal/internal/fault"
)

// A bench is a bare hooks directory, without a repository around it.
type bench struct {
	t     *testing.T
	place hooks.Place
	in    hooks.Installation
}

func newBench(t *testing.T) *bench {
	t.Helper()
	root := t.TempDir()
	b := &bench{
		t:     t,
		place: hooks.Place{Directory: filepath.Join(root, "hooks"), Exists: true},
		in:    hooks.Installation{Program: "/opt/git-algal", Registry: filepath.Join(root, "workspaces"), AllClears: filepath.Join(root, "clear")},
	}
	if err := os.Mkdir(b.place.Directory, 0o755); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.place.Directory, name) }

func (b *bench) write(name, text string, mode os.FileMode) {
	b.t.Helper()
	if err := errors.Join(os.WriteFile(b.path(name), []byte(text), mode), os.Chmod(b.path(name), mode)); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) install() {
	b.t.Helper()
	list, err := hooks.Install(b.place, b.in)
	installed(b.t, list, err)
}

func (b *bench) uninstall() []hooks.Hook {
	b.t.Helper()
	list, err := hooks.Uninstall(b.place)
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

// TestUninstallRestores holds that bytes, modes, links and the very files
// are back.
func TestUninstallRestores(t *testing.T) {
	for _, c := range []struct {
		what string
		lay  func(b *bench)
	}{
		{"nothing", func(*bench) {}},
		{"samples", func(b *bench) { b.write("pre-push.sample", "#!/bin/sh\n", 0o755) }},
		{"hooks", func(b *bench) {
			b.write("pre-push", "#!/bin/sh\nexit 3\n", 0o750)
			b.write("reference-transaction", "no shebang", 0o711)
		}},
		{"a hook that is switched off", func(b *bench) { b.write("pre-push", "#!/bin/sh\nexit 1\n", 0o644) }},
		{"an empty hook", func(b *bench) { b.write("pre-push", "", 0o600) }},
		{"links", func(b *bench) {
			b.write("shared", "#!/bin/sh\n", 0o755)
			if err := errors.Join(os.Symlink("shared", b.path("pre-push")), os.Symlink("/nonexistent/hook", b.path("reference-transaction"))); err != nil {
				b.t.Fatal(err)
			}
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			b := newBench(t)
			c.lay(b)
			before := entries(t, b.place.Directory)
			file, _ := os.Lstat(b.path("pre-push"))
			b.install()
			once := entries(t, b.place.Directory)
			if once == before {
				t.Error("installing changes nothing")
			}
			b.install()
			if twice := entries(t, b.place.Directory); twice != once {
				t.Errorf("installing twice:\n%s\nonce:\n%s", twice, once)
			}
			b.in.Program = "/opt/elsewhere/git-algal"
			b.install()
			if changed := b.uninstall(); len(changed) != len(hooks.Names()) {
				t.Errorf("%d hooks were taken away", len(changed))
			}
			if after := entries(t, b.place.Directory); after != before {
				t.Errorf("uninstalled:\n%s\nbefore:\n%s", after, before)
			}
			again, _ := os.Lstat(b.path("pre-push"))
			if file != nil && file.Mode().IsRegular() && !os.SameFile(file, again) {
				t.Error("the hook is another file")
			}
			if changed := b.uninstall(); len(changed) != 0 {
				t.Errorf("uninstalling twice takes %d hooks away", len(changed))
			}
		})
	}
}

// TestMadeDirectory holds that a directory which installing made goes away
// with the hooks, unless something else lies in it.
func TestMadeDirectory(t *testing.T) {
	b := newBench(t)
	for _, other := range []bool{false, true} {
		if err := os.RemoveAll(b.place.Directory); err != nil {
			t.Fatal(err)
		}
		b.place.Exists = false
		b.install()
		b.place.Exists = true
		b.in.Program += "-2"
		b.install()
		if other {
			b.write("pre-commit", "", 0o755)
		}
		b.uninstall()
		if _, err := os.Stat(b.place.Directory); (err == nil) != other {
			t.Errorf("with another hook %v: %v", other, err)
		}
	}
}

// TestInterruptedInstallation holds that an installation may die between any
// two steps, and be repeated or taken back.
func TestInterruptedInstallation(t *testing.T) {
	const mine = "#!/bin/sh\n# mine\n"
	for _, c := range []struct {
		what string
		lay  func(b *bench) error
	}{
		{"a temporary is left", func(b *bench) error { return os.WriteFile(b.path(".git-algal-0"), nil, 0o700) }},
		{"the hook is set aside as well", func(b *bench) error {
			return os.Link(b.path("pre-push"), b.path("pre-push.git-algal-chained"))
		}},
		{"one hook stands", func(b *bench) error {
			b.install()
			return os.Rename(b.path("pre-push.git-algal-chained"), b.path("pre-push"))
		}},
		{"the guard was removed", func(b *bench) error {
			b.install()
			return os.Remove(b.path("pre-push"))
		}},
	} {
		for _, again := range []bool{true, false} {
			b := newBench(t)
			b.write("pre-push", mine, 0o755)
			if err := c.lay(b); err != nil {
				t.Fatal(err)
			}
			if again {
				b.install()
			}
			b.uninstall()
			_ = os.Remove(b.path(".git-algal-0"))
			if got := entries(t, b.place.Directory); got != "pre-push -rwxr-xr-x \"#!/bin/sh\\n# mine\\n\"\n" {
				t.Errorf("%s, installed again: %v:\n%s", c.what, again, got)
			}
		}
	}
}

// TestStates holds what is said of hooks, and that others' are left alone.
func TestStates(t *testing.T) {
	b := newBench(t)
	b.write("pre-push", "#!/bin/sh\n# theirs\n", 0o755)
	b.install()
	guard, err := os.ReadFile(b.path("pre-push"))
	if err != nil {
		t.Fatal(err)
	}
	look := func() hooks.State {
		t.Helper()
		return hooksIn(t, b.place)[1].State
	}
	b.write("pre-push", string(guard), 0o644)
	if got := look(); got != hooks.Disabled {
		t.Errorf("without execute bit: %q", got)
	}
	b.write("pre-push", strings.Replace(string(guard), "exit 1", "exit 0", 1), 0o755)
	if got := look(); got != hooks.Outdated {
		t.Errorf("edited: %q", got)
	}
	b.write("pre-push", strings.Replace(string(guard), "hook='pre-push'", "hook='reference-transaction'", 1), 0o755)
	if got := look(); got != hooks.Outdated {
		t.Errorf("the other guard: %q", got)
	}
	b.install()
	if got := look(); got != hooks.Installed {
		t.Errorf("installed again: %q", got)
	}

	// Somebody else's hook takes the guard's place: theirs and the one before
	// both stay, and nothing is changed.
	if err := os.Remove(b.path("pre-push")); err != nil {
		t.Fatal(err)
	}
	b.write("pre-push", "#!/bin/sh\n# others\n", 0o755)
	if got := look(); got != hooks.Foreign {
		t.Errorf("another hook: %q", got)
	}
	before := entries(t, b.place.Directory)
	_, err = hooks.Install(b.place, b.in)
	fails(t, "Install", err, fault.RecordConflict)
	if after := entries(t, b.place.Directory); after != before {
		t.Errorf("a refused installation changed:\n%s\nbefore:\n%s", after, before)
	}
	_, err = hooks.Uninstall(b.place)
	fails(t, "Uninstall", err, fault.RecordConflict)

	if err := errors.Join(os.Remove(b.path("pre-push")), os.Mkdir(b.path("pre-push"), 0o755), os.Remove(b.path("pre-push.git-algal-chained"))); err != nil {
		t.Fatal(err)
	}
	_, err = hooks.Install(b.place, b.in)
	fails(t, "a directory", err, fault.UnsupportedRepo)
}

// hooksIn returns what stands in a place.
func hooksIn(t *testing.T, p hooks.Place) []hooks.Hook {
	t.Helper()
	list, err := hooks.Look(p)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestChained holds that the hook that was there runs as git would run it:
// with its arguments and input, after the guard, its exit status respected.
func TestChained(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	dir := filepath.Join(s.workspace, ".git", "hooks")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	record := filepath.Join(s.root, "record")
	script := "{ echo \"$0 $# $*\"; cat; } >>'" + record + "'\nif test -e \"$(dirname \"$0\")/fail\"; then exit 3; fi\n"
	s.write(filepath.Join(dir, "reference-transaction"), "#!/bin/sh\n"+script, 0o755)
	s.write(filepath.Join(dir, "pre-push"), script, 0o755) // without an interpreter
	recorded := func(dir, script string) string {
		s.write(record, "", 0o600)
		s.passes(dir, script)
		return strings.ReplaceAll(s.read(record), ".git-algal-chained", "")
	}
	s.sh(s.workspace, "git -c core.hooksPath=/dev/null pack-refs --all")
	const commands = "git tag t && git tag -d t && git push -q origin main:new && git push -q origin :new && git pack-refs --all"
	alone := recorded(s.workspace, commands)
	s.install()
	for _, how := range []string{"without a registry", "by the program", "by an all-clear"} {
		if after := recorded(s.workspace, commands); after != alone || alone == "" {
			t.Errorf("%s the hook hears\n%s\nalone:\n%s", how, after, alone)
		}
		s.claimOnce()
	}
	if _, err := hooks.Uninstall(s.place()); err != nil {
		t.Fatal(err)
	}
	s.install()
	s.write(filepath.Join(dir, "fail"), "", 0o600)
	for _, script := range []string{"git tag t", "git push -q origin main:two"} {
		before := s.refs()
		if out, err := s.try(s.workspace, script); err == nil || s.refs() != before {
			t.Errorf("%s passes although the hook refuses: %s", script, out)
		}
	}
	if err := os.Remove(filepath.Join(dir, "fail")); err != nil {
		t.Fatal(err)
	}
	job := s.claim(s.workspace)
	s.write(record, "", 0o600)
	s.refused(s.workspace, "git tag t", job)
	if got := s.read(record); strings.Contains(got, "prepared") {
		t.Errorf("the hook is asked although the guard refused: %s", got)
	}
	if err := os.Chmod(filepath.Join(dir, "reference-transaction.git-algal-chained"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := recorded(s.worktree, "git tag t"); got != "" {
		t.Errorf("a hook that is switched off runs: %s", got)
	}
}

// claimOnce makes the registry exist, as if since long.
func (s *scene) claimOnce() {
	s.tb.Helper()
	if _, err := os.Stat(s.registryDir()); errors.Is(err, fs.ErrNotExist) {
		s.settle(s.claim(s.worktree))
		s.age(time.Minute)
	}
}

// TestFindPlace holds from which directories git runs hooks, against git.
func TestFindPlace(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	find := func(workspace string) (hooks.Place, error) {
		return hooks.FindPlace(t.Context(), s.git(), workspace, s.layout())
	}
	usual := filepath.Join(s.workspace, ".git", "hooks")
	for _, workspace := range []string{s.workspace, s.worktree} {
		p, err := find(workspace)
		if err != nil || p.Directory != usual || p.Scope != "" || p.Shared {
			t.Errorf("%s: %+v, %v", workspace, p, err)
		}
	}
	for _, c := range []struct {
		what, script string
		condition    fault.Condition
	}{
		{"husky", "git config core.hooksPath .husky", fault.UnsupportedRepo},
		{"relative, in the git directory", "git config core.hooksPath .git/hooks", fault.UnsupportedRepo},
		{"relative, outside", "git config core.hooksPath ../hooks", fault.UnsupportedRepo},
		{"absolute, in the worktree", `git config core.hooksPath "$1/repo/.githooks"`, fault.UnsupportedRepo},
		{"absolute, in another worktree", `mkdir ../other/h && git config core.hooksPath "$1/other/h"`, fault.UnsupportedRepo},
		{"a link into the worktree", `mkdir inside && ln -s "$1/repo/inside" ../link && git config core.hooksPath "$1/link"`, fault.UnsupportedRepo},
		{"no directory", "git config core.hooksPath /dev/null", fault.UnsupportedRepo},
		{"below a file", `git config core.hooksPath "$1/repo/a.txt/hooks"`, fault.HostFailed},
		{"empty", "git config core.hooksPath ''", fault.UnsupportedRepo},
	} {
		s.sh(s.workspace, c.script)
		p, err := find(s.workspace)
		fails(t, c.what, err, c.condition)
		if e, ok := fault.Of(err); ok && e.Condition == fault.UnsupportedRepo && c.what != "no directory" && e.Next == "" {
			t.Errorf("%s: no next step", c.what)
		}
		if p.Exists && !p.Shared {
			t.Errorf("%s: %+v", c.what, p)
		}
	}
	for _, c := range []struct{ what, script, want, scope string }{
		{"absolute", `mkdir ../hooks && git config core.hooksPath "$1/hooks"`, "hooks", "local"},
		{"absolute, not there yet", `git config core.hooksPath "$1/none"`, "none", "local"},
		{"of the person", `git config --unset core.hooksPath; mkdir -p "$HOME/hooks" && git config --global core.hooksPath '~/hooks'`, "home/hooks", "global"},
		{"of the worktree", `git config extensions.worktreeConfig true && git config --worktree core.hooksPath "$1/hooks"`, "hooks", "worktree"},
	} {
		s.sh(s.workspace, c.script)
		p, err := find(s.workspace)
		if err != nil || p.Directory != filepath.Join(s.root, c.want) || p.Scope != c.scope || !p.Shared {
			t.Errorf("%s: %+v, %v", c.what, p, err)
		}
	}
	s.install()
	job := s.claim(s.workspace)
	s.refused(s.workspace, "git branch new-1", job)
	s.passes(s.worktree, "git branch new-2")

	survey, err := hooks.Survey(t.Context(), s.fs(), s.registry(), s.git(), s.workspace, s.layout())
	if err != nil || len(survey) != 2 {
		t.Fatalf("%+v, %v", survey, err)
	}
	if first := survey[0]; !first.Guards() || first.Holding.Job != job || first.Workspace != s.workspace || first.Place.Scope != "worktree" {
		t.Errorf("the main checkout: %+v", first)
	}
	if second := survey[1]; second.Guards() || second.Holding.Unresolved() || second.Place.Directory != filepath.Join(s.root, "home/hooks") {
		t.Errorf("the other one: %+v", second)
	}
	s.sh(s.root, "mv other moved")
	survey, err = hooks.Survey(t.Context(), s.fs(), s.registry(), s.git(), s.workspace, s.layout())
	if err != nil || len(survey) != 2 || !fault.Is(survey[1].Refusal, fault.WorkspaceMissing) {
		t.Errorf("a worktree that is gone: %+v, %v", survey, err)
	}
}

// TestCheckProgram holds that a worker cannot replace the program.
func TestCheckProgram(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.sh(s.workspace, `cp /bin/sh ../program && cp /bin/sh here && cp /bin/sh .git/there && cp /bin/sh ../other/here && ln -s "$1/repo/here" ../link`)
	for program, ok := range map[string]bool{
		"program": true, "repo/here": false, "other/here": false, "link": false, "repo/.git/there": false, "nothing": false,
	} {
		err := hooks.CheckProgram(s.layout(), s.workspace, filepath.Join(s.root, program))
		if (err == nil) != ok {
			t.Errorf("%s: %v", program, err)
		}
	}
}

// TestOtherGitDirectories holds which checkouts are known where the git
// directory is not the ".git" in the checkout.
func TestOtherGitDirectories(t *testing.T) {
	t.Parallel()
	for what, script := range map[string]string{
		"submodule": `git init -q -b main super && cd super
			git -c protocol.file.allow=always submodule --quiet add -b side ../repo sub && git commit -q -m super`,
		"separate": `mkdir super && git init -q -b side --separate-git-dir="$1/separate.git" super/sub
			cd super/sub && git pull -q ../../repo side`,
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.sh(s.root, script)
			main, linked := filepath.Join(s.root, "super/sub"), filepath.Join(s.root, "linked")
			s.sh(main, "git commit -q --allow-empty -m more && git worktree add -q -b linked ../../linked")
			layout, err := gitplumb.ReadLayout(filepath.Join(main, ".git"), "")
			if err != nil {
				t.Fatal(err)
			}
			place, err := hooks.FindPlace(t.Context(), s.git(), main, layout)
			if err != nil || place.Shared {
				t.Fatalf("%+v, %v", place, err)
			}
			list, err := hooks.Install(place, s.installation())
			installed(t, list, err)
			job := s.claim(main)
			s.refused(main, "git branch new-1", job)
			s.refused(main, "mkdir deep && cd deep && git commit -q --allow-empty -m empty", job)
			s.passes(linked, "git branch new-2")
			s.passes(linked, "git update-ref refs/heads/side side~1") // the main checkout is known only in it
		})
	}
}
