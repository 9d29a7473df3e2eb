//go:build linux || darwin

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/operation/qualify"
	"github.com/git-algal/git-algal/state"
)

// embeddedAdapter writes the configuration of an adapter of this program, with
// an agent that nobody may start, and returns its path.
func embeddedAdapter(tb testing.TB, dir string) string {
	tb.Helper()
	program, err := exec.LookPath("git-algal")
	if err != nil {
		tb.Fatal(err)
	}
	ledger, err := local.Create(local.Environment{Executable: program, FS: state.OS(), Now: time.Now}, filepath.Join(dir, "ledger"))
	if err != nil {
		tb.Fatal(err)
	}
	digest, err := ledger.Define(definition.Definition{
		Contract: definition.Contract, Executable: filepath.Join(dir, "nobody-starts-this"), Arguments: []string{},
		Environment: map[string]string{}, Prompt: definition.Stdin, Writable: []string{}, GraceMs: definition.DefaultGrace.Milliseconds(),
	})
	if err != nil {
		tb.Fatal(err)
	}
	adapter, err := definition.Adapter(program, ledger.Dir(), ledger.Authority(), digest)
	if err != nil {
		tb.Fatal(err)
	}
	text, err := adapter.Format()
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(dir, "embedded.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// TestEmbeddedAdapterKeepsEveryObligation examines the program's own adapter.
// On a system that proves no settlement nothing may fail, and what needs the
// proof is not tested.
func TestEmbeddedAdapterKeepsEveryObligation(t *testing.T) {
	if testing.Short() {
		t.Skip("operation/qualify judges the same obligations; .ci/run has this without the race detector")
	}
	t.Parallel()
	p := newPerson(t, "")
	env := testEnvironment(t)
	temporary := t.TempDir()
	env.dir, env.variables = p.home, append(p.variables, "TMPDIR="+temporary)
	env.args = []string{"adapter", "qualify", "--json", embeddedAdapter(t, t.TempDir())}
	stdout, stderr, exit := inProcess(env)
	if exit != exitDone {
		t.Fatalf("it ends with %d: %s%s", exit, stdout, stderr)
	}
	d, err := canon.Decode[qualifyDocument]([]byte(stdout))
	if err != nil {
		t.Fatal(err)
	}
	if all := len(qualify.Obligations()); !d.Embedded || !d.Launched || d.Failed > 0 || runtime.GOOS == "linux" && (d.Passed != all || !d.Harmless) {
		t.Errorf("%d of %d passed: %s", d.Passed, all, stdout)
	}
	left, err := os.ReadDir(temporary)
	if err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}

// TestQualifyText holds what people see of each verdict.
func TestQualifyText(t *testing.T) {
	report := qualify.Report{Calls: 3, Findings: []qualify.Finding{
		{Obligation: qualify.Obligations()[0], Verdict: qualify.Passed},
		{Obligation: qualify.Obligations()[1], Verdict: qualify.Failed, Reason: "it was not", Evidence: []string{"submit: exit status 1"}},
		{Obligation: qualify.Obligations()[2], Verdict: qualify.NotTested, Reason: "nobody tried"},
	}}
	var b strings.Builder
	out := &page{w: &b}
	d := newQualifyDocument("agent", "/bin/agent", report)
	d.Launched = true
	d.writeText(out)
	for _, want := range []string{
		"agent: 1 passed, 1 failed, 1 not tested, in 3 calls\n", "The starts of its agent cannot be counted from outside.\n",
		"\npassed  missing-before-submit (", "  shown: ", "  not shown: ",
		"\nfailed  answers-submit (", "  but: it was not\n  seen: submit: exit status 1\n",
		"\nnot tested  answers-observe (", "  because: nobody tried\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}
