package state_test

import (
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

// TestPathsAndBounds holds the layout and the bounds of contract sections 2
// and 3: each bound is fed, and one more.
func TestPathsAndBounds(t *testing.T) {
	bounds := map[string]int{
		"intent.json": 131_072, "started.json": 1_024, "result.json": 4_096, "resolution.json": 4_096,
		"observations/0001.json": 1_024 + 1_024, "observations/0016.json": 1_048_576 + 1_024,
		"settlement.json": 1_024 + 8_192, "control.json": 262_144, "control-after.json": 262_144,
		"validations/0064-start.json": 65_536, "validations/0064-end.json": 65_536,
	}
	prefix := "coding-jobs/" + job.Hex() + "/"
	for path, name := range names() {
		if name.String() != path {
			t.Errorf("%q is at %q", path, name)
		}
		want := 4_096 // a reservation
		switch {
		case path == "coding-workspaces/"+job.Hex()+"/claim.json":
			want = 8_192
		case len(path) > len(prefix) && path[:len(prefix)] == prefix:
			want = bounds[path[len(prefix):]]
		}
		if name.Bound() != want {
			t.Errorf("%q may hold %d bytes, want %d", path, name.Bound(), want)
			continue
		}
		f := machine()
		s := openStore(t, f, storeRoot)
		wantFault(t, path+" over its bound", s.Create(name, jsonOf(want+1)), fault.OverBound)
		if files := stored(f); len(files) != 0 {
			t.Errorf("a refused record left %v", files)
		}
		must(t, s.Create(name, jsonOf(want)))
		if data, err := s.Read(name); err != nil || len(data) != want {
			t.Errorf("%q: read %d bytes, %v", path, len(data), err)
		}
		// On reading, a record over its bound is an odd file.
		f.WriteFile(storeRoot+"/"+path, jsonOf(want+1))
		_, err := s.Read(name)
		wantFault(t, path+" over its bound on disk", err, fault.StoreFile)
	}
}

func TestNamesThatAreNone(t *testing.T) {
	const most = state.MaxCarriedBytes
	s := openStore(t, machine(), storeRoot)
	for what, test := range map[string]struct {
		name state.Name
		want fault.Condition
	}{
		"zero name":                        {state.Name{}, fault.Malformed},
		"empty job":                        {state.Intent(""), fault.Malformed},
		"job that climbs":                  {state.Marker("../../x"), fault.Malformed},
		"job without prefix":               {state.Control(canon.Digest(job.Hex())), fault.Malformed},
		"reservation of no digest":         {state.Reservation("sha256:zz"), fault.Malformed},
		"claim of no digest":               {state.Claim("."), fault.Malformed},
		"observation of no digest":         {state.Observation("", 99, 0), fault.Malformed},
		"observation 0":                    {state.Observation(job, 0, most), fault.OverBound},
		"observation 17":                   {state.Observation(job, state.MaxObservations+1, most), fault.OverBound},
		"observation that carries nothing": {state.Observation(job, 1, 0), fault.OverBound},
		"observation that carries more":    {state.Observation(job, 1, most+1), fault.OverBound},
		"settlement that carries more":     {state.Settlement(job, most+1), fault.OverBound},
		"validation 65":                    {state.ValidationStart(job, state.MaxValidations+1), fault.OverBound},
		"end of validation 65":             {state.ValidationEnd(job, state.MaxValidations+1), fault.OverBound},
	} {
		_, read := s.Read(test.name)
		_, exists := s.Exists(test.name)
		for verb, err := range map[string]error{
			"create": s.Create(test.name, record), "replace": s.Replace(test.name, record), "read": read, "exists": exists,
		} {
			wantFault(t, verb+" "+what, err, test.want)
		}
	}
}
