package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
)

// records returns the records of the store.
func (w *world) records() map[string]string {
	records := map[string]string{}
	for path, data := range w.disk.Files(diskStore) {
		if isRecord(path) {
			records[path] = string(data)
		}
	}
	return records
}

// A judgement is what the store alone says of the lab's job.
type judgement struct {
	snap    jobs.Snapshot // zero where there is no job
	holder  canon.Digest
	claimed bool
	err     error // what is wrong with the store
}

// judge inspects the job and has the whole store checked. The same records are
// judged once.
func (w *world) judge(ctx context.Context) judgement {
	key := digestOf(w.disk)
	w.lab.mu.Lock()
	j, ok := w.lab.judged[key]
	w.lab.mu.Unlock()
	if ok {
		return j
	}
	j = w.judgeAnew(ctx)
	w.lab.mu.Lock()
	w.lab.judged[key] = j
	w.lab.mu.Unlock()
	return j
}

func (w *world) judgeAnew(ctx context.Context) (j judgement) {
	s, err := w.open()
	if err != nil {
		return judgement{err: err}
	}
	if j.snap, err = s.Inspect(w.lab.job); err != nil && !fault.Is(err, fault.Missing) {
		return judgement{err: fmt.Errorf("inspect: %w", err)}
	}
	if j.holder, j.claimed, err = s.ClaimOf(w.lab.workspace); err != nil {
		return judgement{err: fmt.Errorf("the claim: %w", err)}
	}
	if findings, err := s.Fsck(ctx); len(findings) > 0 || unlessMissing(err) != nil {
		j.err = fmt.Errorf("fsck finds %+v, %w", findings, err)
	}
	return j
}

// examine returns what of everything that must be true at any moment is not;
// lasting says that nothing in the world can be lost any more.
func (w *world) examine(ctx context.Context, lasting bool) error {
	if n := w.submits[operationID]; n > 1 {
		return fmt.Errorf("the operation was submitted %d times", n)
	}
	records := w.records()
	for path, text := range w.kept {
		if records[path] != text {
			return fmt.Errorf("record %s was durable as\n%s\nand is now\n%s", path, text, records[path])
		}
	}
	j := w.judge(ctx)
	snap := j.snap
	if j.err != nil {
		return j.err
	}
	if lasting && (rank(snap.Status) < rank(w.status) || w.status.Settled() && snap.Status != w.status) {
		return fmt.Errorf("the job was %s and is %q", w.status, snap.Status)
	}
	if err := w.checkStatus(snap); err != nil {
		return err
	}
	switch {
	case j.claimed && j.holder != w.lab.job:
		return fmt.Errorf("the claim names %s", j.holder)
	case !j.claimed && (lasting && w.claimed || snap.Evidence.Launched):
		return errors.New("the claim is gone")
	}
	if lasting {
		w.remember(records, snap, j.claimed)
	}
	return nil
}

// remember keeps what no later moment may be without.
func (w *world) remember(records map[string]string, snap jobs.Snapshot, claimed bool) {
	w.status, w.claimed = snap.Status, claimed
	for path, text := range records {
		if !replaceable(path, snap) {
			w.kept[path] = text
		}
	}
}

// checkStatus demands of each status what it stands on.
func (w *world) checkStatus(snap jobs.Snapshot) error {
	settles := jobs.Completed
	if w.authority.ending != operation.Completed || w.authority.work != edit {
		settles = jobs.Failed
	}
	switch {
	case rank(snap.Status) < rank(jobs.Uncertain) && w.submits[operationID] > 0:
		return fmt.Errorf("the operation was submitted and the job looks %q", snap.Status)
	case snap.Status.Settled() && (w.outcome.State() != operation.Terminal || snap.Result.OutputRef != w.outcome.Ref() || snap.Status != settles):
		return fmt.Errorf("the job is %s by outcome %s, the ledger holds %q", snap.Status, snap.Result.OutputRef, w.outcome.State())
	}
	return nil
}

// rank orders the statuses by how much has happened.
func rank(s jobs.Status) int {
	return slices.Index([]jobs.Status{"", jobs.Prepared, jobs.Uncertain, jobs.Completed, jobs.Failed}, s)
}

// replaceable reports whether a record may still change.
func replaceable(path string, snap jobs.Snapshot) bool {
	switch name := path[strings.LastIndex(path, "/")+1:]; name {
	case "claim.json":
		return true
	case "control.json":
		return !snap.Evidence.Launched
	case "control-after.json":
		return !snap.Evidence.Settled
	}
	return false
}

// unlessMissing is nil for what need not be there yet.
func unlessMissing(err error) error {
	if fault.Is(err, fault.Missing) {
		return nil
	}
	return err
}
