//go:build linux || darwin

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation/xcb"
)

// A recorder runs the program with --json and keeps what it prints.
type recorder struct {
	testing.TB
	person
	env       environment
	documents []string
}

// says runs one command, which must end with the status.
func (r *recorder) says(status int, args ...string) string {
	r.Helper()
	env := r.env
	env.args = append([]string{"--json"}, args...)
	stdout, stderr, exit := inProcess(env)
	if exit != status || stderr != "" || strings.Count(stdout, "\n") != 1 {
		r.Fatalf("%q ends with %d, not %d: %s%s", args, exit, status, stdout, stderr)
	}
	r.documents = append(r.documents, stdout)
	return stdout
}

// work sets what the adapter does next.
func (r *recorder) work(lines ...string) {
	r.write(r, r.person.work, strings.Join(lines, "\n")+"\n")
}

// in makes a fresh worktree the directory of what follows.
func (r *recorder) in(name string) {
	r.Helper()
	r.env.dir = filepath.Join(filepath.Dir(r.workspace), name)
	if out, err := r.command("git", "worktree", "add", "-q", r.env.dir).CombinedOutput(); err != nil {
		r.Fatalf("%v: %s", err, out)
	}
}

// realDocuments returns documents of every kind and in every form.
func realDocuments(tb testing.TB) []string {
	r := &recorder{TB: tb, person: newPerson(tb, "")}
	r.commit(tb)
	r.env = testEnvironment(tb)
	r.env.dir, r.env.variables = r.workspace, append(r.variables, "TMPDIR="+tb.TempDir(), xcbLedger+"="+r.ledger)

	r.says(exitDone, "version")
	r.says(exitDone, "help")
	r.says(exitDone, "help", "workflow")
	r.says(exitDone, "run", "--help")
	for _, shell := range shells() {
		r.says(exitDone, "completion", shell)
	}
	r.says(exitUsage, "run", "--no-such-flag")
	r.says(exitRefused, "inspect", "op:nobody")
	r.plays()
	r.completedJob()
	r.otherEnds()
	r.workers()
	r.agents()
	r.guards()
	r.qualifies()
	r.places()
	return r.documents
}

// plays keeps the document of a short demo, whose last step fails.
func (r *recorder) plays() {
	st, err := newStage(r.Context(), r.env)
	if err != nil {
		r.Fatal(err)
	}
	defer func() {
		if err := st.strike(); err != nil {
			r.Error(err)
		}
	}()
	p := &play{stage: st, document: &demoDocument{Schema: demoSchema, Scenes: []scene{{Title: "A scene"}}}}
	p.types(exitDone, "version")
	p.shows("what holds", func() error { return nil })
	p.shows("what does not", func() error { return errors.New("it does not") })
	var b strings.Builder
	if err := (jsonPrinter{&b}).print(p.document); err != nil {
		r.Fatal(err)
	}
	r.documents = append(r.documents, b.String())
}

// completedJob takes one job from its check to a drifted workspace.
func (r *recorder) completedJob() {
	r.says(exitDone, "check")
	r.says(exitDone, "where")
	head, err := r.command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		r.Fatal(err)
	}
	source := filepath.Join(filepath.Dir(r.home), "source")
	for _, merge := range []string{"null", `"` + strings.Repeat("3", 40) + `"`} {
		r.write(r, source, fmt.Sprintf(`{"repository":"example/tool","pullNumber":7,"headSha":%q,"baseSha":%q,"mergeSha":%s,"baseRef":"main","evidenceRef":%q}`,
			strings.TrimSpace(string(head)), strings.Repeat("2", 40), merge, canon.DigestText("evidence")))
		r.says(exitDone, "prepare", "--adapter", "agent", "-m", merge, "--source", source)
	}
	r.work("submit completes", "write a.txt changed", "write new.txt made", "answer It is done.")
	r.says(exitDone, "run", "--adapter", "agent", "-m", "a wish", "--operation-id", "done")
	for _, verb := range []string{"inspect", "output", "verify", "diff", "patch", "observe", "list", "where", "fsck"} {
		r.says(exitDone, verb)
	}
	r.says(exitDone, "validate", "--name", "tests", "--", "true")
	r.says(exitUnsuccess, "validate", "--", "sh", "-c", "kill -KILL $$")
	r.says(exitDone, "inspect", "--with-prompt")
	r.says(exitDrift, "check")
	r.write(r, filepath.Join(r.workspace, "a.txt"), "drifted\n")
	r.says(exitDrift, "verify")
	r.says(exitDrift, "verify", "--diff")
	r.write(r, filepath.Join(r.workspace, ".git", "info", "attributes"), "* text\n")
	r.says(exitDrift, "verify")
	if err := os.Remove(filepath.Join(r.workspace, ".git", "info", "attributes")); err != nil {
		r.Fatal(err)
	}
	r.says(exitDrift, "validate", "--", "true")
	r.says(exitDrift, "diff")
	r.write(r, filepath.Join(r.workspace, "odd\xff"), "drifted\n")
	r.says(exitDrift, "check") // beside a name that is no UTF-8
}

// otherEnds leaves jobs of every other status.
func (r *recorder) otherEnds() {
	r.in("failing")
	r.work("submit failed", "write a.txt half")
	r.says(exitUnsuccess, "run", "--adapter", "agent", "-m", "fail")
	r.says(exitDone, "observe")
	r.in("rejected")
	r.work("submit completes", "write one x", "write two x")
	r.says(exitUnsuccess, "run", "--adapter", "agent", "-m", "reject", "--max-files", "1")
	r.says(exitDone, "observe")
	r.in("losing")
	r.work("submit lost")
	r.says(exitDone, "prepare", "--adapter", "agent", "-m", "lose")
	r.says(exitDone, "observe")
	r.says(exitUncertain, "run")
	r.says(exitRefused, "run", "--adapter", "agent", "-m", "another")
	r.says(exitDone, "observe")
	r.says(exitRefused, "check") // beside a claim
	r.work("observe garbage")
	r.says(exitRefused, "reconcile")
	r.work("observe accepted")
	r.says(exitUncertain, "reconcile")
	r.work("submit completes")
	r.says(exitDone, "reconcile")
}

// workers leaves v1 jobs.
func (r *recorder) workers() {
	worker, err := exec.LookPath("scripted-xcb")
	if err != nil {
		r.Fatal(err)
	}
	envelope := func(joined bool) string {
		text, err := canon.Encode(xcb.Envelope{
			Version: xcb.Version, Session: "s-1", State: xcb.StateIdle, Text: "It is done.",
			Outcome: xcb.Outcome{Terminal: xcb.TerminalCompleted, Joined: joined, Effects: xcb.EffectsSettled},
		})
		if err != nil {
			r.Fatal(err)
		}
		return "say " + string(text) + "\n"
	}
	for name, joined := range map[string]bool{"joined": true, "apart": false} {
		r.in(name)
		r.write(r, filepath.Join(r.ledger, "script"), envelope(joined))
		r.says(exitDone, "prepare", "--xcb", worker, "--account", "one", "--model", "two", "-m", "a wish")
		r.says(map[bool]int{true: exitDone, false: exitUncertain}[joined], "run")
		r.says(exitDone, "inspect")
		r.says(exitDone, "observe")
	}
}

// guards installs hooks beside an unresolved claim and takes them away again.
func (r *recorder) guards() {
	r.says(exitDone, "hooks", "status")
	r.says(exitDone, "hooks", "install")
	r.says(exitDone, "where")
	git := func(args ...string) {
		if out, err := r.command("git", args...).CombinedOutput(); err != nil {
			r.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	git("config", "core.hooksPath", ".husky")
	r.says(exitDone, "hooks", "status")
	git("config", "--unset", "core.hooksPath")
	claims, err := filepath.Glob(filepath.Join(r.home, ".local/state/git-algal/workspaces/*.json"))
	if err != nil || len(claims) == 0 {
		r.Fatalf("%q, %v", claims, err)
	}
	for _, claim := range claims {
		r.write(r, claim, "{")
	}
	r.says(exitDone, "hooks", "uninstall")
}

// qualifies examines an adapter that answers nothing in strict form, and one
// that refuses everything.
func (r *recorder) qualifies() {
	config := filepath.Join(filepath.Dir(r.home), "odd.json")
	r.write(r, config, `{"protocol":"algal.coding-operation.v1","authorityId":"odd","executable":"/bin/echo","argvPrefix":[]}`)
	r.says(exitRefused, "adapter", "qualify", config)
	r.write(r, config, `{"protocol":"algal.coding-operation.v1","authorityId":"odd","executable":"/bin/sh","argvPrefix":["-c","exit 1"]}`)
	r.says(exitDone, "adapter", "qualify", config)
}

// places shows what is said outside a checkout and of a broken store.
func (r *recorder) places() {
	r.says(exitDone, "list", "--all")
	r.env.dir = r.home
	r.says(exitRefused, "check")
	store := filepath.Join(r.home, "store")
	r.env.variables = append(r.env.variables, storeVariable+"="+store)
	r.says(exitDone, "where", "--quiet")
	broken := filepath.Join(store, "coding-jobs", strings.Repeat("0", digestDigits))
	if err := os.MkdirAll(broken, 0o700); err != nil {
		r.Fatal(err)
	}
	r.write(r, filepath.Join(broken, "intent.json"), "{}")
	r.write(r, filepath.Join(store, "odd\xff"), "")
	r.says(exitDone, "list")
	r.says(exitRefused, "fsck")
}
