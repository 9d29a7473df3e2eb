package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// A scene is a small checkout with one commit, a store, a registry and a
// scripted adapter whose ledger counts.
type scene struct {
	t         *testing.T
	root      string
	workspace string
	head      string
	service   *jobs.Service
	adapter   *scriptedAdapter
}

func newScene(t *testing.T) *scene {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, root: root, workspace: filepath.Join(root, "workspace")}
	s.adapter = &scriptedAdapter{scene: s}
	if err := os.Mkdir(s.workspace, 0o755); err != nil {
		t.Fatal(err)
	}
	s.sh("git init -q -b main . && printf 'before\\n' >answer.txt && printf 'stable\\n' >stable.txt && printf '*.log\\n' >.gitignore && git add -A . && git commit -q -m fixture")
	s.head = s.sh("git rev-parse HEAD")[:40]
	s.service = s.open("store")
	return s
}

// open returns a service on a store of the scene, as another process would.
func (s *scene) open(store string) *jobs.Service {
	s.t.Helper()
	git, err := gitplumb.FindGit(s.t.Context(), exec.LookPath, s.env())
	if err != nil {
		s.t.Fatal(err)
	}
	opened, err := state.Open(state.OS(), filepath.Join(s.root, store))
	if err != nil {
		s.t.Fatal(err)
	}
	registry, err := state.OpenRegistry(state.OS(), filepath.Join(s.root, "registry"))
	if err != nil {
		s.t.Fatal(err)
	}
	return &jobs.Service{
		FS: state.OS(), Store: opened, Registry: registry, Checkouts: jobs.OnGit(git),
		Transport: func(operation.Adapter) operation.Transport { return s.adapter },
	}
}

func (s *scene) env() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.root, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Fixture", "GIT_AUTHOR_EMAIL=fixture@example.invalid", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Fixture", "GIT_COMMITTER_EMAIL=fixture@example.invalid", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z"}
}

// sh runs a script in the workspace.
func (s *scene) sh(script string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), "bash", "-ec", script)
	cmd.Dir, cmd.Env = s.workspace, s.env()
	var out, diagnostics bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("script %q: %v\n%s", script, err, diagnostics.String())
	}
	return out.String()
}

func (s *scene) options() jobs.Options {
	return jobs.Options{
		Workspace: s.workspace, ExpectedHead: s.head, Prompt: "Repair the fixture", OperationID: "repair-001",
		Adapter: operation.Adapter{
			Protocol: operation.Protocol, AuthorityID: "ledger-001",
			Executable: filepath.Join(s.root, "adapter"), ArgvPrefix: []string{},
		},
		Limits: jobs.DefaultLimits(),
	}
}

func (s *scene) prepare() canon.Digest {
	s.t.Helper()
	snap, err := s.service.Prepare(s.t.Context(), s.options())
	if err != nil {
		s.t.Fatal(err)
	}
	return snap.JobID
}

// completed returns a job that was run and in which the agent did work.
func (s *scene) completed(work string) canon.Digest {
	s.t.Helper()
	s.adapter.work = work
	job := s.prepare()
	snap, err := s.service.Run(s.t.Context(), job)
	s.expect("run", snap, err, jobs.Completed)
	return job
}

// expect compares the outcome of a step with a status or a condition.
func (s *scene) expect(what string, snap jobs.Snapshot, err error, status jobs.Status) {
	s.t.Helper()
	if err != nil || snap.Status != status {
		s.t.Errorf("%s: status %q, reason %q, error %v, want status %q", what, snap.Status, snap.Reason, err, status)
	}
}

func (s *scene) refused(what string, err error, condition fault.Condition) {
	s.t.Helper()
	if !fault.Is(err, condition) {
		s.t.Errorf("%s: got %v [%s], want %v", what, err, fault.CodeOf(err), condition)
	}
}

var acceptance = canon.DigestText("admission")

// A scriptedAdapter is an authority in memory. Its work may be done although
// its answer is lost.
type scriptedAdapter struct {
	scene            *scene
	work             string // a script that runs once, when the attempt is submitted
	loseReply        bool
	hold             chan struct{} // submit waits until it is closed
	held             chan struct{} // closed when submit has worked
	answer           func(operation.Binding) (operation.Outcome, error)
	submits, lookups int
}

func (a *scriptedAdapter) Submit(ctx context.Context, call operation.Call) ([]byte, error) {
	a.submits++
	if a.work != "" {
		a.scene.sh(a.work)
	}
	if a.hold != nil {
		close(a.held)
		select {
		case <-a.hold:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if a.loseReply {
		return nil, errors.New("the reply is lost")
	}
	return a.reply(call)
}

func (a *scriptedAdapter) Observe(_ context.Context, call operation.Call) ([]byte, error) {
	a.lookups++
	return a.reply(call)
}

func (a *scriptedAdapter) reply(call operation.Call) ([]byte, error) {
	answer := a.answer
	if answer == nil {
		answer = completed("All done")
	}
	outcome, err := answer(call.Binding)
	return outcome.Canonical(), err
}

func completed(text string) func(operation.Binding) (operation.Outcome, error) {
	return func(b operation.Binding) (operation.Outcome, error) {
		return operation.NewTerminal(b, 2, acceptance, operation.Completed, text)
	}
}

func accepted(revision int) func(operation.Binding) (operation.Outcome, error) {
	return func(b operation.Binding) (operation.Outcome, error) {
		return operation.NewAccepted(b, revision, acceptance)
	}
}
