package ignore_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/ignore"
)

// A checkout is the input of one judgement: untracked files and pattern files.
type checkout struct {
	files      []string          // paths, none below another
	gitignore  map[string]string // by directory, "" for the top
	exclude    string            // info/exclude
	excludes   string            // core.excludesFile
	ignoreCase bool
}

// A judge is a repository of real files that git is asked about.
type judge struct {
	t   testing.TB
	dir string
	env []string
}

func newJudge(t testing.TB) *judge {
	t.Helper()
	j := &judge{t: t, dir: t.TempDir()}
	j.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_OPTIONAL_LOCKS=0",
	}
	j.git("init", "-q", "-b", "main")
	return j
}

// within returns the judge for a subtest.
func (j *judge) within(t testing.TB) *judge {
	return &judge{t: t, dir: j.dir, env: j.env}
}

func (j *judge) git(args ...string) []byte {
	j.t.Helper()
	cmd := exec.CommandContext(context.Background(), "git", args...)
	cmd.Dir, cmd.Env = j.dir, j.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		j.t.Fatalf("git %q: %v\n%s", args, err, stderr.Bytes())
	}
	return out
}

func (j *judge) write(path, content string) {
	j.t.Helper()
	// Joined by hand: a name may hold what filepath.Join would clean.
	name := j.dir + "/" + path
	if err := os.MkdirAll(name[:strings.LastIndexByte(name, '/')], 0o755); err != nil {
		j.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		j.t.Fatal(err)
	}
}

// clear removes the working tree, but not the repository.
func (j *judge) clear() {
	j.t.Helper()
	entries, err := os.ReadDir(j.dir)
	if err != nil {
		j.t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == ".git" {
			continue
		}
		if err := os.RemoveAll(j.dir + "/" + e.Name()); err != nil {
			j.t.Fatal(err)
		}
	}
}

// lay writes the pattern files of the checkout; its files must be there.
func (j *judge) lay(c checkout) {
	j.t.Helper()
	for dir, data := range c.gitignore {
		j.write(join(dir, ".gitignore"), data)
	}
	j.write(".git/info/exclude", c.exclude)
	j.write(".git/excludes", c.excludes)
}

// untracked returns the files that git shows, sorted.
func (j *judge) untracked(ignoreCase bool) []string {
	j.t.Helper()
	out := j.git("-c", "core.ignoreCase="+strconv.FormatBool(ignoreCase),
		"-c", "core.excludesFile="+filepath.Join(j.dir, ".git/excludes"),
		"ls-files", "-z", "--others", "--exclude-standard")
	names := strings.Split(string(out), "\x00")
	names = names[:len(names)-1]
	slices.Sort(names)
	return names
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// ours returns what git's answer ought to be: a walk that enters no ignored
// directory. The pattern files are untracked files themselves.
func ours(c checkout) []string {
	tree := make(map[string]map[string]bool) // directory → name → is a directory
	add := func(path string) {
		isDir := false
		for {
			dir, name := "", path
			if i := strings.LastIndexByte(path, '/'); i >= 0 {
				dir, name = path[:i], path[i+1:]
			}
			if tree[dir] == nil {
				tree[dir] = make(map[string]bool)
			}
			tree[dir][name] = isDir
			if dir == "" {
				return
			}
			path, isDir = dir, true
		}
	}
	for _, f := range c.files {
		add(f)
	}
	for dir := range c.gitignore {
		add(join(dir, ".gitignore"))
	}
	var shown []string
	var walk func(m *ignore.Matcher, dir string)
	walk = func(m *ignore.Matcher, dir string) {
		m = m.Enter(dir, []byte(c.gitignore[dir]))
		for name, isDir := range tree[dir] {
			path := join(dir, name)
			switch {
			case m.Ignored(path, isDir):
			case isDir:
				walk(m, path)
			default:
				shown = append(shown, path)
			}
		}
	}
	walk(newMatcher(c), "")
	slices.Sort(shown)
	return shown
}

// newMatcher returns the checkout's matcher above its top.
func newMatcher(c checkout) *ignore.Matcher {
	return ignore.New([]byte(c.excludes), []byte(c.exclude), c.ignoreCase)
}
