package gittest_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/gittest"
)

const reposDir = "../../testdata/repos"

// TestScriptsAreUniform holds the scripts to their form.
func TestScriptsAreUniform(t *testing.T) {
	const start = "set -eu\n. \"$FIXTURE/prelude.bash\"\n"
	fixtures := gittest.Fixtures(t, reposDir)
	if len(fixtures) < 120 {
		t.Errorf("%d fixtures", len(fixtures))
	}
	for _, f := range fixtures {
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
