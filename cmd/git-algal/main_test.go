//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-algal/git-algal/internal/gittest"
	"github.com/git-algal/git-algal/operation"
)

// raceExit keeps the race detector from sleeping a second at the end of each
// process.
const raceExit = "atexit_sleep_ms=0"

// The test binary acts as the program and as the adapter.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"git-algal":        main,
		"scripted-adapter": scriptedAdapter,
		"scripted-xcb":     scriptedXCB,
	})
}

// racing are the scripts in which goroutines of one process meet; a short run,
// which is one under the race detector, is content with them.
var racing = []string{"busy", "interrupt", "mcp", "prepare", "signals", "validate"}

func TestScripts(t *testing.T) {
	dir := filepath.Join("testdata", "script")
	var some []string // of all
	if testing.Short() {
		dir = ""
		for _, name := range racing {
			some = append(some, filepath.Join("testdata", "script", name+".txtar"))
		}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Files:               some,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repo":      makeRepository,
			"adapter":   makeAdapter,
			"awaits":    awaitFile,
			"snapshot":  func(ts *testscript.TestScript, neg bool, args []string) { takeSnapshot(t, ts, args) },
			"unchanged": func(ts *testscript.TestScript, neg bool, args []string) { checkSnapshot(t, ts, args) },
			"counts":    countLines,
			"exits":     exits,
		},
	})
}

// condition answers [guarded]: whether the git directory can be made read-only
// for an agent on this machine.
func condition(name string) (bool, error) {
	if name != "guarded" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	env := processEnvironment()
	env.installed()
	found, err := env.probe(context.Background())
	return found.ReadOnlyGit, err
}

// setup gives each script a person without any configuration.
func setup(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	for _, variable := range slices.Clone(env.Vars) {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "GIT_") {
			env.Setenv(name, "")
		}
	}
	for name, value := range map[string]string{
		"HOME": home, "LC_ALL": "C", "TZ": "UTC", "GORACE": raceExit, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "Script", "GIT_AUTHOR_EMAIL": "script@example.invalid", "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME": "Script", "GIT_COMMITTER_EMAIL": "script@example.invalid", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
	} {
		env.Setenv(name, value)
	}
	worker, err := exec.LookPath("scripted-xcb")
	if err != nil {
		return err
	}
	env.Setenv("XCB", worker)
	env.Setenv(xcbLedger, filepath.Join(env.WorkDir, "xcb.ledger"))
	env.Values["snapshots"] = map[string]gittest.Snapshot{}
	return os.MkdirAll(home, 0o700)
}

// repo DIR makes DIR, which holds files already or not, a repository with one
// commit of them.
func makeRepository(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: repo DIR")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	entries, err := os.ReadDir(dir)
	ts.Check(err)
	if len(entries) == 0 {
		ts.Check(os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a\n"), 0o644))
		ts.Check(os.Mkdir(filepath.Join(dir, "d"), 0o755))
		ts.Check(os.WriteFile(filepath.Join(dir, "d", "b.txt"), []byte("b\n"), 0o644))
	}
	for _, words := range [][]string{{"init", "-q", "-b", "main", dir}, {"-C", dir, "add", "-A"}, {"-C", dir, "commit", "-q", "-m", "first"}} {
		ts.Check(ts.Exec("git", words...))
	}
}

// adapter NAME SCRIPT keeps an adapter under that name, which follows the
// script file (see scriptedAdapter). Its ledger is the directory NAME.ledger.
func makeAdapter(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: adapter NAME SCRIPT")
	}
	name, script := args[0], ts.MkAbs(args[1])
	executable := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, "scripted-adapter")); err == nil && executable == "" {
			executable = filepath.Join(dir, "scripted-adapter")
		}
	}
	ledger := ts.MkAbs(name + ".ledger")
	ts.Check(os.MkdirAll(ledger, 0o700))
	text, err := operation.Adapter{
		Protocol: operation.Protocol, AuthorityID: operation.Identity("ledger-of-" + name),
		Executable: executable, ArgvPrefix: []string{ledger, script},
	}.Format()
	ts.Check(err)
	folder := filepath.Join(ts.Getenv("HOME"), ".config", ownDirectory, "adapters")
	ts.Check(os.MkdirAll(folder, 0o700))
	ts.Check(os.WriteFile(filepath.Join(folder, name+".json"), text, 0o600))
}

// awaitLimit is how long a script waits for what another process does in
// milliseconds.
const awaitLimit = 20 * time.Second

// awaits FILE waits until the file exists.
func awaitFile(ts *testscript.TestScript, neg bool, args []string) {
	for deadline := time.Now().Add(awaitLimit); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
	}
	ts.Fatalf("%s did not appear", args[0])
}

// snapshot NAME DIR keeps what must not change; unchanged NAME DIR compares.
func takeSnapshot(tb testing.TB, ts *testscript.TestScript, args []string) {
	ts.Value("snapshots").(map[string]gittest.Snapshot)[args[0]] = gittest.Take(tb, ts.MkAbs(args[1]))
}

func checkSnapshot(tb testing.TB, ts *testscript.TestScript, args []string) {
	before, ok := ts.Value("snapshots").(map[string]gittest.Snapshot)[args[0]]
	if !ok {
		ts.Fatalf("no snapshot is called %s", args[0])
	}
	if lines := before.Diff(gittest.Take(tb, ts.MkAbs(args[1]))); len(lines) > 0 {
		ts.Fatalf("%s changed:\n%s", args[1], strings.Join(lines, "\n"))
	}
}

// counts N FILE compares the number of lines of a file, which may be missing.
func countLines(ts *testscript.TestScript, neg bool, args []string) {
	text, err := os.ReadFile(ts.MkAbs(args[1]))
	if err != nil && !os.IsNotExist(err) {
		ts.Fatalf("%v", err)
	}
	if got := fmt.Sprint(strings.Count(string(text), "\n")); (got == args[0]) == neg {
		ts.Fatalf("%s has %s lines", args[1], got)
	}
}

// exits STATUS PROGRAM ARGS… runs the program and compares its exit status;
// both outputs are there for stdout and stderr. "git-algal" runs within the
// test, which is much cheaper than a process, unless it reads stdin; "git
// algal" is the process that a person starts.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARGS…")
	}
	status, stdout, stderr := 0, "", ""
	if args[1] == "git-algal" && !slices.Contains(args, stdinName) {
		stdout, stderr, status = inProcess(scriptEnvironment(ts, args[2:]))
		fmt.Fprint(ts.Stdout(), stdout)
		fmt.Fprint(ts.Stderr(), stderr)
	} else {
		err := ts.Exec(args[1], args[2:]...)
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			status = exit.ExitCode()
		} else {
			ts.Check(err)
		}
		stdout, stderr = ts.ReadFile("stdout"), ts.ReadFile("stderr")
	}
	if fmt.Sprint(status) != args[0] {
		ts.Fatalf("exit status %d, not %s\nstdout: %s\nstderr: %s", status, args[0], stdout, stderr)
	}
}

// scriptVariables are those that scripts set or that the program asks for.
var scriptVariables = []string{
	"PATH", "HOME", "TMPDIR", "TERM", "LC_ALL", "TZ", "GORACE", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
	"GIT_CONFIG_NOSYSTEM", "GIT_DIR", "GIT_ALGAL_STORE", "GOCACHE", "GIT_EDITOR", "EDITOR", xcbLedger,
}

// scriptEnvironment is that of a command which a script runs.
func scriptEnvironment(ts *testscript.TestScript, args []string) environment {
	env := processEnvironment()
	env.args, env.dir, env.stdin, env.variables = args, ts.MkAbs("."), strings.NewReader(""), nil
	for _, name := range scriptVariables {
		env.variables = append(env.variables, name+"="+ts.Getenv(name))
	}
	env.isTerminal = func(any) bool { return false }
	env.interruptible = func(ctx context.Context) (context.Context, context.CancelFunc) { return ctx, func() {} }
	env.installed()
	if word := ts.Getenv("PROGRAM"); word != "" { // started as this
		env.program = word
		env.executable = func() (string, error) { return filepath.EvalSymlinks(word) }
	}
	if dir := ts.Getenv("TEMPORARY"); dir != "" { // where files come and go
		env.temporaries = []string{dir}
	}
	return env
}

// installed makes the program the one that the tests put on PATH. It lies in a
// temporary directory, as everything of a test does; what is temporary is what
// a script says.
func (e *environment) installed() {
	e.program, e.temporaries = programName, nil
	e.executable = func() (string, error) { return e.lookPath(programName) }
}
