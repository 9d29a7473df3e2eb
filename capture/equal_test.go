package capture_test

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/capture"
)

func blobID(content []byte) string {
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content)))
}

// fileChange fills in the names of the blobs.
func fileChange(path string, oldMode, newMode uint32, before, after []byte) capture.FileChange {
	c := capture.FileChange{Path: path, OldMode: oldMode, NewMode: newMode, Old: before, New: after}
	if oldMode != 0 {
		c.OldBlobID = blobID(before)
	}
	if newMode != 0 {
		c.NewBlobID = blobID(after)
	}
	return c
}

// write makes the checkout's files those of one side of the changes.
func (c checkout) write(t testing.TB, changes []capture.FileChange, side func(capture.FileChange) (uint32, []byte)) {
	t.Helper()
	for _, change := range changes {
		path := filepath.Join(c.dir, change.Path)
		mode, content := side(change)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if mode == 0 {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if mode == 0o120000 {
			if err := os.Symlink(string(content), path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, content, fs.FileMode(mode&0o777)); err != nil {
			t.Fatal(err)
		}
	}
}

func oldSide(c capture.FileChange) (uint32, []byte) { return c.OldMode, c.Old }
func newSide(c capture.FileChange) (uint32, []byte) { return c.NewMode, c.New }

// gitDiff returns what git diff says of the changes, file by file, in the
// order of their paths.
func gitDiff(t testing.TB, changes []capture.FileChange) []string {
	t.Helper()
	c := newCheckout(t)
	c.git(t, "init", "-q", "--template=")
	c.write(t, changes, oldSide)
	c.git(t, "add", "-A")
	c.git(t, "commit", "-q", "--allow-empty", "-m", "before")
	c.write(t, changes, newSide)
	c.git(t, "add", "-A", "-N")
	out := c.git(t, "diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--binary", "--full-index", "HEAD", "--")
	var patches []string
	for _, piece := range strings.Split("\n"+out, "\ndiff --git ")[1:] {
		patches = append(patches, "diff --git "+strings.TrimSuffix(piece, "\n")+"\n")
	}
	return patches
}

func patchOf(t testing.TB, change capture.FileChange) string {
	t.Helper()
	text, err := capture.Patch(t.Context(), change, math.MaxInt32)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestPatchIsGitsText holds each kind of change to git diff, byte by byte.
func TestPatchIsGitsText(t *testing.T) {
	const file, executable, symlink = 0o100644, 0o100755, 0o120000
	body := []byte("one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n")
	replace := func(old, new string) []byte { return bytes.Replace(body, []byte(old), []byte(new), 1) }
	long := strings.Repeat("a", 77)
	below := "\n1\n2\n3\n4\nold\n5\n"
	headed := func(heading string) (before, after []byte) {
		before = []byte(heading + below)
		return before, bytes.Replace(before, []byte("old"), []byte("new"), 1)
	}
	changes := []capture.FileChange{
		fileChange("edit", file, file, body, replace("five", "FIVE")),
		fileChange("first line", file, file, body, replace("one", "ONE")),
		fileChange("last line", file, file, body, replace("ten", "TEN")),
		fileChange("insert above", file, file, body, replace("one", "zero\none")),
		fileChange("delete last", file, file, body, replace("ten\n", "")),
		fileChange("two hunks", file, file, body, bytes.Replace(replace("one", "ONE"), []byte("nine"), []byte("NINE"), 1)),
		fileChange("one hunk of two", file, file, body, bytes.Replace(replace("one", "ONE"), []byte("eight"), []byte("EIGHT"), 1)),
		fileChange("new", 0, file, nil, body),
		fileChange("new executable", 0, executable, nil, body),
		fileChange("new empty", 0, file, nil, nil),
		fileChange("new of one line", 0, file, nil, []byte("x\n")),
		fileChange("new without newline", 0, file, nil, []byte("x")),
		fileChange("deleted", file, 0, body, nil),
		fileChange("deleted empty", file, 0, nil, nil),
		fileChange("deleted symlink", symlink, 0, []byte("some/where"), nil),
		fileChange("emptied", file, file, body, nil),
		fileChange("filled", file, file, nil, body),
		fileChange("mode", file, executable, body, body),
		fileChange("mode back", executable, file, body, body),
		fileChange("mode and text", file, executable, body, replace("two", "TWO")),
		fileChange("executable", executable, executable, body, replace("two", "TWO")),
		fileChange("newline lost", file, file, []byte("a\nb\n"), []byte("a\nb")),
		fileChange("newline gained", file, file, []byte("a\nb"), []byte("a\nb\n")),
		fileChange("newline lacking", file, file, []byte("a\nb"), []byte("a\nc")),
		fileChange("newline lacking above", file, file, []byte("a\nb"), []byte("x\nb")),
		fileChange("newline and more", file, file, []byte("a\nb"), []byte("a\nb\nc")),
		fileChange("crlf", file, file, bytes.ReplaceAll(body, []byte("\n"), []byte("\r\n")), bytes.ReplaceAll(replace("two", "TWO"), []byte("\n"), []byte("\r\n"))),
		fileChange("lone carriage return", file, file, []byte("a\rb\n"), []byte("a\rc\n")),
		fileChange("like a patch", file, file, []byte("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- \n"), []byte("--- a/x\n+++ b/y\n@@ -1 +1 @@\n-- \ndiff --git a/x b/x\n\\ No newline at end of file\n")),
		fileChange("late NUL", file, file, []byte(strings.Repeat("line\n", 1600)+"a\x00b\n"), []byte(strings.Repeat("line\n", 1600)+"a\x00c\n")),
		fileChange(`quote"`, file, file, body, replace("two", "TWO")),
		fileChange(`back\slash`, file, file, body, replace("two", "TWO")),
		fileChange("tab\there and blank", file, file, body, replace("two", "TWO")),
		fileChange("new\nline", file, file, body, replace("two", "TWO")),
		fileChange("control\x01\x1b\x7f\a\b\v\f\r", file, file, body, replace("two", "TWO")),
		fileChange("\u00e9", file, file, body, replace("two", "TWO")),
		fileChange("e\u0301 \U0001f600", file, file, body, replace("two", "TWO")),
		fileChange("-dash", file, file, body, replace("two", "TWO")),
		fileChange("deep/b/a/ b/x", file, file, body, replace("two", "TWO")),
		fileChange("deep/a b/a b", file, file, body, replace("two", "TWO")),
		fileChange("-blank ", 0, file, nil, body),
	}
	for i, heading := range []string{
		"func f() {", "_x", "$x", " x", "9", "#", "\u00e9", "trailing  \t", "form feed\f", "nul\x00",
		"caf\u00e9 au lait", "cut \u00e9 \u00e9", "latin \xe9 1", "half \xc3", "half\xc3", "surrogate \xed\xa0\x80", "",
		long + "bc\u00e9", long + "b\u00e9", long + "\U0001f600", long[1:] + "\U0001f600", long + "   x", long + "  \xe9", long + "bcdef",
	} {
		before, after := headed(heading)
		if !strings.Contains(heading, "\x00") {
			changes = append(changes, fileChange(fmt.Sprintf("heading %02d", i), file, file, before, after))
		}
	}
	slices.SortFunc(changes, func(a, b capture.FileChange) int { return strings.Compare(a.Path, b.Path) })
	patches := gitDiff(t, changes)
	if len(patches) != len(changes) {
		t.Fatalf("git shows %d changes of %d", len(patches), len(changes))
	}
	for i, change := range changes {
		if got := patchOf(t, change); got != patches[i] {
			t.Errorf("%q:\ngot\n%s\nwant\n%s", change.Path, got, patches[i])
		}
	}
}

// program returns the lines of this module's source files: real text.
func programs(t testing.TB) [][]string {
	t.Helper()
	var texts [][]string
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "vectors") {
			return filepath.SkipDir
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		switch filepath.Ext(path) {
		case ".go", ".sh", ".md", ".bash":
		default:
			return nil
		}
		content, err := os.ReadFile(path)
		if lines := strings.SplitAfter(string(content), "\n"); err == nil && len(lines) > 20 && !bytes.ContainsRune(content, 0) {
			texts = append(texts, lines[:len(lines)-1])
		}
		return err
	})
	if err != nil || len(texts) == 0 {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	return texts
}

// edit changes a text the way people do: some places, each a few lines.
func edit(r *rand.Rand, texts [][]string, text []string) []string {
	text = slices.Clone(text)
	for range 1 + r.IntN(3) {
		at := r.IntN(len(text) - 5)
		n := 1 + r.IntN(min(12, len(text)-at-1))
		other := texts[r.IntN(len(texts))]
		from := r.IntN(len(other))
		block := other[from:min(len(other), from+n)]
		switch r.IntN(7) {
		case 0: // lines go
			if len(text) > 2*n+10 {
				text = slices.Delete(text, at, at+n)
			}
		case 1, 2: // words change
			for k := at; k < at+min(n, 3); k++ {
				if words := strings.Fields(text[k]); len(words) > 0 {
					text[k] = strings.Replace(text[k], words[r.IntN(len(words))], fmt.Sprintf("word%d", r.IntN(1000)), 1)
				}
			}
		case 3: // lines come from elsewhere
			text = slices.Insert(text, at, block...)
		case 4: // lines are replaced
			text = slices.Replace(text, at, at+n, block...)
		case 5: // a paragraph is copied and adapted
			end := at + 1
			for end < len(text) && strings.TrimSpace(text[end-1]) != "" {
				end++
			}
			paragraph := slices.Clone(text[at:end])
			paragraph[0] = fmt.Sprintf("// part %d\n", r.IntN(1000))
			text = slices.Insert(text, end, paragraph...)
		case 6: // a block moves into another
			for k := at; k < at+n; k++ {
				if strings.TrimSpace(text[k]) != "" {
					text[k] = "\t" + text[k]
				}
			}
		}
	}
	return text
}

// TestOrdinaryEditsReadLikeGits measures how many ordinary edits of real text
// give exactly the text of git diff.
func TestOrdinaryEditsReadLikeGits(t *testing.T) {
	const edits, least = 200, 0.93
	texts := programs(t)
	r := rand.New(rand.NewPCG(7, 8))
	var changes []capture.FileChange
	for i := range edits {
		before := texts[r.IntN(len(texts))]
		after := edit(r, texts, before)
		if slices.Equal(before, after) {
			continue
		}
		changes = append(changes, fileChange(fmt.Sprintf("%04d", i), 0o100644, 0o100644, []byte(strings.Join(before, "")), []byte(strings.Join(after, ""))))
	}
	equal, binary := 0, 0
	for i, patch := range gitDiff(t, changes) {
		got := patchOf(t, changes[i])
		if got == patch {
			equal++
		}
		if strings.Contains(got, "\nGIT binary patch\n") {
			binary++
		}
	}
	share := float64(equal) / float64(len(changes))
	t.Logf("%d of %d patches (%.1f %%) are git's byte for byte; %d are binary", equal, len(changes), 100*share, binary)
	if share < least {
		t.Errorf("only %.3f of the patches are git's, expected %.2f", share, least)
	}
}
