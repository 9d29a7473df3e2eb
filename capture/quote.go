package capture

import (
	"strconv"
	"strings"
)

// escapes are the characters that git writes as a backslash and a letter.
const (
	escaped = "\a\b\t\n\v\f\r\"\\"
	letters = `abtnvfr"\`
)

// quoteName returns a name as git writes it with core.quotePath=true: in
// quotes, with C's escapes, if it holds a control character, a quote, a
// backslash or a byte beyond ASCII.
func quoteName(name string) string {
	plain := true
	for i := range len(name) {
		plain = plain && plainByte(name[i])
	}
	if plain {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case plainByte(c):
			b.WriteByte(c)
		case strings.IndexByte(escaped, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(letters[strings.IndexByte(escaped, c)])
		default:
			b.Write([]byte{'\\', '0' + c>>6, '0' + c>>3&7, '0' + c&7})
		}
	}
	b.WriteByte('"')
	return b.String()
}

func plainByte(c byte) bool {
	return c >= ' ' && c < 0x7f && c != '"' && c != '\\'
}

// cutQuoted reads a quoted name at the start of text and returns it and what
// follows.
func cutQuoted(text string) (name, rest string, ok bool) {
	text, ok = strings.CutPrefix(text, `"`)
	var b strings.Builder
	for ok && text != "" {
		c := text[0]
		text = text[1:]
		switch {
		case c == '"':
			return b.String(), text, true
		case c != '\\':
			b.WriteByte(c)
		case text == "":
			return "", "", false
		case strings.IndexByte(letters, text[0]) >= 0:
			b.WriteByte(escaped[strings.IndexByte(letters, text[0])])
			text = text[1:]
		default:
			n, err := strconv.ParseUint(text[:min(3, len(text))], 8, 8)
			if err != nil || len(text) < 3 {
				return "", "", false
			}
			b.WriteByte(byte(n))
			text = text[3:]
		}
	}
	return "", "", false
}
