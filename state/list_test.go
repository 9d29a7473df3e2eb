package state_test

import (
	"slices"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

// TestJobs holds what the vectors f-stray-job-entry and k-job-count say of
// the listing.
func TestJobs(t *testing.T) {
	f := machine()
	s := openStore(t, f, storeRoot)
	must(t, s.Create(state.Intent(job), record))
	must(t, s.Create(state.Reservation(job), record))
	wantJobs := func(what string, want int) {
		t.Helper()
		jobs, err := s.Jobs()
		if err != nil || len(jobs) != want || !slices.IsSorted(jobs) {
			t.Errorf("%s: %d jobs, %v", what, len(jobs), err)
		}
	}
	const jobs, operations = storeRoot + "/coding-jobs/", storeRoot + "/coding-operations/"
	wantJobs("one job", 1)
	for what, set := range map[string]func(at string){
		"a file":                   func(at string) { f.WriteFile(at, nil) },
		"a link":                   func(at string) { f.Symlink(job.Hex(), at) },
		"a FIFO":                   func(at string) { f.Mkfifo(at) },
		"a foreign directory":      func(at string) { f.MkdirAll(at); f.Chown(at, state.OwnerForeign) },
		"a world-writable one":     func(at string) { f.MkdirAll(at); f.Chmod(at, 0o777) },
		"a file where a job is":    func(string) { f.WriteFile(jobs+other.Hex(), nil) },
		"a temporary of odd name":  func(string) { f.WriteFile(jobs+".tmp-123", nil) },
		"upper case":               func(string) { f.MkdirAll(jobs + "AA" + other.Hex()[2:]) },
		"a directory, too short":   func(string) { f.MkdirAll(jobs + other.Hex()[1:]) },
		"a file with a job's name": func(string) { f.WriteFile(jobs+other.Hex()+".json", nil) },
	} {
		before := f.Clone(1)
		at := jobs + other.Hex()
		if what == "a file" {
			at = jobs + "stray"
		}
		set(at)
		_, err := s.Jobs()
		wantFault(t, what, err, fault.StoreFile)
		if n, err := s.Reservations(); n != 1 || err != nil {
			t.Errorf("%s: reservations: %d, %v", what, n, err)
		}
		f = before
		s = openStore(t, f, storeRoot)
	}
	f.WriteFile(jobs+".tmp-"+hexName(0)[:48], nil)
	f.WriteFile(operations+".tmp-"+hexName(10)[:48], nil)
	f.WriteFile(jobs+".lock", nil)
	wantJobs("with temporaries", 1)
	for i := range 255 {
		f.MkdirAll(jobs + hexName(i))
	}
	wantJobs("256 directories", state.MaxJobs)
	f.MkdirAll(jobs + hexName(255))
	wantJobs("257 directories", state.MaxJobs+1)
	if n, err := s.Reservations(); n != 1 || err != nil {
		t.Errorf("reservations: %d, %v", n, err)
	}
	f.WriteFile(operations+"stray", nil)
	_, err := s.Reservations()
	wantFault(t, "a stray reservation", err, fault.StoreFile)
	f.Delete(operations + "stray")
	f.MkdirAll(operations + other.Hex() + ".json")
	_, err = s.Reservations()
	wantFault(t, "a directory for a reservation", err, fault.StoreFile)
}

// TestObservations holds what the vector f-observation-gap says of the files.
func TestObservations(t *testing.T) {
	const count = state.MaxObservations
	f := machine()
	s := openStore(t, f, storeRoot)
	below := storeRoot + "/coding-jobs/" + job.Hex() + "/observations/"
	if n, err := s.Observations(job); n != 0 || err != nil {
		t.Fatalf("no directory: %d, %v", n, err)
	}
	for i := 1; i <= count; i++ {
		must(t, s.Create(state.Observation(job, i, 1024), record))
		if n, err := s.Observations(job); n != i || err != nil {
			t.Fatalf("after %d: %d, %v", i, n, err)
		}
	}
	for what, test := range map[string]struct {
		set  func()
		want fault.Condition
	}{
		"a gap":            {func() { f.Delete(below + "0002.json") }, fault.StoreInconsistent},
		"no first":         {func() { f.Delete(below + "0001.json") }, fault.StoreInconsistent},
		"a 17th":           {func() { f.WriteFile(below+"0017.json", record) }, fault.OverBound},
		"number 0":         {func() { f.WriteFile(below+"0000.json", record) }, fault.StoreFile},
		"another width":    {func() { f.WriteFile(below+"00017.json", record) }, fault.StoreFile},
		"a sign":           {func() { f.WriteFile(below+"+017.json", record) }, fault.StoreFile},
		"a stray file":     {func() { f.WriteFile(below+"stray", nil) }, fault.StoreFile},
		"a directory":      {func() { f.MkdirAll(below + "dir") }, fault.StoreFile},
		"a numbered dir":   {func() { f.MkdirAll(below + "0017.json") }, fault.StoreFile},
		"a linked one":     {func() { f.Symlink("0001.json", below+"0016.json") }, fault.StoreFile},
		"a linked folder":  {func() { f.Delete(below[:len(below)-1]); f.Symlink(".", below[:len(below)-1]) }, fault.StoreFile},
		"a world-writable": {func() { f.Chmod(below+"0003.json", 0o606) }, fault.StoreFile},
	} {
		before := f.Clone(1)
		test.set()
		_, err := s.Observations(job)
		wantFault(t, what, err, test.want)
		f = before
		s = openStore(t, f, storeRoot)
	}
	f.WriteFile(below+".tmp-abababababababababababababababababababababababab", nil)
	if n, err := s.Observations(job); n != count || err != nil {
		t.Errorf("with a temporary: %d, %v", n, err)
	}
	_, err := s.Observations("sha256:zz")
	wantFault(t, "no digest", err, fault.Malformed)
}

func TestValidations(t *testing.T) {
	f := machine()
	s := openStore(t, f, storeRoot)
	must(t, s.Create(state.ValidationStart(job, 1), record))
	must(t, s.Create(state.ValidationStart(job, 2), record))
	must(t, s.Create(state.ValidationEnd(job, 1), record))
	if ended, err := s.Validations(job); err != nil || !slices.Equal(ended, []bool{true, false}) {
		t.Errorf("got %v, %v", ended, err)
	}
	if ended, err := s.Validations(other); err != nil || len(ended) != 0 {
		t.Errorf("none: got %v, %v", ended, err)
	}
	must(t, s.Create(state.ValidationEnd(job, 3), record))
	_, err := s.Validations(job)
	wantFault(t, "an end without a start", err, fault.StoreInconsistent)
	f.WriteFile(storeRoot+"/coding-jobs/"+job.Hex()+"/validations/0001.json", record)
	_, err = s.Validations(job)
	wantFault(t, "a stray file", err, fault.StoreFile)
	_, err = s.Validations("")
	wantFault(t, "no digest", err, fault.Malformed)
	for i := 1; i <= state.MaxValidations; i++ {
		must(t, s.Create(state.ValidationStart(other, i), record))
	}
	if ended, err := s.Validations(other); err != nil || len(ended) != state.MaxValidations {
		t.Errorf("%d validations, %v", len(ended), err)
	}
	f.WriteFile(storeRoot+"/coding-jobs/"+other.Hex()+"/validations/0065-start.json", record)
	_, err = s.Validations(other)
	wantFault(t, "a 65th", err, fault.OverBound)
}

func TestRecordedLeaseFilesAreNoConcern(t *testing.T) {
	f := machine()
	s := openStore(t, f, storeRoot)
	must(t, s.Create(state.Intent(job), record))
	must(t, s.Create(state.Observation(job, 1, 1024), record))
	must(t, s.Create(state.Claim(job), record))
	for _, below := range []string{"coding-jobs/" + job.Hex(), "coding-workspaces/" + job.Hex(), "coding-jobs", "coding-operations", "."} {
		f.WriteFile(storeRoot+"/"+below+"/.lock", []byte("1234"))
	}
	for _, name := range []string{"lease", "owner", "lease.lock"} {
		f.WriteFile(storeRoot+"/coding-jobs/"+job.Hex()+"/"+name, []byte("1234"))
		f.MkdirAll(storeRoot + "/coding-workspaces/" + job.Hex() + "/" + name)
	}
	jobs, err := s.Jobs()
	if err != nil || len(jobs) != 1 {
		t.Errorf("jobs: %v, %v", jobs, err)
	}
	if n, err := s.Reservations(); n != 0 || err != nil {
		t.Errorf("reservations: %d, %v", n, err)
	}
	if n, err := s.Observations(job); n != 1 || err != nil {
		t.Errorf("observations: %d, %v", n, err)
	}
	if _, err := s.Read(state.Claim(job)); err != nil {
		t.Error(err)
	}
}
