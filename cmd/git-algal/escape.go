//go:build linux || darwin

package main

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-algal/git-algal/internal/canon"
)

// shown returns a name for a line of text: as it is where every character of it
// can be seen, else quoted with escapes.
func shown(s string) string {
	if s == "" || strings.ContainsFunc(s, unseen) || !utf8.ValidString(s) || strings.HasPrefix(s, `"`) {
		return strconv.QuoteToGraphic(s)
	}
	return s
}

func unseen(r rune) bool { return !unicode.IsGraphic(r) }

// forTerminal escapes what could steer a terminal in the text of an agent or
// of a file: control characters but line feed and tab, bidirectional controls,
// and bytes that are no UTF-8.
func forTerminal(text string) string {
	if !strings.ContainsFunc(text, steering) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if steering(r) || r == utf8.RuneError && size == 1 {
			quoted := strconv.QuoteToASCII(text[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// forPeople returns a message for a terminal, with the ids in it abbreviated.
func forPeople(message string) string {
	parts := strings.Split(forTerminal(message), digestPrefix)
	for i := 1; i < len(parts); i++ {
		if end := min(digestDigits, len(parts[i])); canon.Digest(digestPrefix + parts[i][:end]).Valid() {
			parts[i] = parts[i][:shortIDDigits] + parts[i][end:]
		} else {
			parts[i] = digestPrefix + parts[i]
		}
	}
	return strings.Join(parts, "")
}

func steering(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
