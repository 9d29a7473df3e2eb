//go:build linux || darwin

package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShown(t *testing.T) {
	for name, want := range map[string]string{
		"plain.go":       "plain.go",
		"with blank":     "with blank",
		"grün":           "grün",
		"":               `""`,
		"tab\there":      `"tab\there"`,
		"\x1b[2J":        `"\x1b[2J"`,
		"bad\xff":        `"bad\xff"`,
		"\u202egnp.exe":  `"\u202egnp.exe"`,
		`"quoted"`:       `"\"quoted\""`,
		"new\nline":      `"new\nline"`,
		"back\\slash":    "back\\slash",
		"zero\u200bwide": `"zero\u200bwide"`,
	} {
		if got := shown(name); got != want {
			t.Errorf("%q is shown as %s, not %s", name, got, want)
		}
	}
}

func TestForTerminal(t *testing.T) {
	for text, want := range map[string]string{
		"two\n\tlines":     "two\n\tlines",
		"\x1b]0;title\x07": `\x1b]0;title\a`,
		"\u009b2J":         `\u009b2J`,
		"a\rb":             `a\rb`,
		"\xff":             `\xff`,
		"\u2066x":          `\u2066x`,
		"👩\u200d💻 \u00a0é": "👩\u200d💻 \u00a0é",
	} {
		if got := forTerminal(text); got != want {
			t.Errorf("%q gives %q, not %q", text, got, want)
		}
	}
}

func TestForPeople(t *testing.T) {
	id := digestPrefix + strings.Repeat("0123456789abcdef", 4)
	for message, want := range map[string]string{
		"":                                "",
		"job \"" + id + "\" is":           `job "0123456789ab" is`,
		id + id:                           "0123456789ab0123456789ab",
		"sha256: and 64 digits":           "sha256: and 64 digits",
		"sha256:0123" + "\x1b" + id + "x": `sha256:0123\x1b0123456789abx`,
	} {
		if got := forPeople(message); got != want {
			t.Errorf("%q becomes %q", message, got)
		}
	}
}

func TestJSONPath(t *testing.T) {
	for _, test := range []struct {
		path, want string
		escaped    bool
	}{
		{"a/b", "a/b", false},
		{`back\slash`, `back\slash`, false},
		{"bad\xff", `bad\xff`, true},
		{"\\\x80", `\\\x80`, true},
		{"\x01\xfe", "\x01" + `\xfe`, true},
	} {
		if got, escaped := jsonPath(test.path); got != test.want || escaped != test.escaped {
			t.Errorf("%q gives %q, %v", test.path, got, escaped)
		}
	}
}

// FuzzEscapes holds that nothing that steers a terminal passes, and that
// different paths stay different.
func FuzzEscapes(f *testing.F) {
	f.Add("a", "b")
	f.Add("\xff", `\xff`)
	f.Add("\x1b[", "\\\xfe")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, text := range []string{forTerminal(a), shown(a)} {
			if strings.ContainsFunc(text, steering) || !utf8.ValidString(text) {
				t.Errorf("%q becomes %q", a, text)
			}
		}
		textA, escapedA := jsonPath(a)
		textB, escapedB := jsonPath(b)
		if !utf8.ValidString(textA) {
			t.Errorf("%q becomes %q", a, textA)
		}
		if a != b && textA == textB && escapedA == escapedB {
			t.Errorf("%q and %q both become %q", a, b, textA)
		}
	})
}
