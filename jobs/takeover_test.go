package jobs_test

import (
	"fmt"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
)

// TestTakeoverOutlivesNoSettlement kills the process that settles a job at
// every moment, lets another job take the workspace over where that is allowed,
// and loses what was not synced at every moment of that. The claim must never
// name the second job while the first one is not settled, which fsck says.
func TestTakeoverOutlivesNoSettlement(t *testing.T) {
	takeovers := 0
	ways := authorities[:3]
	if testing.Short() {
		ways = authorities[2:3] // .ci/run has them all, without the race detector
	}
	for _, a := range ways {
		w := newWorld(newLab(t), a)
		for _, d := range []deed{prepare, run, reconcile} {
			for _, killed := range w.stops(t, d) {
				killed.world.disk.Kill()
				if takeOver(t, killed.world, fmt.Sprintf("%s, %s killed before operation %d", a.name, d.name, killed.operation)) {
					takeovers++
				}
			}
			if _, err := w.do(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
	}
	if takeovers == 0 {
		t.Error("no job took the workspace over")
	}
}

// stops returns the world before each durable operation of the deed, which is
// carried out in a copy.
func (w *world) stops(t *testing.T, d deed) (stops []stop) {
	t.Helper()
	w = w.clone(0)
	w.disk.Watch(func(k int, disk *faultfs.FS) { stops = append(stops, stop{k, w.on(disk)}) })
	if _, err := w.do(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	return stops
}

// takeOver prepares and runs the next job, and reports whether that was
// allowed.
func takeOver(t *testing.T, w *world, how string) bool {
	t.Helper()
	if _, err := w.do(t.Context(), prepareNext); err != nil {
		if !fault.Is(err, fault.Claimed) {
			t.Fatalf("%s; prepare next: %v", how, err)
		}
		return false
	}
	for _, stopped := range w.stops(t, runNext) {
		for _, loss := range faultfs.Losses() {
			lost := stopped.world.clone(uint64(stopped.operation))
			lost.disk.Crash(loss)
			if err := lost.judge(t.Context()).err; err != nil {
				t.Fatalf("%s; run next stopped before operation %d, %s: %v", how, stopped.operation, loss, err)
			}
		}
	}
	return true
}
