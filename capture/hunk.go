package capture

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-algal/git-algal/capture/internal/linediff"
)

const (
	// contextLines stand around a change, as git's default is.
	contextLines = 3

	// maxHeading bounds the line that git repeats behind a hunk's numbers.
	maxHeading = 80

	noNewline = "\\ No newline at end of file\n"
)

// A comparison is two texts in lines and what differs between them.
type comparison struct {
	before, after []string
	linediff.Script
}

// text returns the text hunks of c, the two lines of names above them
// included. It is false where git apply could not be trusted with them, which
// the content alone decides, and errLong where they take more than limit bytes,
// trusted or not: what git shows as text has to fit as text, though a binary
// hunk might be shorter. So a limit refuses, and never chooses between the two;
// the patch of a change is the same under every limit under which it has one.
func (c FileChange) text(ctx context.Context, limit int) (text string, ok bool, err error) {
	newline := []byte{'\n'}
	if bytes.Count(c.Old, newline) > MaxTextLines || bytes.Count(c.New, newline) > MaxTextLines {
		return "", false, nil
	}
	x := comparison{before: splitLines(c.Old), after: splitLines(c.New)}
	if x.Script, err = linediff.Diff(ctx, x.before, x.after); err != nil {
		return "", false, err
	}
	names := c.names()
	if text, err = x.format(limit - len(names)); err != nil {
		return "", false, err
	}
	if !x.safe() {
		if x, ok = x.showingLineEnds(); !ok {
			return "", false, nil
		}
		if text, err = x.format(limit - len(names)); err != nil {
			return "", false, err
		}
	}
	if !utf8.ValidString(text) {
		return "", false, nil
	}
	return names + text, true, nil
}

// splitLines returns the lines of a text with their ends.
func splitLines(content []byte) []string {
	if len(content) == 0 {
		return nil
	}
	lines := strings.SplitAfter(string(content), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}

// A hunk is a stretch of both texts, with the context around its changes. The
// ends are exclusive.
type hunk struct {
	beforeStart, beforeEnd int
	afterStart, afterEnd   int
}

// hunks returns the hunks in order. Changes that are so near that their
// context would touch share one.
func (x comparison) hunks() []hunk {
	var hunks []hunk
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		change := hunk{beforeStart: i, afterStart: j}
		for i < len(x.before) && x.Deleted[i] {
			i++
		}
		for j < len(x.after) && x.Inserted[j] {
			j++
		}
		if change.beforeEnd, change.afterEnd = i, j; i > change.beforeStart || j > change.afterStart {
			if last := len(hunks) - 1; last >= 0 && change.beforeStart-hunks[last].beforeEnd <= 2*contextLines {
				hunks[last].beforeEnd, hunks[last].afterEnd = i, j
			} else {
				hunks = append(hunks, change)
			}
		}
		if i >= len(x.before) && j >= len(x.after) {
			break
		}
	}
	for k := range hunks {
		h := &hunks[k]
		above := min(contextLines, h.beforeStart)
		h.beforeStart -= above
		h.afterStart -= above
		below := min(contextLines, len(x.before)-h.beforeEnd)
		h.beforeEnd += below
		h.afterEnd += below
	}
	return hunks
}

// The letters in front of a hunk's lines.
const (
	kept     = ' '
	deleted  = '-'
	inserted = '+'
)

// walk calls do for each line of a hunk, in the order in which they are
// printed, until it returns false.
func (x comparison) walk(h hunk, do func(op byte, line string) bool) {
	i, j := h.beforeStart, h.afterStart
	for more := true; more && (i < h.beforeEnd || j < h.afterEnd); {
		switch {
		case i < h.beforeEnd && x.Deleted[i]:
			more = do(deleted, x.before[i])
			i++
		case j < h.afterEnd && x.Inserted[j]:
			more = do(inserted, x.after[j])
			j++
		default:
			more = do(kept, x.before[i])
			i++
			j++
		}
	}
}

// format returns the hunks as text of at most limit bytes, or errLong.
func (x comparison) format(limit int) (string, error) {
	var b strings.Builder
	heading, looked := "", 0
	for _, h := range x.hunks() {
		for ; looked < h.beforeStart; looked++ {
			if line := x.before[looked]; isHeading(line) {
				heading = line
			}
		}
		fmt.Fprintf(&b, "@@ -%s +%s @@%s\n", span(h.beforeStart, h.beforeEnd), span(h.afterStart, h.afterEnd), shownHeading(heading))
		x.walk(h, func(op byte, line string) bool {
			b.WriteByte(op)
			b.WriteString(line)
			if !strings.HasSuffix(line, "\n") {
				b.WriteString("\n" + noNewline)
			}
			return b.Len() <= limit
		})
		if b.Len() > limit {
			return "", errLong
		}
	}
	return b.String(), nil
}

// span writes a range of lines: the number of its first line, the length
// unless it is one. An empty range stands behind the line it names.
func span(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}

// isHeading reports whether git takes a line for the head of a function or a
// section when no attribute says how the file's language marks them.
func isHeading(line string) bool {
	if line == "" {
		return false
	}
	c := line[0]
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
}

// shownHeading returns what stands behind the numbers of a hunk below the
// line: its first 80 bytes, without blanks at the end, as far as they are
// UTF-8.
func shownHeading(line string) string {
	line = strings.TrimRight(line[:min(len(line), maxHeading)], whitespace)
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		if r == utf8.RuneError && size == 1 {
			line = line[:i]
		}
		i += size
	}
	if line == "" {
		return ""
	}
	return " " + line
}
