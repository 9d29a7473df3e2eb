//go:build linux || darwin

package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

const jobSchema = "git-algal.job/1"

// A jobDocument is where a job stands.
type jobDocument struct {
	Schema           string                    `json:"schema"`
	JobID            canon.Digest              `json:"jobId"`
	OperationID      *operation.Identity       `json:"operationId"` // null for a v1 job
	Workspace        string                    `json:"workspace"`
	Prepared         string                    `json:"prepared,omitzero"` // RFC 3339, UTC
	Status           jobs.Status               `json:"status"`
	Intent           map[string]jsontext.Value `json:"intent"`
	Result           *jobs.Result              `json:"result,omitzero"`
	Reason           string                    `json:"reason,omitzero"`
	Warnings         []string                  `json:"warnings"`
	ObservationsUsed int                       `json:"observationsUsed"`
	Validations      []jobValidation           `json:"validations"` // oldest first
	Next             [][]string                `json:"next"`

	snapshot   jobs.Snapshot
	age        string // since it was prepared, empty where that is not known
	extent     extent
	withPrompt bool
	ways       []way
}

// A jobValidation is one validation of a job.
type jobValidation struct {
	Number  int                    `json:"number"`
	Name    string                 `json:"name,omitzero"`
	Outcome jobs.ValidationOutcome `json:"outcome"`
}

// An extent says how much of a job is shown to a person.
type extent bool

const (
	brief extent = false // what changed, and what to do next
	whole extent = true  // the evidence as well
)

func (s *site) jobDocument(snap jobs.Snapshot, e extent) *jobDocument {
	d := &jobDocument{
		Schema: jobSchema, JobID: snap.JobID, OperationID: known(snap.Intent.Operation.OperationID),
		Workspace: snap.Intent.Workspace, Status: snap.Status, Result: snap.Result, Reason: snap.Reason,
		Warnings: []string{}, ObservationsUsed: len(snap.Evidence.Observations), Validations: []jobValidation{}, Next: s.next(snap),
		snapshot: snap, extent: e, withPrompt: s.flags.Bool(flagWithPrompt),
	}
	for _, warning := range append(snap.Warnings, s.warnings...) {
		d.Warnings = append(d.Warnings, strings.ToValidUTF8(warning, "\uFFFD"))
	}
	if prepared, err := s.service.Store.ModTime(state.Intent(snap.JobID)); err == nil {
		d.Prepared, d.age = prepared.UTC().Format(time.RFC3339), ago(prepared, s.now())
	}
	for _, v := range snap.Evidence.Validations {
		d.Validations = append(d.Validations, jobValidation{v.Number, v.Name, v.Outcome})
	}
	d.Intent = intentDocument(snap.Intent, d.withPrompt)
	if e == whole && snap.Status.Settled() && changedFiles(snap) > 0 {
		d.ways = waysOn(snap.Intent.Workspace)
	}
	return d
}

// intentDocument returns the admitted intent; its prompt is replaced by what
// identifies it unless it is asked for.
func intentDocument(i jobs.Intent, withPrompt bool) map[string]jsontext.Value {
	text, err := i.Format()
	if err != nil {
		return nil // an intent that was read can be written
	}
	members, err := canon.Decode[map[string]jsontext.Value](text)
	if err != nil || withPrompt {
		return members
	}
	members["prompt"], err = canon.Encode(struct {
		Digest canon.Digest `json:"digest"`
		Bytes  int          `json:"bytes"`
	}{canon.DigestText(i.Prompt), len(i.Prompt)})
	if err != nil {
		delete(members, "prompt")
	}
	return members
}

// changedFiles returns the number of changed files of the retained patch, 0
// where there is none.
func changedFiles(snap jobs.Snapshot) int {
	if snap.Result == nil || snap.Result.ChangedFiles == nil {
		return 0
	}
	return *snap.Result.ChangedFiles
}

func (d *jobDocument) writeText(p *page) {
	snap := d.snapshot
	p.line("job %s is %s%s", shortID(d.JobID), p.tinted(statusColour(d.Status), string(d.Status)), d.summary())
	if d.Reason != "" {
		p.line("  %s", explain(d.Reason))
		p.line("  reason: %s", d.Reason)
	}
	if d.extent == whole {
		p.line("")
		p.table(d.facts()...)
		d.writeEvidence(p)
	}
	if d.withPrompt {
		p.line("\nprompt:")
		p.content(strings.TrimSuffix(snap.Intent.Prompt, "\n") + "\n")
	}
	for _, warning := range snap.Warnings {
		p.line("warning: %s", forPeople(warning))
	}
	writeNext(p, d.Next)
	writeWays(p, d.ways)
}

// summary says in half a line what the job's patch holds.
func (d *jobDocument) summary() string {
	switch files := d.changed(); {
	case files < 0:
		return ""
	case files == 0 && d.Status == jobs.Completed:
		return ": the agent changed nothing"
	case files == 1:
		return ": 1 file changed"
	default:
		return fmt.Sprintf(": %d files changed", files)
	}
}

// changed returns the number of changed files, -1 where no patch is retained.
func (d *jobDocument) changed() int {
	if d.Result == nil || d.Result.ChangedFiles == nil {
		return -1
	}
	return *d.Result.ChangedFiles
}

func (d *jobDocument) facts() [][]string {
	i := d.snapshot.Intent
	l := i.Limits
	worker := [][]string{
		{"operation", string(i.Operation.OperationID)},
		{"authority", string(i.Adapter.AuthorityID)},
		{"adapter", shown(i.Adapter.Executable)},
	}
	if i.XCB != nil {
		worker = [][]string{{"xcb worker", shown(i.XCB.Executable)}}
	}
	return append(append([][]string{{"job", d.JobID.Hex()}}, worker...), [][]string{
		{"workspace", shown(i.Workspace)},
		{"head", i.ExpectedHead},
		{"prompt", fmt.Sprintf("%s bytes, %s", humanize.Comma(int64(len(i.Prompt))), shortID(canon.DigestText(i.Prompt)))},
		{"limits", fmt.Sprintf("%v, output %s, patch %s, %d files", l.Runtime(), size(l.MaxOutputBytes), size(l.MaxPatchBytes), l.MaxChangedFiles)},
	}...)
}

// writeEvidence shows the chain on which the status stands, in the order of
// its publication.
func (d *jobDocument) writeEvidence(p *page) {
	e := d.snapshot.Evidence
	if d.OperationID == nil {
		p.line("\nevidence:") // a v1 job has no observations
	} else {
		p.line("\nevidence, %d of %d observations used:", d.ObservationsUsed, operation.MaxObservations)
	}
	p.line("  %s", strings.TrimSpace("prepared   "+d.age))
	if e.Launched {
		p.line("  launched")
	}
	for _, outcome := range e.Observations {
		said := string(outcome.State())
		switch outcome.State() {
		case operation.Unknown:
			said += ": " + string(outcome.Reason())
		case operation.Terminal:
			said += ": " + string(outcome.Ending())
		}
		p.line("  observed   %s, revision %d", said, outcome.Revision())
	}
	switch {
	case e.Settled:
		p.line("  settled")
	case d.OperationID == nil && d.Status.Settled():
		p.line("  settled    by the worker's envelope")
	}
	if e.Resolved {
		p.line("  resolved by a reconciliation")
	}
	for _, v := range d.Validations {
		name := ""
		if v.Name != "" {
			name = " (" + shown(v.Name) + ")"
		}
		p.line("  validated  %d%s: %s", v.Number, name, p.tinted(validationColour(v.Outcome), string(v.Outcome)))
	}
}

func statusColour(s jobs.Status) string {
	switch s {
	case jobs.Completed:
		return green
	case jobs.Failed:
		return red
	}
	return yellow
}

// explain says in plain words what a recorded reason means.
func explain(reason string) string {
	cause, _, _ := strings.Cut(reason, ":")
	switch cause {
	case "launch-started-without-terminal-acknowledgement":
		return "it was launched, and nothing is recorded of what followed"
	case "operation-evidence-publication-incomplete":
		return "a record names a value that is not in the store"
	case "external-task-not-proven-settled":
		return "the agent's work is not proven to have ended"
	case "external-result-unavailable":
		return "no answer came, or none that counts: what became of it is not known"
	case "external-task-failed":
		return "the agent's work ended and failed"
	case "external-task-cancelled":
		return "the agent's work was cancelled, and has ended"
	case "external-task-did-not-complete-successfully":
		return "the worker's run has ended, and did not do what it was asked to"
	case "settled-patch-rejected":
		return "the agent's work ended, but its change cannot be captured"
	}
	return "recorded by another host"
}
