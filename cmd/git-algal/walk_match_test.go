//go:build linux || darwin

package main

import (
	"regexp"
	"strings"
	"testing"
)

// idWord is an id of a job, a commit or a directory in an example.
var idWord = regexp.MustCompile(`\b[0-9a-f]{7,64}\b`)

// ids pairs the ids of an example with those of the run, one to one.
type ids struct{ shown, printed map[string]string }

func newIDs() ids { return ids{map[string]string{}, map[string]string{}} }

// pair reports whether the two can be the same id.
func (i ids) pair(shown, printed string) bool {
	if len(shown) != len(printed) {
		return false
	}
	if was, ok := i.shown[shown]; ok {
		return was == printed
	}
	if _, taken := i.printed[printed]; taken {
		return false
	}
	i.shown[shown], i.printed[printed] = printed, shown
	return true
}

// matches reports whether the lines that are printed are those that are shown.
func matches(shown, printed []string, ids ids) bool {
	if len(shown) == 0 {
		return len(printed) == 0
	}
	if shown[0] == "..." {
		for skipped := 0; skipped <= len(printed); skipped++ {
			if matches(shown[1:], printed[skipped:], ids) {
				return true
			}
		}
		return false
	}
	return len(printed) > 0 && matchesLine(shown[0], printed[0], ids) && matches(shown[1:], printed[1:], ids)
}

// matchesLine compares one line; "..." in it stands for anything.
func matchesLine(shown, printed string, ids ids) bool {
	pattern := "^"
	for i, part := range strings.Split(shown, "...") {
		if i > 0 {
			pattern += ".*"
		}
		end := 0
		for _, at := range idWord.FindAllStringIndex(part, -1) {
			pattern += regexp.QuoteMeta(part[end:at[0]]) + "([0-9a-f]{7,64})"
			end = at[1]
		}
		pattern += regexp.QuoteMeta(part[end:])
	}
	groups := regexp.MustCompile(pattern + "$").FindStringSubmatch(printed)
	if groups == nil {
		return false
	}
	for i, id := range idWord.FindAllString(shown, -1) {
		if !ids.pair(id, groups[i+1]) {
			return false
		}
	}
	return true
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		shown, printed string
		want           bool
	}{
		{"a\nb", "a\nb", true},
		{"a\nb", "a", false},
		{"a", "a\nb", false},
		{"a\n...\nd", "a\nb\nc\nd", true},
		{"a\n...\nd", "a\nd", true},
		{"a\n...", "a", true},
		{"...\nd", "a\nb", false},
		{"job 0123456 is done", "job abcdef0 is done", true},
		{"job 0123456 is done", "job abcdef01 is done", false},
		{"job 0123456\njob 0123456", "job abcdef0\njob abcdef0", true},
		{"job 0123456\njob 0123456", "job abcdef0\njob abcdef1", false},
		{"job 0123456\njob 6543210", "job abcdef0\njob abcdef0", false},
		{"0123456 ... done", "abcdef0  any  done", true},
		{"0123456 ... done", "abcdef0  any  did", false},
		{"a.c", "abc", false},
	} {
		if got := matches(strings.Split(c.shown, "\n"), strings.Split(c.printed, "\n"), newIDs()); got != c.want {
			t.Errorf("%q and %q: %v", c.shown, c.printed, got)
		}
	}
}
