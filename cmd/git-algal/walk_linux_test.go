//go:build !race

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/man"
)

// The examples of the manual are carried out as they stand in it. A literal
// display is an example where the comment before it says what it belongs to:
//
//	.\" walk: NAME       what a person types and sees; all displays of a walk
//	                     in a page are one session of a shell
//	.\" file: NAME       a file
//	.\" actions: NAME    a workflow of GitHub Actions
//
// In a walk "$ " begins what is typed and "> " continues it; the other lines
// are what is printed, in which "..." stands for anything, alone in its line
// for any lines. Ids differ from run to run, and mean the same where they are
// the same. What a person does not see stands in comments:
//
//	.\" exits N          the next command ends with this status, and not with 0
//	.\" $ COMMAND        done besides
//
// testdata/walk/NAME.sh makes what a walk starts from.
//
// The race detector has no part in it: what is examined are whole processes.

// personsHome is what the manual calls a person's home.
const personsHome = "/home/you"

// walkLimit is far beyond what a walk takes on a loaded machine.
const walkLimit = 2 * time.Minute

// A display is one literal display that is marked.
type display struct {
	page, kind, name string
	lines            []string // unescaped; comments as they are
}

var displayMark = regexp.MustCompile(`^\.\\" (walk|file|actions): (\S+)$`)

// displays returns the marked displays of the manual, in the order of the
// pages.
func displays(tb testing.TB) []display {
	tb.Helper()
	var all []display
	for _, name := range man.Names() {
		source, _ := man.Page(name)
		lines := strings.Split(string(source), "\n")
		for i := 0; i < len(lines); i++ {
			mark := displayMark.FindStringSubmatch(lines[i])
			if mark == nil {
				if strings.HasPrefix(lines[i], "$ ") {
					tb.Errorf("%s:%d: %q is typed, and the display has no mark", name, i+1, lines[i])
				}
				continue
			}
			if i++; i == len(lines) || !strings.HasPrefix(lines[i], ".Bd -literal") {
				tb.Fatalf("%s:%d: no literal display follows the mark", name, i+1)
			}
			d := display{page: name, kind: mark[1], name: mark[2]}
			for i++; lines[i] != ".Ed"; i++ {
				d.lines = append(d.lines, unescaped(lines[i]))
			}
			all = append(all, d)
		}
	}
	return all
}

// unescaped returns a line of a display as it is printed.
func unescaped(line string) string {
	if strings.HasPrefix(line, `.\"`) {
		return line
	}
	return strings.ReplaceAll(strings.TrimPrefix(line, `\&`), `\e`, `\`)
}

// manualFile returns the text of a file that the manual shows.
func manualFile(tb testing.TB, name string) string {
	tb.Helper()
	for _, d := range displays(tb) {
		if d.kind == "file" && d.name == name {
			return strings.Join(d.lines, "\n") + "\n"
		}
	}
	tb.Fatalf("the manual shows no file %q", name)
	return ""
}

// A walker is the person of the manual: a home with an adapter that is called
// "agent".
type walker struct {
	home      string
	variables []string
}

func newWalker(tb testing.TB) walker {
	tb.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		tb.Skip("python3, which runs the manual's adapter, is not installed; .ci/run installs it")
	}
	home, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	w := walker{home: home, variables: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GORACE=" + raceExit,
	}}
	if err := os.Mkdir(filepath.Join(home, "bin"), 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "bin", "ledger-adapter"), []byte(manualFile(tb, "ledger-adapter")), 0o700); err != nil {
		tb.Fatal(err)
	}
	return w
}

// script returns a shell script of the person that begins with the walk's own
// preparation.
func (w walker) script(tb testing.TB, name string) string {
	tb.Helper()
	var text strings.Builder
	for _, file := range []string{"prelude.sh", name + ".sh"} {
		part, err := os.ReadFile(filepath.Join("testdata", "walk", file))
		if err != nil {
			tb.Fatalf("the walk has no preparation: %v", err)
		}
		text.Write(part)
	}
	return text.String()
}

// run gives the script to a shell and returns what it printed, with the home
// as the manual calls it.
func (w walker) run(tb testing.TB, shell []string, dir string, variables []string, script string) (string, error) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), walkLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, shell[0], append(shell[1:], script)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(slices.Clone(w.variables), variables...), time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return strings.ReplaceAll(out.String(), w.home, personsHome), err
}

// A typedCommand is one command of a walk.
type typedCommand struct {
	page   string
	text   string
	exit   int
	shown  []string // what the manual says that it prints
	hidden bool     // nothing is said of what it prints
}

// typedCommands reads the displays of a walk.
func typedCommands(tb testing.TB, walk []display) []typedCommand {
	tb.Helper()
	var commands []typedCommand
	exit := 0
	for _, d := range walk {
		begin := len(commands)
		for _, line := range d.lines {
			if status, ok := strings.CutPrefix(line, `.\" exits `); ok {
				var err error
				if exit, err = strconv.Atoi(status); err != nil {
					tb.Fatalf("%s: %s", d.page, line)
				}
			} else if text, ok := strings.CutPrefix(line, `.\" $ `); ok {
				commands = append(commands, typedCommand{page: d.page, text: text, hidden: true})
			} else if text, ok := strings.CutPrefix(line, "$ "); ok {
				commands = append(commands, typedCommand{page: d.page, text: text, exit: exit})
				exit = 0
			} else if len(commands) == begin || strings.HasPrefix(line, `.\"`) {
				tb.Fatalf("%s: %q belongs to no command", d.page, line)
			} else if last := &commands[len(commands)-1]; strings.HasPrefix(line, "> ") && len(last.shown) == 0 {
				last.text += "\n" + line[len("> "):]
			} else {
				last.shown = append(last.shown, line)
			}
		}
	}
	return commands
}

// boundary separates what the commands of a walk print: number of the command
// that follows, and status of the one before.
var boundary = regexp.MustCompile(`\n?\x1e(\d+) (\d+)\n`)

// walkThrough carries out a walk and compares it with the manual.
func (w walker) walkThrough(t *testing.T, name string, walk []display) {
	commands := typedCommands(t, walk)
	var script strings.Builder
	script.WriteString("set -e\n" + w.script(t, name) + "set +e\n")
	script.WriteString("boundary() { printf '\\n\\036%s %s\\n' \"$2\" \"$1\"; return \"$1\"; }\n(exit 0)\n")
	for i, c := range commands {
		fmt.Fprintf(&script, "boundary $? %d\n%s\n", i, c.text)
	}
	fmt.Fprintf(&script, "boundary $? %d\n", len(commands))
	said, _ := w.run(t, []string{"sh", "-c"}, w.home, nil, script.String())
	marks := boundary.FindAllStringSubmatchIndex(said, -1)
	if len(marks) != len(commands)+1 {
		t.Fatalf("the shell ended early: %s", said)
	}
	ids := newIDs()
	for i, c := range commands {
		text, exit := said[marks[i][1]:marks[i+1][0]], said[marks[i+1][4]:marks[i+1][5]]
		if exit != strconv.Itoa(c.exit) {
			t.Errorf("%s: $ %s\nends with %s, not with %d: %s", c.page, c.text, exit, c.exit, text)
		}
		const killed = 128 // beyond it, what is printed is the shell's
		if c.hidden || c.exit > killed {
			continue
		}
		if !matches(c.shown, splitLines(text), ids) {
			t.Errorf("%s: $ %s\nprints\n%s\nnot\n%s", c.page, c.text, text, strings.Join(c.shown, "\n"))
		}
	}
}

func splitLines(text string) []string {
	if text = strings.TrimSuffix(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// TestManualWalks carries out every walk of the manual.
func TestManualWalks(t *testing.T) {
	walks := map[[2]string][]display{}
	used := map[string]bool{"prelude": true}
	for _, d := range displays(t) {
		switch d.kind {
		case "walk":
			walks[[2]string{d.page, d.name}] = append(walks[[2]string{d.page, d.name}], d)
			used[d.name] = true
		case "actions":
			used["actions-"+d.name] = true
		}
	}
	prepared, err := filepath.Glob(filepath.Join("testdata", "walk", "*.sh"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range prepared {
		if name = strings.TrimSuffix(filepath.Base(name), ".sh"); !used[name] {
			t.Errorf("no walk of the manual is called %q", name)
		}
	}
	for walk, displays := range walks {
		t.Run(walk[1], func(t *testing.T) {
			t.Parallel()
			newWalker(t).walkThrough(t, walk[1], displays)
		})
	}
}
