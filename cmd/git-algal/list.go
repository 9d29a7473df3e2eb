//go:build linux || darwin

package main

import (
	"context"
	"time"

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
	d := &listDocument{listSchema, store, []listEntry{}}
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
		row := []string{shortID(e.JobID), e.prepared.Local().Format("2006-01-02 15:04")}
		if e.Error != nil {
			row = append(row, "broken", forPeople(e.Error.Message))
		} else {
			row = append(row, string(e.Status), string(e.OperationID), shown(e.Workspace))
		}
		rows = append(rows, row)
	}
	p.table(rows...)
}
