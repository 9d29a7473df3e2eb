package capture

import (
	"iter"
	"strings"

	"github.com/git-algal/git-algal/capture/internal/gitbinary"
)

// A LineKind says what a line of a patch is, for whoever shows it to people.
type LineKind uint8

// The kinds of lines.
const (
	LineHeader   LineKind = iota // what stands above the content of a file
	LinePlace                    // "@@ -1,4 +1,5 @@ heading"
	LineKept                     // context
	LineDeleted                  // "-text"
	LineInserted                 // "+text"
	LineOther                    // a binary hunk, "\ No newline at end of file"
)

// Lines returns the lines of a patch with their ends, and what each is. The
// numbers of a hunk decide, never the look of a line alone: a deleted "-- x" is
// none of the names above a hunk. It takes any text; what is no patch is all
// headers.
func Lines(patch string) iter.Seq2[string, LineKind] {
	return func(yield func(string, LineKind) bool) {
		before, after, binary := 0, 0, false // what is left of a hunk; within a binary one
		for line := range strings.Lines(patch) {
			kind := LineHeader
			numbers, place := strings.CutPrefix(line, "@@ -")
			switch first := line[0]; {
			case before > 0 && first == deleted:
				kind = LineDeleted
				before--
			case after > 0 && first == inserted:
				kind = LineInserted
				after--
			case before > 0 && after > 0 && first == kept:
				kind = LineKept
				before, after = before-1, after-1
			case strings.HasPrefix(line, "diff --git "):
				before, after, binary = 0, 0, false
			case binary || line == gitbinary.Header:
				kind, binary = LineOther, true
			case strings.HasPrefix(line, `\ `):
				kind = LineOther
			case place:
				if h, err := parseNumbers(numbers); err == nil {
					kind, before, after = LinePlace, h.oldCount, h.newCount
				}
			}
			if !yield(line, kind) {
				return
			}
		}
	}
}
