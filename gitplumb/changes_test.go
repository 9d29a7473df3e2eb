package gitplumb_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// rawDiff is what git diff says about tracked paths, with the ids that git
// would store.
func (c *checkout) rawDiff() string {
	c.t.Helper()
	var lines []string
	fields := strings.Split(c.git("-c", "core.fileMode=true", "diff", "--raw", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff", "HEAD", "--"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(fields[i])
		lines = append(lines, fmt.Sprintf("%s %s %s %s", strings.TrimPrefix(f[0], ":"), f[1], f[2], fields[i+1]))
	}
	return strings.Join(lines, "\n")
}

const noMode, noID = "000000", "0000000000000000000000000000000000000000"

// describe writes changes as rawDiff does. Git prints no id for content that
// only the checkout has.
func describe(changes []gitplumb.Change) (tracked, untracked string) {
	var lines, others []string
	for _, change := range changes {
		if change.Untracked {
			others = append(others, fmt.Sprintf("%o %s", change.NewMode, change.Path))
			continue
		}
		oldMode, oldID, newMode := noMode, noID, noMode
		if !change.Added() {
			oldMode, oldID = fmt.Sprintf("%06o", change.OldMode), change.OldID
		}
		if !change.Deleted() {
			newMode = fmt.Sprintf("%06o", change.NewMode)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %s", oldMode, newMode, oldID, change.Path))
	}
	return strings.Join(lines, "\n"), strings.Join(others, "\n")
}

func TestChanges(t *testing.T) {
	ctx := context.Background()
	for name, script := range map[string]string{
		"none":                  "",
		"modified":              "echo more >>a.txt",
		"staged":                "echo more >>a.txt; git add a.txt; echo again >>a.txt",
		"staged then reverted":  "echo more >>a.txt; git add a.txt; echo alpha >a.txt",
		"mode":                  "chmod +x a.txt",
		"mode and text":         "chmod +x a.txt; echo x >>a.txt",
		"deleted":               "rm a.txt",
		"deleted in the index":  "git rm -q --cached a.txt",
		"deleted symlink":       "ln -s x l; git add l; git commit -q -m l; rm l",
		"added":                 "echo n >n; git add n",
		"added then deleted":    "echo n >n; git add n; rm n",
		"intent to add":         "echo n >n; git add -N n",
		"intent to add, gone":   "echo n >n; git add -N n; rm n",
		"renamed":               "git mv a.txt z.txt",
		"emptied":               ": >a.txt",
		"order":                 "for f in a-b a.b a/2 a0 B z; do mkdir -p $(dirname $f); echo $f >$f; done; git add .; git commit -q -m o; for f in a-b a.b a/2 a0 B z; do echo x >>$f; done; rm d/b.txt",
		"untracked":             "echo n >n; mkdir e; echo x >e/x; chmod 711 e/x; echo p >p; chmod 600 p",
		"autocrlf":              "git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' >c; git add c 2>/dev/null; git commit -q -m c; printf 'a\\r\\nc\\r\\n' >c",
		"autocrlf, size alone":  "git config core.autocrlf true; printf 'alpha\\r\\n' >a.txt",
		"filter":                "git config filter.up.clean 'tr a-z A-Z'; echo '*.up filter=up' >.gitattributes; echo x >x.up; git add .; git commit -q -m f; echo y >x.up; echo y >u.up",
		"filter, same for git":  "git config filter.up.clean 'tr a-z A-Z'; echo '*.up filter=up' >.gitattributes; echo x >x.up; git add .; git commit -q -m f; echo X >x.up",
		"ident":                 "echo '*.i ident' >.gitattributes; printf '$Id$\\n' >x.i; git add .; git commit -q -m i; printf '$Id: 0123 $\\nmore\\n' >x.i",
		"working-tree-encoding": "echo '*.w working-tree-encoding=UTF-16LE' >.gitattributes; printf 'a\\0b\\0' >x.w; git add .; git commit -q -m w; printf 'a\\0c\\0' >x.w",
		"attributes gone":       "echo '*.txt text' >.gitattributes; git add .; git commit -q -m a; rm .gitattributes; printf 'x\\r\\n' >a.txt",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := plain(t)
			c.sh(script)
			before := c.sh("find . -printf '%p %T@ %C@ %s\\n' | sort")
			repo := c.pass()
			changes, err := repo.Changes(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, change := range changes {
				checkContent(t, repo, change)
			}
			if after := c.sh("find . -printf '%p %T@ %C@ %s\\n' | sort"); after != before {
				t.Errorf("reading changed the checkout:\n%s\n%s", before, after)
			}
			tracked, untracked := describe(changes)
			if want := c.rawDiff(); tracked != want {
				// Where only a recorded length differs git lists the path with
				// nothing to say about it.
				if patch := c.git("diff", "--no-ext-diff", "HEAD", "--"); patch != "" || tracked != "" {
					t.Errorf("changes are\n%s\ngit says\n%s", tracked, want)
				}
			}
			var want []string
			for _, path := range strings.Split(strings.TrimSuffix(c.git("ls-files", "-z", "--others", "--exclude-standard"), "\x00"), "\x00") {
				if path != "" {
					want = append(want, path)
				}
			}
			if got := strings.Count(untracked, "\n"); untracked != "" && got != len(want)-1 || untracked == "" && len(want) != 0 {
				t.Errorf("untracked is %q, want %q", untracked, want)
			}
			if name == "untracked" && untracked != "100755 e/x\n100644 n\n100644 p" {
				t.Errorf("untracked is %q", untracked)
			}
		})
	}
}

// checkContent reads both sides of a change and hashes them by git's rules.
func checkContent(t *testing.T, repo *gitplumb.Repo, change gitplumb.Change) {
	t.Helper()
	ctx := context.Background()
	if !change.Added() && !change.Untracked {
		if _, err := repo.Blob(ctx, change.OldID, 1<<20); err != nil {
			t.Errorf("%q: %v", change.Path, err)
		}
	}
	switch {
	case change.Deleted():
	case change.Untracked:
		if _, err := repo.RawContent(ctx, change.Path, 1<<20); err != nil {
			t.Errorf("%q: %v", change.Path, err)
		}
	default:
		content, err := repo.CleanContent(ctx, change.Path, 1<<20)
		if err != nil {
			t.Errorf("%q: %v", change.Path, err)
			return
		}
		if got := blobID(content); got != change.NewID {
			t.Errorf("%q: content %q has the name %s, want %s", change.Path, content, got, change.NewID)
		}
		if len(content) > 0 {
			_, err = repo.CleanContent(ctx, change.Path, int64(len(content))-1)
			wantFault(t, err, fault.OverBound)
		}
	}
}

func TestChangesRefuse(t *testing.T) {
	for name, c := range map[string]struct {
		script    string
		condition fault.Condition
	}{
		"symlink added":         {"ln -s x l; git add l", fault.UnsupportedChange},
		"symlink intended":      {"ln -s x l; git add -N l", fault.UnsupportedChange},
		"symlink changed":       {"ln -s x l; git add l; git commit -q -m l; ln -sfn y l", fault.UnsupportedChange},
		"symlink replacing":     {"rm a.txt; ln -s x a.txt", fault.UnsupportedChange},
		"symlink replaced":      {"ln -s x l; git add l; git commit -q -m l; rm l; echo x >l", fault.UnsupportedChange},
		"untracked symlink":     {"ln -s x l", fault.UnsupportedChange},
		"nested repository":     {"git init -q n", fault.UnsafePath},
		"repository for a file": {"rm a.txt; git init -q a.txt; git -C a.txt commit -q --allow-empty -m x", fault.UnsupportedChange},
		"directory for a file":  {"rm a.txt; mkdir a.txt", fault.UnsupportedChange},
		"file for a directory":  {"rm -r d; echo d >d", fault.UnsupportedChange},
		"FIFO":                  {"rm a.txt; mkfifo a.txt", fault.UnsupportedChange},
		"untracked, not UTF-8":  {"touch $'\\xff'", fault.UnsupportedChange},
		"missing base":          {"echo x >>a.txt; rm -f .git/objects/$(git rev-parse HEAD:a.txt | sed 's/../&\\//')", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := plain(t)
			w.sh(c.script)
			repo := w.pass()
			changes, err := repo.Changes(context.Background())
			if c.condition != 0 {
				wantFault(t, err, c.condition)
				return
			}
			if err != nil || len(changes) != 1 {
				t.Fatalf("got %v, %v", changes, err)
			}
			_, err = repo.Blob(context.Background(), changes[0].OldID, 1<<20)
			wantFault(t, err, fault.GitFailed)
		})
	}
}

func TestCleanContentIsWhatWasSeen(t *testing.T) {
	ctx := context.Background()
	for name, script := range map[string]string{"raw": "", "converted": "echo '*.txt text' >.gitattributes"} {
		t.Run(name, func(t *testing.T) {
			c := plain(t)
			c.sh(script)
			c.write("a.txt", "first\r\n")
			repo := c.pass()
			if _, err := repo.Changes(ctx); err != nil {
				t.Fatal(err)
			}
			c.write("a.txt", "second\r\n")
			_, err := repo.CleanContent(ctx, "a.txt", 1<<20)
			wantFault(t, err, fault.SourceMoved)
		})
	}
}

func TestHiddenDrift(t *testing.T) {
	entry := func(path string, kind gitplumb.RawKind, mode uint32, digest string) gitplumb.RawEntry {
		e := gitplumb.RawEntry{Path: path, Kind: kind, Mode: mode}
		if kind != gitplumb.RawMissing {
			e.Digest, e.Bytes = canon.DigestText(digest), int64(len(digest))
		}
		return e
	}
	raw := func(entries ...gitplumb.RawEntry) gitplumb.Raw { return gitplumb.Raw{Entries: entries} }
	file := entry("f", gitplumb.RawFile, 0o644, "x")
	source := raw(file)
	shown := gitplumb.Status{Entries: []gitplumb.StatusEntry{{XY: " M", Path: "f"}}}
	for name, c := range map[string]struct {
		now       gitplumb.Raw
		converted bool
		drift     bool
		hidden    int
	}{
		"same":                {now: source},
		"other permissions":   {now: raw(entry("f", gitplumb.RawFile, 0o666, "x"))},
		"content":             {now: raw(entry("f", gitplumb.RawFile, 0o644, "y")), drift: true},
		"owner's execute bit": {now: raw(entry("f", gitplumb.RawFile, 0o744, "x")), drift: true},
		"group's execute bit": {now: raw(entry("f", gitplumb.RawFile, 0o654, "x"))},
		"kind":                {now: raw(entry("f", gitplumb.RawSymlink, 0o777, "x")), drift: true},
		"missing":             {now: raw(entry("f", gitplumb.RawMissing, 0, "")), drift: true},
		"gone from the index": {now: raw(), drift: true},
		"new in the index":    {now: raw(file, entry("g", gitplumb.RawFile, 0o644, "x")), drift: true},
		"converted content":   {now: raw(entry("f", gitplumb.RawFile, 0o644, "y")), converted: true, hidden: 1},
		"converted, gone":     {now: raw(), converted: true, drift: true},
	} {
		isConverted := func(string) bool { return c.converted }
		hidden, err := gitplumb.HiddenDrift(source, c.now, gitplumb.Status{}, isConverted)
		if got := fault.Is(err, fault.HiddenDrift); got != c.drift || len(hidden) != c.hidden {
			t.Errorf("%s: got %q, %v", name, hidden, err)
		}
		if name != "new in the index" {
			if hidden, err := gitplumb.HiddenDrift(source, c.now, shown, isConverted); err != nil || len(hidden) != 0 {
				t.Errorf("%s, shown: got %q, %v", name, hidden, err)
			}
		}
	}
}
