package capture

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-algal/git-algal/internal/fault"
)

// edited is a change of two hunks for the tests of this file.
func edited() FileChange {
	before := "one\ntwo\nthree\n" + strings.Repeat("same\n", 9) + "last"
	after := strings.NewReplacer("two", "TWO", "last", "LAST\nreally").Replace(before)
	return FileChange{
		Path: "f", OldMode: modeFile, NewMode: modeFile,
		Old: []byte(before), New: []byte(after), OldBlobID: blobID([]byte(before)), NewBlobID: blobID([]byte(after)),
	}
}

func mustPatch(t testing.TB, c FileChange) string {
	t.Helper()
	patch, err := Patch(context.Background(), c, math.MaxInt32)
	if err != nil {
		t.Fatal(err)
	}
	return patch
}

// TestProofFindsDamage changes one thing of a good patch at a time.
func TestProofFindsDamage(t *testing.T) {
	text := edited()
	binary := text
	binary.Old, binary.New = append([]byte{0}, text.Old...), append([]byte{0}, text.New...)
	for name, c := range map[string]struct {
		change   FileChange
		old, new string
	}{
		"an added line":          {text, "+TWO", "+two"},
		"a deleted line":         {text, "-two", "-tow"},
		"a kept line":            {text, " three", " there"},
		"the old place":          {text, "@@ -1,", "@@ -2,"},
		"the new place":          {text, "+1,5 @@", "+2,5 @@"},
		"the length":             {text, "-1,5 +1,5", "-1,4 +1,5"},
		"a place beyond":         {text, "@@ -10,4", "@@ -11,4"},
		"the newline at the end": {text, "+really\n" + noNewline, "+really\n"},
		"the path":               {text, "diff --git a/f b/f", "diff --git a/g b/g"},
		"the names":              {text, "+++ b/f", "+++ b/g"},
		"the mode":               {text, " 100644\n", " 100755\n"},
		"the blob":               {text, text.NewBlobID, text.OldBlobID},
		"another file":           {text, "", mustPatch(t, text)},
		"the binary content":     {binary, "GIT binary patch\ndelta", "GIT binary patch\nliteral"},
		"the way back":           {binary, "\n\ndelta", "\n\nliteral"},
	} {
		t.Run(name, func(t *testing.T) {
			good := mustPatch(t, c.change)
			if err := c.change.prove(good); err != nil {
				t.Fatal(err)
			}
			bad := strings.Replace(good, c.old, c.new, 1)
			if bad == good {
				t.Fatalf("the case changes nothing:\n%s", good)
			}
			if err := c.change.prove(bad); !fault.Is(err, fault.HostFailed) {
				t.Errorf("proven: %v\n%s", err, bad)
			}
		})
	}
}

func TestParsePatchRefuses(t *testing.T) {
	good := mustPatch(t, edited())
	index := "index " + edited().OldBlobID + ".." + edited().NewBlobID
	for name, c := range map[string]struct{ old, new string }{
		"text in front":          {"diff", "x\ndiff"},
		"text behind":            {"", ""},
		"names that differ":      {"b/f\n", "b/g\n"},
		"no prefix":              {"a/f b/f", "f f"},
		"quotes without need":    {"a/f b/f", `"a/f" "b/f"`},
		"a short name of a blob": {index, "index 12..34"},
		"an unknown mode":        {" 100644", " 100664"},
		"a rename":               {"index", "rename from x\nrename to y\nindex"},
		"no index line":          {index + " 100644\n", ""},
		"an empty line":          {" three", ""},
		"a stray letter":         {" three", "xthree"},
		"a leading zero":         {"-1,5", "-01,5"},
		"a length of one":        {"-1,5", "-1,1"},
		"numbers cut short":      {" @@\n", "\n"},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if name == "text behind" {
			text += "x\n"
		}
		if text == good {
			t.Fatalf("%s: the case changes nothing", name)
		}
		if sections, err := parsePatch(text); !fault.Is(err, fault.Malformed) || sections != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestQuotedNames(t *testing.T) {
	for name, want := range map[string]string{
		"plain -name.go": "plain -name.go",
		"tab\t":          `"tab\t"`,
		`"\`:             `"\"\\"`,
		"\a\b\n\v\f\r":   `"\a\b\n\v\f\r"`,
		"\x01\x1f\x7f":   `"\001\037\177"`,
		"\u00e9":         `"\303\251"`,
		"\xff":           `"\377"`,
	} {
		got := quoteName(name)
		if got != want {
			t.Errorf("%q is quoted as %s, want %s", name, got, want)
		}
		if strings.HasPrefix(got, `"`) {
			if back, rest, ok := cutQuoted(got + " x"); !ok || back != name || rest != " x" {
				t.Errorf("%s is read as %q, %q", got, back, rest)
			}
		}
	}
	for _, text := range []string{``, `a"`, `"`, `"a`, `"\`, `"\x"`, `"\08"`, `"\400"`, `"\12`} {
		if name, _, ok := cutQuoted(text); ok {
			t.Errorf("%s is read as %q", text, name)
		}
	}
}

func TestPatchLimit(t *testing.T) {
	text := edited()
	binary := text
	binary.New = append([]byte{0}, text.New...)
	rewrite := text
	rewrite.New = bytes.Repeat([]byte("new line\n"), 100)
	mode := FileChange{Path: "f", OldMode: modeFile, NewMode: modeExecutable}
	for name, c := range map[string]FileChange{"text": text, "binary": binary, "rewrite": rewrite, "mode": mode} {
		patch := mustPatch(t, c)
		if got, err := Patch(context.Background(), c, len(patch)); err != nil || got != patch {
			t.Errorf("%s: at its length: %v", name, err)
		}
		for _, limit := range []int{len(patch) - 1, len(patch) / 2, 10, 0} {
			if got, err := Patch(context.Background(), c, limit); !fault.Is(err, fault.OverBound) || got != "" {
				t.Errorf("%s: %d bytes of %d: %v", name, limit, len(patch), err)
			}
		}
	}
}

func TestPatchOfVeryManyLines(t *testing.T) {
	for lines, text := range map[int]bool{MaxTextLines: true, MaxTextLines + 1: false} {
		before := bytes.Repeat([]byte("x\n"), lines)
		after := bytes.Clone(before)
		after[lines] = 'y'
		patch := mustPatch(t, FileChange{
			Path: "f", OldMode: modeFile, NewMode: modeFile,
			OldBlobID: blobID(before), NewBlobID: blobID(after), Old: before, New: after,
		})
		if strings.Contains(patch, "\n@@ ") != text || len(patch) > 1000 {
			t.Errorf("%d lines: a patch of %d bytes:\n%.500s", lines, len(patch), patch)
		}
	}
}

func TestPatchObeysItsContext(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	binary := edited()
	binary.New = append([]byte{0}, binary.New...)
	for _, c := range []FileChange{edited(), binary} {
		if _, err := Patch(cancelled, c, math.MaxInt32); !fault.Is(err, fault.Cancelled) {
			t.Errorf("cancelled: %v", err)
		}
		if _, err := Patch(late, c, math.MaxInt32); !fault.Is(err, fault.Deadline) {
			t.Errorf("late: %v", err)
		}
	}
}

// TestLeastTextIsALowerBound compares the estimate with real patches.
func TestLeastTextIsALowerBound(t *testing.T) {
	lines := func(from, to int, format string) []byte {
		var b bytes.Buffer
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.Bytes()
	}
	same := lines(0, 1000, "line %d\n")
	for name, c := range map[string]struct {
		before, after []byte
		want          int // 0 where chance decides
	}{
		"nothing":      {same, same, 0},
		"from nothing": {nil, same, len(same) + 1000},
		"to nothing":   {same, nil, len(same) + 1000},
		"rewrite":      {same, lines(0, 1000, "other %d\n"), 2*len(same) + 3000},
		"appended":     {same, lines(0, 1001, "line %d\n"), len("+line 1000\n")},
		"other order":  {same, append(lines(500, 1000, "line %d\n"), lines(0, 500, "line %d\n")...), 0},
	} {
		got := leastText(c.before, c.after)
		if got > c.want {
			t.Errorf("%s: %d, more than %d", name, got, c.want)
		}
		// Lines that share a sum with others make it smaller, a little.
		if got < c.want*95/100 {
			t.Errorf("%s: only %d of %d", name, got, c.want)
		}
		change := FileChange{Path: "f", OldMode: modeFile, NewMode: modeFile, OldBlobID: blobID(c.before), NewBlobID: blobID(c.after), Old: c.before, New: c.after}
		if patch := mustPatch(t, change); got > len(patch) {
			t.Errorf("%s: %d is more than the patch's %d", name, got, len(patch))
		}
	}
}

func FuzzPatch(f *testing.F) {
	f.Add([]byte("a\nb\n"), []byte("a\nc"), false)
	f.Add([]byte("a\r\nb\r\n"), []byte("x\r\na\r\nb\r\n"), true)
	f.Add([]byte("caf\xe9\n"), []byte("a \n\n"), false)
	f.Add([]byte("\x00"), []byte(nil), true)
	f.Add([]byte("a\r\n0"), []byte("0\r\na\r\n1\r\n"), true)
	f.Fuzz(func(t *testing.T, before, after []byte, executable bool) {
		c := FileChange{
			Path: "some path", OldMode: modeFile, NewMode: modeFile,
			OldBlobID: blobID(before), NewBlobID: blobID(after), Old: before, New: after,
		}
		if executable {
			c.NewMode = modeExecutable
		}
		if bytes.Equal(before, after) && !executable {
			return // no change
		}
		patch := mustPatch(t, c)
		if !utf8.ValidString(patch) {
			t.Error("not UTF-8")
		}
		if err := c.prove(patch); err != nil {
			t.Error(err)
		}
		// A limit refuses, and never chooses another text.
		for _, limit := range []int{len(patch) - 1, len(patch) / 2, 0} {
			if got, err := Patch(context.Background(), c, limit); !fault.Is(err, fault.OverBound) || got != "" {
				t.Errorf("%d bytes of %d: %q, %v", limit, len(patch), got, err)
			}
		}
		for _, limit := range []int{len(patch), 2 * len(patch)} {
			if got, err := Patch(context.Background(), c, limit); err == nil && got != patch || err != nil && !fault.Is(err, fault.OverBound) {
				t.Errorf("with room for %d bytes of %d: %q, %v", limit, len(patch), got, err)
			}
		}
	})
}

func FuzzParsePatch(f *testing.F) {
	text, binary := edited(), edited()
	binary.New = append([]byte{0}, binary.New...)
	f.Add(mustPatch(f, text))
	f.Add(mustPatch(f, binary))
	f.Add("diff --git \"a/\\303\\251\" \"b/\\303\\251\"\nold mode 100644\nnew mode 100755\n")
	f.Fuzz(func(t *testing.T, patch string) {
		sections, err := parsePatch(patch)
		if err != nil {
			if sections != nil || !fault.Is(err, fault.Malformed) {
				t.Fatalf("%d sections, %v", len(sections), err)
			}
			return
		}
		for _, s := range sections {
			if index := "\nindex " + s.oldID + ".." + s.newID; s.oldID != "" && !strings.Contains(patch, index) {
				t.Errorf("%q is not in the patch", index)
			}
			if after, err := s.apply([]byte("one\ntwo\n")); err != nil && after != nil {
				t.Error("an error comes with a result")
			}
		}
	})
}
