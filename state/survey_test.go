package state_test

import (
	"context"
	"slices"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/state"
)

// fullStore returns a machine with a store that holds one record of each name,
// a value, leases and what other processes leave behind.
func fullStore(t *testing.T) (*faultfs.FS, *state.Store) {
	t.Helper()
	f := machine()
	s := openStore(t, f, storeRoot)
	alone := []state.Name{state.Observation(job, 16, 1_048_576), state.ValidationStart(job, 64), state.ValidationEnd(job, 64)}
	for _, name := range names() {
		if !slices.Contains(alone, name) { // numbers without those before them
			must(t, s.Create(name, record))
		}
	}
	must(t, s.Create(state.ValidationStart(job, 1), record))
	must(t, s.Create(state.ValidationEnd(job, 1), record))
	_, err := s.Put(record)
	must(t, err)
	for _, take := range []func() (*state.Lease, error){
		func() (*state.Lease, error) { return s.JobLease(t.Context(), job, 0) },
		func() (*state.Lease, error) { return s.AdmissionLease(t.Context(), 0) },
	} {
		lease, err := take()
		must(t, err)
		must(t, lease.Release())
	}
	for _, dir := range []string{"coding-jobs", "coding-jobs/" + job.Hex(), "values", "leases"} {
		f.WriteFile(storeRoot+"/"+dir+"/.tmp-"+hexName(0)[:48], []byte("torn"))
	}
	for _, file := range []string{"coding-jobs/.lock", "coding-operations/.lock", "coding-jobs/" + job.Hex() + "/owner.json"} {
		f.WriteFile(storeRoot+"/"+file, []byte("of another host"))
	}
	return f, s
}

func TestSurveyOfAWholeStore(t *testing.T) {
	f, s := fullStore(t)
	found, err := s.Survey(t.Context())
	must(t, err)
	if len(found.Findings) > 0 {
		t.Errorf("found is %+v", found.Findings)
	}
	for what, got := range map[string][]canon.Digest{"jobs": found.Jobs, "reservations": found.Reservations, "claims": found.Claims} {
		if !slices.Equal(got, []canon.Digest{job}) {
			t.Errorf("%s are %v", what, got)
		}
	}
	if n := f.OpenDescriptors(); n != 0 {
		t.Errorf("%d descriptors are open", n)
	}
}

// TestSurveyGoesOn finds one thing beside the other, in the order of the paths.
func TestSurveyGoesOn(t *testing.T) {
	f, s := fullStore(t)
	f.WriteFile(storeRoot+"/zzz", nil)
	f.Symlink("/", storeRoot+"/values")
	f.Chmod(storeRoot+"/"+state.Marker(job).String(), 0o666)
	f.WriteFile(storeRoot+"/"+state.Claim(job).String(), []byte(" {}"))
	f.Chmod(storeRoot, 0o750)
	found, err := s.Survey(t.Context())
	must(t, err)
	var paths []string
	for _, finding := range found.Findings {
		paths = append(paths, finding.Path)
		if finding.Problem == "" || finding.Consequence == "" || finding.Code == "" {
			t.Errorf("%+v says too little", finding)
		}
	}
	want := []string{".", state.Marker(job).String(), state.Claim(job).String(), "values", "zzz"}
	if !slices.Equal(paths, want) {
		t.Errorf("found is %v, want %v", paths, want)
	}
}

func TestSurveyRefusals(t *testing.T) {
	f, s := fullStore(t)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Survey(cancelled)
	wantFault(t, "cancelled", err, fault.Cancelled)
	f.Chmod(storeRoot, 0o777)
	_, err = s.Survey(t.Context())
	wantFault(t, "an open root", err, fault.StoreFile)
	f.Delete(storeRoot)
	_, err = s.Survey(t.Context())
	wantFault(t, "no store", err, fault.Missing)
}
