package jobs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/xcb"
	"github.com/git-algal/git-algal/state"
)

// worker is a v1 worker that has always done its work.
const worker = `#!/bin/sh
cat >/dev/null
printf '%s' '{"version":1,"session":"session-1","state":"idle","outcome":{"terminal":"completed","joined":true,"effects":"settled","pending_attention":false,"failure":null},"text":"All done"}'
`

// TestCrashLoopV1 stops the preparation and the run of a v1 job before each of
// their durable operations. Its worker is called at most once, and what a crash
// leaves is prepared, settled, or uncertain for good.
func TestCrashLoopV1(t *testing.T) {
	l := newLab(t)
	executable := filepath.Join(l.root, "xcb")
	if err := os.WriteFile(executable, []byte(worker), 0o700); err != nil {
		t.Fatal(err)
	}
	options := l.options()
	options.OperationID, options.Adapter, options.XCB = "", operation.Adapter{}, &xcb.Worker{Executable: executable}
	var job canon.Digest
	prepareV1 := deed{prepare.name, func(ctx context.Context, s *jobs.Service, _ *world) (jobs.Snapshot, error) {
		return s.Prepare(ctx, options)
	}}
	runV1 := deed{run.name, func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		s.WorkerEnv = []string{"PATH=" + os.Getenv("PATH")}
		s.Progress = func(p jobs.Phase) {
			if p.Name == "launch" { // the call follows
				w.submits[operationID]++
				w.work = edit
			}
		}
		return s.Run(ctx, job)
	}}
	w := newWorld(l, authority{work: edit})
	snap, err := w.clone(0).do(t.Context(), prepareV1)
	if err != nil {
		t.Fatal(err)
	}
	job = snap.JobID
	states := 0
	for _, d := range []deed{prepareV1, runV1} {
		for i, s := range w.stops(t, d) {
			if testing.Short() && i%5 != 0 {
				continue // .ci/run has them all, without the race detector
			}
			for _, c := range calamities {
				states++
				struck := s.world.clone(uint64(states))
				c.strike(struck.disk)
				if err := struck.goOnV1(t.Context(), job, prepareV1, runV1); err != nil {
					t.Fatalf("%s stopped before operation %d, %s: %v", d.name, s.operation, c.name, err)
				}
			}
		}
		if snap, err = w.do(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if snap.Status != jobs.Completed {
		t.Errorf("without a crash the job is %s (%s)", snap.Status, snap.Reason)
	}
	t.Logf("%d states explored", states)
}

// goOnV1 is goOn for a v1 job, which nothing but its one run can settle.
func (w *world) goOnV1(ctx context.Context, job canon.Digest, deeds ...deed) error {
	store, err := state.Open(w.disk, diskStore)
	if err != nil {
		return err
	}
	before, err := (&jobs.Service{FS: w.disk, Store: store}).Inspect(job)
	if unlessMissing(err) != nil {
		return fmt.Errorf("inspect: %w", err)
	}
	called := w.submits[operationID]
	if called > 0 && !before.Evidence.Launched {
		return fmt.Errorf("the worker was called and the job looks %q", before.Status)
	}
	var snap jobs.Snapshot
	for _, d := range deeds {
		if snap, err = w.do(ctx, d); err != nil && !(d.name == prepare.name && called > 0 && fault.Is(err, fault.NotClean)) {
			return fmt.Errorf("going on with %s: %w", d.name, err)
		}
	}
	switch n := w.submits[operationID]; {
	case n > 1:
		return fmt.Errorf("the worker was called %d times", n)
	case before.Evidence.Launched && n > called:
		return fmt.Errorf("a launched job was launched again")
	case before.Evidence.Launched && snap.Status != before.Status:
		return fmt.Errorf("the job was %s and is %s", before.Status, snap.Status)
	case !before.Evidence.Launched && snap.Status != jobs.Completed:
		return fmt.Errorf("a job that was not launched is %s", snap.Status)
	}
	s, err := w.open()
	if err != nil {
		return err
	}
	findings, err := s.Fsck(ctx)
	if len(findings) > 0 {
		return fmt.Errorf("fsck finds %+v", findings)
	}
	return err
}
