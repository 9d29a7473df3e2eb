package ignore

import (
	"iter"
	"strings"
)

const byteOrderMark = "\xef\xbb\xbf"

// A pattern is one line of a pattern file, taken apart. Its glob is empty
// when the line can match nothing.
type pattern struct {
	glob     string // without the marks that the flags stand for
	negated  bool   // "!": a match includes again
	dirOnly  bool   // "/" at the end
	anchored bool   // a "/" before the end: matched against the path, not the name
}

// patterns yields the patterns of a file in their order, comments and blank
// lines left out. There is no bound on the length of a line.
func patterns(data string) iter.Seq[pattern] {
	return func(yield func(pattern) bool) {
		data = strings.TrimPrefix(data, byteOrderMark)
		for data != "" {
			var line string
			line, data, _ = strings.Cut(data, "\n")
			if p := parsePattern(line); p.glob != "" && !yield(p) {
				return
			}
		}
	}
}

// parsePattern takes a line without its newline apart.
func parsePattern(line string) pattern {
	// The CR goes even where the file ends without a newline: git adds one.
	line = strings.TrimSuffix(line, "\r")
	line, _, _ = strings.Cut(line, "\x00") // to git, the line ends here
	if strings.HasPrefix(line, "#") {
		return pattern{}
	}
	var p pattern
	p.glob, p.negated = strings.CutPrefix(trimBlanks(line), "!")
	p.glob, p.dirOnly = strings.CutSuffix(p.glob, "/")
	p.anchored = strings.Contains(p.glob, "/")
	p.glob = strings.TrimPrefix(p.glob, "/")
	return p
}

// trimBlanks removes the spaces at the end of the line that no backslash
// quotes. Tabs and other blanks belong to the pattern.
func trimBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		if line[i] == ' ' {
			continue
		}
		if line[i] == '\\' && i+1 < len(line) {
			i++
		}
		end = i + 1
	}
	return line[:end]
}
