//go:build linux || darwin

package main

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-algal/git-algal/internal/canon"
)

// jsonPrinter prints every document as one line of canonical JSON on stdout,
// refusals included.
type jsonPrinter struct{ stdout io.Writer }

func (p jsonPrinter) print(d document) error {
	if plain, ok := d.(plainDocument); ok {
		return p.line(plain.plainJSON())
	}
	text, err := canon.Encode(d)
	if err != nil {
		return err
	}
	return p.line(text)
}

func (p jsonPrinter) fail(f failure) error { return p.print(f) }

func (p jsonPrinter) line(text []byte) error {
	_, err := p.stdout.Write(append(text, '\n'))
	return err
}

// jsonPath returns path for a JSON string, which holds no bytes that are not
// UTF-8. Such a path is escaped, so that different paths stay different: a
// stray byte becomes \xNN and a backslash two of them.
func jsonPath(path string) (text string, escaped bool) {
	if utf8.ValidString(path) {
		return path, false
	}
	var b strings.Builder
	for len(path) > 0 {
		r, size := utf8.DecodeRuneInString(path)
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(path[0])+0x100, 16)[1:])
		case r == '\\':
			b.WriteString(`\\`)
		default:
			b.WriteRune(r)
		}
		path = path[size:]
	}
	return b.String(), true
}
