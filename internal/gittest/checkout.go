package gittest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// commandDeadline bounds one script and one git command: they take
// milliseconds, so whatever takes this long is waiting for something.
const commandDeadline = 60 * time.Second

// preludeName is the file beside the scripts with the words that they share.
const preludeName = "prelude.bash"

// A Checkout is a built fixture.
type Checkout struct {
	Fixture
	Root   string   // canonical absolute path of the directory in which the script ran
	Dir    string   // Root and the fixture's Workspace, as a person would name it (a trailing slash stays)
	Home   string   // HOME of whoever judges: the user's scopes of configuration
	Env    []string // the environment of whoever judges, hostile GIT_* variables included
	Canary string   // a planted command that ran has created this file

	base     string // the temporary directory around all of it
	asNobody bool   // built, asked and judged as nobody, because the test runs as root
}

// Build runs the fixture's script in a new temporary directory, which goes
// away with the test. It skips the test on a machine that lacks what the
// fixture needs and fails it when the script fails.
func (f Fixture) Build(tb testing.TB) Checkout {
	tb.Helper()
	f.shared.user.RLock()
	defer f.shared.user.RUnlock()
	c := f.prepare(tb)
	cmd := c.command(tb, "bash", filepath.Join(c.base, "fixture", f.Name+".sh"))
	cmd.Dir = c.Root
	cmd.Env = append(scriptEnv(c.Home), "FIXTURE="+filepath.Join(c.base, "fixture"), "PLAIN="+f.shared.plain.dir(tb))
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("fixture %q does not build: %v\n%s", f.Name, err, out)
	}
	if c.Ran() {
		tb.Fatalf("fixture %q: the script itself made the canary", f.Name)
	}
	c.Env = append(baseEnv(c.Home), plantedEnv(tb, c.Root)...)
	return c
}

// prepare lays the directories and copies the script, owned by whoever is to
// run it.
func (f Fixture) prepare(tb testing.TB) Checkout {
	tb.Helper()
	if f.Needing(NeedLinux) && runtime.GOOS != "linux" {
		tb.Skipf("fixture %q needs Linux; CI runs it there", f.Name)
	}
	if f.Needing(NeedRoot) && os.Geteuid() != 0 {
		tb.Skipf("fixture %q needs root; CI runs as root", f.Name)
	}
	// Short, because tests' own temporary paths grow with their names and some
	// fixtures go to the limit of a path; canonical, because git's answers are.
	base, err := os.MkdirTemp("", "gt")
	if err == nil {
		base, err = filepath.EvalSymlinks(base)
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		f.shared.user.RLock()
		defer f.shared.user.RUnlock()
		remove(tb, base)
	})
	c := Checkout{
		Fixture: f,
		Root:    filepath.Join(base, "root"),
		Home:    filepath.Join(base, "home"),
		base:    base,
	}
	c.asNobody = f.Needing(NeedUnprivileged) && os.Geteuid() == 0
	c.Dir = c.Root + "/" + f.Workspace
	c.Canary = filepath.Join(c.Root, "canary")
	for _, dir := range []string{c.Root, c.Home, filepath.Join(base, "fixture")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			tb.Fatal(err)
		}
	}
	for _, file := range []string{f.script, filepath.Join(filepath.Dir(f.script), preludeName)} {
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(filepath.Join(base, "fixture", filepath.Base(file)), text, 0o644)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if f.Needing(NeedByteNames) && !byteNames(base) {
		tb.Skipf("fixture %q needs a file system whose names are bytes; CI has one", f.Name)
	}
	if f.Needing(NeedUnprivileged) {
		c.giveAway(tb)
	}
	return c
}

// Ran reports whether a planted command has run.
func (c Checkout) Ran() bool {
	_, err := os.Lstat(c.Canary)
	return !errors.Is(err, fs.ErrNotExist)
}

// Command returns a command that runs in the checkout's directory with its
// environment, as the user who judges; it is killed when it takes longer than
// a minute. It must not be started while another fixture's As is under way.
func (c Checkout) Command(tb testing.TB, name string, args ...string) *exec.Cmd {
	tb.Helper()
	cmd := c.command(tb, name, args...)
	cmd.Dir = c.Dir
	cmd.Env = c.Env
	return cmd
}

func (c Checkout) command(tb testing.TB, name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), commandDeadline)
	tb.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	c.demote(cmd)
	return cmd
}

// baseEnv is the whole environment of a person without any preference. PATH is
// kept because git, bash and perl must be found.
func baseEnv(home string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LC_ALL=C", "TZ=UTC"}
}

// identityEnv keeps git away from the machine's configuration and fixes names
// and dates, so that object ids never change.
func identityEnv() []string {
	return []string{
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Fixture", "GIT_AUTHOR_EMAIL=fixture@example.invalid", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Fixture", "GIT_COMMITTER_EMAIL=fixture@example.invalid", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
}

// scriptEnv is the environment in which scripts run. Maintenance after a commit
// would be one more process each time.
func scriptEnv(home string) []string {
	return append(baseEnv(home), append(identityEnv(),
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false")...)
}

// plantedEnv reads the KEY=VALUE lines that a script left in its env file.
func plantedEnv(tb testing.TB, root string) []string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(root, "env"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		tb.Fatal(err)
	}
	var env []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if key, _, ok := strings.Cut(line, "="); !ok || key == "" {
			tb.Fatalf("env line %q is no KEY=VALUE", line)
		}
		env = append(env, line)
	}
	return env
}

// byteNames reports whether the directory's file system keeps names as they
// are given.
func byteNames(dir string) bool {
	probe, err := os.MkdirTemp(dir, "names")
	if err != nil {
		return false
	}
	names := []string{"a", "A", "\xff", "e\u0301", "\u00e9"}
	for _, name := range names {
		if os.WriteFile(filepath.Join(probe, name), nil, 0o600) != nil {
			return false
		}
	}
	entries, err := os.ReadDir(probe)
	return err == nil && len(entries) == len(names)
}

// remove deletes a build, unreadable directories included.
func remove(tb testing.TB, base string) {
	if os.RemoveAll(base) == nil {
		return
	}
	_ = filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	if err := os.RemoveAll(base); err != nil {
		tb.Errorf("the build stays behind: %v", err)
	}
}
