package runner_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/runner"
)

func TestFind(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "dir")
	for path, mode := range map[string]os.FileMode{
		"first/tool": 0o700, "second/tool": 0o700, "second/only": 0o700, "first/plain": 0o600, "dir/tool": 0o700, "dir/sub/tool": 0o700,
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir) // a relative entry of PATH would find something
	both := []string{"PATH=" + root + "/nowhere:" + root + "/first:" + root + "/second"}
	for _, c := range []struct {
		name, word string
		env        []string
		want       string // below root; empty where nothing is found
	}{
		{"first entry", "tool", both, "first/tool"},
		{"later entry", "only", both, "second/only"},
		{"last variable", "tool", append(both, "PATH="+root+"/second"), "second/tool"},
		{"path in the directory", "./tool", both, "dir/./tool"},
		{"path below the directory", "sub/tool", nil, "dir/sub/tool"},
		{"absolute path", root + "/second/only", nil, "second/only"},
		{"not executable", "plain", both, ""},
		{"missing", "absent", both, ""},
		{"missing path", "./absent", both, ""},
		{"directory", "./sub", both, ""},
		{"no path", "tool", nil, ""},
		{"relative entries", "tool", []string{"PATH=.::sub"}, ""},
		{"empty word", "", both, ""},
		{"parent", "..", both, ""},
	} {
		got, err := runner.Find(c.word, dir, c.env)
		switch {
		case c.want == "" && (!fault.Is(err, fault.Usage) || got != ""):
			t.Errorf("%s: got %q, %v", c.name, got, err)
		case c.want != "" && (err != nil || got != root+"/"+c.want):
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}
