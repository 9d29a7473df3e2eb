package capture_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/capture"
)

// TestLineEndsSurviveApply applies text patches of files whose blobs hold CRLF
// for people with core.autocrlf, whose git apply converts the file first
// unless the patch shows CRLF.
func TestLineEndsSurviveApply(t *testing.T) {
	plain := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return b.String()
	}
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	var changes []capture.FileChange
	var patch strings.Builder
	for _, c := range []struct{ name, before, after string }{
		{"plain", plain(0, 30), plain(0, 10) + "new\n" + plain(10, 30)},
		{"crlf, in the middle", crlf(plain(0, 30)), crlf(plain(0, 10) + "new\n" + plain(10, 30))},
		{"crlf, at the top", crlf(plain(0, 30)), crlf("new\n" + plain(0, 30))},
		{"crlf, deleted", crlf(plain(0, 30)), ""},
		{"mixed, deleted", crlf(plain(0, 3)) + plain(3, 30), ""},
		{"mixed, crlf above", crlf(plain(0, 1)) + plain(1, 30), crlf(plain(0, 1)) + plain(1, 20) + "new\n" + plain(20, 30)},
		{"mixed, crlf below", plain(0, 29) + crlf(plain(29, 30)), "new\n" + plain(0, 29) + crlf(plain(29, 30))},
		{"mixed, crlf between", plain(0, 9) + crlf(plain(9, 10)) + plain(10, 30), "new\n" + plain(0, 9) + crlf(plain(9, 10)) + plain(10, 29)},
		{"mixed, crlf a little below", plain(0, 5) + crlf(plain(5, 30)), crlf("new\n") + plain(0, 5) + crlf(plain(5, 30))},
	} {
		change := fileChange(c.name, 0o100644, 0o100644, []byte(c.before), []byte(c.after))
		if c.after == "" {
			change.NewMode, change.NewBlobID, change.New = 0, "", nil
		}
		changes = append(changes, change)
		p := patchOf(t, change)
		if !isText(p) {
			t.Errorf("%s is binary", c.name)
		}
		patch.WriteString(p)
	}
	for _, setting := range []string{"core.autocrlf=true", "core.autocrlf=input"} {
		t.Run(setting, func(t *testing.T) {
			c := newCheckout(t)
			c.git(t, "init", "-q", "--template=")
			c.write(t, changes, oldSide)
			c.git(t, "add", "-A")
			c.git(t, "commit", "-q", "-m", "before")
			c.git(t, "config", "core.autocrlf", strings.TrimPrefix(setting, "core.autocrlf="))
			c.git(t, "rm", "-q", "-r", "--cached", ".")
			c.git(t, "reset", "-q", "--hard")
			if _, err := c.tryGit(t, patch.String(), "-c", "apply.whitespace=error-all", "apply", "--binary"); err != nil {
				t.Fatal("git apply refuses")
			}
			c.git(t, "add", "-A")
			staged := c.git(t, "ls-files", "--stage")
			for _, change := range changes {
				line := "100644 " + change.NewBlobID + " 0\t" + change.Path + "\n"
				if strings.Contains(staged, line) != (change.NewMode != 0) || change.NewMode == 0 && strings.Contains(staged, change.Path) {
					t.Errorf("%s is not staged as %q:\n%s\n%s", change.Path, change.NewBlobID, staged, patchOf(t, change))
				}
			}
		})
	}
}
