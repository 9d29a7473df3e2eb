package ignore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/ignore"
)

// FuzzMatch holds any pattern file on any path to what is true of all of
// them: a literal pattern for the path, put last, decides.
func FuzzMatch(f *testing.F) {
	for _, test := range rules {
		for _, path := range test.in.files {
			f.Add([]byte(test.in.gitignore[""]), path, false, test.in.ignoreCase)
		}
	}
	for _, glob := range brackets {
		f.Add([]byte(glob), "a", true, true)
		f.Add([]byte("*"+glob+"*"), "x/a]", false, false)
	}
	for _, test := range blowUps {
		f.Add([]byte(test.pattern), test.path, false, false)
	}
	f.Fuzz(func(t *testing.T, data []byte, path string, isDir, fold bool) {
		if !isPath(path) {
			return
		}
		m := ignore.New(nil, data, fold)
		verdict := m.Ignored(path, isDir)
		if got := m.Enter("", data).Ignored(path, isDir); got != verdict {
			t.Errorf("%q on %q: ignored %t, and %t when said twice", data, path, verdict, got)
		}
		literal := "/" + escape(path) + "\r\n"
		for _, end := range []string{"", "/"} {
			if end == "/" && !isDir {
				break
			}
			literal := strings.TrimSuffix(literal, "\r\n") + end + "\r\n"
			if !ignore.New(nil, []byte(string(data)+"\n"+literal), fold).Ignored(path, isDir) {
				t.Errorf("%q, then %q, on %q: not ignored", data, literal, path)
			}
			if ignore.New(nil, []byte(string(data)+"\n!"+literal), fold).Ignored(path, isDir) {
				t.Errorf("%q, then !%q, on %q: ignored", data, literal, path)
			}
		}
	})
}

// isPath reports whether a pattern can spell the path.
func isPath(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name == "" {
			return false
		}
	}
	return !strings.ContainsAny(path, "\n\x00")
}

// blowUps take a matcher that tries all ways of sharing a path out among its
// stars more time than there is.
var blowUps = []struct{ name, pattern, path string }{
	{"stars", strings.Repeat("a*", 500) + "b", strings.Repeat("a", 4000)},
	{"stars and brackets", strings.Repeat("*[ab]", 500) + "c", strings.Repeat("a", 4000)},
	{"stars and question marks", strings.Repeat("*?", 500) + "c", strings.Repeat("a", 4000)},
	{"double stars", "/" + strings.Repeat("**/a/", 500) + "b", strings.Repeat("a/", 2000) + "a"},
	{"double stars and stars", "/" + strings.Repeat("**/*a*/", 500) + "b", strings.Repeat("aaa/", 1000) + "a"},
	{"double stars in names", "/" + strings.Repeat("a**a/**/", 500) + "b", strings.Repeat("aaa/", 1000) + "a"},
	{"long component after a double star", "/**/" + strings.Repeat("a/", 1000) + "b", strings.Repeat("a/", 2000) + "a"},
	{"long run after a star", "*" + strings.Repeat("[a]", 2000) + "b*", strings.Repeat("a", 4000)},
}

// TestNoBlowUp gives long for what takes milliseconds, as the alternative is years.
func TestNoBlowUp(t *testing.T) {
	const enough = 10 * time.Second // a busy machine with the race detector
	for _, test := range blowUps {
		for _, fold := range []bool{false, true} {
			done := make(chan bool, 1)
			go func() {
				done <- ignore.New(nil, []byte(test.pattern), fold).Ignored(test.path, false)
			}()
			select {
			case ignored := <-done:
				if ignored {
					t.Errorf("%s: ignored", test.name)
				}
			case <-time.After(enough):
				t.Fatalf("%s, ignoreCase %t: no answer within %v", test.name, fold, enough)
			}
		}
	}
}
