package local_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// A scene is a ledger on disk, a checkout of sorts, and an agent.
type scene struct {
	t         testing.TB
	dir       string
	workspace string
	starts    string // the file in which the agent counts
	ledger    *local.Ledger
	adapter   operation.Adapter
	extra     []string // of the adapter's environment
	call      time.Duration
	output    int
}

// patience is how much longer than the payload says a call may take: a busy
// machine starts programs slowly, and how quickly is no matter of these tests.
const patience = 30 * time.Second

// newScene makes a scene whose agent has these arguments; change changes the
// definition.
func newScene(t testing.TB, arguments []string, change func(*definition.Definition)) *scene {
	t.Helper()
	if found, err := local.Probe(t.Context(), environment()); err != nil || !found.Proof && !found.Has(custody.Subreaper) {
		t.Skipf("nothing here proves that a process tree has ended (%v, %v); CI runs this on Linux", found.Mechanisms, err)
	}
	dir := t.TempDir()
	s := &scene{
		t: t, dir: dir, workspace: filepath.Join(dir, "w"), starts: filepath.Join(dir, "starts"),
		call: 30 * time.Second, output: operation.MaxOutputBytes,
	}
	must(t, os.MkdirAll(filepath.Join(s.workspace, ".git"), 0o700))
	var err error
	s.ledger, err = local.Create(environment(), filepath.Join(dir, "state", "ledger"))
	must(t, err)
	d := definition.Definition{
		Contract: definition.Contract, Executable: environment().Executable,
		Arguments:   append([]string{"agent", arguments[0], s.starts}, arguments[1:]...),
		Environment: map[string]string{}, Writable: []string{},
	}
	d.Prompt = definition.DeliveryOf(d.Arguments)
	if change != nil {
		change(&d)
	}
	digest, err := s.ledger.Define(d)
	must(t, err)
	s.adapter, err = definition.Adapter(environment().Executable, s.ledger.Dir(), s.ledger.Authority(), digest)
	must(t, err)
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// request returns the call that submits the operation with a prompt.
func (s *scene) request(id operation.Identity, prompt string) operation.Call {
	s.t.Helper()
	payload, err := canon.Encode(map[string]any{
		"contract": "algal.coding-job-request.v2", "operationId": id,
		"workspace": s.workspace, "gitDirectory": filepath.Join(s.workspace, ".git"),
		"expectedHead": strings.Repeat("a", 40), "sourceTree": strings.Repeat("b", 40), "sourceRawDigest": canon.DigestText("raw"),
		"workspaceIdentity": map[string]string{"device": "1", "inode": "2"},
		"prompt":            prompt, "adapter": s.adapter,
		"limits": map[string]int64{
			"maxRuntimeMs": s.call.Milliseconds(), "maxOutputBytes": int64(s.output), "maxPatchBytes": 1024, "maxChangedFiles": 1,
		},
	})
	must(s.t, err)
	binding := operation.Binding{OperationID: id, AuthorityID: s.adapter.AuthorityID, RequestDigest: canon.DigestText(payload)}
	return operation.Call{Binding: binding, Payload: payload, Deadline: s.call + patience, MaxOutputBytes: s.output}
}

func (s *scene) transport() *command.Transport {
	return command.New(s.adapter, command.Options{Env: append(os.Environ(), s.extra...), Dir: s.dir})
}

func (s *scene) submit(id operation.Identity, prompt string) (operation.Outcome, error) {
	s.t.Helper()
	call := s.request(id, prompt)
	return parse(call)(s.transport().Submit(s.t.Context(), call))
}

func (s *scene) observe(id operation.Identity, prompt string) (operation.Outcome, error) {
	s.t.Helper()
	call := s.request(id, prompt)
	call.Payload = nil
	return parse(call)(s.transport().Observe(s.t.Context(), call))
}

func parse(call operation.Call) func(text []byte, err error) (operation.Outcome, error) {
	return func(text []byte, err error) (operation.Outcome, error) {
		if err != nil {
			return operation.Outcome{}, err
		}
		return operation.ParseOutcome(text, call.Binding, call.MaxOutputBytes)
	}
}

// started returns how often the agent was started.
func (s *scene) started() int {
	info, err := os.Stat(s.starts)
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	must(s.t, err)
	return int(info.Size())
}

// wantStarts checks how often the agent was started.
func (s *scene) wantStarts(want int) {
	s.t.Helper()
	if got := s.started(); got != want {
		s.t.Errorf("the agent was started %d times, want %d", got, want)
	}
}

// wantTerminal checks a terminal outcome; an empty text is any.
func (s *scene) wantTerminal(o operation.Outcome, err error, ending operation.Ending, text string) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err, s.trouble())
	}
	if o.State() != operation.Terminal || o.Ending() != ending || text != "" && o.Text() != text {
		s.t.Fatalf("%s %s %s revision %d %.200q, want %s %q %s", o.State(), o.Reason(), o.Ending(), o.Revision(), o.Text(), ending, text, s.trouble())
	}
	if o.Revision() != 3 {
		s.t.Errorf("revision %d", o.Revision())
	}
}

func (s *scene) wantState(o operation.Outcome, err error, state operation.State, revision int) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err, s.trouble())
	}
	if o.State() != state || o.Revision() != revision {
		s.t.Fatalf("%s %s revision %d, want %s %d %s", o.State(), o.Reason(), o.Revision(), state, revision, s.trouble())
	}
}

// trouble returns what supervisors wrote.
func (s *scene) trouble() string {
	files, err := filepath.Glob(filepath.Join(s.ledger.Dir(), "operations", "*", "supervisor"))
	must(s.t, err)
	var found []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(s.t, err)
		found = append(found, string(text))
	}
	return strings.Join(slices.DeleteFunc(found, func(s string) bool { return s == "" }), "; ")
}

// wantFault checks the condition of an error.
func wantFault(t *testing.T, what string, err error, want fault.Condition) {
	t.Helper()
	if !fault.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

func short(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	t.Cleanup(cancel)
	return ctx
}

// kept is a scene whose agent leaves a descendant that writes to a file.
type kept struct {
	*scene
	beats string
}

// wantStill holds that nobody writes any more.
func (k kept) wantStill() {
	k.t.Helper()
	size := func() (n int64) {
		if info, err := os.Stat(k.beats); err == nil {
			n = info.Size()
		}
		return n
	}
	before, starts := size(), k.started()
	time.Sleep(20 * time.Millisecond)
	if after := size(); after != before || k.started() != starts {
		k.t.Errorf("%d bytes were written after the outcome", after-before)
	}
}
