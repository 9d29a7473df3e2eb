//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation/xcb"
)

const (
	// screensVariable, when it is set, has the screens written anew.
	screensVariable = "GIT_ALGAL_WRITE_SCREENS"
	screenWidth     = 80 // characters, as every terminal has

	// preparedAgo is how long ago the jobs on the screens were prepared.
	preparedAgo = 3*time.Hour + 30*time.Minute
)

// TestScreens holds what a person sees on a terminal of 80 columns, to the
// character. Ids, paths and times differ from run to run and are made the same
// in the same places; everything else is as it was printed.
func TestScreens(t *testing.T) {
	p := newPerson(t, "submit completes\nwrite README.md Run ./hello to be greeted.\nwrite hello echo Hello.\nanswer It is done.\n")
	p.write(t, filepath.Join(p.workspace, "README.md"), "# Greeter\n")
	p.commit(t)
	worker, err := exec.LookPath("scripted-xcb")
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("git-algal")
	if err != nil {
		t.Fatal(err)
	}
	env := testEnvironment(t)
	env.dir, env.variables = p.workspace, append(p.variables, "TERM=xterm", "NO_COLOR=1", "GIT_PAGER=cat", "TMPDIR="+t.TempDir(), xcbLedger+"="+p.ledger)
	env.executable = func() (string, error) { return program, nil }
	now := time.Now().Add(preparedAgo)
	env.now = func() time.Time { return now }
	sees := func(status int, args ...string) string {
		t.Helper()
		env.args = append(args, "--quiet")
		stdout, stderr, exit := inTerminal(env)
		if exit != status {
			t.Fatalf("%q ends with %d, not %d: %s%s", args, exit, status, stdout, stderr)
		}
		return fmt.Sprintf("$ git algal %s\n%s%s", shellLine(args), stdout, stderr)
	}
	screens := map[string]string{}
	sees(exitDone, "run", "--adapter", "agent", "-m", "Greet the reader.")
	sees(exitDone, "validate", "--name", "greets", "--", "sh", "hello")
	sees(exitUnsuccess, "validate", "--", "false")
	screens["inspect"] = sees(exitDone, "inspect") + "\n" + sees(exitDone, "patch", "--stat")
	p.write(t, filepath.Join(p.workspace, "README.md"), "# Greeter\nRun ./hello to be gr\u00e9eted.\x1b[31m\n")
	p.write(t, filepath.Join(p.workspace, "notes"), "a\x00b")
	screens["verify"] = sees(exitDrift, "verify", "--diff")

	for _, name := range []string{"failing", "losing", "worker"} {
		env.dir = filepath.Join(filepath.Dir(p.workspace), name)
		if out, err := p.command("git", "worktree", "add", "-q", env.dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		switch name {
		case "failing":
			p.write(t, p.work, "submit failed\nwrite a.txt half\n")
			sees(exitUnsuccess, "run", "--adapter", "agent", "-m", "Fail.", "--operation-id", "fail-1")
		case "losing":
			p.write(t, p.work, "submit lost\n")
			sees(exitUncertain, "run", "--adapter", "agent", "-m", "Lose the answer.", "--operation-id", "lose-1")
			screens["inspect-uncertain"] = sees(exitDone, "inspect")
		case "worker":
			envelope, err := canon.Encode(xcb.Envelope{
				Version: xcb.Version, Session: "s-1", State: xcb.StateIdle, Text: "It is done.",
				Outcome: xcb.Outcome{Terminal: xcb.TerminalCompleted, Joined: true, Effects: xcb.EffectsSettled},
			})
			if err != nil {
				t.Fatal(err)
			}
			p.write(t, filepath.Join(p.ledger, "script"), "say "+string(envelope)+"\n")
			sees(exitDone, "prepare", "--xcb", worker, "-m", "Work.")
			sees(exitDone, "run")
			screens["inspect-v1"] = sees(exitDone, "inspect")
		}
	}
	screens["list"] = sees(exitDone, "list", "--all")
	screens["demo"] = sees(exitDone, "demo")

	for name, text := range screens {
		text = refusalInDemo.ReplaceAllStringFunc(text, func(refusal string) string {
			line := demoPath.ReplaceAllString(strings.Join(strings.Fields(refusal), " "), "/tmp/git-algal-demo-1/")
			return strings.Join(wrapped(line, demoWidth-len(demoIndent)), "\n"+demoIndent)
		})
		for _, path := range [][2]string{
			{p.workspace, "/home/you/src/greeter"}, {p.home, "/home/you"}, {filepath.Dir(p.workspace), "/home/you/src"},
			{filepath.Dir(worker), "/usr/local/bin"},
		} {
			text = strings.ReplaceAll(text, path[0], path[1])
		}
		ids := map[string]string{}
		text = hexadecimal.ReplaceAllStringFunc(text, func(id string) string { return stableID(ids, id) })
		holdScreen(t, name, folded(text))
	}
}

// inTerminal is inProcess where stdout is a terminal.
func inTerminal(env environment) (stdout, stderr string, exit int) {
	var out, complaints strings.Builder
	env.stdout, env.stderr = &out, &complaints
	env.isTerminal = func(stream any) bool { return stream == any(&out) }
	exit = run(env)
	return out.String(), complaints.String(), exit
}

var (
	hexadecimal   = regexp.MustCompile(`\b[0-9a-f]{12,64}\b`)
	refusalInDemo = regexp.MustCompile(`(?s)git algal prepare: workspace.*?\[CAPABILITY_DENIED\]`)
	demoPath      = regexp.MustCompile(`/[^ "]*/git-algal-demo-[0-9]+/`)
)

// stableID returns an id of the same length that depends on nothing but the
// order in which the ids of a screen appear; what is abbreviated stays so.
func stableID(ids map[string]string, id string) string {
	short := id[:shortIDDigits]
	if ids[short] == "" {
		ids[short] = canon.DigestText(fmt.Sprint(len(ids))).Hex()
	}
	return ids[short][:len(id)]
}

// folded returns text as a terminal shows it: lines that are too long go on in
// the next one.
func folded(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		characters := []rune(strings.TrimSuffix(line, "\n"))
		for len(characters) > screenWidth {
			b.WriteString(string(characters[:screenWidth]) + "\n")
			characters = characters[screenWidth:]
		}
		b.WriteString(string(characters) + "\n")
	}
	return b.String()
}

func holdScreen(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "screen", name+".txt")
	if os.Getenv(screensVariable) != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is\n%s\nand was\n%s", name, got, want)
	}
}
