package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-algal/git-algal/capture/internal/linediff"
	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
)

// Bounds of an [Excerpt]. It says to a person what an edit was about; whoever
// needs the whole has the patch and git.
const (
	// MaxExcerptLines bounds its lines: what a person takes in of one path
	// beside others.
	MaxExcerptLines = 24
	// MaxExcerptBytes bounds its text, in bytes: so many lines of usual length.
	MaxExcerptBytes = 2_048
	// MaxExcerptFileBytes bounds each of the two contents, in bytes: above it
	// they are not compared.
	MaxExcerptFileBytes = 1 << 20
)

// An Omission says why an excerpt has no text.
type Omission string

// The omissions. The empty one stands for none.
const (
	OmittedBinary  Omission = "binary"    // one side has a NUL where git looks for it
	OmittedForm    Omission = "not-utf-8" // one side is text in another encoding
	OmittedLarge   Omission = "too-large" // one side is over MaxExcerptFileBytes
	OmittedUnknown Omission = "not-kept"  // what git stores is the same or was not kept
)

// An Excerpt is the beginning of what differs at one path between two
// captures: hunks as git diff prints them.
type Excerpt struct {
	Path     string
	Text     string // UTF-8, whole lines but the last where it is cut
	Cut      bool   // more differs than Text shows
	Omission Omission
}

// Excerpts returns how the paths differ between two artifacts of the source,
// in the order of the paths. It reads the blobs of the admitted HEAD and
// nothing of the checkout itself: what it lays side by side was captured.
// Errors are those of gitplumb, fault.Malformed for an artifact whose patch is,
// fault.Deadline and fault.Cancelled.
func Excerpts(ctx context.Context, git *gitplumb.Git, source Source, before, after Artifact, paths []string) (excerpts []Excerpt, err error) {
	was, err := openSide(before)
	if err != nil {
		return nil, err
	}
	is, err := openSide(after)
	if err != nil {
		return nil, err
	}
	repo, err := gitplumb.Open(ctx, source.Workspace, git, gitplumb.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, repo.Close()) }()
	for _, path := range paths {
		at := headEntry(path, was, is)
		old, err := was.content(ctx, repo, path, at)
		if err != nil {
			return nil, err
		}
		now, err := is.content(ctx, repo, path, at)
		if err != nil {
			return nil, err
		}
		excerpt, err := excerptOf(ctx, path, old, now)
		if err != nil {
			return nil, err
		}
		excerpts = append(excerpts, excerpt)
	}
	return excerpts, nil
}

// A side is one artifact, by path.
type side struct {
	tracked   map[string]fileSection
	untracked map[string]Untracked
}

func openSide(a Artifact) (side, error) {
	s := side{map[string]fileSection{}, map[string]Untracked{}}
	sections, err := parsePatch(a.TrackedPatch)
	if err != nil {
		return side{}, err
	}
	for _, section := range sections {
		s.tracked[section.path] = section
	}
	for _, u := range a.Untracked {
		s.untracked[u.Path] = u
	}
	return s, nil
}

// headEntry returns the blob that the admitted HEAD has at a path: noBlob
// where it has none, empty where neither side says.
func headEntry(path string, sides ...side) string {
	for _, s := range sides {
		if section, ok := s.tracked[path]; ok && (section.oldID != "" || section.oldMode == 0) {
			return orNoBlob(section.oldID)
		}
	}
	if slices.ContainsFunc(sides, func(s side) bool { _, ok := s.tracked[path]; return ok }) {
		return ""
	}
	// A file that git does not know and that no side deletes is none of HEAD's.
	if slices.ContainsFunc(sides, func(s side) bool { _, ok := s.untracked[path]; return ok }) {
		return noBlob
	}
	return ""
}

// A sideContent is what a side holds at one path.
type sideContent struct {
	bytes  []byte
	exists bool
	known  bool
}

// content returns what the side holds at a path, where HEAD has the blob
// atHead.
func (s side) content(ctx context.Context, repo *gitplumb.Repo, path, atHead string) (sideContent, error) {
	if u, ok := s.untracked[path]; ok {
		content, err := u.Content()
		return sideContent{content, true, true}, err
	}
	section, changed := s.tracked[path]
	switch {
	case changed && section.newMode == 0, !changed && atHead == noBlob:
		return sideContent{known: true}, nil
	case atHead == "":
		return sideContent{}, nil
	}
	var base []byte
	if atHead != noBlob {
		var err error
		if base, err = repo.Blob(ctx, atHead, MaxFileBytes); err != nil {
			return sideContent{}, err
		}
	}
	if changed {
		applied, err := section.apply(base)
		if err != nil {
			return sideContent{}, fault.New(fault.Malformed, "the patch of %q does not fit its source: %w", path, err)
		}
		base = applied
	}
	return sideContent{base, true, true}, nil
}

func excerptOf(ctx context.Context, path string, old, now sideContent) (Excerpt, error) {
	e := Excerpt{Path: path}
	switch {
	case !old.known || !now.known:
		e.Omission = OmittedUnknown
	case max(len(old.bytes), len(now.bytes)) > MaxExcerptFileBytes:
		e.Omission = OmittedLarge
	case isBinary(old.bytes) || isBinary(now.bytes):
		e.Omission = OmittedBinary
	case !utf8.Valid(old.bytes) || !utf8.Valid(now.bytes):
		e.Omission = OmittedForm
	case bytes.Equal(old.bytes, now.bytes) && old.exists == now.exists:
		e.Omission = OmittedUnknown // what differs is converted away before git stores it
	}
	if e.Omission != "" {
		return e, nil
	}
	x := comparison{before: splitLines(old.bytes), after: splitLines(now.bytes)}
	var err error
	if x.Script, err = linediff.Diff(ctx, x.before, x.after); err != nil {
		if ctx.Err() != nil {
			return Excerpt{}, stopped(ctx)
		}
		return Excerpt{}, err
	}
	e.Text, e.Cut = x.beginning(MaxExcerptLines, MaxExcerptBytes)
	return e, nil
}

// beginning returns the first hunks, as far as the bounds allow; cut says that
// they are not all. A line that is too long for what is left ends it, cut
// between two characters.
func (x comparison) beginning(maxLines, maxBytes int) (text string, cut bool) {
	var b strings.Builder
	lines := 0
	add := func(line string) bool {
		if cut = lines == maxLines; cut {
			return false
		}
		lines++
		if room := maxBytes - b.Len(); len(line) > room {
			for room > 0 && !utf8.RuneStart(line[room]) {
				room--
			}
			line, cut = line[:room], true
		}
		b.WriteString(line)
		return !cut
	}
	for _, h := range x.hunks() {
		if !add(fmt.Sprintf("@@ -%s +%s @@\n", span(h.beforeStart, h.beforeEnd), span(h.afterStart, h.afterEnd))) {
			break
		}
		x.walk(h, func(op byte, line string) bool {
			if !strings.HasSuffix(line, "\n") {
				line += "\n" + noNewline
			}
			return add(string(op) + line)
		})
		if cut {
			break
		}
	}
	return b.String(), cut
}
