// Package attributes tells from the bytes of attribute files whether git may
// convert any file of a checkout: gitattributes(5), read for one question.
//
// It is no implementation of attributes. Patterns are not matched, precedence
// is not resolved and macros are not expanded: a file that so much as spells
// a conversion is reported, and git is asked for the rest. So a wrong "found"
// costs time only, whereas a wrong "not found" would let raw bytes pass for
// what git makes of them. Each choice below is made for that side.
package attributes

import (
	"bytes"
	"strings"
)

// maxLine is the longest line, in bytes, that is read. Git ignores longer
// ones, or, before the release that introduced this limit, may have taken
// them in pieces, each with a pattern of its own.
const maxLine = 2048

// longLine stands for an attribute in a longer line.
const longLine = "a line of more than 2048 bytes"

// Converts reports whether the attribute file with the given content can
// subject any path to conversion, by an attribute that it gives to paths or
// that it puts into a macro, and returns the first such attribute as written.
//
// All files that git may consult are to be asked: .gitattributes of every
// directory, in the working tree and, where it is missing there, in the index;
// info/attributes; core.attributesFile or its default; and the system's
// gitattributes. The answer for the checkout is that of any of them.
//
// The conversions of core.autocrlf, which need no attribute, are not its
// concern: "-text" and the macro "binary", which includes it, only turn
// conversion off, and are not reported.
func Converts(data []byte) (attribute string, found bool) {
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) {
		if len(line) > maxLine {
			return longLine, true
		}
		if attribute, found := convertsLine(string(line)); found {
			return attribute, true
		}
	}
	return "", false
}

func convertsLine(line string) (attribute string, found bool) {
	line = strings.TrimLeft(line, blanks)
	if strings.HasPrefix(line, "#") {
		return "", false
	}
	// An attribute may follow the closing quote of a pattern without a blank,
	// and a pattern whose quoting is broken ends at a blank. Cutting at
	// blanks and quotes alike finds what follows in every reading.
	tokens := strings.FieldsFunc(line, isSeparator)
	if len(tokens) > 0 && !strings.Contains(line, `"`) {
		// What comes first is the pattern, or "[attr]" with a macro's name.
		tokens = tokens[1:]
	}
	for _, token := range tokens {
		if converts(token) {
			return token, true
		}
	}
	return "", false
}

// blanks separate the parts of a line.
const blanks = " \t\r\n"

// isSeparator is true for blanks, the quote, and NUL, which ends a line for a
// git that reads it as a string of C.
func isSeparator(r rune) bool {
	return strings.ContainsRune(blanks+"\"\x00", r)
}

// converts reports whether the attribute, in the state that its spelling
// gives it, makes git convert contents, or refuse to read them.
func converts(token string) bool {
	name, _, hasValue := strings.Cut(token, "=")
	state := byte('+')
	if name != "" && (name[0] == '-' || name[0] == '!') {
		state, name = name[0], name[1:]
	}
	switch name {
	case "text", "crlf", "ident", "filter":
		// Unset, these four turn conversion off. A value beside a "-" makes
		// no sense, so nothing is concluded from it.
		return state == '+' || hasValue
	case "eol", "working-tree-encoding":
		// An encoding that is unset is an error to git.
		return state != '!' || hasValue
	}
	return false
}
