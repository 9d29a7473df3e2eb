//go:build linux || darwin

package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A verbCall is one call of a command.
type verbCall struct {
	args     string
	exit     int
	coloured bool // its words for a status are
}

// everyVerb is one call of each command on a completed job whose change lies
// in the checkout, that can be repeated.
var everyVerb = []verbCall{
	{"check", exitDrift, true},
	{"prepare --adapter agent -m another", exitDrift, false},
	{"run op:done", exitDone, true},
	{"reconcile", exitDone, true},
	{"inspect", exitDone, true},
	{"inspect --with-prompt", exitDone, true},
	{"output", exitDone, false},
	{"list", exitDone, true},
	{"verify", exitDone, true},
	{"validate", exitUsage, false},
	{"diff", exitDone, false},
	{"patch", exitDone, true},
	{"observe", exitDone, false},
	{"mcp", exitUsage, false},
	{"adapter list", exitDone, false},
	{"wait", exitRefused, false},
	{"stop", exitRefused, false},
	{"log", exitRefused, false},
	{"fsck", exitDone, true},
	{"hooks status", exitDone, true},
	{"where", exitDone, false},
	{"demo now", exitUsage, false},
	{"completion fish", exitDone, false},
	{"version", exitDone, false},
	{"help", exitDone, false},
}

var colourCodes = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// TestEveryVerbOnATerminal holds that a terminal changes the colours of what
// is printed and nothing else, that NO_COLOR and TERM=dumb take them away, and
// that JSON never has any.
func TestEveryVerbOnATerminal(t *testing.T) {
	p := newPerson(t, "submit completes\nwrite a.txt changed\nanswer It is done.\n")
	p.commit(t)
	env := testEnvironment(t)
	env.dir = p.workspace
	variables := append(p.variables, "GIT_PAGER=cat", "TMPDIR="+t.TempDir())
	now := env.now().Add(preparedAgo)
	env.now = func() time.Time { return now }
	p.ends(t, exitDone, "run", "--adapter", "agent", "-m", "a wish", "--operation-id", "done")
	sees := func(terminal bool, status int, args []string, more ...string) string {
		t.Helper()
		env.args, env.variables = args, append(variables[:len(variables):len(variables)], more...)
		read := inProcess
		if terminal {
			read = inTerminal
		}
		stdout, stderr, exit := read(env)
		if exit != status {
			t.Errorf("%q ends with %d, not %d: %s%s", args, exit, status, stdout, stderr)
		}
		return stdout + "---\n" + stderr
	}
	for _, call := range everyVerb {
		args := strings.Fields(call.args)
		plain := sees(false, call.exit, args, "TERM=xterm")
		for _, variable := range []string{"NO_COLOR=1", "TERM=dumb", "TERM="} {
			if got := sees(true, call.exit, args, "TERM=xterm", variable); got != plain {
				t.Errorf("%s on a terminal with %s:\n%s\nelsewhere:\n%s", call.args, variable, got, plain)
			}
		}
		tinted := sees(true, call.exit, args, "TERM=xterm")
		if colourCodes.ReplaceAllString(tinted, "") != plain || (tinted != plain) != call.coloured {
			t.Errorf("%s on a terminal:\n%q\nelsewhere:\n%q", call.args, tinted, plain)
		}
		document := sees(true, call.exit, append(args, "--json"), "TERM=xterm")
		if elsewhere := sees(false, call.exit, append(args, "--json"), "TERM=xterm"); document != elsewhere {
			t.Errorf("%s --json on a terminal:\n%s\nelsewhere:\n%s", call.args, document, elsewhere)
		}
		if text, _, _ := strings.Cut(document, "\n---\n"); !json.Valid([]byte(text)) || strings.Contains(text, "\n") {
			t.Errorf("%s --json prints %q", call.args, document)
		}
	}
}

// TestEveryVerbHasItsScript holds that the scripts call every command, that
// each is seen to do as it is asked, to refuse, and to print a document, and
// that TestEveryVerbOnATerminal calls it.
func TestEveryVerbHasItsScript(t *testing.T) {
	seen := scriptedStatuses(t)
	documents := strings.Join(scriptLines(t), "\n")
	for _, v := range verbs() {
		if !slices.ContainsFunc(everyVerb, func(call verbCall) bool { return strings.Fields(call.args)[0] == v.name }) {
			t.Errorf("%s is not tried on a terminal", v.name)
		}
		succeeds, refuses := false, false
		for _, status := range seen[v.name] {
			succeeds, refuses = succeeds || status == "0", refuses || status != "0"
		}
		if !succeeds || !refuses {
			t.Errorf("the scripts see %s end with %q", v.name, sortedSet(seen[v.name]))
		}
		if !regexp.MustCompile(`git[- ]algal (.* )?` + v.name + `( .*)? --json|git[- ]algal (.* )?--json (.* )?` + v.name).MatchString(documents) {
			t.Errorf("no script has a document of %s", v.name)
		}
	}
}

// scriptLines returns the lines of every script.
func scriptLines(tb testing.TB) []string {
	tb.Helper()
	scripts, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(scripts) == 0 {
		tb.Fatalf("no scripts: %v", err)
	}
	var lines []string
	for _, script := range scripts {
		text, err := readBounded(script, 1<<20)
		if err != nil {
			tb.Fatal(err)
		}
		lines = append(lines, strings.Split(string(text), "\n")...)
	}
	return lines
}
