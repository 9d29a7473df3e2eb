//go:build linux || darwin

package main

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
)

const adapterSchema = "git-algal.adapter/1"

// An adapterDocument says what adapters there are, after what was asked has
// been done.
type adapterDocument struct {
	Schema    string            `json:"schema"`
	Action    string            `json:"action"` // the action's name
	Adapters  []adapterEntry    `json:"adapters"`
	Operation *adapterOperation `json:"operation"` // where one was asked for
}

func newAdapterDocument(action string, entries ...adapterEntry) *adapterDocument {
	return &adapterDocument{Schema: adapterSchema, Action: action, Adapters: append([]adapterEntry{}, entries...)}
}

// An adapterEntry is one adapter of the person's own configuration. What is
// not known, or does not apply, is null.
type adapterEntry struct {
	Name       string              `json:"name"`
	File       string              `json:"file"`
	Authority  *operation.Identity `json:"authorityId"`
	Executable *string             `json:"executable"`
	Ledger     *string             `json:"ledger"` // of the embedded adapter
	Agent      *adapterAgent       `json:"agent"`
	Exclude    []string            `json:"exclude"` // lines for info/exclude, by the recipe
	Machine    *adapterMachine     `json:"machine"` // what was found by doing
	Problem    *failureError       `json:"problem"` // why it cannot be used

	rule       definition.Rule // why the program has this path, where it was just chosen
	definition definition.Definition
}

// An adapterAgent is the agent of an embedded adapter. Of the variables only
// the names are told: the values may be secrets.
type adapterAgent struct {
	Definition    canon.Digest        `json:"definition"`
	Argv          []string            `json:"argv"`
	Version       string              `json:"version"`
	Variables     []string            `json:"variables"`
	RuntimeMs     *int64              `json:"runtimeMs"` // null: as long as the job admits
	GraceMs       int64               `json:"graceMs"`
	Prompt        definition.Delivery `json:"prompt"`
	GitWritable   bool                `json:"gitWritable"`
	Writable      []string            `json:"writable"`
	PTY           bool                `json:"pty"`
	ForeignServer bool                `json:"foreignServer"`
	Recipe        *string             `json:"recipe"`
}

// An adapterMachine is what this machine gives the embedded adapter.
type adapterMachine struct {
	Settlement settlement           `json:"settlement"`
	Mechanisms []custody.Mechanism  `json:"mechanisms"`
	GitGuarded bool                 `json:"gitGuarded"` // the git directory is read-only for the agent
	Missing    []adapterMachineLack `json:"missing"`
}

type adapterMachineLack struct {
	Of     string `json:"of"`
	Why    string `json:"why"`
	Remedy string `json:"remedy"`
}

// A settlement is how far this machine can prove that a process tree is gone.
type settlement string

const (
	alwaysProven settlement = "always"     // also after the supervisor was killed
	whileWatched settlement = "supervised" // as long as the supervisor lives
	neverProven  settlement = "never"      // by nothing; a person may settle
)

func newAdapterMachine(found custody.Found, d definition.Definition) *adapterMachine {
	m := &adapterMachine{
		Settlement: settlementOf(found, d), Mechanisms: found.Mechanisms,
		GitGuarded: found.ReadOnlyGit && !d.GitWritable, Missing: []adapterMachineLack{},
	}
	for _, lack := range found.Missing {
		if lack.Of == custody.GitProtection && d.GitWritable {
			continue
		}
		m.Missing = append(m.Missing, adapterMachineLack(lack))
	}
	return m
}

func settlementOf(found custody.Found, d definition.Definition) settlement {
	switch {
	case d.ForeignServer:
		return neverProven
	case found.Proof:
		return alwaysProven
	case found.Has(custody.Subreaper):
		return whileWatched
	}
	return neverProven
}

func newAdapterAgent(d definition.Definition, digest canon.Digest) *adapterAgent {
	d = d.Clone()
	a := &adapterAgent{
		Definition: digest, Argv: d.Argv(definition.PromptFile), Version: d.Version,
		Variables: append([]string{}, slices.Sorted(maps.Keys(d.Environment))...), GraceMs: d.GraceMs, Prompt: d.Prompt,
		GitWritable: d.GitWritable, Writable: d.Writable, PTY: d.PTY, ForeignServer: d.ForeignServer, Recipe: known(d.Recipe),
	}
	if d.RuntimeMs != 0 {
		a.RuntimeMs = &d.RuntimeMs
	}
	return a
}

func (d *adapterDocument) writeText(p *page) {
	if d.Action == adapterListName {
		var rows [][]string
		for _, e := range d.Adapters {
			rows = append(rows, []string{shown(e.Name), e.inAWord()})
		}
		p.table(rows...)
		return
	}
	if d.Operation != nil {
		d.Operation.writeText(p)
		return
	}
	for _, e := range d.Adapters {
		e.writeText(p)
	}
}

// inAWord says of an adapter what fits on one line.
func (e adapterEntry) inAWord() string {
	switch {
	case e.Problem != nil:
		return "unusable: " + forPeople(e.Problem.Message)
	case e.Agent != nil:
		return commandLine(e.Agent.Argv)
	}
	return shown(*e.Executable)
}

func (e adapterEntry) writeText(p *page) {
	rows := [][]string{{"adapter", shown(e.Name)}, {"file", shown(e.File)}}
	add := func(what, said string) { rows = append(rows, []string{what, said}) }
	if e.Executable != nil {
		said := shown(*e.Executable)
		if e.rule != "" {
			said += ", " + string(e.rule)
		}
		add("program", said)
	}
	if e.Authority != nil {
		add("authority", string(*e.Authority))
	}
	if e.Ledger != nil {
		add("ledger", shown(*e.Ledger))
	}
	if e.Agent != nil {
		rows = append(rows, e.Agent.rows()...)
	}
	if e.Machine != nil {
		rows = append(rows, e.Machine.rows(e.Agent)...)
	}
	p.table(rows...)
	if e.Agent != nil {
		p.line("")
		for _, line := range e.Agent.scope() {
			p.line("%s", line)
		}
	}
	if e.Machine != nil {
		for _, lack := range e.Machine.Missing {
			p.line("missing: %s: %s", lack.Of, forPeople(lack.Why))
			p.line("  %s", forPeople(lack.Remedy))
		}
	}
	if len(e.Exclude) > 0 {
		p.line("before a job, put into info/exclude what the agent leaves in a checkout:")
		for _, line := range e.Exclude {
			p.line("  %s", line)
		}
	}
	if e.Problem != nil {
		p.line("it cannot be used: %s [%s]", forPeople(e.Problem.Message), e.Problem.Code)
		if e.Problem.Next != "" {
			p.line("next: %s", forPeople(e.Problem.Next))
		}
	}
}

func (a adapterAgent) rows() [][]string {
	rows := [][]string{{"agent", commandLine(a.Argv)}}
	add := func(what, said string) { rows = append(rows, []string{what, said}) }
	if a.Recipe != nil {
		add("recipe", *a.Recipe)
	}
	if a.Version != "" {
		add("version", shown(a.Version))
	}
	if len(a.Variables) > 0 {
		add("variables", strings.Join(a.Variables, ", "))
	}
	runtime := "as long as the job admits"
	if a.RuntimeMs != nil {
		runtime = milliseconds(*a.RuntimeMs)
	}
	add("runtime", runtime)
	add("grace", milliseconds(a.GraceMs))
	add("prompt", map[definition.Delivery]string{
		definition.Stdin: "on standard input", definition.File: "in a file, named by an argument",
	}[a.Prompt])
	return rows
}

// scope says what the word "terminal" of this adapter is about.
func (a adapterAgent) scope() []string {
	if a.ForeignServer {
		return []string{
			"The agent hands its work to a server, whose end nothing here can see: that all work has ended",
			"is never said by itself. git algal adapter settle takes a person's word for it.",
		}
	}
	return []string{
		"What is said to have ended is the process tree of the agent: it and every process that descends",
		"from it. What it asks a server that was running already to do, here or elsewhere, is not seen.",
	}
}

func (m adapterMachine) rows(a *adapterAgent) [][]string {
	var mechanisms []string
	for _, mechanism := range m.Mechanisms {
		mechanisms = append(mechanisms, string(mechanism))
	}
	said := map[settlement]string{
		alwaysProven: "proven, also when its supervisor was killed",
		whileWatched: "proven while its supervisor lives; when that was killed, never",
		neverProven:  "never proven here; git algal adapter settle takes a person's word",
	}[m.Settlement]
	git := "read-only for the agent"
	switch {
	case a != nil && a.GitWritable:
		git = "writable, as was asked for"
	case !m.GitGuarded:
		git = "not protected here; the checks at the capture remain"
	case a != nil && len(a.Writable) > 0:
		git += ", less " + strings.Join(a.Writable, ", ")
	}
	return [][]string{{"custody", strings.Join(mechanisms, ", ")}, {"its end", said}, {"git directory", git}}
}

// commandLine returns an argument list as a person types it, on one line.
func commandLine(argv []string) string {
	var words []string
	for _, arg := range argv {
		words = append(words, shellWord(arg))
	}
	return shown(strings.Join(words, " "))
}

func milliseconds(ms int64) string { return (time.Duration(ms) * time.Millisecond).String() }
