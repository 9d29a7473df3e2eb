//go:build linux || darwin

package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/jobs"
)

func TestWrapped(t *testing.T) {
	for _, test := range []struct {
		line string
		want []string
	}{
		{"", []string{""}},
		{"short", []string{"short"}},
		{"ten chars!", []string{"ten chars!"}},
		{"eleven char", []string{"eleven", "  char"}},
		{"averylongwordindeed", []string{"averylongwordindeed"}},
		{"averylongword indeed", []string{"averylongword", "  indeed"}},
		{"   averylongword x", []string{"   averylongword", "  x"}},
		{"ä ö ü ß é è ê", []string{"ä ö ü ß é", "  è ê"}},
	} {
		if got := wrapped(test.line, 10); !slices.Equal(got, test.want) {
			t.Errorf("%q becomes %q", test.line, got)
		}
	}
}

// TestDemoFails holds that the demo cannot pass where a step is not as it
// shows it: each kind of step, made wrong, ends the play.
func TestDemoFails(t *testing.T) {
	for name, step := range map[string]func(*play){
		"exit status": func(p *play) { p.types(exitDrift, "version") },
		"git":         func(p *play) { p.git("no-such-command") },
		"change":      func(p *play) { p.does("x", func() error { return errors.New("no") }) },
		"check":       func(p *play) { p.shows("x", func() error { return errors.New("no") }) },
		"status":      func(p *play) { p.standsAt(jobs.Completed, "x") },
		"starts":      func(p *play) { p.starts(1, "x") },
	} {
		t.Run(name, func(t *testing.T) {
			env := testEnvironment(t)
			st, err := newStage(t.Context(), env)
			if err != nil {
				t.Fatal(err)
			}
			p := &play{stage: st, document: &demoDocument{Scenes: []scene{{Title: "x"}}}}
			step(p)
			if !p.failed {
				t.Error("the step passes")
			}
			said := len(p.document.Scenes[0].Steps)
			p.types(exitDone, "version")
			if len(p.document.Scenes[0].Steps) != said {
				t.Error("the play goes on after it")
			}
			if err := st.strike(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(st.dir); !os.IsNotExist(err) {
				t.Errorf("%q is left behind", st.dir)
			}
		})
	}
}

// TestDemoAgentServesItsDemoOnly holds the doors of the scripted agent shut.
func TestDemoAgentServesItsDemoOnly(t *testing.T) {
	env := testEnvironment(t)
	env.args = []string{demoAgentWord, t.TempDir(), steady, "submit"}
	request := strings.NewReader("")
	for name, mark := range map[string]string{
		"no mark":          "",
		"another process":  `{"contract":"git-algal.demo.v1","pid":1,"workspace":"/"}`,
		"another contract": `{"contract":"git-algal.demo.v2","pid":7,"workspace":"/"}`,
		"no request":       `{"contract":"git-algal.demo.v1","pid":7,"workspace":"/"}`,
	} {
		env.parent, env.stdin = 7, request
		if mark != "" {
			if err := os.WriteFile(filepath.Join(env.args[1], demoMark), []byte(mark), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		stdout, stderr, exit := inProcess(env)
		if exit == exitDone || stdout != "" || stderr == "" {
			t.Errorf("%s: status %d, %q, %q", name, exit, stdout, stderr)
		}
	}
}
