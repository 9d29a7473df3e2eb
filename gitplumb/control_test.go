package gitplumb_test

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

func blobID(content []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00%s", len(content), content)
	return hex.EncodeToString(h.Sum(nil))
}

func control(t *testing.T, c *checkout) gitplumb.Control {
	t.Helper()
	found, err := c.pass().Control(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestControlRecord(t *testing.T) {
	c := plain(t)
	c.sh("git config core.autocrlf false; git config core.bare false; git config user.name x; git config filter.x.clean cat; git config --global core.eol lf; mkdir -p .git/info; echo '*.o' >.git/info/exclude; git stash list; git worktree add -q ../other")
	found := control(t, c)
	settings := found.Deciding.Settings
	for _, want := range [][3]string{
		{"global", "core.eol", "lf"}, {"local", "core.autocrlf", "false"}, {"local", "core.bare", "false"}, {"local", "filter.x.clean", "cat"},
	} {
		if !slices.Contains(settings, want) {
			t.Errorf("settings %q lack %q", settings, want)
		}
	}
	for _, line := range settings {
		if line[0] == "command" || strings.HasPrefix(line[1], "user.") || line[1] == "core.filemode" {
			t.Errorf("settings hold %q", line)
		}
	}
	files := found.Deciding.Files
	if files["info/exclude"] != string(canon.DigestText("*.o\n")) || files["info/grafts"] != "missing" || files[".git"] != "missing" || len(files) != 7 {
		t.Errorf("files are %q", files)
	}
	refs := string(found.Evidence.Refs)
	head := strings.TrimSpace(c.git("rev-parse", "HEAD"))
	for _, name := range []string{"HEAD", "refs/heads/main", "refs/heads/other", "worktrees/other/HEAD"} {
		if !strings.Contains(refs, fmt.Sprintf("%q:%q", name, head)) {
			t.Errorf("references %s lack %q", refs, name)
		}
	}
	// The record reads back as it was written, by the closed decoder.
	text, err := canon.Encode(found.Deciding)
	if err != nil {
		t.Fatal(err)
	}
	deciding, err := canon.Decode[gitplumb.Deciding](text)
	if err != nil {
		t.Fatal(err)
	}
	if err := gitplumb.CompareDeciding(deciding, found); err != nil {
		t.Error(err)
	}
	text, err = canon.Encode(found.Evidence)
	if err != nil {
		t.Fatal(err)
	}
	evidence, err := canon.Decode[gitplumb.Evidence](text)
	if err != nil {
		t.Fatal(err)
	}
	if changes := gitplumb.EvidenceChanges(evidence, found.Evidence); len(changes) != 0 {
		t.Errorf("changes are %q", changes)
	}
}

// TestSettingsThatMeanTheSame changes how a setting is written, not what it
// means.
func TestSettingsThatMeanTheSame(t *testing.T) {
	c := plain(t)
	c.sh("git config core.autocrlf false; git config core.ignoreCase no")
	admitted := control(t, c)
	c.sh("git config core.autocrlf 0; git config --global core.autocrlf true; git config core.ignoreCase off; git config core.symlinks true; git config core.useReplaceRefs yes")
	if err := gitplumb.CompareDeciding(admitted.Deciding, control(t, c)); err != nil {
		t.Error(err)
	}
	c.sh("git config --unset core.autocrlf")
	wantFault(t, gitplumb.CompareDeciding(admitted.Deciding, control(t, c)), fault.ControlChanged)
}

func TestComparedFrozenFiles(t *testing.T) {
	c := plain(t)
	admitted := control(t, c)
	now := control(t, c)
	now.Deciding.Frozen = gitplumb.Frozen{"core.excludesFile": "eA=="}
	wantFault(t, gitplumb.CompareDeciding(admitted.Deciding, now), fault.ControlChanged)
}

func TestEvidenceChanges(t *testing.T) {
	c := plain(t)
	c.git("branch", "old")
	before := control(t, c).Evidence
	c.sh("echo x >>a.txt; git stash -q; git switch -q -c new; git branch -q -D old; git commit -q --allow-empty -m moved; mkdir -p .git/hooks; echo '#!/bin/sh' >.git/hooks/pre-push")
	changes := gitplumb.EvidenceChanges(before, control(t, c).Evidence)
	text := strings.Join(changes, "\n")
	for _, want := range []string{"a stash was made", `"refs/heads/new" was created`, `"refs/heads/old" was deleted`, `"HEAD" moved`, "hooks"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if len(changes) != 5 {
		t.Errorf("changes are\n%s", text)
	}
}

func TestManyReferences(t *testing.T) {
	c := plain(t)
	c.sh("head=$(git rev-parse HEAD); for i in $(seq 1000); do echo create refs/tags/t$i $head; done | git update-ref --stdin; git pack-refs --all")
	before := control(t, c).Evidence
	if _, err := canon.ParseDigest(strings.Trim(string(before.Refs), `"`)); err != nil {
		t.Errorf("references are %.60s", before.Refs)
	}
	if changes := gitplumb.EvidenceChanges(before, control(t, c).Evidence); len(changes) != 0 {
		t.Errorf("changes are %q", changes)
	}
	c.git("tag", "-d", "t500")
	if changes := gitplumb.EvidenceChanges(before, control(t, c).Evidence); len(changes) != 1 {
		t.Errorf("changes are %q", changes)
	}
}

func TestControlFiles(t *testing.T) {
	for name, script := range map[string]string{
		"info/exclude":            "mkdir -p .git/info; echo x >.git/info/exclude",
		"info/attributes":         "mkdir -p .git/info; echo x >.git/info/attributes",
		"info/sparse-checkout":    "mkdir -p .git/info; echo x >.git/info/sparse-checkout",
		"info/grafts":             "mkdir -p .git/info; echo >.git/info/grafts",
		"objects/info/alternates": "mkdir -p .git/objects/info; echo /tmp >.git/objects/info/alternates",
		".git":                    "mv .git ../moved; echo 'gitdir: ../moved' >.git",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := plain(t)
			admitted := control(t, c)
			c.sh(script)
			err := gitplumb.CompareDeciding(admitted.Deciding, control(t, c))
			wantFault(t, err, fault.ControlChanged)
			if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
				t.Errorf("%v does not name %q", err, name)
			}
		})
	}
}

func TestControlFileBound(t *testing.T) {
	c := plain(t)
	c.sh("mkdir -p .git/info; head -c 1048576 /dev/zero | tr '\\0' '#' >.git/info/exclude")
	control(t, c)
	c.sh("echo >>.git/info/exclude")
	_, err := c.pass().Control(context.Background())
	wantFault(t, err, fault.OverBound)
}

func TestSettingsBound(t *testing.T) {
	c := plain(t)
	c.git("config", "filter.x.clean", strings.Repeat("x", gitplumb.MaxSettingsBytes))
	_, err := c.pass().Control(context.Background())
	wantFault(t, err, fault.OverBound)
}
