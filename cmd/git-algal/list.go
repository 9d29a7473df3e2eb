//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
)

const (
	listSchema = "git-algal.list/1"

	flagAll = "all"
)

func listVerb() verb {
	return verb{
		name: "list", usage: "the jobs of this checkout, newest first",
		flags: []cli.Flag{&cli.BoolFlag{Name: flagAll, Usage: "the jobs of every checkout that shares the store"}},
		run:   onSite(evidenceOnly, list),
	}
}

// A listDocument is the jobs of a store, newest first.
type listDocument struct {
	Schema string      `json:"schema"`
	Store  string      `json:"store"`
	Jobs   []listEntry `json:"jobs"`

	now time.Time
}

type listEntry struct {
	JobID       canon.Digest       `json:"jobId"`
	Prepared    string             `json:"prepared"` // RFC 3339, UTC
	OperationID operation.Identity `json:"operationId,omitzero"`
	Workspace   string             `json:"workspace,omitzero"`
	Status      jobs.Status        `json:"status,omitzero"`
	Reason      string             `json:"reason,omitzero"`
	Error       *failureError      `json:"error,omitzero"` // in place of the members above

	prepared time.Time
}

func list(ctx context.Context, s *site) (answer, error) {
	workspace := ""
	if !s.flags.Bool(flagAll) {
		c, err := s.standing(ctx)
		switch {
		case err == nil:
			workspace = c.Workspace
		case s.store.source == chosenByDefault || !fault.Is(err, fault.GitFailed):
			return answer{}, err
		} // a store that was named is listed whole where there is no checkout
	}
	listings, err := s.service.List()
	if err != nil {
		return answer{}, err
	}
	store, _ := jsonPath(s.store.root)
	d := &listDocument{listSchema, store, []listEntry{}, s.now()}
	for _, l := range listings {
		// A broken job may be this checkout's: it is shown in either case.
		if l.Err == nil && workspace != "" && l.Snapshot.Intent.Workspace != workspace {
			continue
		}
		d.Jobs = append(d.Jobs, newListEntry(l))
	}
	if len(d.Jobs) == 0 {
		s.warn("no jobs here; the whole store is listed with --%s", flagAll)
	}
	return answer{document: d}, nil
}

func newListEntry(l jobs.Listing) listEntry {
	e := listEntry{JobID: l.JobID, Prepared: l.Prepared.UTC().Format(time.RFC3339), prepared: l.Prepared}
	if l.Err != nil {
		f := newFailure("list", l.Err)
		e.Error = &f.Error
		return e
	}
	snap := l.Snapshot
	e.OperationID, e.Workspace = snap.Intent.Operation.OperationID, snap.Intent.Workspace
	e.Status, e.Reason = snap.Status, snap.Reason
	return e
}

func (d *listDocument) writeText(p *page) {
	var rows [][]string
	for _, e := range d.Jobs {
		row := []string{shortID(e.JobID), ago(e.prepared, d.now)}
		if e.Error != nil {
			row = append(row, p.tinted(red, "broken"), forPeople(e.Error.Message))
		} else {
			row = append(row, p.tinted(statusColour(e.Status), string(e.Status)), operationForPeople(e.OperationID), shown(e.Workspace))
		}
		rows = append(rows, row)
	}
	p.table(rows...)
}

// ago returns how long before now a time was, in a word or three.
func ago(then, now time.Time) string { return humanize.RelTime(then, now, "ago", "from now") }

// operationForPeople returns an operation id as a person named it, and of a
// derived one, which is long and says nothing, which attempt it is.
func operationForPeople(id operation.Identity) string {
	if next := nextAttempt(id); next > 1 {
		return fmt.Sprintf("attempt %d", next-1)
	}
	return string(id)
}
