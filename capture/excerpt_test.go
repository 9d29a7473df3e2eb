package capture_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/internal/fault"
)

// TestExcerpts lays two captures side by side, path by path: tracked and
// untracked on either side, there and gone.
func TestExcerpts(t *testing.T) {
	work := small(t)
	work.bash(t, `printf 'one\n' >one; printf 'two\n' >two; git add . && git commit -q -m more`)
	source := work.source(t)
	took := func(edit string) capture.Artifact {
		work.bash(t, edit)
		c, err := work.capture(t, source, largest)
		if err != nil {
			t.Fatal(err)
		}
		return c.Artifact
	}
	before := took(`printf 'during\n' >answer.txt; printf 'new\n' >new; printf 'gone\n' >gone; rm one; chmod +x two`)
	after := took(`printf 'after\n' >answer.txt; printf 'newer' >new; rm gone; printf 'back\n' >one; printf 'y\n' >d/f; git rm -q --cached two; printf 'a\0' >binary`)
	want := []capture.Excerpt{
		{Path: "answer.txt", Text: "@@ -1 +1 @@\n-during\n+after\n"},
		{Path: "new", Text: "@@ -1 +1 @@\n-new\n+newer\n\\ No newline at end of file\n"},
		{Path: "gone", Text: "@@ -1 +0,0 @@\n-gone\n"},
		{Path: "one", Text: "@@ -0,0 +1 @@\n+back\n"},
		{Path: "d/f", Text: "@@ -1 +1 @@\n-x\n+y\n"},
		{Path: "two", Omission: capture.OmittedUnknown}, // the mode of a file differs, and that git knows it
		{Path: "binary", Omission: capture.OmittedBinary},
		{Path: "link", Omission: capture.OmittedUnknown}, // no side says anything of it
	}
	var paths []string
	for _, e := range want {
		paths = append(paths, e.Path)
	}
	got, err := capture.Excerpts(t.Context(), plumbing(t), source, before, after, paths)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := capture.Excerpts(cancelled, plumbing(t), source, before, after, paths); !fault.Is(err, fault.Cancelled) && !fault.Is(err, fault.GitFailed) {
		t.Errorf("cancelled: %v", err)
	}
	before.TrackedPatch += "x\n"
	if _, err := capture.Excerpts(t.Context(), plumbing(t), source, before, after, paths); !fault.Is(err, fault.Malformed) {
		t.Errorf("a malformed patch: %v", err)
	}
}

// TestExcerptBounds feeds each bound and one more.
func TestExcerptBounds(t *testing.T) {
	work := small(t)
	source := work.source(t)
	const largeLines = capture.MaxExcerptFileBytes / 16
	const head = "@@ -0,0 +1 @@\n+"
	work.bash(t, fmt.Sprintf(`
seq %d >lines; seq %d >more-lines
printf %%s\\n %s >bytes; printf %%s\\n %s >more-bytes
printf %%s %s >characters`,
		capture.MaxExcerptLines-1, capture.MaxExcerptLines,
		strings.Repeat("x", capture.MaxExcerptBytes-len(head)-1), strings.Repeat("x", capture.MaxExcerptBytes-len(head)),
		strings.Repeat("\u00e9", capture.MaxExcerptBytes)))
	c, err := work.capture(t, source, largest)
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{"lines", "more-lines", "bytes", "more-bytes", "characters"}
	got, err := capture.Excerpts(t.Context(), plumbing(t), source, capture.Artifact{}, c.Artifact, paths)
	if err != nil {
		t.Fatal(err)
	}
	for i, cut := range []bool{false, true, false, true, true} {
		e := got[i]
		if e.Cut != cut || e.Omission != "" || len(e.Text) > capture.MaxExcerptBytes || strings.Count(e.Text, "\n") > capture.MaxExcerptLines || !utf8.ValidString(e.Text) {
			t.Errorf("%s: %d bytes, %d lines, cut %v, omission %q", e.Path, len(e.Text), strings.Count(e.Text, "\n"), e.Cut, e.Omission)
		}
	}
	if text := got[4].Text; len(text) < capture.MaxExcerptBytes-1 {
		t.Errorf("a text is cut after %d bytes", len(text))
	}

	work = small(t)
	work.bash(t, fmt.Sprintf(`yes 123456789012345 | head -n %d >large; cp large larger; echo >>larger; git add . && git commit -q -m large`, largeLines))
	source = work.source(t)
	work.bash(t, `for f in large larger; do printf z | dd of=$f conv=notrunc status=none; done`)
	if c, err = work.capture(t, source, largest); err != nil {
		t.Fatal(err)
	}
	clean := c.Artifact
	clean.TrackedPatch = ""
	got, err = capture.Excerpts(t.Context(), plumbing(t), source, clean, c.Artifact, []string{"large", "larger"})
	if err != nil || got[0].Omission != "" || got[0].Text == "" || got[1].Omission != capture.OmittedLarge {
		t.Errorf("got %+v, %v", got, err)
	}
}
