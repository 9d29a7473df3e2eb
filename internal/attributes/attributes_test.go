package attributes

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// consulted are the attributes that git's conversion consults.
var consulted = []string{"text", "crlf", "eol", "ident", "filter", "working-tree-encoding"}

var cases = []struct {
	name      string
	data      string
	attribute string // "" for none
}{
	{"nothing", "", ""},
	{"blank lines and comments", "\n  \n# * text\n   # * text\n", ""},
	{"other attributes", "*.c diff=cpp merge=union whitespace -export-ignore !diff\n", ""},
	{"pattern alone", "text\nfilter\n", ""},
	{"pattern with the name of an attribute", "text -diff\neol diff\n", ""},

	{"text", "*.c text\n", "text"},
	{"text=auto", "* text=auto", "text=auto"},
	{"text with an odd value", "* text=odd", "text=odd"},
	{"eol", "a eol=lf\n", "eol=lf"},
	{"eol unset", "a -eol\n", "-eol"},
	{"crlf", "a crlf\n", "crlf"},
	{"crlf=input", "a crlf=input\n", "crlf=input"},
	{"ident", "a ident\n", "ident"},
	{"filter", "a filter=lfs diff=lfs merge=lfs -text\n", "filter=lfs"},
	{"filter set", "a filter\n", "filter"},
	{"encoding", "a working-tree-encoding=UTF-16\n", "working-tree-encoding=UTF-16"},
	{"encoding set", "a working-tree-encoding\n", "working-tree-encoding"},
	{"encoding unset, which git refuses", "a -working-tree-encoding\n", "-working-tree-encoding"},
	{"a later line", "a diff\nb -diff\n\nc ident\n", "ident"},
	{"no newline at the end", "a diff\nb ident", "ident"},

	{"-text", "*.png -text\n", ""},
	{"binary", "*.png binary\n", ""},
	{"binary unset", "*.png -binary !binary\n", ""},
	{"unset", "a -text -crlf -ident -filter\n", ""},
	{"unspecified", "a !text !crlf !ident !filter !eol !working-tree-encoding\n", ""},
	{"value beside a minus", "a -text=auto\n", "-text=auto"},
	{"prefixes of names", "a texts tex text-x -texts filters eol2 idents x-filter\n", ""},
	{"case counts", "a Text EOL=lf Ident\n", ""},

	{"macro", "[attr]m text\n", "text"},
	{"macro with a blank", "[attr] m diff ident\n", "ident"},
	{"macro that unsets", "[attr]m -text -diff\n* m\n", ""},
	{"macro unset", "[attr]m -text\n* -m\n", ""},
	{"binary defined anew", "[attr]binary text\n", "text"},
	{"macro of macros", "[attr]m eol=crlf\n[attr]n m\n* n\n", "eol=crlf"},

	{"quoted pattern", `"a b" text` + "\n", "text"},
	{"quoted pattern with an escaped quote", `"a\" text=x" diff ident` + "\n", "text=x"},
	{"attribute that touches the quote", `"a"ident` + "\n", "ident"},
	{"attribute after an empty pattern", `""ident` + "\n", "ident"},
	{"quote that is not closed", `"a ident` + "\n", "ident"},
	{"quoted comment is a pattern", `"#a" ident` + "\n", "ident"},
	{"quote within a pattern", `a"b ident` + "\n", "ident"},
	{"broken escape", `"\q" ident` + "\n", "ident"},

	{"byte order mark", "\xef\xbb\xbf* ident\n", "ident"},
	{"byte order mark before a quote", "\xef\xbb\xbf\"a\"ident\n", "ident"},
	{"byte order mark before a comment", "\xef\xbb\xbf# ident\n", ""},
	{"CRLF", "* ident\r\n", "ident"},
	{"tabs and leading blanks", "\t * \t ident \t\n", "ident"},
	{"negative pattern, which git leaves out", "!a ident\n", "ident"},
	{"NUL ends a line", "* ident\x00x\n", "ident"},
	{"escaped blank does not join", `a\ ident diff` + "\n", "ident"},
	{"vertical tab before a hash, which is then no comment", "\v# ident\n", "ident"},
	{"hash after a pattern is no comment", "* #x ident\n", "ident"},

	{"longest line", strings.Repeat("x", maxLine-len(" diff")) + " diff\n", ""},
	{"longest line without a newline", strings.Repeat("x", maxLine), ""},
	{"one byte more", strings.Repeat("x", maxLine-len(" diff")+1) + " diff\n", longLine},
	{"long comment", "#" + strings.Repeat("x", maxLine), longLine},
}

func TestConverts(t *testing.T) {
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			attribute, found := Converts([]byte(test.data))
			if attribute != test.attribute || found != (test.attribute != "") {
				t.Errorf("%.80q: %q, %t, want %q", test.data, attribute, found, test.attribute)
			}
		})
	}
}

func TestFilters(t *testing.T) {
	for _, test := range []struct {
		data    string
		filters bool
	}{
		{"a filter=lfs\n", true},
		{"a text ident\nb filter\n", true},
		{"[attr]m eol=lf filter=x", true},
		{`"a"filter=x`, true},
		{"a -filter=x\n", true},
		{"#" + strings.Repeat("x", maxLine), true},
		{"a text eol=lf ident working-tree-encoding=UTF-16 crlf\n", false},
		{"a -filter !filter\nfilter diff\n# a filter\na filters text=filter\n", false},
		{"", false},
	} {
		if got := Filters([]byte(test.data)); got != test.filters {
			t.Errorf("%.80q: %t, want %t", test.data, got, test.filters)
		}
	}
}

// TestHarmless checks what is not reported against what git makes of the
// bytes that each conversion would change.
func TestHarmless(t *testing.T) {
	j := newJudge(t)
	const content = "$Id: 0123 $\r\n\xfe\xff\r\n"
	raw := j.git(content, "hash-object", "--no-filters", "--stdin")
	harmless := 0
	for _, test := range cases {
		if test.attribute != "" {
			continue
		}
		j.write(".git/info/attributes", test.data+"\n")
		for _, path := range []string{"a", "x.png", "d/filter"} {
			if got := j.git(content, "hash-object", "--stdin", "--path="+path); !bytes.Equal(got, raw) {
				t.Errorf("%s: git converts %q", test.name, path)
			}
			harmless++
		}
	}
	// The judge must be able to say no.
	for _, convert := range []string{"a text", "a eol=lf", "a crlf=input", "a ident", "a filter=up"} {
		j.write(".git/info/attributes", convert+"\n")
		if got := j.git(content, "-c", "filter.up.clean=tr a-z A-Z", "hash-object", "--stdin", "--path=a"); bytes.Equal(got, raw) {
			t.Errorf("%s: git does not convert", convert)
		}
	}
	t.Logf("%d paths under harmless attributes", harmless)
}

// TestAgainstGit holds random attribute files against git: no path may have
// a conversion attribute when nothing was found.
func TestAgainstGit(t *testing.T) {
	const (
		repositories = 15
		directories  = 60
	)
	r := rand.New(rand.NewPCG(5, 6))
	found, given, clear := 0, 0, 0
	for range repositories {
		j := newJudge(t)
		top := randomFile(r, 1)
		topFound := false
		if _, topFound = Converts([]byte(top)); topFound && r.IntN(4) > 0 {
			top, topFound = "", false // else the directories count for nothing
		}
		j.write(".gitattributes", top)
		var data []string
		var paths bytes.Buffer
		for i := range directories {
			data = append(data, randomFile(r, 3))
			j.write(fmt.Sprintf("%02d/.gitattributes", i), data[i])
			for _, name := range names {
				fmt.Fprintf(&paths, "%02d/%s\x00", i, name)
			}
		}
		out := j.git(paths.String(), append([]string{"check-attr", "-z", "--stdin"}, consulted...)...)
		fields := strings.Split(string(out), "\x00")
		if want := 3*directories*len(names)*len(consulted) + 1; len(fields) != want {
			t.Fatalf("git check-attr: %d fields, want %d", len(fields), want)
		}
		for i := range directories {
			_, ok := Converts([]byte(data[i]))
			ok = ok || topFound
			if ok {
				found++
			}
			some := false
			for range len(names) * len(consulted) {
				path, attribute, value := fields[0], fields[1], fields[2]
				fields = fields[3:]
				harmless := value == "unspecified" ||
					value == "unset" && attribute != "working-tree-encoding" && attribute != "eol"
				some = some || !harmless
				if !harmless && !ok {
					t.Errorf("nothing found, but %q has %s: %s\n.gitattributes: %q\nthere: %q", path, attribute, value, top, data[i])
				}
			}
			if some {
				given++
			} else if !ok {
				clear++
			}
		}
	}
	t.Logf("%d files: found in %d, given by git in %d, rightly not found in %d", repositories*directories, found, given, clear)
	if given < 100 || clear < 100 {
		t.Errorf("the files are one-sided: git gives consulted in %d, none is found in %d", given, clear)
	}
}

var names = []string{"a", "a b", "x.c", `q"q`, "text"}

// randomFile makes an attribute file of up to n lines.
func randomFile(r *rand.Rand, n int) string {
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	patterns := []string{"*", "*", "a", "x.*", "text", `"a b"`, `"a"`, `"q\"q"`, `"\141"`, `"a`, `"\q"`, `a"`, `""`, "[attr]m", "[attr] n", "[attr]binary", "[attr]text", "#", " #", "!a", `"#"`, `\#`, "\xef\xbb\xbf*", "\xef\xbb\xbf\"a\"", "[attr]", `*"`}
	attributes := []string{"text", "text=auto", "crlf", "eol=lf", "ident", "filter=x", "working-tree-encoding=UTF-16",
		"-text", "-crlf", "-ident", "-filter", "-eol", "-working-tree-encoding", "!text", "!eol", "--text", "!-text", "-!text", "-text=auto", "!eol=lf", "=text", "-=", "text=", "text==",
		"binary", "-binary", "!binary", "m", "-m", "m=x", "n", "diff", "-diff", "merge=text", "diff=filter", "Text", "texts", "text,ident", "#", `"`, `"ident"`, "text\x00", "\x00text", "text\x0b", "\x0btext"}
	var b strings.Builder
	for i := r.IntN(n) + 1; i > 0; i-- {
		b.WriteString(pick([]string{"", "", "", "", " ", "\t", "\r", "\x0b"}))
		b.WriteString(pick(patterns))
		b.WriteString(pick([]string{" ", " ", " ", " ", " ", " ", "\t", "  ", "", "\r", "\x0c", "\x00"}))
		// Few attributes, so that often nothing converts.
		for k := r.IntN(3); k >= 0; k-- {
			b.WriteString(pick(attributes))
			b.WriteString(pick([]string{" ", " ", " ", " ", "\t", "\r", "\x0b", "", "\x00"}))
		}
		b.WriteString(pick([]string{"\n", "\n", "\n", "\r\n", "\r"}))
	}
	return b.String()
}

// FuzzConverts checks that nothing in a file hides what a later line says.
func FuzzConverts(f *testing.F) {
	for _, test := range cases {
		f.Add([]byte(test.data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		attribute, found := Converts(data)
		if Filters(data) && !found {
			t.Errorf("%q: a filter, but no conversion", data)
		}
		if found != (attribute != "") {
			t.Errorf("%q: %q, %t", data, attribute, found)
		}
		for _, line := range []string{"* ident", `"a"text`, "[attr]m eol=lf", "\t\"x filter=y"} {
			if _, found := Converts(slices.Concat(data, []byte("\n"+line))); !found {
				t.Errorf("%q, then %q: nothing found", data, line)
			}
		}
		if after, _ := Converts(slices.Concat(data, []byte("\n# * text\n*.png binary\n"))); after != attribute {
			t.Errorf("%q: %q, and %q after harmless lines", data, attribute, after)
		}
	})
}

// A judge is a repository in which git is asked.
type judge struct {
	t   *testing.T
	dir string
	env []string
}

func newJudge(t *testing.T) *judge {
	t.Helper()
	j := &judge{t: t, dir: t.TempDir()}
	j.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
	}
	j.git("", "init", "-q", "-b", "main")
	return j
}

func (j *judge) git(stdin string, args ...string) []byte {
	j.t.Helper()
	cmd := exec.CommandContext(j.t.Context(), "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = j.dir, j.env, strings.NewReader(stdin)
	var stderr bytes.Buffer // git warns of odd lines
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		j.t.Fatalf("git %q: %v\n%s", args, err, stderr.Bytes())
	}
	return out
}

func (j *judge) write(path, content string) {
	j.t.Helper()
	name := filepath.Join(j.dir, path)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		j.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		j.t.Fatal(err)
	}
}
