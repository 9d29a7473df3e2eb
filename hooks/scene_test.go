package hooks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/hooks"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// programDir is where program builds what the script calls.
var programDir string

func TestMain(m *testing.M) {
	var err error
	if programDir, err = os.MkdirTemp("", "guard"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	_ = os.RemoveAll(programDir)
	os.Exit(status)
}

// program builds it once for all tests.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(programDir, "git-algal")
	out, err := exec.Command("go", "build", "-o", path, "./testdata/program").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// A scene is a repository with two branches, a second worktree, a remote, and
// a store in which a job on the main checkout may be unresolved.
type scene struct {
	tb        testing.TB
	root      string
	workspace string // the main checkout, on main
	worktree  string // another one, on other
	remote    string
	found     *gitplumb.Git
}

func newScene(tb testing.TB) *scene {
	tb.Helper()
	root, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	s := &scene{
		tb: tb, root: root, workspace: filepath.Join(root, "repo"),
		worktree: filepath.Join(root, "other"), remote: filepath.Join(root, "remote.git"),
	}
	s.sh(root, `
		git init -q --bare "$1/remote.git"
		git init -q -b main "$1/repo" && cd "$1/repo"
		echo one >a.txt && git add a.txt && git commit -q -m one
		git switch -q -c side && echo side >s.txt && git add s.txt && git commit -q -m side
		git switch -q main && echo two >a.txt && git commit -q -a -m two
		git worktree add -q -b other ../other
		git remote add origin ../remote.git
		git push -q origin side:refs/heads/pushed-0 side:refs/heads/pushed-1
		git update-ref --stdin <<-end
			delete refs/remotes/origin/pushed-0
			delete refs/remotes/origin/pushed-1
			create refs/heads/forced side
			create refs/heads/named side
			create refs/heads/dropped side
			create refs/heads/deleted side
		end
		git pack-refs --all
		git rev-parse side >.git/refs/heads/deleted`)
	return s
}

func (s *scene) env() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(s.root, "home"), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.invalid", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.invalid", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z"}
}

// try runs a shell script in dir with further variables and returns what it
// says on both streams.
func (s *scene) try(dir, script string, variables ...string) (string, error) {
	cmd := exec.Command("sh", "-euc", script, "sh", s.root)
	cmd.Dir, cmd.Env = dir, append(s.env(), variables...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// sh is try for what must succeed.
func (s *scene) sh(dir, script string) string {
	s.tb.Helper()
	out, err := s.try(dir, script)
	if err != nil {
		s.tb.Fatalf("%s: %v\n%s", script, err, out)
	}
	return out
}

func (s *scene) registryDir() string { return filepath.Join(s.root, "state", "workspaces") }
func (s *scene) allClears() string   { return filepath.Join(s.root, "state", "hooks") }

func (s *scene) registry() *state.Registry {
	s.tb.Helper()
	registry, err := state.OpenRegistry(state.OS(), s.registryDir())
	if err != nil {
		s.tb.Fatal(err)
	}
	return registry
}

func (s *scene) fs() state.FS { return state.OS() }

func (s *scene) git() *gitplumb.Git {
	s.tb.Helper()
	if s.found == nil {
		git, err := gitplumb.FindGit(context.Background(), exec.LookPath, s.env())
		if err != nil {
			s.tb.Fatal(err)
		}
		s.found = git
	}
	return s.found
}

func (s *scene) layout() gitplumb.Layout {
	s.tb.Helper()
	layout, err := gitplumb.ReadLayout(filepath.Join(s.workspace, ".git"), "")
	if err != nil {
		s.tb.Fatal(err)
	}
	return layout
}

func (s *scene) place() hooks.Place {
	s.tb.Helper()
	p, err := hooks.FindPlace(context.Background(), s.git(), s.workspace, s.layout())
	if err != nil {
		s.tb.Fatal(err)
	}
	return p
}

func (s *scene) installation() hooks.Installation {
	s.tb.Helper()
	path, err := program()
	if err != nil {
		s.tb.Fatal(err)
	}
	return hooks.Installation{Program: path, Registry: s.registryDir(), AllClears: s.allClears()}
}

func (s *scene) installs(in hooks.Installation) {
	s.tb.Helper()
	list, err := hooks.Install(s.place(), in)
	installed(s.tb, list, err)
}

func (s *scene) install() {
	s.tb.Helper()
	s.installs(s.installation())
}

func (s *scene) service(store string) *jobs.Service {
	s.tb.Helper()
	opened, err := state.Open(state.OS(), filepath.Join(s.root, store))
	if err != nil {
		s.tb.Fatal(err)
	}
	return &jobs.Service{
		FS: state.OS(), Store: opened, Registry: s.registry(), Checkouts: jobs.OnGit(s.git()),
		Transport: func(operation.Adapter) operation.Transport { return s },
	}
}

// Submit loses the answer: the job stays uncertain.
func (s *scene) Submit(context.Context, operation.Call) ([]byte, error) {
	return nil, errors.New("the answer is lost")
}

// Observe says that the attempt was completed, without a change.
func (s *scene) Observe(_ context.Context, call operation.Call) ([]byte, error) {
	outcome, err := operation.NewTerminal(call.Binding, 1, canon.DigestText("accepted"), operation.Completed, "done")
	return outcome.Canonical(), err
}

// claim launches a job on workspace, whose outcome nobody knows.
func (s *scene) claim(workspace string) canon.Digest {
	s.tb.Helper()
	ctx := context.Background()
	service := s.service("store")
	snap, err := service.Prepare(ctx, jobs.Options{
		Workspace: workspace, ExpectedHead: strings.TrimSpace(s.sh(workspace, "git rev-parse HEAD")), Prompt: "x",
		OperationID: operation.Identity("op-" + filepath.Base(workspace)), Limits: jobs.DefaultLimits(),
		Adapter: operation.Adapter{
			Protocol: operation.Protocol, AuthorityID: "ledger", Executable: filepath.Join(s.root, "adapter"), ArgvPrefix: []string{},
		},
	})
	if err != nil {
		s.tb.Fatal(err)
	}
	if snap, err = service.Run(ctx, snap.JobID); err != nil || snap.Status != jobs.Uncertain {
		s.tb.Fatalf("the run ends as %q, %v", snap.Status, err)
	}
	return snap.JobID
}

// settle finds out what became of the job.
func (s *scene) settle(job canon.Digest) {
	s.tb.Helper()
	snap, err := s.service("store").Reconcile(context.Background(), job)
	if err != nil || snap.Status != jobs.Completed {
		s.tb.Fatalf("the job ends as %q, %v", snap.Status, err)
	}
}

// refs returns everything that a guard keeps from changing, read from files:
// every reference and every HEAD of every repository of the scene.
func (s *scene) refs() string {
	s.tb.Helper()
	values := map[string]string{}
	err := filepath.WalkDir(s.root, func(path string, entry os.DirEntry, err error) error {
		dir, name := filepath.Split(path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "objects" || name == "logs"):
			return filepath.SkipDir
		case entry.IsDir():
		case name == "packed-refs":
			for line := range strings.Lines(s.read(path)) {
				id, ref, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
				if loose := dir + ref; found && id[0] != '#' && values[loose] == "" {
					values[loose] = id
				}
			}
		case name == "HEAD" || strings.Contains(path, "/refs/"):
			values[path] = strings.TrimSpace(s.read(path))
		}
		return nil
	})
	if err != nil {
		s.tb.Fatal(err)
	}
	var lines []string
	for name, value := range values {
		lines = append(lines, strings.TrimPrefix(name, s.root)+" "+value)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// refused runs a script that must fail, name the job and change no reference.
func (s *scene) refused(dir, script string, job canon.Digest, variables ...string) {
	s.tb.Helper()
	before := s.refs()
	out, err := s.try(dir, script, variables...)
	if err == nil || !strings.Contains(out, string(job)) {
		s.tb.Errorf("%s in %s: %v\n%s", script, filepath.Base(dir), err, out)
	}
	if after := s.refs(); after != before {
		s.tb.Errorf("%s in %s changed references:\n%s\nbefore:\n%s", script, filepath.Base(dir), after, before)
	}
}

// passes runs a script that must succeed without a word of the guard.
func (s *scene) passes(dir, script string, variables ...string) {
	s.tb.Helper()
	out, err := s.try(dir, script, variables...)
	if err != nil || strings.Contains(out, "warning:") {
		s.tb.Errorf("%s in %s: %v\n%s", script, filepath.Base(dir), err, out)
	}
}

// warns runs a script that must succeed with a warning.
func (s *scene) warns(dir, script, warning string, variables ...string) {
	s.tb.Helper()
	out, err := s.try(dir, script, variables...)
	if err != nil || !strings.Contains(out, warning) {
		s.tb.Errorf("%s in %s: %v, no word of %q\n%s", script, filepath.Base(dir), err, warning, out)
	}
}

func (s *scene) write(path, text string, mode os.FileMode) {
	s.tb.Helper()
	if err := errors.Join(os.WriteFile(path, []byte(text), mode), os.Chmod(path, mode)); err != nil {
		s.tb.Fatal(err)
	}
}

func (s *scene) read(path string) string {
	s.tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		s.tb.Fatal(err)
	}
	return string(text)
}

// fails reports whether err has the condition.
func fails(tb testing.TB, what string, err error, condition fault.Condition) {
	tb.Helper()
	if !fault.Is(err, condition) {
		tb.Errorf("%s: %v, not %v", what, err, condition)
	}
}

// entries lists a directory with modes, contents and link targets.
func entries(tb testing.TB, dir string) string {
	tb.Helper()
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return "absent"
	}
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	for _, entry := range list {
		path := filepath.Join(dir, entry.Name())
		info, err := entry.Info()
		if err != nil {
			tb.Fatal(err)
		}
		content, err := os.Readlink(path)
		if err != nil {
			text, err := os.ReadFile(path)
			if err != nil && !entry.IsDir() {
				tb.Fatal(err)
			}
			content = string(text)
		}
		fmt.Fprintf(&b, "%s %v %q\n", entry.Name(), info.Mode(), content)
	}
	return b.String()
}

func states(list []hooks.Hook) []hooks.State {
	var all []hooks.State
	for _, h := range list {
		all = append(all, h.State)
	}
	return all
}

var bothInstalled = []hooks.State{hooks.Installed, hooks.Installed}

func installed(tb testing.TB, list []hooks.Hook, err error) {
	tb.Helper()
	if err != nil || !slices.Equal(states(list), bothInstalled) {
		tb.Errorf("installed: %v, %v", states(list), err)
	}
}
