package jobs_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
)

// A deed is one command of a person.
type deed struct {
	name string
	do   func(context.Context, *jobs.Service, *world) (jobs.Snapshot, error)
}

var (
	prepare = deed{"prepare", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		return s.Prepare(ctx, w.lab.options())
	}}
	run = deed{"run", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		return s.Run(ctx, w.lab.job)
	}}
	reconcile = deed{"reconcile", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		return s.Reconcile(ctx, w.lab.job)
	}}
	validate = deed{"validate", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		w.validations++
		v, err := s.Validate(ctx, w.lab.job, jobs.ValidationOptions{
			Timeout: time.Minute, MaxOutputBytes: 1024, Argv: []string{"true"}, Env: []string{"PATH=" + os.Getenv("PATH")},
		})
		if err == nil && v.Outcome() != jobs.ValidationPassed {
			err = fmt.Errorf("the validation is %s", v.Outcome())
		}
		if err != nil {
			return jobs.Snapshot{}, err
		}
		return s.Inspect(w.lab.job)
	}}
)

// nextOperationID is that of the job which follows in the same checkout, once a
// person has discarded what the first one left.
const nextOperationID = "repair-002"

func (w *world) nextOptions() jobs.Options {
	o := w.lab.options()
	o.OperationID = nextOperationID
	return o
}

var (
	prepareNext = deed{"prepare next", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		w.work = "true"
		return s.Prepare(ctx, w.nextOptions())
	}}
	runNext = deed{"run next", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		job, _, err := s.JobOf(w.nextOptions().Adapter.AuthorityID, nextOperationID)
		if err != nil {
			return jobs.Snapshot{}, err
		}
		return s.Run(ctx, job)
	}}
)

// refusal returns the condition with which the deed is refused in a world that
// is well, zero where it is not.
func (d deed) refusal(w *world) fault.Condition {
	status := w.judge(context.Background()).snap.Status
	switch {
	case d.name == prepare.name && w.work == w.authority.work:
		return fault.NotClean // the attempt has worked on the checkout
	case d.name != prepare.name && status == "":
		return fault.Missing
	case d.name == reconcile.name && status == jobs.Prepared:
		return fault.NotReconcilable
	case d.name == validate.name && status != jobs.Completed:
		return fault.NotCompleted
	}
	return 0
}

// do carries a deed out as a process of its own.
func (w *world) do(ctx context.Context, d deed) (jobs.Snapshot, error) {
	s, err := w.open()
	if err != nil {
		return jobs.Snapshot{}, err
	}
	return d.do(ctx, s, w)
}

// goOn does what a person would: the same preparation, run, reconcile. It
// returns what of it did not lead somewhere: in the end the job is settled, or
// uncertain with a reconciliation that works and says what the ledger says.
func (w *world) goOn(ctx context.Context) error {
	if _, err := w.do(ctx, prepare); err != nil && !fault.Is(err, prepare.refusal(w)) {
		return fmt.Errorf("going on with prepare: %w", err)
	}
	snap, err := w.do(ctx, run)
	if err != nil {
		return fmt.Errorf("going on with run: %w", err)
	}
	for range 2 {
		if snap.Status.Settled() {
			break
		}
		if snap, err = w.do(ctx, reconcile); err != nil {
			return fmt.Errorf("going on with reconcile: %w", err)
		}
		if snap.Status.Settled() != (w.outcome.State() == operation.Terminal) {
			return fmt.Errorf("reconcile leaves the job %s (%s), the ledger holds %q", snap.Status, snap.Reason, w.outcome.State())
		}
	}
	return w.lasts(ctx, snap.Status)
}

// lasts loses everything that was not synced and demands that the status, which
// was acknowledged, is still there.
func (w *world) lasts(ctx context.Context, status jobs.Status) error {
	lost := w.clone(0)
	lost.disk.Crash(faultfs.LoseAll)
	if err := lost.examine(ctx, true); err != nil {
		return fmt.Errorf("all lost after %s was acknowledged: %w", status, err)
	}
	if lost.status != status {
		return fmt.Errorf("acknowledged was %s, what lasts is %s", status, lost.status)
	}
	return nil
}
