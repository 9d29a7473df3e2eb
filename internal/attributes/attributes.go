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
	"iter"
	"strings"
)

// maxLine is the longest line, in bytes without its newline, that every git
// reads whole: a buffer of 2,048 bytes holds it with newline and NUL. Today's
// git ignores longer ones; older ones may have taken them in pieces, each with
// a pattern of its own.
const maxLine = 2046

// longLine stands for whatever a longer line gives.
const longLine = "a line of more than 2,046 bytes"

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
	for attribute := range conversions(data) {
		return attribute, true
	}
	return "", false
}

// Filters reports whether one of the attributes that [Converts] looks for is
// a filter, so that git may run a command that the configuration names.
func Filters(data []byte) bool {
	for attribute := range conversions(data) {
		if attribute == longLine || nameOf(attribute) == "filter" {
			return true
		}
	}
	return false
}

// conversions yields the conversions of a file as written.
func conversions(data []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) {
			if len(bytes.TrimSuffix(line, []byte("\n"))) > maxLine {
				if !yield(longLine) {
					return
				}
				continue
			}
			for _, token := range attributesOf(string(line)) {
				if converts(token) && !yield(token) {
					return
				}
			}
		}
	}
}

// attributesOf returns what a line may give to its pattern or macro.
func attributesOf(line string) []string {
	line = strings.TrimLeft(line, blanks)
	if strings.HasPrefix(line, "#") {
		return nil
	}
	// An attribute may follow the closing quote of a pattern without a blank,
	// and a pattern whose quoting is broken ends at a blank. Cutting at
	// blanks and quotes alike finds what follows in every reading.
	tokens := strings.FieldsFunc(line, isSeparator)
	if len(tokens) > 0 && !strings.Contains(line, `"`) {
		// What comes first is the pattern, or "[attr]" with a macro's name.
		tokens = tokens[1:]
	}
	return tokens
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
	unset := strings.HasPrefix(token, "-")
	unspecified := strings.HasPrefix(token, "!")
	if strings.Contains(token, "=") {
		// A value beside a "-" or "!" makes no sense: nothing is concluded.
		unset, unspecified = false, false
	}
	switch nameOf(token) {
	case "text", "crlf", "ident", "filter":
		// Unset, these four turn conversion off.
		return !unset && !unspecified
	case "eol", "working-tree-encoding":
		// An encoding that is unset is an error to git.
		return !unspecified
	}
	return false
}

// nameOf returns the attribute's name without a mark for its state or a value.
func nameOf(token string) string {
	name, _, _ := strings.Cut(token, "=")
	if strings.HasPrefix(name, "-") || strings.HasPrefix(name, "!") {
		name = name[1:]
	}
	return name
}
