package ignore_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

// unixNames marks a case whose names a Mac's file systems may not have.
const unixNames = true

var rules = []struct {
	name  string
	in    checkout
	shown string // paths, separated by "|", the pattern files left out
	unix  bool
}{
	// Lines.
	{name: "blank lines and comments", in: top("\n#a\n\n", "a", "#a"), shown: "#a|a"},
	{name: "escaped hash", in: top(`\#a`, "a", "#a"), shown: "a"},
	{name: "hash after a blank is no comment", in: top(" #a", " #a", "#a"), shown: "#a"},
	{name: "hash in the middle is no comment", in: top("a #b", "a", "a #b"), shown: "a"},
	{name: "hash after a negation", in: top("*\n!#a", "#a", "a"), shown: "#a"},
	{name: "escaped bang", in: top(`\!a`, "a", "!a"), shown: "a"},
	{name: "second bang is literal", in: top("*a\n!!a", "a", "!a"), shown: "!a"},
	{name: "leading blank is significant", in: top(" a", " a", "a"), shown: "a"},
	{name: "trailing blanks are not", in: top("a   ", "a", "a "), shown: "a "},
	{name: "escaped trailing blank is", in: top(`a\ `, "a", "a "), shown: "a"},
	{name: "only the escaped one of two", in: top(`a\  `, "a", "a ", "a  "), shown: "a|a  "},
	{name: "blank after an escaped backslash", in: top(`a\\ `, `a\`, `a\ `), shown: `a\ `},
	{name: "blank line of blanks", in: top("   ", "a", " "), shown: " |a"},
	{name: "escaped blank alone", in: top(`\ `, "a", " "), shown: "a"},
	{name: "trailing tab is significant", in: top("a\t", "a", "a\t"), shown: "a"},
	{name: "blank before a trailing tab is too", in: top("a \t", "a", "a \t"), shown: "a"},
	{name: "tab before a trailing blank stays", in: top("a\t ", "a", "a\t"), shown: "a"},
	{name: "CR before LF", in: top("a\r\nb \r\n", "a", "a\r", "b"), shown: "a\r"},
	{name: "CR at the end of the file", in: top("a\r", "a", "a\r"), shown: "a\r"},
	{name: "one CR of two", in: top("a\r\r\n", "a", "a\r"), shown: "a"},
	{name: "CR within a line", in: top("a\rb", "a", "a\rb"), shown: "a"},
	{name: "no newline at the end", in: top("a\nb", "a", "b", "c"), shown: "c"},
	{name: "byte order mark", in: top("\xef\xbb\xbfa\nb", "a", "b", "c"), shown: "c"},
	{name: "byte order mark before a comment", in: top("\xef\xbb\xbf#a", "#a", "a"), shown: "#a|a"},
	{name: "byte order mark on another line", in: top("b\n\xef\xbb\xbfa", "a", "b"), shown: "a"},
	{name: "two byte order marks", in: top("\xef\xbb\xbf\xef\xbb\xbfa", "a"), shown: "a"},
	{name: "NUL ends a line", in: top("a\x00b\nc \x00\n", "a", "ab", "c"), shown: "ab"},
	{name: "NUL before a bang", in: top("a\n\x00!a", "a"), shown: ""},
	{name: "line of 200,000 bytes", in: top(strings.Repeat("x", 200_000)+"\na", "a", "b"), shown: "b"},

	// What matches nothing.
	{name: "slashes and bangs alone", in: top("/\n//\n!\n!/\n", "a", "b/c"), shown: "a|b/c"},
	{name: "slashes and bangs alone include nothing", in: top("*\n!\n!/\n/\n! \n", "a", "b/c"), shown: ""},
	{name: "double slash", in: top("//a\na//b\n", "a", "b/a"), shown: "a|b/a"},
	{name: "two slashes at the end", in: top("d//", "d/a"), shown: "d/a"},
	{name: "trailing backslash", in: top("a\\\n/a\\\n*\\\n", "a", `a\`), shown: `a|a\`},
	{name: "trailing backslash before a slash", in: top(`d\/`, "d/a", `d\/a`), shown: `d/a|d\/a`},
	{name: "open bracket", in: top("a[\n[a\n[!\n[[:alpha:]\n", "a", "a[", "[a"), shown: "[a|a|a["},
	{name: "open bracket before a slash", in: top("d[b/a\n", "d[b/a", "db/a"), shown: "d[b/a|db/a"},
	{name: "unknown class", in: top("[a[:none:]]\n[![:none:]]", "a", "b"), shown: "a|b"},

	// Anchors and directories.
	{name: "name matches at every depth", in: top("a", "a", "d/a", "d/e/a", "ab"), shown: "ab"},
	{name: "leading slash", in: top("/a", "a", "d/a"), shown: "d/a"},
	{name: "middle slash", in: top("d/a", "d/a", "e/d/a"), shown: "e/d/a"},
	{name: "leading and middle slash", in: top("/d/a", "d/a", "e/d/a"), shown: "e/d/a"},
	{name: "trailing slash does not anchor", in: top("d/", "d/a", "e/d/a", "f/d"), shown: "f/d"},
	{name: "leading and trailing slash", in: top("/d/", "d/a", "e/d/a"), shown: "e/d/a"},
	{name: "directory only", in: top("a/", "a"), shown: "a"},
	{name: "negated directory only", in: top("a\n!a/", "a", "d/a/b"), shown: "d/a/b"},
	{name: "escaped slash", in: top(`d\/a`, "d/a", "e/d/a"), shown: "e/d/a"},
	{name: "slash in a bracket anchors, but matches no slash", in: top("d[/]a\n[/b]\n", "d/a", "b", "d/b"), shown: "d/a|d/b"},

	// Stars.
	{name: "star does not cross a slash", in: top("d/*", "d/a", "d/e/f", "a"), shown: "a"},
	{name: "star in the middle", in: top("d/*/f", "d/e/f", "d/f", "d/e/g/f"), shown: "d/e/g/f|d/f"},
	{name: "star matches nothing too", in: top("a*b*", "ab", "axb", "abx", "a"), shown: "a"},
	{name: "star matches a leading dot", in: top("*x", ".x", "x"), shown: ""},
	{name: "ends overlap", in: top("ab*ba", "aba", "abba", "abxba"), shown: "aba"},
	{name: "leftmost parts", in: top("*ab*bc*", "abbc", "abc", "xabxbcx", "bcab"), shown: "abc|bcab"},
	{name: "question mark is a byte", in: top("?\n???.x", "a", "é", "日.x", "é.x"), shown: "é|é.x"},
	{name: "question mark matches no slash", in: top("d?a", "dxa", "d/a"), shown: "d/a"},
	{name: "double star first", in: top("**/a/b", "a/b", "x/a/b", "x/y/a/b", "a/x/b"), shown: "a/x/b"},
	{name: "double star last", in: top("d/**", "d/a", "d/e/f", "e/d/a"), shown: "e/d/a"},
	{name: "double star last is not the directory itself", in: top("d/**\n!d/a\n!d/e/", "d/a", "d/b", "d/e/f"), shown: "d/a"},
	{name: "double star in the middle", in: top("a/**/b", "a/b", "a/x/b", "a/x/y/b", "a/xb", "c/a/b"), shown: "a/xb|c/a/b"},
	{name: "two double stars", in: top("a/**/**/b", "a/b", "a/x/b", "ab"), shown: "ab"},
	{name: "double stars apart", in: top("**/a/**/b/**", "a/b/x", "y/a/z/b/x", "c/a/b", "b/a/x"), shown: "b/a/x|c/a/b"},
	{name: "double star alone", in: top("**", "a", "d/b"), shown: ""},
	{name: "double star with slash", in: top("**/", "a", "d/b"), shown: "a"},
	{name: "slash with double star", in: top("/**", "a", "d/b"), shown: ""},
	{name: "double star in a name", in: top("a**b", "ab", "axb", "a/b", "d/axxb"), shown: "a/b"},
	{name: "double star at an end of a component", in: top("d/a**\nd/**b\n", "d/a", "d/ax/y", "d/xb", "d/x/b"), shown: "d/x/b"},
	{name: "double star after a wildcard", in: top("?**/b", "a/b", "ab/b", "a/x/b", "b"), shown: "a/x/b|b"},
	{name: "three stars", in: top("a/***/b\n***/c", "a/b", "a/x/y/b", "c", "x/c", "ab"), shown: "ab"},
	{name: "double star before an escaped slash needs a component", in: top(`a/**\/b`, "a/b", "a/x/b", "a/x/y/b"), shown: "a/b"},
	{name: "double star after an escaped slash", in: top(`a\/**/b`, "a/b", "a/x/b"), shown: ""},
	{name: "escaped star", in: top(`\*\*/a`, "**/a", "b/a"), shown: "b/a", unix: unixNames},
	{name: "double star backs up", in: top("**/a/?/c", "a/a/b/c", "a/x/a/y/c", "a/b/d"), shown: "a/b/d"},

	// Negation and the order of sources.
	{name: "last match wins", in: top("*.x\n!b.x\nb.*\n!c.x", "a.x", "b.x", "c.x"), shown: "c.x"},
	{name: "below an ignored directory", in: top("d/\n!d/a", "d/a", "d/b"), shown: ""},
	{name: "below an ignored directory that is included again", in: top("d\n!d\nd/b", "d/a", "d/b"), shown: "d/a"},
	{name: "allow list", in: top("/*\n!/keep/\n", "keep/a", "a", "d/a"), shown: "keep/a"},
	{name: "negated name of a directory", in: top("*\n!*/\n!*.c\n", "a.c", "d/b.c", "d/b.o"), shown: "a.c|d/b.c"},
	{name: "nearest file wins", in: checkout{
		files:     []string{"a.x", "d/a.x", "d/e/a.x"},
		gitignore: map[string]string{"": "*.x", "d": "!*.x", "d/e": "a.*"},
	}, shown: "d/a.x"},
	{name: "nested file is relative to its directory", in: checkout{
		files:     []string{"d/a", "d/e/a", "a", "d/e/f"},
		gitignore: map[string]string{"d": "/a\ne/f"},
	}, shown: "a|d/e/a"},
	{name: "nested file in an ignored directory is not read", in: checkout{
		files:     []string{"d/a"},
		gitignore: map[string]string{"": "d", "d": "!a"},
	}, shown: ""},
	{name: "info/exclude", in: checkout{files: []string{"a", "d/a", "d/b", "e/d/b"}, exclude: "a\nd/b"}, shown: "e/d/b"},
	{name: "core.excludesFile", in: checkout{files: []string{"a", "d/a", "d/b", "e/d/b"}, excludes: "a\nd/b"}, shown: "e/d/b"},
	{name: "info/exclude over core.excludesFile", in: checkout{files: []string{"a", "b"}, exclude: "!a\nb", excludes: "a\n!b"}, shown: "a"},
	{name: "gitignore over info/exclude", in: checkout{
		files: []string{"a", "b"}, gitignore: map[string]string{"": "!a\nb"}, exclude: "a\n!b", excludes: "a\n!b",
	}, shown: "a"},

	// Bytes.
	{name: "no decoding", in: top("[\xc3]\xa9\n?\xff", "é", "x\xff", "é\xff"), shown: "é\xff", unix: unixNames},
	{name: "range of high bytes", in: top("[\x80-\xff]", "\x80", "\xff", "é", "a"), shown: "a|é", unix: unixNames},
	{name: "no normal forms", in: top("\u00e9", "\u00e9", "e\u0301"), shown: "e\u0301", unix: unixNames},
	{name: "newline in a name", in: top("a?b\n*x", "a\nb", "\nx", "c"), shown: "c"},

	// Case.
	{name: "case counts", in: top("A\n*.B\n/D/\n", "a", "b.b", "d/x"), shown: "a|b.b|d/x"},
	{name: "ignoreCase", in: folded("A\n*.B\n/D/\nf/G\n*H*\n", "a", "b.b", "d/x", "e/F/g", "f/g", "ahb"), shown: "e/F/g"},
	{name: "ignoreCase is for ASCII", in: folded("É", "é", "É"), shown: "é", unix: unixNames},
	{name: "ignoreCase and a quoted capital", in: folded(`\A`+"\n"+`\b`, "a", "b"), shown: "a"},
	{name: "ignoreCase in brackets", in: folded("[A]\n[B-C]\n[d]\n[[:upper:]]x", "a", "b", "d", "ex"), shown: "a"},
}

func top(patterns string, files ...string) checkout {
	return checkout{files: files, gitignore: map[string]string{"": patterns}}
}

func folded(patterns string, files ...string) checkout {
	c := top(patterns, files...)
	c.ignoreCase = true
	return c
}

// TestRules holds each rule against its expected answer, and the expectation
// against git.
func TestRules(t *testing.T) {
	j := newJudge(t)
	for _, test := range rules {
		t.Run(test.name, func(t *testing.T) {
			if test.unix && runtime.GOOS != "linux" {
				t.Skip("the names need a file system of Linux, where it runs")
			}
			j := j.within(t)
			j.clear()
			for _, f := range test.in.files {
				j.write(f, "")
			}
			j.lay(test.in)
			if got := visible(ours(test.in)); got != test.shown {
				t.Errorf("shown: %q, want %q", got, test.shown)
			}
			if got := visible(j.untracked(test.in.ignoreCase)); got != test.shown {
				t.Errorf("shown by git: %q, want %q", got, test.shown)
			}
		})
	}
}

// TestDisputed checks that patterns on which git and its manual disagree are
// reported, and no others.
func TestDisputed(t *testing.T) {
	for _, test := range []struct {
		in      checkout
		pattern string
	}{
		{top("x\nfoo**/bar\n"), "foo**/bar"},
		{top("/foo**"), "foo**"},
		{top(`foo**\/bar`), `foo**\/bar`},
		{top("a/foo***/b"), "a/foo***/b"},
		{top("!a/foo**"), "a/foo**"},
		{checkout{exclude: "d/e**"}, "d/e**"},
		{checkout{excludes: "d/e**", gitignore: map[string]string{"": "f/g**\nx"}}, "d/e**"},
		{top("foo**\nfoo**/\nfoo/**/bar\n**/a\na/**\n/**\n?**/b\n\\a**/b\nfoo**bar/x\nfoo/**bar\nfoo*/bar\n/foo*\n"), ""},
	} {
		m := newMatcher(test.in)
		pattern, ok := m.Enter("", []byte(test.in.gitignore[""])).Disputed()
		if pattern != test.pattern || ok != (test.pattern != "") {
			t.Errorf("%+v: disputed: %q, %t, want %q", test.in, pattern, ok, test.pattern)
		}
	}
}

// visible drops the pattern files and joins the rest.
func visible(files []string) string {
	files = slices.DeleteFunc(slices.Clone(files), func(f string) bool {
		return f == ".gitignore" || strings.HasSuffix(f, "/.gitignore")
	})
	return strings.Join(files, "|")
}
