//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/man"
)

func TestManualHasEveryExitStatus(t *testing.T) {
	table := []string{fmt.Sprint(exitDone)}
	for _, exit := range exitOfKind {
		table = append(table, fmt.Sprint(exit))
	}
	for _, exit := range exitOfStatus {
		table = append(table, fmt.Sprint(exit))
	}
	compareSets(t, programPage+": exit status", table, statusesOf(openManualPage(t, programPage)))
	seen := scriptedStatuses(t)
	for _, v := range verbs() {
		if _, ok := man.Page(pageOf(v)); ok {
			compareSets(t, pageOf(v)+": exit status", seen[v.name], statusesOf(openManualPage(t, pageOf(v))))
		}
	}
}

func statusesOf(page manualPage) []string {
	var statuses []string
	for _, item := range items(page.sections["EXIT STATUS"]) {
		statuses = append(statuses, strings.TrimPrefix(item.head, ".It "))
	}
	return statuses
}

var exitsLine = regexp.MustCompile(`^(?:\[\S+\] )?exits (\d+) (?:env (?:\w+=\S* )+)?git[- ]algal (.+)$`)

// scriptedStatuses returns with which statuses each verb is seen to end, by
// the scripts and by TestInterruptedBeforeAnything, which prove it.
func scriptedStatuses(t *testing.T) map[string][]string {
	scripts, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	seen := map[string][]string{}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			match := exitsLine.FindStringSubmatch(strings.TrimSpace(line))
			if match == nil {
				continue
			}
			if name, _, err := (environment{args: strings.Fields(match[2])}).split(); err == nil {
				seen[name] = append(seen[name], match[1])
			}
		}
	}
	for _, words := range interrupted("") {
		seen[words[0]] = append(seen[words[0]], fmt.Sprint(exitInterrupted))
	}
	return seen
}

// interrupted returns the commands whose pages say what an interrupt does.
func interrupted(job string) [][]string {
	return [][]string{
		{"prepare", "--adapter", "agent", "-m", "x"},
		{"run", job},
		{"reconcile", job},
		{"verify", job},
		{"validate", job, "--", "true"},
		{"diff", job},
		{"mcp", "--job", job, "--store", "../store"},
		{"demo"},
		{"adapter", "qualify", "agent"},
	}
}

// TestInterrupted holds that each of them ends with the status of an
// interrupt, and without a result.
func TestInterrupted(t *testing.T) {
	p := newPerson(t, "submit completes\n")
	p.commit(t)
	env := testEnvironment(t)
	env.dir, env.variables = p.workspace, append(slices.Clone(p.variables), "GIT_ALGAL_STORE="+filepath.Join(p.workspace, "..", "store"))
	for _, args := range [][]string{{"prepare", "--adapter", "agent", "-m", "x", "--operation-id", "job"}, {"run", "job"}} {
		env.args = args
		if stdout, stderr, exit := inProcess(env); exit != exitDone {
			t.Fatalf("%q ends with %d: %s%s", args, exit, stdout, stderr)
		}
	}
	env.interruptible = func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return ctx, cancel
	}
	for _, args := range interrupted("job") {
		env.args = args
		if stdout, stderr, exit := inProcess(env); exit != exitInterrupted || stdout != "" {
			t.Errorf("%q ends with %d: %s%s", args, exit, stdout, stderr)
		}
	}
}
