package gitplumb

import (
	"os/exec"
	"testing"
)

func TestValidRefName(t *testing.T) {
	for _, name := range []string{
		"refs/heads/main", "refs/heads/a/b", "refs/heads/é", "refs/heads/\xff", "refs/heads/@", "refs/stash", "refs/heads/-x",
		"refs/heads/a.b", "refs/heads/a.lock", "refs/heads/.a", "refs/heads/a..b", "refs/heads/a.", "refs/heads/a/.b", "refs/heads/a.lock/b",
		"refs/heads//a", "refs/heads/", "refs/heads/a b", "refs/heads/a~b", "refs/heads/a^b", "refs/heads/a:b", "refs/heads/a?b",
		"refs/heads/a*b", "refs/heads/a[b", "refs/heads/a\\b", "refs/heads/a@{b", "refs/heads/a\x7fb", "refs/heads/a\tb", "refs/heads/a{b", "refs/heads/..",
	} {
		want := exec.Command("git", "check-ref-format", name).Run() == nil
		if got := validRefName(name); got != want {
			t.Errorf("%q: got %v, git says %v", name, got, want)
		}
	}
	for _, name := range []string{"", "HEAD", "refs", "heads/main", "/refs/heads/main", "../refs/heads/main"} {
		if validRefName(name) {
			t.Errorf("%q accepted", name)
		}
	}
}

func TestParseID(t *testing.T) {
	const digits = "0123456789abcdef0123456789abcdef01234567"
	for text, want := range map[string]bool{
		digits: true, digits + "\n": true, digits + " x": true, digits + "\t": true,
		digits + "x": false, digits[1:]: false, "": false, digits[:39] + "g": false, digits + "\x00": false,
		"0123456789ABCDEF0123456789abcdef01234567": true,
	} {
		if id, ok := parseID(text); ok != want || ok && id.String() != digits {
			t.Errorf("%q: got %s, %v", text, id, ok)
		}
	}
}

func FuzzValidRefName(f *testing.F) {
	for _, seed := range []string{"refs/heads/main", "refs/heads/a..b", "refs//", "refs/heads/a.lock", "refs/\x01"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !validRefName(name) {
			return
		}
		if name[0] == '/' || name == "." || name[:5] != "refs/" {
			t.Fatalf("%q is no path below refs", name)
		}
		for begin, i := 0, 0; i <= len(name); i++ {
			if i == len(name) || name[i] == '/' {
				if part := name[begin:i]; part == "" || part == "." || part == ".." {
					t.Fatalf("%q has the component %q", name, part)
				}
				begin = i + 1
			}
		}
	})
}
