package man_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/man"
)

func TestNames(t *testing.T) {
	var files []string
	for _, section := range []string{"1", "5", "7"} {
		found, err := filepath.Glob("*." + section)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	if !slices.Equal(man.Names(), files) {
		t.Errorf("the package has %q, the directory %q", man.Names(), files)
	}
	for _, name := range files {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := man.Page(name); !ok || string(got) != string(want) {
			t.Errorf("%s is not its file", name)
		}
	}
	for _, name := range []string{"", "git-algal", "git-algal-nothing.1", "man.go", "../go.mod"} {
		if _, ok := man.Page(name); ok {
			t.Errorf("there is a page %q", name)
		}
	}
}

func TestPagesAreTheCallers(t *testing.T) {
	first, _ := man.Page("git-algal.1")
	first[0] = 'X'
	if second, _ := man.Page("git-algal.1"); second[0] == 'X' {
		t.Error("a change of what was returned changes the manual")
	}
}

func TestFind(t *testing.T) {
	for topic, want := range map[string]string{
		"run": "git-algal-run.1", "store": "git-algal-store.5", "adapter": "git-algal-adapter.1", "adapter.7": "git-algal-adapter.7", "workflow": "git-algal-workflow.7",
		"": "", "nothing": "", "run.1": "git-algal-run.1", "run.7": "", "../man/git-algal-run": "",
	} {
		if got, ok := man.Find(topic); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", topic, got, ok, want)
		}
	}
}

var (
	title     = regexp.MustCompile(`^\.Dd [A-Z][a-z]+ \d{1,2}, \d{4}\n\.Dt ([A-Z-]+) (\d)\n\.Os\n\.Sh NAME\n\.Nm ([a-z-]+)\n\.Nd [^\n]+[^.\n]\n\.Sh `)
	reference = regexp.MustCompile(`(?m)^\..*\bXr (git-algal\S*) (\d)`)
)

// TestPages holds what every page has: its title, plain ASCII, and references
// to pages of this manual that exist.
func TestPages(t *testing.T) {
	for _, name := range man.Names() {
		source, _ := man.Page(name)
		topic, section, _ := strings.Cut(name, ".")
		head := title.FindSubmatch(source)
		if head == nil {
			t.Errorf("%s does not begin as a page does", name)
		} else if string(head[1]) != strings.ToUpper(topic) || string(head[2]) != section || string(head[3]) != topic {
			t.Errorf("%s has the title of %s(%s), %s", name, head[1], head[2], head[3])
		}
		if i := strings.IndexFunc(string(source), func(r rune) bool { return r > '~' || r < ' ' && r != '\n' }); i >= 0 {
			t.Errorf("%s: byte %d is no printable ASCII", name, i)
		}
		for _, match := range reference.FindAllSubmatch(source, -1) {
			if _, ok := man.Page(string(match[1]) + "." + string(match[2])); !ok {
				t.Errorf("%s refers to %s(%s), which does not exist", name, match[1], match[2])
			}
		}
	}
}

func TestLint(t *testing.T) {
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("mandoc is not installed; .ci/run installs it")
	}
	if out, err := exec.Command(mandoc, append([]string{"-T", "lint", "-W", "warning"}, man.Names()...)...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
