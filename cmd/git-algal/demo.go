//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

const demoSchema = "git-algal.demo/1"

func demoVerb() verb {
	return verb{
		name: "demo", usage: "show the whole job on a throw-away repository, with a scripted agent",
		details: "Needs git and nothing else; makes its own home and store, checks every step and\n" +
			"removes everything again.",
		run: demo,
	}
}

// A demoDocument is what was played. Passed is false where a step was not as
// it must be; then it is the last one.
type demoDocument struct {
	Schema string  `json:"schema"`
	Passed bool    `json:"passed"`
	Scenes []scene `json:"scenes"`
}

// A scene is one point that the demo makes.
type scene struct {
	Title string     `json:"title"`
	Steps []demoStep `json:"steps"`
}

// A demoStep is a command and what it said, or a statement that was checked.
type demoStep struct {
	Command string `json:"command,omitzero"`
	Exit    int    `json:"exit"`
	Said    string `json:"said"`
	Shown   string `json:"shown,omitzero"` // what was checked
	Wrong   string `json:"wrong,omitzero"` // why it does not hold
}

func demo(ctx context.Context, in *invocation) (_ answer, err error) {
	interrupted := fault.New(fault.Cancelled, "the demo was interrupted")
	st, err := newStage(ctx, in.environment)
	switch {
	case ctx.Err() != nil && err != nil:
		return answer{}, interrupted
	case err != nil:
		return answer{}, err
	}
	defer func() { err = errors.Join(err, st.strike()) }()
	p := &play{stage: st, document: &demoDocument{Schema: demoSchema}}
	for _, a := range acts() {
		in.progress.begin(jobs.Phase{Name: a.title})
		p.document.Scenes = append(p.document.Scenes, scene{Title: a.title})
		if a.play(p); p.failed {
			break
		}
	}
	if ctx.Err() != nil {
		return answer{}, interrupted
	}
	p.document.Passed = !p.failed
	exit := exitDone
	if p.failed {
		exit = exitRefused
	}
	return answer{document: p.document, exit: exit}, nil
}

// A play is the demo under way. After a failed step nothing more is carried
// out.
type play struct {
	*stage
	document *demoDocument
	failed   bool
}

func (p *play) add(s demoStep) {
	scenes := p.document.Scenes
	current := &scenes[len(scenes)-1]
	current.Steps = append(current.Steps, s)
	p.failed = p.failed || s.Wrong != ""
}

// types carries out a command of this program, which must end with the given
// status, and returns what it prints on stdout.
func (p *play) types(want int, args ...string) string {
	if p.failed {
		return ""
	}
	stdout, stderr, exit := p.algal(args...)
	s := demoStep{Command: shellLine(append([]string{"git", "algal"}, args...)), Exit: exit, Said: stdout + stderr}
	if exit != want {
		s.Wrong = fmt.Sprintf("it ends with status %d, not %d", exit, want)
	}
	p.add(s)
	return stdout
}

// git carries out a command of git's own in the checkout.
func (p *play) git(args ...string) {
	if p.failed {
		return
	}
	s := demoStep{Command: shellLine(append([]string{"git"}, args...))}
	if _, err := p.gitCommand(nil, args...); err != nil {
		s.Exit, s.Wrong = exitRefused, err.Error()
	}
	p.add(s)
}

// does changes something beside the commands.
func (p *play) does(what string, change func() error) {
	if p.failed {
		return
	}
	s := demoStep{Command: what}
	if err := change(); err != nil {
		s.Exit, s.Wrong = exitRefused, err.Error()
	}
	p.add(s)
}

// shows states what the commands so far have shown, and checks it.
func (p *play) shows(what string, check func() error) {
	if p.failed {
		return
	}
	s := demoStep{Shown: what}
	if err := check(); err != nil {
		s.Wrong = err.Error()
	}
	p.add(s)
}

// standsAt states a job's status.
func (p *play) standsAt(want jobs.Status, what string, words ...string) {
	p.shows(what, func() error {
		s, err := p.standingOf(words...)
		if err == nil && s.status != want {
			err = fmt.Errorf("the job is %s, not %s", s.status, want)
		}
		return err
	})
}

func (d *demoDocument) writeText(p *page) {
	p.line("The whole job, on a repository that is thrown away afterwards.")
	for i, s := range d.Scenes {
		p.line("\n%d. %s\n", i+1, s.Title)
		for _, step := range s.Steps {
			step.writeText(p)
		}
	}
	if d.Passed {
		p.line("\nEverything was as shown. A job of your own starts with: git algal help prepare")
	} else {
		p.line("\n%s", p.tinted(red, "The last step was not as it must be."))
	}
}

// demoWidth is what every terminal has, in characters.
const (
	demoWidth  = 80
	demoIndent = "     "
)

// wrapped breaks a line at blanks so that each part has at most width
// characters, where its words allow that; later parts are indented.
func wrapped(line string, width int) []string {
	const later = "  "
	var parts []string
	for utf8.RuneCountInString(line) > width {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		cut := strings.LastIndexByte(string([]rune(line)[:width+1]), ' ')
		if cut <= indent { // one word is wider than the line
			word := strings.IndexByte(line[indent:], ' ')
			if word < 0 {
				break
			}
			cut = indent + word
		}
		parts = append(parts, line[:cut])
		line = later + strings.TrimLeft(line[cut:], " ")
	}
	return append(parts, line)
}

func (s demoStep) writeText(p *page) {
	if s.Command != "" {
		p.line("   $ %s", s.Command)
	}
	for line := range strings.Lines(s.Said) {
		for _, part := range wrapped(forTerminal(strings.TrimRight(line, "\n")), demoWidth-len(demoIndent)) {
			p.line("%s%s", demoIndent, part)
		}
	}
	if s.Exit != exitDone {
		p.line("     (exit status %d)", s.Exit)
	}
	if s.Shown != "" {
		p.line("   %s %s", p.tinted(green, "=>"), s.Shown)
	}
	if s.Wrong != "" {
		p.line("   %s %s", p.tinted(red, "NOT SO:"), forTerminal(s.Wrong))
	}
}
