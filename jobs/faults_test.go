package jobs_test

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/jobs"
)

// faults are the ways in which one operation fails.
var faults = []faultfs.Fault{
	{Err: syscall.EIO, Effect: faultfs.None},
	{Err: syscall.ENOSPC, Effect: faultfs.None},
	{Err: syscall.ENOSPC, Effect: faultfs.Half},
	{Err: syscall.EIO, Effect: faultfs.Half},
	{Err: syscall.EIO, Effect: faultfs.Whole}, // it happened, and nobody says so
}

// happens reports whether an operation of the kind can fail so, otherwise than
// by EIO without an effect.
func happens(kind faultfs.Kind, f faultfs.Fault) bool {
	if f.Effect == faultfs.Half {
		return kind == faultfs.Write || kind == faultfs.Sync
	}
	return kind.Durable()
}

// A faultLoop lets every operation of every command fail.
type faultLoop struct {
	t     *testing.T
	seen  map[string]bool
	tried int
}

// TestEveryOperationFails lets each operation of each command fail in each
// way. The command says so as documented, publishes nothing by halves, and once
// the fault is gone a person who goes on gets where he would have got.
func TestEveryOperationFails(t *testing.T) {
	for name, failing := range map[string][]deed{
		"completes":                {prepare, run},
		"accepts, completes later": {reconcile, validate},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := &faultLoop{t: t, seen: map[string]bool{}}
			w := newWorld(newLab(t), authorityNamed(t, name))
			if failing[0].name == reconcile.name {
				for _, d := range []deed{prepare, run} {
					if _, err := w.do(t.Context(), d); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, d := range failing {
				for _, op := range w.operations(t, d) {
					for i, f := range faults {
						if testing.Short() && (op.N+i)%7 != 0 {
							continue // .ci/run tries them all, without the race detector
						}
						if i == 0 || happens(op.Kind, f) {
							x.try(w, d, op, f)
						}
					}
				}
				if _, err := w.do(t.Context(), d); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d faults in operations", x.tried)
		})
	}
}

// operations returns what the deed does, all of it.
func (w *world) operations(t *testing.T, d deed) (operations []faultfs.Op) {
	t.Helper()
	w = w.clone(0)
	w.disk.Inject(func(op faultfs.Op) faultfs.Fault {
		operations = append(operations, op)
		return faultfs.Fault{}
	})
	if _, err := w.do(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	return operations
}

func (x *faultLoop) try(w *world, d deed, op faultfs.Op, f faultfs.Fault) {
	x.tried++
	ctx := x.t.Context()
	what := fmt.Sprintf("%s: operation %d (%s %s) fails with %v, effect %d", d.name, op.N, op.Kind, op.Path, f.Err, f.Effect)
	w = w.clone(0)
	w.disk.Inject(func(now faultfs.Op) faultfs.Fault {
		if now.N == op.N {
			return f
		}
		return faultfs.Fault{}
	})
	snap, err := w.do(ctx, d)
	w.disk.Inject(nil)
	if n := w.disk.OpenDescriptors(); n != 0 {
		x.t.Errorf("%s: %d descriptors are open", what, n)
	}
	if err == nil {
		err = w.lasts(ctx, snap.Status)
	} else {
		err = w.documented(x.t, d, err)
	}
	if err == nil {
		err = w.examine(ctx, false)
	}
	if err == nil && !x.seen[w.key()] {
		x.seen[w.key()] = true
		err = w.clone(0).goOn(ctx)
		lost := w.clone(0)
		lost.disk.Crash(faultfs.LoseAll)
		if err == nil {
			err = lost.goOn(ctx)
		}
	}
	if err != nil {
		x.t.Fatalf("%s: %v", what, err)
	}
}

// documented returns what is wrong with the error of a deed that met a fault of
// the host: its code is IO_FAILED. It is a refusal, exit status 1, unless the
// job may have been launched, which is uncertainty, exit status 3.
func (w *world) documented(t *testing.T, d deed, err error) error {
	e, ok := fault.Of(err)
	if !ok || e.Condition.Code() != fault.IOFailed {
		return fmt.Errorf("%w has code %q", err, fault.CodeOf(err))
	}
	launched := w.judge(t.Context()).snap.Evidence.Launched
	kind := fault.KindRefused
	if d.name == run.name && launched {
		kind = fault.KindUncertain
	}
	if e.Condition.Kind() != kind {
		return fmt.Errorf("%w is %q, want %q", err, e.Condition.Kind(), kind)
	}
	return nil
}

// TestDiskFull lets the space run out at each operation of each command and
// stay away until the command has ended. Then space is made, and work goes on.
func TestDiskFull(t *testing.T) {
	w := newWorld(newLab(t), authorityNamed(t, "accepts, completes later"))
	for _, d := range []deed{prepare, run, reconcile, validate} {
		refused := 0
		for _, from := range w.operations(t, d) {
			if !from.Kind.Durable() || testing.Short() && from.N%5 != 0 {
				continue
			}
			full := w.clone(0)
			full.disk.Inject(func(now faultfs.Op) faultfs.Fault {
				needsSpace := now.Kind == faultfs.Create || now.Kind == faultfs.Mkdir || now.Kind == faultfs.Write || now.Kind == faultfs.Link
				if now.N < from.N || !needsSpace {
					return faultfs.Fault{}
				}
				return faultfs.Fault{Err: syscall.ENOSPC, Effect: faultfs.Half}
			})
			snap, err := full.do(t.Context(), d)
			full.disk.Inject(nil)
			switch {
			case err != nil:
				refused++
				err = full.documented(t, d, err)
			case d.name == run.name && snap.Status == jobs.Uncertain: // its reason says so
			default:
				err = full.lasts(t.Context(), snap.Status)
			}
			if err == nil {
				err = full.examine(t.Context(), false)
			}
			if err == nil {
				err = full.goOn(t.Context())
			}
			if err != nil {
				t.Fatalf("%s with a disk that is full from operation %d on: %v", d.name, from.N, err)
			}
		}
		if refused == 0 {
			t.Errorf("%s needs no space", d.name)
		}
		if _, err := w.do(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
}
