package capture_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/capture"
)

func isText(patch string) bool { return !strings.Contains(patch, "\nGIT binary patch\n") }

// apply applies a patch with the given settings to the old sides of changes
// in a fresh checkout, and returns the checkout.
func apply(t testing.TB, changes []capture.FileChange, patch string, args ...string) (checkout, error) {
	t.Helper()
	c := newCheckout(t)
	c.git(t, "init", "-q", "--template=")
	c.write(t, changes, oldSide)
	_, err := c.tryGit(t, patch, args...)
	return c, err
}

// differing returns the changes whose new side is not what lies in c.
func (c checkout) differing(t testing.TB, changes []capture.FileChange) (names []string) {
	t.Helper()
	for _, change := range changes {
		content, err := os.ReadFile(filepath.Join(c.dir, change.Path))
		if (err == nil) != (change.NewMode != 0) || !bytes.Equal(content, change.New) {
			names = append(names, fmt.Sprintf("%s: %q became %q instead of %q", change.Path, change.Old, content, change.New))
		}
	}
	return names
}

// TestWhitespaceCases says for each kind of whitespace how it travels.
func TestWhitespaceCases(t *testing.T) {
	plain := strings.Repeat("line\n", 9)
	crlf := strings.ReplaceAll(plain, "\n", "\r\n")
	mixed := "first\r\n" + plain + plain
	var changes []capture.FileChange
	var patches strings.Builder
	for _, c := range []struct {
		name, before, after string
		text                bool
	}{
		{"plain", plain, plain + "x\n", true},
		{"blank at the end of a line", plain, plain + "x \n", false},
		{"tab at the end of a line", plain, plain + "x\t\n", false},
		{"carriage return", plain, plain + "x\r\n", false},
		{"carriage return without newline", plain, plain + "x\r", false},
		{"blank without newline", plain, plain + "x ", false},
		{"form feed", plain, plain + "x\f\n", true},
		{"carriage return inside", plain, plain + "x\ry\n", true},
		{"blank before a tab", plain, plain + " \tx\n", false},
		{"tab before a blank", plain, plain + "\t x\n", true},
		{"blank before a tab, further on", plain, plain + "x \tx\n", true},
		{"blank line inside", plain, "\n" + plain, true},
		{"blank line at the end", plain, plain + "\n", false},
		{"blank line above a blank end", plain + "\n", plain + "\n\n", false},
		{"line above a blank end", plain + "\n", plain + "x\n\n", true},
		{"blank line above a blank stretch", plain + "\n\n\n\n", plain + "\n\n\n\n\n", false},
		{"blank line that the end follows after a deletion", plain + "\nx\n", plain + "\n", true},
		{"blank lines at the end go", plain + "\n\n", plain, true},
		{"line with a blank at its end goes", plain + "x \n", plain, true},
		{"line with a blank at its end stays", plain + "x \n", plain + "x \ny\n", true},
		{"only blank lines", "", "\n\n", false},
		{"crlf, in the middle", crlf + crlf, crlf + "x\r\n" + crlf, true},
		{"crlf, at the top", crlf, "x\r\n" + crlf, true},
		{"crlf, a newline alone", crlf, crlf + "x\n", true},
		{"crlf, a blank at the end of a line", crlf, crlf + "x \r\n", false},
		{"crlf, two carriage returns", crlf, crlf + "x\r\r\n", false},
		{"crlf, a blank line at the end", crlf, crlf + "\r\n", false},
		{"crlf, the last line without newline", crlf, crlf + "x\r", false},
		{"crlf, becomes plain", crlf, plain, true},
		{"plain, becomes crlf", plain, crlf, false},
		{"crlf from the start", "", crlf, false},
		{"mixed, far from the only crlf", mixed, mixed + "x\n", true},
		{"mixed, crlf below", plain + "last\r\n", "x\r\n" + plain + "last\r\n", true},
		{"mixed, crlf far below", plain + plain + plain + "last\r\n", "x\r\n" + plain + plain + plain + "last\r\n", false},
		{"mixed, plain line, crlf far below", plain + plain + plain + "last\r\n", "x\n" + plain + plain + plain + "last\r\n", true},
		{"mixed, the only crlf has a blank", "first \r\n" + plain, "first \r\n" + plain + "x\n", false},
	} {
		change := fileChange(c.name, 0o100644, 0o100644, []byte(c.before), []byte(c.after))
		if c.before == "" {
			change.OldMode, change.OldBlobID = 0, ""
		}
		patch := patchOf(t, change)
		if isText(patch) != c.text {
			t.Errorf("%s: as text: %t\n%s", c.name, isText(patch), patch)
		}
		changes = append(changes, change)
		patches.WriteString(patch)
	}
	survivesApply(t, changes, patches.String())
}

// survivesApply fails unless the patch arrives unharmed at people who let git
// look at whitespace.
func survivesApply(t *testing.T, changes []capture.FileChange, patch string) {
	t.Helper()
	for _, setting := range []string{"apply.whitespace=fix", "apply.whitespace=error-all"} {
		got, err := apply(t, changes, patch, "-c", setting, "apply", "--binary")
		if err != nil {
			t.Errorf("%s refuses", setting)
			continue
		}
		for _, wrong := range got.differing(t, changes) {
			t.Errorf("%s: %s", setting, wrong)
		}
	}
}

// TestWhitespaceSurvivesApply feeds random texts that consist of little but
// whitespace.
func TestWhitespaceSurvivesApply(t *testing.T) {
	const texts = 150
	r := rand.New(rand.NewPCG(9, 10))
	pieces := []string{"a", "b", " ", "\t", "\r", "\n", "\n", "\r\n", "  \n", "\f", "c\n", "d\r\n", "\u00e9\n"}
	random := func() []byte {
		var b strings.Builder
		for range r.IntN(20) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return []byte(b.String())
	}
	var changes []capture.FileChange
	var patch strings.Builder
	text := 0
	for i := range texts {
		before, after := random(), random()
		if r.IntN(2) == 0 && len(before) > 0 {
			at := r.IntN(len(before))
			after = append(bytes.Clone(before[:at]), append(after, before[at:]...)...)
		}
		change := fileChange(fmt.Sprintf("%05d", i), 0o100644, 0o100644, before, after)
		if bytes.Equal(before, after) {
			continue
		}
		changes = append(changes, change)
		p := patchOf(t, change)
		if isText(p) {
			text++
		}
		patch.WriteString(p)
	}
	t.Logf("%d of %d patches are text", text, len(changes))
	survivesApply(t, changes, patch.String())
}
