//go:build !race

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// An actionsStep is one step of a workflow that runs commands.
type actionsStep struct{ name, script string }

// actionsSteps reads of a workflow what the test carries out: the environment
// of its job, and the commands of its steps. The manual writes them in the
// plainest form of YAML, one key in a line.
func actionsSteps(lines []string) (variables []string, steps []actionsStep) {
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
	name := ""
	for i := 0; i < len(lines); i++ {
		key, value, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(lines[i]), "- "), ": ")
		switch {
		case key == "name":
			name = value
		case key == "env:":
			for i+1 < len(lines) && indent(lines[i+1]) > indent(lines[i]) {
				i++
				variable, value, _ := strings.Cut(strings.TrimSpace(lines[i]), ": ")
				variables = append(variables, variable+"="+value)
				if i+1 < len(lines) && indent(lines[i+1]) < indent(lines[i]) {
					break
				}
			}
		case key == "run" && value == "|":
			margin := indent(lines[i+1])
			var script []string
			for i+1 < len(lines) && indent(lines[i+1]) >= margin {
				i++
				script = append(script, lines[i][margin:])
			}
			steps = append(steps, actionsStep{name, strings.Join(script, "\n")})
		}
	}
	return variables, steps
}

var actionsExpression = regexp.MustCompile(`\$\{\{ ([^}]+) \}\}`)

// TestManualActions carries out the commands of the manual's workflow on a
// checkout as actions/checkout makes it: the only commit, at no branch.
func TestManualActions(t *testing.T) {
	for _, d := range displays(t) {
		if d.kind != "actions" {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			w := newWalker(t)
			out, err := w.run(t, []string{"sh", "-ec"}, w.home, nil, w.script(t, "actions-"+d.name)+"git -C ~/src/workspace rev-parse HEAD\n")
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			workspace, temporary := filepath.Join(w.home, "src", "workspace"), filepath.Join(w.home, "temp")
			given := map[string]string{
				"github.event.pull_request.head.sha": strings.TrimSpace(out),
				"github.run_attempt":                 "1",
				"github.workspace":                   workspace,
				"runner.temp":                        temporary,
			}
			expand := func(text string) string {
				return actionsExpression.ReplaceAllStringFunc(text, func(expression string) string {
					value, ok := given[actionsExpression.FindStringSubmatch(expression)[1]]
					if !ok {
						t.Errorf("%s has no value in this test", expression)
					}
					return value
				})
			}
			text := expand(strings.Join(d.lines, "\n"))
			variables, steps := actionsSteps(strings.Split(text, "\n"))
			if len(variables) == 0 || len(steps) == 0 {
				t.Fatalf("the workflow has %d variables and %d steps", len(variables), len(steps))
			}
			variables = append(variables, "RUNNER_TEMP="+temporary, "GITHUB_ACTIONS=true")
			for _, step := range steps {
				if out, err := w.run(t, []string{"bash", "-ec"}, workspace, variables, step.script); err != nil {
					t.Errorf("%s: %v\n%s", step.name, err, out)
				}
			}
			out, err = w.run(t, []string{"sh", "-ec"}, workspace, variables,
				`git apply --check --binary -R "$RUNNER_TEMP/job.patch" && grep -q '"status":"completed"' "$RUNNER_TEMP/job.json" && git algal list --all | grep -c .`)
			if err != nil || strings.TrimSpace(out) != "1" {
				t.Errorf("what is kept: %v: %s", err, out)
			}
		})
	}
}
