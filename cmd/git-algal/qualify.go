//go:build linux || darwin

package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/qualify"
)

const (
	qualifySchema = "git-algal.adapter-qualify/1"

	flagLaunch = "launch"

	// defaultCallDeadline bounds one call of the examination. The embedded
	// adapter ends an agent half of it before, and a real agent may take a while
	// to say one word.
	defaultCallDeadline = time.Minute
	// quietTime is how long a start that must not come is waited for. An adapter
	// that starts agents takes a small part of it.
	quietTime = 500 * time.Millisecond

	// How thorough an examination is that a person waits for.
	callsAtOnce  = 8
	killsOfCalls = 5
)

func qualifyFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: flagLaunch, Usage: "let another adapter launch its own agent, several times, with the task to print one word"},
		&cli.DurationFlag{Name: flagTimeout, Value: defaultCallDeadline, Usage: "end each call after `DURATION`"},
	}
}

// A qualifyDocument is what was found of an adapter.
type qualifyDocument struct {
	Schema      string              `json:"schema"`
	Adapter     string              `json:"adapter"` // as it was named
	Executable  string              `json:"executable"`
	Embedded    bool                `json:"embedded"` // on a ledger and with an agent that were made for it
	Launched    bool                `json:"launched"` // submits were allowed
	Counted     bool                `json:"counted"`  // the starts of the agent could be
	Harmless    bool                `json:"harmless"` // the agent was git-algal's own
	Calls       int                 `json:"calls"`
	Passed      int                 `json:"passed"`
	Failed      int                 `json:"failed"`
	NotTested   int                 `json:"notTested"`
	Obligations []qualifyObligation `json:"obligations"`
}

type qualifyObligation struct {
	Name        string          `json:"name"`
	Section     string          `json:"section"`
	Text        string          `json:"text"`
	Verdict     qualify.Verdict `json:"verdict"`
	Reason      string          `json:"reason"` // empty where it passed
	Evidence    []string        `json:"evidence"`
	Proves      string          `json:"proves"`
	CannotProve string          `json:"cannotProve"`
}

// qualifyAdapter holds the adapter of that name or file to every obligation.
func qualifyAdapter(ctx context.Context, in *invocation, word string) (_ answer, err error) {
	deadline := in.flags.Duration(flagTimeout)
	if deadline < minQualifyDeadline || deadline > operation.MaxDeadline {
		return answer{}, fault.New(fault.Usage, "flag %q is %v, outside %v..%v", dashed(flagTimeout), deadline, minQualifyDeadline, operation.MaxDeadline)
	}
	adapter, err := in.adapterToQualify(ctx, word)
	if err != nil {
		return answer{}, err
	}
	q, err := in.newExamination(ctx, adapter)
	if err != nil {
		return answer{}, err
	}
	defer func() { err = errors.Join(err, q.clear(context.WithoutCancel(ctx))) }()
	launch := q.embedded != nil || in.flags.Bool(flagLaunch)
	report, err := qualify.Adapter(ctx, q.adapter, qualify.Options{
		Launch: launch, Payload: q.payload(), Workspace: q.workspace,
		Env: in.withoutGit(), Dir: q.workspace, Elsewhere: q.elsewhere,
		Deadline: deadline, Quiet: quietTime, Together: callsAtOnce, Kills: killsOfCalls,
		NewID: newQualifyID, Now: in.now,
		Progress: func(o qualify.Obligation) { in.progress.begin(jobs.Phase{Name: o.Name}) },
	})
	if err != nil {
		return answer{}, err
	}
	executable, _ := jsonPath(q.adapter.Executable)
	d := newQualifyDocument(word, executable, report)
	d.Embedded, d.Launched = q.embedded != nil, launch
	exit := exitDone
	if d.Failed > 0 {
		exit = exitRefused
	}
	return answer{document: d, exit: exit}, nil
}

// minQualifyDeadline is the shortest runtime that a job can admit.
const minQualifyDeadline = jobs.MinRuntimeMs * time.Millisecond

// adapterToQualify returns the adapter that is named, which lies in no checkout
// around the working directory.
func (in *invocation) adapterToQualify(ctx context.Context, word string) (operation.Adapter, error) {
	s := &site{invocation: in, service: &jobs.Service{}}
	defer s.close()
	c, err := s.standing(ctx)
	if err != nil {
		c = nil // there is none, or none in which anybody could work
	}
	return in.adapterNamed(word, c)
}

// newQualifyID returns an operation id that no ledger has seen.
func newQualifyID() operation.Identity {
	random := make([]byte, 12)
	rand.Read(random) // never fails
	return operation.Identity("qualify-" + hex.EncodeToString(random))
}

func newQualifyDocument(word, executable string, r qualify.Report) *qualifyDocument {
	d := &qualifyDocument{
		Schema: qualifySchema, Adapter: word, Executable: executable, Counted: r.Counted, Harmless: r.Scripted, Calls: r.Calls,
		Passed: r.Count(qualify.Passed), Failed: r.Count(qualify.Failed), NotTested: r.Count(qualify.NotTested),
	}
	for _, f := range r.Findings {
		o := f.Obligation
		d.Obligations = append(d.Obligations, qualifyObligation{o.Name, o.Section, o.Text, f.Verdict, f.Reason, f.Evidence, o.Proves, o.CannotProve})
	}
	return d
}

func (d *qualifyDocument) paged() {}

// verdictColours are those of the words; read-only.
var verdictColours = map[qualify.Verdict]string{qualify.Passed: green, qualify.Failed: red, qualify.NotTested: yellow}

func (d *qualifyDocument) writeText(p *page) {
	p.line("%s: %d passed, %d failed, %d not tested, in %d calls", shown(d.Adapter), d.Passed, d.Failed, d.NotTested, d.Calls)
	switch {
	case d.Embedded:
		p.line("It is git-algal's own adapter, tested on a ledger that was made for it, with a harmless agent.")
	case !d.Launched:
		p.line("What would launch its agent was not tested: --%s allows it.", flagLaunch)
	case !d.Counted:
		p.line("The starts of its agent cannot be counted from outside.")
	}
	for _, o := range d.Obligations {
		p.line("")
		o.writeText(p)
	}
}

func (o qualifyObligation) writeText(p *page) {
	verdict := string(o.Verdict)
	if o.Verdict == qualify.NotTested {
		verdict = "not tested"
	}
	p.line("%s  %s (%s)", p.tinted(verdictColours[o.Verdict], verdict), o.Name, o.Section)
	lines := []string{o.Text}
	switch o.Verdict {
	case qualify.Passed:
		lines = append(lines, "shown: "+o.Proves, "not shown: "+o.CannotProve)
	case qualify.Failed:
		lines = append(lines, "but: "+o.Reason)
		for _, e := range o.Evidence {
			lines = append(lines, "seen: "+e)
		}
	default:
		lines = append(lines, "because: "+o.Reason)
	}
	const indent = "  "
	for _, line := range lines {
		for _, part := range wrapped(line, demoWidth-len(indent)) {
			p.line("%s%s", indent, forTerminal(part))
		}
	}
}
