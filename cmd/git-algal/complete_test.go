//go:build linux || darwin

package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
)

// offered returns what the program says a line can become, and the words
// without their meanings.
func offered(tb testing.TB, env environment, shell string, line ...string) (beside string, words []string) {
	tb.Helper()
	env.args = append([]string{completeWord, shell}, line...)
	stdout, stderr, exit := inProcess(env)
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if exit != exitDone || stderr != "" {
		tb.Fatalf("%q ends with %d: %s", line, exit, stderr)
	}
	for _, line := range lines[1:] {
		word, _, found := strings.Cut(line, "\t")
		if !found {
			tb.Errorf("line %q has no tab", line)
		}
		words = append(words, word)
	}
	return lines[0], words
}

// typist returns a person with a job of each status and the environment of
// somebody who types in the workspace, without any git.
func typist(tb testing.TB) (person, environment) {
	tb.Helper()
	p := newPerson(tb, "")
	p.commit(tb)
	p.fourJobs(tb, filepath.Join(filepath.Dir(p.home), "store"))
	env := testEnvironment(tb)
	env.dir, env.variables = p.workspace, []string{"HOME=" + p.home}
	env.lookPath = func(string) (string, error) { return "", errors.New("nothing is called to complete a word") }
	return p, env
}

func TestComplete(t *testing.T) {
	p, env := typist(t)
	store := filepath.Join(filepath.Dir(p.home), "store")
	quick := shortID(canon.Digest(digestPrefix + p.onlyJobCalled(t, store, "prepared")))
	p.write(t, filepath.Join(p.home, ".config", ownDirectory, "adapters", "tab\there.json"), "{}")
	for _, test := range []struct {
		line   string // separated by "|"
		beside beside
		words  string // separated by blanks
	}{
		{"git|algal|re", noFiles, "reconcile"},
		{"git-algal|re", noFiles, "reconcile"},
		{"/usr/bin/git-algal|re", noFiles, "reconcile"},
		{"git|-C|/|--no-pager|-c|a=b|algal|re", noFiles, "reconcile"},
		{"git|commit|algal|re", noFiles, ""},
		{"git|alg", noFiles, ""},
		{"git-algal|--store|x|ve", noFiles, "verify version"},
		{"git-algal|nothing|", noFiles, ""},
		{"git-algal|nothing|--", noFiles, ""},
		{"git-algal|--st", noFiles, "--store"},
		{"git-algal|--store|", directories, ""},
		{"git-algal|--store=", directories, ""},
		{"git-algal|-C|", directories, ""},
		{"git-algal|prepare|--max-f", noFiles, "--max-files"},
		{"git-algal|prepare|--message|x|--m", noFiles, "--max-runtime --max-output --max-patch --max-files --model"},
		{"git-algal|prepare|-m|x|--m", noFiles, "--max-runtime --max-output --max-patch --max-files --model"},
		{"git-algal|prepare|--bogus|--acc", noFiles, "--account"},
		{"git-algal|prepare|-m|--acc", noFiles, ""},
		{"git-algal|prepare|-F|", files, ""},
		{"git-algal|prepare|--xcb|/", files, ""},
		{"git-algal|prepare|--account|", noFiles, ""},
		{"git-algal|prepare|--adapter|", noFiles, "agent"},
		{"git-algal|prepare|--adapter|x", noFiles, ""},
		{"git-algal|prepare|--adapter=a", noFiles, "--adapter=agent"},
		{"git-algal|prepare|--adapter|./", files, ""},
		{"git-algal|prepare|--adapter|~", files, ""},
		{"git-algal|completion|", noFiles, "bash zsh fish"},
		{"git-algal|completion|zsh|", noFiles, ""},
		{"git-algal|help|mc", noFiles, "mcp"},
		{"git-algal|adapter|s", noFiles, "show stop settle"},
		{"git-algal|adapter|bless|", noFiles, ""},
		{"git-algal|adapter|list|", noFiles, ""},
		{"git-algal|adapter|show|", noFiles, "agent"},
		{"git-algal|adapter|show|agent|", noFiles, ""},
		{"git-algal|adapter|add|", noFiles, ""},
		{"git-algal|adapter|add|x|--recipe|c", noFiles, "claude codex"},
		{"git-algal|adapter|add|x|--|", files, ""},
		{"git-algal|adapter|qualify|", noFiles, "agent"},
		{"git-algal|adapter|qualify|./", files, ""},
		{"git-algal|adapter|wait|agent|", noFiles, ""},
		{"git-algal|run|--|" + quick[:6], noFiles, quick},
		{"git-algal|run|--|x|", files, ""},
		{"git-algal|run|", noFiles, quick + " prepared"},
		{"git-algal|run|pre", noFiles, "prepared"},
		{"git-algal|run|op:", noFiles, "op:prepared"},
		{"git-algal|run|" + quick[:6], noFiles, quick},
		{"git-algal|run|sha256:" + quick[:6], noFiles, digestPrefix + p.onlyJobCalled(t, store, "prepared")},
		{"git-algal|run|prepared|", noFiles, ""},
		{"git-algal|reconcile|op:", noFiles, "op:uncertain"},
		{"git-algal|verify|op:", noFiles, "op:completed"},
		{"git-algal|adapter|add|x|--recipe|cl", noFiles, "claude"},
		{"git-algal|adapter|settle|x|y|--as|", noFiles, "failed cancelled"},
		{"git-algal|validate|op:", noFiles, "op:completed"},
		{"git-algal|validate|--", noFiles, "--name --timeout --max-output --wait --store --json --quiet --help"},
		{"git-algal|validate|--|", files, ""},
		{"git-algal|validate|op:completed|--|go|", files, ""},
		{"git-algal|output|op:", noFiles, "op:failed op:completed"},
		{"git-algal|inspect|op:", noFiles, "op:uncertain op:failed op:completed op:prepared"},
		{"git-algal|prepare|--like=op:f", noFiles, "--like=op:failed"},
		{"git-algal|mcp|--job|un", noFiles, "uncertain"},
	} {
		env.variables = []string{"HOME=" + p.home, storeVariable + "=" + store}
		side, words := offered(t, env, fish, strings.Split(test.line, "|")...)
		slices.Sort(words)
		want := strings.Fields(test.words)
		slices.Sort(want)
		if side != string(test.beside) || !slices.Equal(words, want) {
			t.Errorf("%s: %s %q, not %s %q", test.line, side, words, test.beside, want)
		}
	}
	if _, words := offered(t, env, fish, "git-algal", ""); len(words) != len(verbs()) {
		t.Errorf("%d commands are offered", len(words))
	}
}

// onlyJobCalled returns the digits of the job of an operation.
func (p person) onlyJobCalled(tb testing.TB, store, operation string) string {
	tb.Helper()
	_, rest, _ := strings.Cut(p.ends(tb, exitDone, "inspect", "--json", "--store", store, "op:"+operation), `"jobId":"`+digestPrefix)
	return rest[:digestDigits]
}

// TestCompleteFindsTheStore holds each way in which a store is found, without
// git where it is a usual one.
func TestCompleteFindsTheStore(t *testing.T) {
	p, env := typist(t)
	store := filepath.Join(filepath.Dir(p.home), "store")
	below := filepath.Join(p.workspace, "d")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	finds := func(what string, want bool, line ...string) {
		t.Helper()
		if _, words := offered(t, env, bash, append(line, "verify", "op:")...); slices.Contains(words, "op:completed") != want {
			t.Errorf("%s: %q", what, words)
		}
	}
	finds("the registry", true, "git-algal")
	env.dir = below
	finds("the registry, from a folder of the checkout", true, "git-algal")
	env.dir = "/"
	finds("nothing", false, "git-algal")
	finds("-C", true, "git-algal", "-C", p.workspace)
	finds("-C of git", true, "git", "-C", filepath.Dir(p.workspace), "-C", "repo", "algal")
	finds("--store", true, "git-algal", "--store", store)
	finds("--store, quoted", true, "git-algal", `--store="`+store+`"`)
	finds("--store, below HOME", true, "git-algal", "--store", "~/../store")
	finds("--store of nothing", false, "git-algal", "--store", "/nonexistent")
	env.variables = append(env.variables, storeVariable+"="+store)
	finds("the environment", true, "git-algal")

	// Without a registry: the usual place, else the person's configuration.
	env.dir, env.variables = p.workspace, []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
	if err := os.RemoveAll(filepath.Join(p.home, ".local")); err != nil {
		t.Fatal(err)
	}
	finds("no registry", false, "git-algal")
	p.write(t, filepath.Join(p.home, ".gitconfig"), "[algal]\n\tstore = "+store+"\n")
	finds("configuration without git", false, "git-algal")
	env.lookPath = processEnvironment().lookPath
	finds("configuration", true, "git-algal")
	usual, err := env.defaultStore(filepath.Join(p.workspace, ".git"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(usual), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(store, usual); err != nil {
		t.Fatal(err)
	}
	env.lookPath = func(string) (string, error) { return "", errors.New("not needed") }
	finds("the usual place", true, "git-algal")
}

// TestSurroundingCheckout holds the short way against gitplumb's.
func TestSurroundingCheckout(t *testing.T) {
	p := newPerson(t, "")
	p.commit(t)
	dir := filepath.Dir(p.workspace)
	worktree, separate, sub := filepath.Join(dir, "worktree"), filepath.Join(dir, "separate"), filepath.Join(p.workspace, "sub")
	for _, args := range [][]string{
		{"worktree", "add", "-q", worktree},
		{"clone", "-q", "--separate-git-dir", filepath.Join(dir, "elsewhere.git"), p.workspace, separate},
		{"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", p.workspace, "sub"},
	} {
		if out, err := p.command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	git, err := gitplumb.FindGit(t.Context(), processEnvironment().lookPath, p.variables)
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{p.workspace, worktree, separate, sub} {
		repo, err := gitplumb.Open(t.Context(), root, git, gitplumb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		below := filepath.Join(root, "x", "y")
		if err := os.MkdirAll(below, 0o755); err != nil {
			t.Fatal(err)
		}
		want := repo.Identity()
		for _, from := range []string{root, below} {
			if got, common := (environment{dir: from}).surroundingCheckout(); got != want.Workspace || common != want.CommonDirectory {
				t.Errorf("around %q: %q, %q; gitplumb has %q, %q", from, got, common, want.Workspace, want.CommonDirectory)
			}
		}
		if err := repo.Close(); err != nil {
			t.Error(err)
		}
	}
	if root, common := (environment{dir: "/"}).surroundingCheckout(); root != "" || common != "" {
		t.Errorf("around the root directory: %q, %q", root, common)
	}
	lost := filepath.Join(dir, "lost")
	if err := os.MkdirAll(lost, 0o755); err != nil {
		t.Fatal(err)
	}
	p.write(t, filepath.Join(lost, ".git"), "no pointer\n")
	if root, _ := (environment{dir: lost}).surroundingCheckout(); root != "" {
		t.Errorf("around a broken pointer: %q", root)
	}
}

// TestPointerBound feeds a pointer of the bound and one more byte.
func TestPointerBound(t *testing.T) {
	target := t.TempDir()
	name := filepath.Join(t.TempDir(), ".git")
	for extra, follows := range map[int]bool{0: true, 1: false} {
		text := "gitdir: " + target
		text += strings.Repeat("\n", maxPointerBytes-len(text)+extra)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if path, ok := pointedAt(name, "gitdir: "); ok != follows {
			t.Errorf("%d bytes: %q, %v", len(text), path, ok)
		}
	}
}

func TestOperandsOf(t *testing.T) {
	for shown, want := range map[string]string{
		"": "", "[JOB]": "JOB", "bash|zsh|fish": "bash zsh fish", "[JOB] | --adapter NAME|FILE (-F FILE|- | -m TEXT)": "JOB",
		"--job JOB --store DIR": "", "[JOB] [--name N] -- ARGV…": "JOB", "add|list NAME": "add list NAME", "(": "(",
	} {
		if got := operandsOf(shown); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q shows %q", shown, got)
		}
	}
}

// TestHelpSaysWhatCompletes holds that every word which stands for a value in
// the help is known to the completion, or known to be free.
func TestHelpSaysWhatCompletes(t *testing.T) {
	completed := []string{shownAdapter, shownName, shownFile, shownDir, shownJob, shownCommand, shownAgent, shownAs}
	free := []string{"ID", "N", "TEXT", "SHA", "DURATION", "SIZE", "K=V"}
	for _, v := range verbs() {
		for _, flag := range v.allFlags() {
			value, usage := placeholderOf(flag)
			if takes := flagNames(v.allFlags())[flag.Names()[0]]; takes != (value != "") {
				t.Errorf("%s %s: %q", v.name, flag.Names()[0], usage)
			}
			if value != "" && !slices.Contains(completed, value) && !slices.Contains(free, value) {
				t.Errorf("%s %s: nothing is known of %q", v.name, flag.Names()[0], value)
			}
		}
		if v.maxOperands > 0 && len(operandsOf(v.operands)) == 0 {
			t.Errorf("%s takes operands and shows none: %q", v.name, v.operands)
		}
	}
}
