package state_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/state"
)

// A deed is one durable operation of a store, with what may be there before
// and after it.
type deed struct {
	name   string
	before func(s *state.Store) error // the state it starts from
	do     func(s *state.Store) error
	path   string   // of the record that it publishes
	old    []string // what else may be under the path after a crash; "" nothing
	new    string   // what is there when it has returned nil
}

var deeds = []deed{
	{
		name: "create in an empty store",
		do:   func(s *state.Store) error { return s.Create(state.Intent(job), record) },
		path: state.Intent(job).String(), old: []string{""}, new: string(record),
	},
	{
		name:   "create beside others",
		before: func(s *state.Store) error { return s.Create(state.Intent(job), record) },
		do:     func(s *state.Store) error { return s.Create(state.Observation(job, 1, 1024), changed) },
		path:   state.Observation(job, 1, 1024).String(), old: []string{""}, new: string(changed),
	},
	{
		name:   "create what is there",
		before: func(s *state.Store) error { return s.Create(state.Marker(job), record) },
		do:     func(s *state.Store) error { return s.Create(state.Marker(job), record) },
		path:   state.Marker(job).String(), new: string(record),
	},
	{
		name: "claim a workspace for the first time",
		do:   func(s *state.Store) error { return s.Replace(state.Claim(job), record) },
		path: state.Claim(job).String(), old: []string{""}, new: string(record),
	},
	{
		name:   "claim a workspace again",
		before: func(s *state.Store) error { return s.Replace(state.Claim(job), changed) },
		do:     func(s *state.Store) error { return s.Replace(state.Claim(job), record) },
		path:   state.Claim(job).String(), old: []string{string(changed)}, new: string(record),
	},
	{
		name: "put a value",
		do:   func(s *state.Store) error { _, err := s.Put(jsonOf(1500)); return err },
		path: "values/" + canon.DigestText(jsonOf(1500)).Hex() + ".json", old: []string{""}, new: string(jsonOf(1500)),
	},
	{
		name:   "put a value that is there",
		before: func(s *state.Store) error { _, err := s.Put(record); return err },
		do:     func(s *state.Store) error { _, err := s.Put(record); return err },
		path:   "values/" + canon.DigestText(record).Hex() + ".json", new: string(record),
	},
}

// start returns the machine on which the deed begins, everything durable.
func (d deed) start(t *testing.T) *faultfs.FS {
	t.Helper()
	f := machine()
	if d.before != nil {
		must(t, d.before(openStore(t, f, storeRoot)))
	}
	f.Crash(faultfs.LoseNone)
	return f
}

// check demands that the record is absent or whole, never torn, and there if
// that was acknowledged.
func (d deed) check(t *testing.T, what string, acknowledged bool, f *faultfs.FS) {
	t.Helper()
	got, ok := stored(f)[d.path]
	if ok && got == d.new {
		return
	}
	if acknowledged {
		t.Fatalf("%s: acknowledged and lost: the record holds %.80q", what, got)
	}
	for _, old := range d.old {
		if got == old && ok == (old != "") {
			return
		}
	}
	t.Fatalf("%s: the record holds %.80q (there: %v)", what, got, ok)
}

// finish repeats the deed as a user would, after which it must be durable.
func (d deed) finish(t *testing.T, what string, f *faultfs.FS) {
	t.Helper()
	if err := d.do(openStore(t, f, storeRoot)); err != nil {
		t.Fatalf("%s: the repeated deed: %v", what, err)
	}
	f.Crash(faultfs.LoseAll)
	if got := stored(f)[d.path]; got != d.new {
		t.Fatalf("%s: acknowledged and lost: the record holds %.80q", what, got)
	}
}

// partialLosses is how many ways of losing some are tried at each crash.
const partialLosses = 3

// eachLoss runs check on a copy of the stopped machine for each way of losing
// what was not synced.
func eachLoss(f *faultfs.FS, check func(what string, f *faultfs.FS)) (explored int) {
	for _, loss := range faultfs.Losses() {
		ways := 1
		if loss == faultfs.LoseSome {
			ways = partialLosses
		}
		for seed := range ways {
			crashed := f.Clone(uint64(seed))
			crashed.Crash(loss)
			check(fmt.Sprintf("%s (%d)", loss, seed), crashed)
			explored++
		}
	}
	return explored
}

// eachCrash stops a copy of the machine before each durable operation of run,
// and calls then with it stopped. Where only tidying up was left to do, run
// has kept its promise all the same: it is acknowledged.
func eachCrash(t *testing.T, f *faultfs.FS, run func(*state.Store) error, then func(k int, acknowledged bool, f *faultfs.FS)) {
	t.Helper()
	for k := 1; ; k++ {
		crashing := f.Clone(0)
		crashing.CrashAt(k)
		err := open(crashing, run)
		if !crashing.Stopped() {
			if err != nil {
				t.Fatalf("without a crash: %v", err)
			}
			return
		}
		then(k, err == nil, crashing)
	}
}

func open(f state.FS, run func(*state.Store) error) error {
	s, err := state.Open(f, storeRoot)
	if err != nil {
		return err
	}
	return run(s)
}

// TestCrashLoop stops every deed before each of its durable operations,
// loses what was not synced in each way, and repeats the deed, which is
// itself stopped before each of its operations once more.
func TestCrashLoop(t *testing.T) {
	t.Parallel()
	states := 0
	for _, d := range deeds {
		t.Run(d.name, func(t *testing.T) {
			eachCrash(t, d.start(t), d.do, func(k int, acknowledged bool, f *faultfs.FS) {
				states += eachLoss(f, func(loss string, f *faultfs.FS) {
					what := fmt.Sprintf("stopped before operation %d, %s", k, loss)
					d.check(t, what, acknowledged, f)
					d.finish(t, what, f.Clone(0))
					eachCrash(t, f, d.do, func(again int, acknowledged bool, f *faultfs.FS) {
						for _, second := range []faultfs.Loss{faultfs.LoseAll, faultfs.LoseSome} {
							crashed := f.Clone(uint64(again))
							crashed.Crash(second)
							nested := fmt.Sprintf("%s; then before operation %d, %s", what, again, second)
							d.check(t, nested, acknowledged, crashed)
							d.finish(t, nested, crashed)
							states++
						}
					})
				})
			})
		})
	}
	t.Logf("%d states explored", states)
}

// TestAcknowledgedIsDurable loses everything unsynced right after each deed
// returned nil, also where it found its record left by a process that was
// killed before it had synced it.
func TestAcknowledgedIsDurable(t *testing.T) {
	for _, d := range deeds {
		f := d.start(t)
		d.finish(t, d.name, f)
		eachCrash(t, d.start(t), d.do, func(k int, _ bool, f *faultfs.FS) {
			f.Kill()
			what := fmt.Sprintf("%s after a kill before operation %d", d.name, k)
			d.check(t, what, false, f)
			d.finish(t, what, f)
		})
	}
}

// faults are the ways in which one operation fails.
var faults = []faultfs.Fault{
	{Err: syscall.ENOSPC, Effect: faultfs.None},
	{Err: syscall.ENOSPC, Effect: faultfs.Half},
	{Err: syscall.EIO, Effect: faultfs.None},
	{Err: syscall.EIO, Effect: faultfs.Half},
	{Err: syscall.EIO, Effect: faultfs.Whole}, // it happened, and nobody says so
}

// effective reports whether operations of the kind can fail with the effect.
func effective(kind faultfs.Kind, effect faultfs.Effect) bool {
	if effect == faultfs.Half {
		return kind == faultfs.Write || kind == faultfs.Sync
	}
	return kind.Durable()
}

// TestEveryOperationFails lets each operation of each deed fail in each way.
func TestEveryOperationFails(t *testing.T) {
	t.Parallel()
	for _, d := range deeds {
		start := d.start(t)
		var operations []faultfs.Op
		traced := start.Clone(0)
		traced.Inject(func(op faultfs.Op) faultfs.Fault {
			operations = append(operations, op)
			return faultfs.Fault{}
		})
		must(t, open(traced, d.do))
		if len(operations) == 0 {
			t.Fatalf("%s: no operations", d.name)
		}
		for _, op := range operations {
			for _, failure := range faults {
				if failure.Effect != faultfs.None && !effective(op.Kind, failure.Effect) {
					continue
				}
				what := fmt.Sprintf("%s: operation %d (%s %s) fails with %v, effect %d", d.name, op.N, op.Kind, op.Path, failure.Err, failure.Effect)
				f := start.Clone(0)
				f.Inject(func(now faultfs.Op) faultfs.Fault {
					if now.N == op.N {
						return failure
					}
					return faultfs.Fault{}
				})
				err := open(f, d.do)
				f.Inject(nil)
				d.check(t, what, false, f)
				if n := f.OpenDescriptors(); n != 0 {
					t.Fatalf("%s: %d descriptors are open", what, n)
				}
				if err != nil && fault.CodeOf(err) != fault.IOFailed {
					t.Fatalf("%s: %v has the code %q", what, err, fault.CodeOf(err))
				}
				if n := leftOver(f); n > 0 && op.Kind != faultfs.Remove && !(op.Kind == faultfs.Create && failure.Effect == faultfs.Whole) {
					t.Fatalf("%s: %d temporaries are left", what, n)
				}
				eachLoss(f, func(loss string, f *faultfs.FS) {
					d.check(t, what+", "+loss, err == nil, f)
					d.finish(t, what+", "+loss, f)
				})
				d.finish(t, what, f)
			}
		}
	}
}

// TestFailedSyncEndsTheStore checks that nothing durable is done on a store
// one of whose syncs failed, that reading goes on, and that opening it again
// heals it.
func TestFailedSyncEndsTheStore(t *testing.T) {
	for _, kind := range []faultfs.Kind{faultfs.Sync, faultfs.SyncDir} {
		f := machine()
		s := openStore(t, f, storeRoot)
		must(t, s.Create(state.Intent(job), record))
		digest, err := s.Put(record)
		must(t, err)
		f.Inject(func(op faultfs.Op) faultfs.Fault {
			if op.Kind == kind {
				return faultfs.Fault{Err: syscall.EIO}
			}
			return faultfs.Fault{}
		})
		wantFault(t, "the failed sync", s.Create(state.Marker(job), record), fault.HostFailed)
		f.Inject(nil)
		before := stored(f)
		_, put := s.Put(changed)
		_, lease := s.AdmissionLease(t.Context(), 0)
		for verb, err := range map[string]error{
			"create": s.Create(state.Result(job), record), "create what is there": s.Create(state.Intent(job), record),
			"replace": s.Replace(state.Claim(job), record), "put": put, "lease": lease,
		} {
			wantFault(t, verb+" after it", err, fault.HostFailed)
			if err != nil && !strings.Contains(err.Error(), "sync failed") {
				t.Errorf("%s says %q", verb, err)
			}
		}
		if after := stored(f); len(after) != len(before) {
			t.Errorf("something was written after the failed sync: %v", after)
		}
		if _, err := s.Read(state.Intent(job)); err != nil {
			t.Errorf("reading after it: %v", err)
		}
		if _, err := s.Get(digest, 1000); err != nil {
			t.Errorf("reading a value after it: %v", err)
		}
		must(t, openStore(t, f, storeRoot).Create(state.Marker(job), record))
	}
}

// TestNoHardLinks names the reason where a file system cannot publish.
func TestNoHardLinks(t *testing.T) {
	f := machine()
	s := openStore(t, f, storeRoot)
	f.Inject(func(op faultfs.Op) faultfs.Fault {
		if op.Kind == faultfs.Link {
			return faultfs.Fault{Err: syscall.EPERM}
		}
		return faultfs.Fault{}
	})
	wantFault(t, "a file system without links", s.Create(state.Intent(job), record), fault.UnsupportedSystem)
	if n := leftOver(f); n != 0 {
		t.Errorf("%d temporaries are left", n)
	}
}
