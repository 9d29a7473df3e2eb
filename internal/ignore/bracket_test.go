package ignore_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/ignore"
)

// brackets are globs to be held against every byte, alone and before what
// may follow an expression that ended sooner than it seems.
var brackets = []string{
	"[a]", "[!a]", "[^a]", "[abc]", "[a-c]", "[!a-c]", "[^a-c]", "?", "*", "a",
	"[]", "[]]", "[!]]", "[!]", "[^]]", "[]-a]", "[]a]", "[]a-c]", // "]" first is a member
	"[a-]", "[-a]", "[!-a]", "[---]", "[a--]", "[--/]", "[!--a]", "[a-c-e]", "[a-c--e]", "[a-z-9]", // "-" at an end, after a range
	"[z-a]", "[!z-a]", // the low end is a member even so
	`[a\-c]`, `[a-\c]`, `[\a-c]`, `[\]]`, `[a\]`, `[\\]`, `[a-\]]`, `[a-\]`, `[\!a]`, `[\^a]`, `[!\!]`, // backslashes
	"[!!]", "[^^]", "[!^]", "[^!]", "[a!]",
	"[/]", "[a/]", "[+-9]", "[!+-9]", "[!/]", // a slash is never matched
	"[a", "[a-", "[a-b", "[", "[!", `[a\`, "a[", "[a]]", "[[]", "[[a]", "[[-a]", "[a[-c]", // open ones
	"[[:alpha:][:digit:]]", "[![:alpha:]]", "[^[:space:]]", "[[:alpha:]-z]", "[[:digit:]-a]", "[[:digit:]-[:alpha:]]", "[[:alpha:]x-]", "[[:alpha:]-]",
	"[a-[:digit:]]", "[+-[:digit:]]", "[+-[]", "[a-[:alpha:]]", // "[" as the high end
	"[[:]", "[[:]]", "[[::]]", "[[:alpha]", "[[:alpha:]", "[[:alpha", "[[:x]", "[[:x]y]", "[[:-a]", "[[:alpha]:]]", "[[:a]:]", "[[:]:]", `[[:alpha\]:]]`, `[[:a\lpha:]]`, "[[:[:alpha:]]", `[\[:alpha:]]`, // nearly classes
	"[[:foo:]]", "[a[:foo:]]", "[[:ALPHA:]]", "[[:word:]]", "[[:ascii:]]", "[[.a.]]", "[[=a=]]", // no classes
	"[[:alnum:]]", "[[:alpha:]]", "[[:blank:]]", "[[:cntrl:]]", "[[:digit:]]", "[[:graph:]]", "[[:lower:]]", "[[:print:]]", "[[:punct:]]", "[[:space:]]", "[[:upper:]]", "[[:xdigit:]]",
	"[\xe9]", "[\xc3\xa9]", "[\x80-\xff]", "[!\x80-\xff]", "\xe9", "é",
	"[A]", "[!A]", "[A-C]", "[Z-a]", "[^Z-a]", "[Y-b]", "[@-a]", "[`-b]", "[X-_]", "A", `\A`, `\a`, `[\A]`, `[\A-C]`, "[^[:upper:]]", "[^[:lower:]]", "A*", "*A", "*A*", "?A", `*\A`, "*[A]", // for case
}

// TestBrackets holds each glob, and random ones, against every byte with git
// as the judge, in both cases.
func TestBrackets(t *testing.T) {
	const random = 150
	globs := slices.Clone(brackets)
	r := rand.New(rand.NewPCG(3, 4))
	parts := []string{"a", "b", "c", "z", "A", "C", "Z", "-", "-", "-", "]", "[", "!", "^", "\\", ":", "[:", ":]", "/", "0", "9", ".", "_", "@", "\x80", "\xff", "[:alpha:]", "[:upper:]", "[:digit:]"}
	for range random {
		glob := "["
		for n := 1 + r.IntN(6); n > 0; n-- {
			glob += parts[r.IntN(len(parts))]
		}
		globs = append(globs, glob+"]")
	}
	var names []string
	for c := 1; c < 256; c++ {
		if c == '/' {
			continue
		}
		one := string([]byte{byte(c)})
		if one != "." {
			names = append(names, one)
		}
		if c < ' ' || c > '~' {
			continue
		}
		for _, tail := range []string{"]", ":]", "x"} {
			names = append(names, one+tail)
		}
	}
	for _, fold := range []bool{false, true} {
		want := checkIgnore(t, globs, names, fold)
		for i, glob := range globs {
			m := ignore.New([]byte(glob), nil, fold)
			for k, name := range names {
				if got := m.Ignored(name, false); got != want[i][k] {
					t.Errorf("%q on %q, ignoreCase %t: ignored %t, by git %t", glob, name, fold, got, want[i][k])
				}
			}
		}
	}
}

// checkIgnore asks git for each glob and each name of a file, which need not exist.
func checkIgnore(t *testing.T, globs, names []string, fold bool) [][]bool {
	j := newJudge(t)
	var in bytes.Buffer
	for i, glob := range globs {
		j.write(fmt.Sprintf("%03d/.gitignore", i), glob+"\n")
		for _, name := range names {
			// The dot keeps a ":" in front from being pathspec magic.
			fmt.Fprintf(&in, "./%03d/%s\x00", i, name)
		}
	}
	cmd := exec.CommandContext(t.Context(), "git", "-c", fmt.Sprintf("core.ignoreCase=%t", fold),
		"check-ignore", "--no-index", "-z", "-v", "-n", "--stdin")
	cmd.Dir, cmd.Env, cmd.Stdin = j.dir, j.env, &in
	out, err := cmd.Output()
	if err != nil { // status 1: nothing is ignored, which is not so
		t.Fatal(err)
	}
	// For each name: the file of the pattern or nothing, its line, the
	// pattern, the name.
	fields := strings.Split(string(out), "\x00")
	if len(fields) != 4*len(globs)*len(names)+1 {
		t.Fatalf("git check-ignore: %d fields", len(fields))
	}
	answers := make([][]bool, len(globs))
	for i := range globs {
		for range names {
			answers[i] = append(answers[i], fields[0] != "")
			fields = fields[4:]
		}
	}
	return answers
}
