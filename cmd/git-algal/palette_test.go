//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPaletteIsGits holds the colours of a patch against git's own, character
// by character, under the usual colours and a person's own.
func TestPaletteIsGits(t *testing.T) {
	p := newPerson(t, "")
	p.write(t, filepath.Join(p.workspace, "f.c"), "int f()\n{\n\ta;\n\tb;\n\tc;\n\td;\n\te;\n}\n-- x\nlast")
	p.write(t, filepath.Join(p.workspace, "gone"), "gone\n")
	p.commit(t)
	p.write(t, filepath.Join(p.workspace, "f.c"), "int f()\n{\n\ta;\n\tb;\n\tc;\n\td;\n\te; \t\n}\n++ y\nlast\n")
	if err := os.Remove(filepath.Join(p.workspace, "gone")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(p.workspace, "a.txt"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := testEnvironment(t)
	env.dir, env.variables = p.workspace, append(p.variables, "TERM=xterm", "GIT_PAGER=cat")
	env.isTerminal = func(any) bool { return true }
	in := &invocation{environment: env}
	for _, configuration := range []string{
		"", "[color \"diff\"]\n\tnew = bold blue\n\told = 208 reverse\n\tmeta = yellow\n\tfrag = normal\n\tfunc = dim\n\twhitespace = red ul\n\tcontext = italic\n",
	} {
		p.write(t, filepath.Join(p.home, ".gitconfig"), configuration)
		diff := func(colour string) string {
			out, err := p.command("git", "diff", "--binary", "--full-index", "--color="+colour, "HEAD").Output()
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		}
		colours, err := in.patchPalette(t.Context())
		if err != nil || colours == nil {
			t.Fatalf("%+v, %v", colours, err)
		}
		got, want := looks(colours.patch(diff("never"))), looks(diff("always"))
		if got != want {
			t.Errorf("under %q:\n%s\ngit has\n%s", configuration, got, want)
		}
	}
}

var colourEscape = regexp.MustCompile(`^\x1b\[([0-9;]*)m`)

// looks returns what a terminal shows: each character that can be seen with
// what it looks like, and blanks only where they do. Two equal ones look the
// same, whichever way the terminal was told.
func looks(text string) string {
	var b strings.Builder
	now := ""
	for len(text) > 0 {
		if match := colourEscape.FindStringSubmatch(text); match != nil {
			now, text = match[1], text[len(match[0]):]
			continue
		}
		switch c := text[0]; {
		case c == '\n':
			b.WriteByte(c)
		case c != ' ' && c != '\t', strings.HasPrefix(now, "4"): // underlined, or in front of a colour
			fmt.Fprintf(&b, "<%s>%c", now, c)
		}
		text = text[1:]
	}
	return b.String()
}

func TestMarks(t *testing.T) {
	for _, test := range []struct{ n, most, want int }{
		{0, 0, 0}, {1, 1, 1}, {maxBar, maxBar, maxBar}, {maxBar + 1, maxBar + 1, maxBar}, {1, 1000, 1}, {999, 1000, maxBar - 1}, {0, 1000, 0}, {500, 1000, maxBar / 2},
	} {
		if got := marks(test.n, test.most); got != test.want {
			t.Errorf("%d of %d give %d marks, not %d", test.n, test.most, got, test.want)
		}
	}
}
