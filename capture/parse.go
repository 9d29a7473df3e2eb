package capture

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-algal/git-algal/capture/internal/gitbinary"
	"github.com/git-algal/git-algal/internal/fault"
)

// A fileSection is what a patch says of one file.
type fileSection struct {
	path             string
	oldMode, newMode uint32 // as in FileChange
	oldID, newID     string // empty without an index line
	hunks            []textHunk
	binary           bool
	forward, reverse gitbinary.Half // where binary
}

// A textHunk is one hunk, its numbers as they are printed.
type textHunk struct {
	oldStart, oldCount int
	newStart, newCount int
	lines              []hunkLine
}

// A hunkLine is one line of a hunk with its line end, which only the last line
// of a text lacks.
type hunkLine struct {
	op   byte
	text string
}

// parsePatch reads what [Patch] and git diff print, section by section. It is
// strict: renames, copies, other prefixes than a/ and b/, short object names
// and anything between sections are refused with fault.Malformed. The error
// never quotes the patch.
func parsePatch(text string) ([]fileSection, error) {
	var sections []fileSection
	r := &patchReader{text: text}
	for r.text != "" {
		section, err := r.section()
		if err != nil {
			return nil, malformedPatch(len(text)-len(r.text), err)
		}
		sections = append(sections, section)
	}
	return sections, nil
}

func malformedPatch(at int, err error) error {
	return fault.New(fault.Malformed, "the patch is malformed at byte %d: %w", at, err)
}

// A patchReader consumes a patch from its front.
type patchReader struct{ text string }

// line takes one line, without its newline.
func (r *patchReader) line() (string, error) {
	line, rest, found := strings.Cut(r.text, "\n")
	if !found {
		return "", fmt.Errorf("cut short")
	}
	r.text = rest
	return line, nil
}

// after takes a line with the given beginning and returns the rest of it.
func (r *patchReader) after(beginning string) (string, bool) {
	if !strings.HasPrefix(r.text, beginning) {
		return "", false
	}
	line, err := r.line()
	if err != nil {
		return "", false
	}
	return line[len(beginning):], true
}

func (r *patchReader) section() (fileSection, error) {
	names, found := r.after("diff --git ")
	if !found {
		return fileSection{}, fmt.Errorf("no file begins")
	}
	s, err := fileSection{}, error(nil)
	if s.path, err = namesPath(names); err != nil {
		return fileSection{}, err
	}
	if err := r.modes(&s); err != nil {
		return fileSection{}, err
	}
	switch {
	case strings.HasPrefix(r.text, gitbinary.Header):
		s.binary = true
		if s.forward, s.reverse, r.text, err = gitbinary.Parse(r.text); err != nil {
			return fileSection{}, err
		}
	case strings.HasPrefix(r.text, "--- "):
		if err := r.names(s); err != nil {
			return fileSection{}, err
		}
		if s.hunks, err = r.hunks(); err != nil {
			return fileSection{}, err
		}
	}
	if len(s.hunks) > 0 || s.binary {
		if s.oldID == "" {
			return fileSection{}, fmt.Errorf("content without an index line")
		}
	}
	return s, nil
}

// namesPath returns the path in "a/PATH b/PATH". The names are equal, so that
// blanks in them make nothing ambiguous.
func namesPath(names string) (string, error) {
	path := ""
	if strings.HasPrefix(names, `"`) {
		old, _, _ := cutQuoted(names)
		path = strings.TrimPrefix(old, "a/")
	} else if length := (len(names) - len("a/ b/")) / 2; length > 0 {
		path = names[len("a/"):][:length]
	}
	oldNames, newNames := spellings("a/"+path), spellings("b/"+path)
	for i := range oldNames {
		if path != "" && names == oldNames[i]+" "+newNames[i] {
			return path, nil
		}
	}
	return "", fmt.Errorf("names of unknown form")
}

// spellings returns the ways in which a name is written: as quoteName does,
// and, where only bytes beyond ASCII ask for quotes, without them. Other hosts
// let the user's core.quotePath through.
func spellings(name string) []string {
	ascii := strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return -1
		}
		return r
	}, name)
	quoted := quoteName(name)
	if quoted == name || quoteName(ascii) != ascii {
		return []string{quoted}
	}
	return []string{quoted, name}
}

// modes reads the lines between the names and the content.
func (r *patchReader) modes(s *fileSection) (err error) {
	if mode, found := r.after("new file mode "); found {
		s.newMode, err = parseMode(mode)
	} else if mode, found := r.after("deleted file mode "); found {
		s.oldMode, err = parseMode(mode)
	} else if mode, found := r.after("old mode "); found {
		if s.oldMode, err = parseMode(mode); err != nil {
			return err
		}
		mode, found := r.after("new mode ")
		if !found {
			return fmt.Errorf("no new mode")
		}
		s.newMode, err = parseMode(mode)
	}
	if err != nil {
		return err
	}
	index, found := r.after("index ")
	if !found {
		if s.oldMode == 0 || s.newMode == 0 {
			return fmt.Errorf("no index line")
		}
		return nil
	}
	ids, mode, hasMode := strings.Cut(index, " ")
	if hasMode {
		if s.oldMode != 0 || s.newMode != 0 {
			return fmt.Errorf("two modes")
		}
		if s.oldMode, err = parseMode(mode); err != nil {
			return err
		}
		s.newMode = s.oldMode
	}
	if s.oldMode == 0 && s.newMode == 0 {
		return fmt.Errorf("no mode")
	}
	var two bool
	if s.oldID, s.newID, two = strings.Cut(ids, ".."); !two || !isBlobID(s.oldID) || !isBlobID(s.newID) {
		return fmt.Errorf("an index line of unknown form")
	}
	if (s.oldID == noBlob) != (s.oldMode == 0) || (s.newID == noBlob) != (s.newMode == 0) {
		return fmt.Errorf("the index line does not fit the modes")
	}
	return nil
}

func parseMode(text string) (uint32, error) {
	switch text {
	case "100644", "100755", "120000":
		mode, err := strconv.ParseUint(text, 8, 32)
		return uint32(mode), err
	}
	return 0, fmt.Errorf("an unknown mode")
}

// isBlobID reports whether id is 40 lower-case hexadecimal digits.
func isBlobID(id string) bool {
	return len(id) == len(noBlob) && strings.Trim(id, "0123456789abcdef") == ""
}

// names takes the two lines above hunks, which must repeat what the header
// said.
func (r *patchReader) names(s fileSection) error {
	for _, side := range []struct {
		beginning, prefix string
		mode              uint32
	}{{"--- ", "a/", s.oldMode}, {"+++ ", "b/", s.newMode}} {
		label, found := r.after(side.beginning)
		name := strings.TrimSuffix(label, "\t")
		blank := label != name
		want := side.prefix + s.path
		if side.mode == 0 {
			want = "/dev/null"
		}
		if !found || !slices.Contains(spellings(want), name) || blank != strings.Contains(name, " ") {
			return fmt.Errorf("names of unknown form")
		}
	}
	return nil
}

func (r *patchReader) hunks() ([]textHunk, error) {
	var hunks []textHunk
	for {
		numbers, found := r.after("@@ -")
		if !found {
			break
		}
		hunk, err := r.hunk(numbers)
		if err != nil {
			return nil, err
		}
		hunks = append(hunks, hunk)
	}
	if len(hunks) == 0 {
		return nil, fmt.Errorf("no hunks")
	}
	return hunks, nil
}

// parseNumbers reads what stands behind "@@ -": the place of a hunk.
func parseNumbers(text string) (h textHunk, err error) {
	old, rest, ok := strings.Cut(text, " +")
	if !ok {
		return textHunk{}, fmt.Errorf("numbers of unknown form")
	}
	new, _, ok := strings.Cut(rest, " @@")
	if !ok {
		return textHunk{}, fmt.Errorf("numbers of unknown form")
	}
	if h.oldStart, h.oldCount, err = parseSpan(old); err != nil {
		return textHunk{}, err
	}
	if h.newStart, h.newCount, err = parseSpan(new); err != nil {
		return textHunk{}, err
	}
	return h, nil
}

func (r *patchReader) hunk(numbers string) (h textHunk, err error) {
	if h, err = parseNumbers(numbers); err != nil {
		return textHunk{}, err
	}
	for oldLeft, newLeft := h.oldCount, h.newCount; oldLeft > 0 || newLeft > 0; {
		line, err := r.line()
		if err != nil {
			return textHunk{}, err
		}
		if line == "" {
			return textHunk{}, fmt.Errorf("an empty line in a hunk")
		}
		switch line[0] {
		case kept:
			oldLeft--
			newLeft--
		case deleted:
			oldLeft--
		case inserted:
			newLeft--
		default:
			return textHunk{}, fmt.Errorf("a line of unknown form in a hunk")
		}
		if oldLeft < 0 || newLeft < 0 {
			return textHunk{}, fmt.Errorf("a hunk is longer than its numbers")
		}
		text := line[1:]
		if rest, found := strings.CutPrefix(r.text, noNewline); found {
			r.text = rest
		} else {
			text += "\n"
		}
		h.lines = append(h.lines, hunkLine{line[0], text})
	}
	return h, nil
}

// parseSpan reads what span writes.
func parseSpan(text string) (start, count int, err error) {
	first, length, hasLength := strings.Cut(text, ",")
	count = 1
	if hasLength {
		count, err = parseCount(length)
	}
	if err == nil {
		start, err = parseCount(first)
	}
	if err != nil || hasLength && count == 1 {
		return 0, 0, fmt.Errorf("numbers of unknown form")
	}
	return start, count, nil
}

func parseCount(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err == nil && strconv.FormatUint(n, 10) != text {
		err = strconv.ErrSyntax
	}
	return int(n), err
}
