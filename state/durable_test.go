package state_test

import (
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/state"
)

// TestMakeDurable has the publisher of each record killed after its link or
// rename and before its sync, and loses everything unsynced afterwards.
func TestMakeDurable(t *testing.T) {
	for name, publish := range map[state.Name]func(*state.Store, state.Name) error{
		state.Intent(job):               func(s *state.Store, n state.Name) error { return s.Create(n, record) },
		state.Observation(job, 1, 1024): func(s *state.Store, n state.Name) error { return s.Create(n, record) },
		state.Claim(job):                func(s *state.Store, n state.Name) error { return s.Replace(n, record) },
	} {
		killed := 0
		eachCrash(t, machine(), func(s *state.Store) error { return publish(s, name) }, func(k int, _ bool, f *faultfs.FS) {
			f.Kill()
			if _, ok := stored(f)[name.String()]; !ok {
				return // it was killed before the publication
			}
			killed++
			must(t, openStore(t, f, storeRoot).MakeDurable(name, state.Marker(other)))
			f.Crash(faultfs.LoseAll)
			if got := stored(f)[name.String()]; got != string(record) {
				t.Errorf("%v, killed before operation %d: what lasts is %q", name, k, got)
			}
		})
		if killed == 0 {
			t.Errorf("%v: nobody was killed between publication and promise", name)
		}
	}
}

func TestMakeDurableOfNothing(t *testing.T) {
	f := machine()
	s := openStore(t, f, storeRoot)
	must(t, s.MakeDurable(state.Intent(job)))
	if _, there := f.Entry(storeRoot); there {
		t.Error("it made a store")
	}
	wantFault(t, "the zero name", s.MakeDurable(state.Name{}), fault.Malformed)
}
