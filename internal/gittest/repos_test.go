package gittest_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/gittest"
)

const reposDir = "../../testdata/repos"

// shortShare is the share of the fixtures, one in so many, that a short run
// builds: what races needs the engine, not each fixture.
const shortShare = 20

// TestEveryFixture holds each script to its header: it builds, git answers as
// the header says, asking changes nothing and runs nothing, and where the
// header says clean or dirty, git itself proves it without its caches.
func TestEveryFixture(t *testing.T) {
	fixtures := gittest.Fixtures(t, reposDir)
	if len(fixtures) < 120 {
		t.Errorf("%d fixtures", len(fixtures))
	}
	for i, f := range fixtures {
		if testing.Short() && i%shortShare != 0 {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			c := f.Build(t)
			before := c.Snapshot(t)
			answer := gittest.Status(t, c)
			if c.Ran() != (f.Git == gittest.GitRuns) {
				t.Errorf("a planted command ran: %v, the header says %q", c.Ran(), f.Git)
			}
			if f.Git == gittest.GitRuns {
				return
			}
			if answer.Says != f.Git {
				t.Fatalf("git says %q, the header %q\n%q\n%s", answer.Says, f.Git, answer.Entries(), answer.Stderr)
			}
			if f.Git == gittest.GitDirty {
				if got := answer.Entries(); len(got) != f.SaysCount || len(f.Says) > 0 && !slices.Equal(got, f.Says) {
					t.Errorf("git's entries are %q, the header has %d: %q", got, f.SaysCount, f.Says)
				}
			}
			if f.Verdict != gittest.Refused {
				prove(t, c, answer)
			}
			for _, line := range before.Diff(c.Snapshot(t)) {
				if !sharedIndexTime.MatchString(line) {
					t.Errorf("asking git wrote: %s", line)
				}
			}
			if c.Ran() {
				t.Error("a planted command ran")
			}
		})
	}
}

// sharedIndexTime matches the one thing that git writes against every setting.
var sharedIndexTime = regexp.MustCompile(`/sharedindex\.[0-9a-f]+" changed: modification time, change time$`)

// prove checks the verdict by the three conditions of contract section 5, and
// the way by what section 5 calls plain, both by git alone.
func prove(t *testing.T, c gittest.Checkout, answer gittest.Answer) {
	t.Helper()
	content, err := gittest.Contents(t, c)
	if err != nil {
		t.Fatal(err)
	}
	var why []string
	if len(answer.Text) > 0 {
		why = append(why, fmt.Sprintf("status %q", answer.Text))
	}
	if len(content.Status) > 0 {
		why = append(why, fmt.Sprintf("status by content %q", content.Status))
	}
	if content.Tree != content.HeadTree {
		why = append(why, fmt.Sprintf("the entries make %s, HEAD's tree is %s", content.Tree, content.HeadTree))
	}
	if (c.Verdict == gittest.Clean) != (len(why) == 0) {
		t.Errorf("the header says %q, git says %q", c.Verdict, why)
	}
	if reasons := impurities(t, c, content); c.Way != gittest.Any && (c.Way == gittest.Own) != (len(reasons) == 0) {
		t.Errorf("the header's way is %q, what stands against our own is %q", c.Way, reasons)
	}
}

// impurities lists why a checkout is not plain.
func impurities(t *testing.T, c gittest.Checkout, content gittest.Content) []string {
	t.Helper()
	var reasons, paths []string
	for _, entry := range content.Entries {
		if strings.HasPrefix(entry, "160000 ") {
			reasons = append(reasons, "gitlink")
		}
		_, path, _ := strings.Cut(entry, "\t")
		paths = append(paths, path)
	}
	index, err := os.ReadFile(content.IndexFile)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, extension := range []string{"link", "sdir", "FSMN"} {
		if bytes.Contains(index, []byte(extension)) {
			reasons = append(reasons, "index extension "+extension)
		}
	}
	ask := func(stdin string, args ...string) []string {
		cmd := c.Command(t, "git", append([]string{"-c", "core.fsmonitor=false"}, args...)...)
		cmd.Env = scrub(cmd.Env)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.Output()
		if err != nil && len(out) > 0 {
			t.Fatalf("git %q: %v", args, err)
		}
		return gittest.Answer{Text: out}.Entries()
	}
	if len(paths) > 0 {
		attributes := ask(strings.Join(paths, "\x00"), "check-attr", "-z", "--stdin", "text", "crlf", "eol", "ident", "filter", "working-tree-encoding")
		for triple := range slices.Chunk(attributes, 3) {
			if triple[2] != "unspecified" {
				reasons = append(reasons, strings.Join(triple, " "))
			}
		}
	}
	settings := map[string]string{}
	for _, setting := range ask("", "config", "-z", "--get-regexp", `^(core\.(autocrlf|symlinks|ignorecase)|extensions\.partialclone|remote\..*\.promisor)$`) {
		key, value, _ := strings.Cut(setting, "\n")
		settings[key] = value // the last one counts
	}
	for key, value := range settings {
		if standard := map[string]string{"core.autocrlf": "false", "core.symlinks": "true", "core.ignorecase": "false"}[key]; value != standard {
			reasons = append(reasons, key+"="+value)
		}
	}
	return append(reasons, ask("", "for-each-ref", "--format=%(refname)", "refs/replace")...)
}

// scrub removes the GIT_* variables.
func scrub(env []string) []string {
	return append(slices.DeleteFunc(slices.Clone(env), func(entry string) bool { return strings.HasPrefix(entry, "GIT_") }), "GIT_CONFIG_NOSYSTEM=1")
}

// TestScriptsAreUniform holds the scripts to their form.
func TestScriptsAreUniform(t *testing.T) {
	const start = "set -eu\n. \"$FIXTURE/prelude.bash\"\n"
	for _, f := range gittest.Fixtures(t, reposDir) {
		path := reposDir + "/" + f.Name + ".sh"
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(text, []byte("#!/usr/bin/env bash\n# hazard: ")) || !bytes.Contains(text, []byte("\n"+start)) {
			t.Errorf("%s does not begin as every script does", path)
		}
		if info, err := os.Stat(path); err != nil || info.Mode()&0o100 == 0 {
			t.Errorf("%s is not executable (%v)", path, err)
		}
	}
}

func TestScrubbedEnvironment(t *testing.T) {
	c := gittest.Find(t, reposDir, "env-git-index-hides").Build(t)
	if !slices.ContainsFunc(c.Env, func(entry string) bool { return strings.HasPrefix(entry, "GIT_INDEX_FILE=") }) {
		t.Errorf("the judge's environment lacks what the script planted: %q", c.Env)
	}
	if got := string(gittest.Git(t, c, "diff", "--cached", "--name-only")); got != "a.txt\n" {
		t.Errorf("git followed the planted variable: %q", got)
	}
	if got := string(gittest.Git(t, c, "config", "--list", "--show-scope", "--name-only")); strings.Contains(got, "system\t") {
		t.Errorf("the machine's configuration is read: %q", got)
	}
}

func TestUnprivilegedReader(t *testing.T) {
	c := gittest.Find(t, reposDir, "unreadable-file").Build(t)
	var readErr error
	c.As(t, func() { _, readErr = os.ReadFile(c.Dir + "/a.txt") })
	if !os.IsPermission(readErr) {
		t.Errorf("mode 000 did not bind the reader: %v", readErr)
	}
	if os.Geteuid() == 0 {
		if _, err := os.ReadFile(c.Dir + "/a.txt"); err != nil {
			t.Errorf("root's rights did not come back: %v", err)
		}
	}
	if err := c.Command(t, "cat", "a.txt").Run(); err == nil {
		t.Error("mode 000 did not bind a command")
	}
}
