package capture

import "strings"

// whitespace is what git's own character table calls space.
const whitespace = " \t\n\r"

// safe reports whether git apply takes the hunks as they are under every
// apply.whitespace, and under every core.autocrlf. The rules are those of the
// default core.whitespace, found by experiment with git 2.39:
//
//   - an added line may not end in whitespace, except in CRLF once a line of the
//     old text that does so has been shown;
//   - the indentation of an added line may not have a blank before a tab;
//   - no added blank line may stand at the end of the file, nor with only
//     blank lines between it and the end;
//   - where the old text has lines that end in CRLF, a hunk must show one, or
//     git apply under core.autocrlf converts them all.
//
// Deleted and kept lines are never altered.
func (x comparison) safe() bool {
	seenCRLF := false
	for _, h := range x.hunks() {
		clean, blankAtEnd := true, false
		x.walk(h, func(op byte, line string) bool {
			switch {
			case op == inserted:
				clean, blankAtEnd = cleanLine(line, seenCRLF), isBlank(line)
			case op == deleted || !isBlank(line):
				blankAtEnd = false
			}
			seenCRLF = seenCRLF || op != inserted && endsInCRLF(line)
			return clean
		})
		if !clean || blankAtEnd && h.beforeEnd == len(x.before) {
			return false
		}
	}
	return seenCRLF || !anyCRLF(x.before)
}

// cleanLine reports whether a line may be added as it is.
func cleanLine(line string, seenCRLF bool) bool {
	if seenCRLF && endsInCRLF(line) {
		line = strings.TrimSuffix(line, "\r\n")
	}
	line = strings.TrimSuffix(line, "\n")
	if strings.TrimRight(line, whitespace) != line {
		return false
	}
	indentation := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return !strings.Contains(indentation, " \t")
}

func isBlank(line string) bool { return strings.Trim(line, whitespace) == "" }

func endsInCRLF(line string) bool { return strings.HasSuffix(line, "\r\n") }

func anyCRLF(lines []string) bool {
	for _, line := range lines {
		if endsInCRLF(line) {
			return true
		}
	}
	return false
}
