package local

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
)

// calamities are the ways in which everything ends at once, with so many ways
// of losing some.
func calamities(stopped *lab, ways uint64) map[string]*lab {
	found := map[string]*lab{}
	for _, loss := range faultfs.Losses() {
		for seed := range ways {
			c := stopped.clone(seed)
			c.fs.Crash(loss)
			c.boot, c.alive = c.boot+" again", false
			found[fmt.Sprintf("%v (%d)", loss, seed)] = c
			if loss != faultfs.LoseSome {
				break
			}
		}
	}
	killed := stopped.clone(0)
	killed.fs.Kill()
	killed.alive = false
	found["killed"] = killed
	return found
}

// TestCrashLoop stops a submit and its supervisor before each durable
// operation, loses what was not synced in every way, and lets a host go on,
// whose first lookup is stopped at each operation once more.
func TestCrashLoop(t *testing.T) {
	t.Parallel()
	start := newLab(t)
	states := 0
	for k := 1; ; k++ {
		stopped := start.clone(0)
		stopped.fs.CrashAt(k)
		_ = stopped.submit()
		if !stopped.fs.Stopped() {
			if _, ok := stopped.said.Terminal(); !ok {
				t.Fatal("the undisturbed submit did not end")
			}
			break
		}
		for how, l := range calamities(stopped, 3) {
			what := fmt.Sprintf("stopped before operation %d, %s", k, how)
			states++
			for again := 1; !testing.Short(); again++ {
				twice := l.clone(uint64(again))
				twice.fs.CrashAt(again)
				_ = twice.observe()
				if !twice.fs.Stopped() {
					break
				}
				for how, l := range calamities(twice, 1) {
					states++
					if err := l.goOn(); err != nil {
						t.Fatalf("%s; a lookup before operation %d, %s: %v", what, again, how, err)
					}
				}
			}
			if err := l.goOn(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
	}
	t.Logf("%d states explored", states)
}

// TestEveryOperationFails lets each operation of a submit fail, before and
// after it took effect.
func TestEveryOperationFails(t *testing.T) {
	t.Parallel()
	start := newLab(t)
	failures := []faultfs.Fault{
		{Err: syscall.ENOSPC, Effect: faultfs.None}, {Err: syscall.EIO, Effect: faultfs.Half}, {Err: syscall.EIO, Effect: faultfs.Whole},
	}
	every := 1
	if testing.Short() {
		every = 7
	}
	for n := 1; ; n += every {
		reached := false
		for _, failure := range failures {
			l := start.clone(0)
			var failed faultfs.Op
			l.fs.Inject(func(op faultfs.Op) faultfs.Fault {
				if op.N != n {
					return faultfs.Fault{}
				}
				failed, reached = op, true
				return failure
			})
			err := l.submit()
			l.fs.Inject(nil)
			what := fmt.Sprintf("operation %d (%s %s) fails with %v, effect %d", n, failed.Kind, failed.Path, failure.Err, failure.Effect)
			if err != nil && fault.CodeOf(err) == "" {
				t.Fatalf("%s: %v has no code", what, err)
			}
			if err := l.check(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			l.fs.Kill()
			if err := l.goOn(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
		if !reached {
			return
		}
	}
}
