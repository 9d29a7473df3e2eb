package state_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/state"
)

// The store vectors are the files that the recorded host added, changed and
// removed in each step of a job's life.
type vector struct {
	Cases []struct {
		Scenario string
		Steps    []struct {
			Step         string
			Input        struct{ In string }
			StoreAdded   map[string]string
			StoreChanged map[string]string
			StoreRemoved []string
		}
	}
}

// TestRecordedStores reads every store that the recorded host wrote, and
// writes the same records again into an empty one, with the same bytes.
func TestRecordedStores(t *testing.T) {
	paths, err := filepath.Glob("../testdata/vectors/stores/*.json")
	must(t, err)
	records := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(t, err)
		var v vector
		must(t, json.Unmarshal(text, &v))
		for _, c := range v.Cases {
			f := machine()
			f.MkdirAll(storeRoot)
			for _, step := range c.Steps {
				if step.Step == "shell" && step.Input.In == "store" {
					break // from here on it is what somebody made of it by hand
				}
				for _, files := range []map[string]string{step.StoreAdded, step.StoreChanged} {
					for at, content := range files {
						f.WriteFile(storeRoot+"/"+at, []byte(content))
					}
				}
				for _, at := range step.StoreRemoved {
					f.Delete(storeRoot + "/" + at)
				}
			}
			records += readRecorded(t, c.Scenario, f)
		}
	}
	if len(paths) < 100 || records < 600 {
		t.Errorf("%d records in %d vectors", records, len(paths))
	}
}

func readRecorded(t *testing.T, scenario string, f *faultfs.FS) (records int) {
	t.Helper()
	s, written := openStore(t, f, storeRoot), openStore(t, machine(), storeRoot)
	jobs, observations, reservations := map[canon.Digest]bool{}, map[canon.Digest]int{}, 0
	for at, content := range f.Files(storeRoot) {
		records++
		if hexDigits, ok := strings.CutPrefix(at, "values/"); ok {
			digest := canon.Digest("sha256:" + strings.TrimSuffix(hexDigits, ".json"))
			if data, err := s.Get(digest, state.MaxValueBytes); err != nil || !bytes.Equal(data, content) {
				t.Errorf("%s: %s: %v", scenario, at, err)
			}
			if put, err := written.Put(content); err != nil || put != digest {
				t.Errorf("%s: %s becomes %s, %v", scenario, at, put, err)
			}
			continue
		}
		name, digest := recordedName(t, at)
		switch {
		case strings.HasPrefix(at, "coding-operations/"):
			reservations++
		case strings.HasPrefix(at, "coding-jobs/"):
			jobs[digest] = true
			if strings.Contains(at, "/observations/") {
				observations[digest]++
			}
		}
		if data, err := s.Read(name); err != nil || !bytes.Equal(data, content) {
			t.Errorf("%s: %s: %v", scenario, at, err)
		}
		must(t, s.Create(name, content))
		must(t, written.Create(name, content))
		if data, err := written.Read(name); err != nil || !bytes.Equal(data, content) {
			t.Errorf("%s: %s is written as %s, %v", scenario, at, data, err)
		}
	}
	listed, err := s.Jobs()
	if err != nil || len(listed) != len(jobs) {
		t.Errorf("%s: %d jobs, want %d: %v", scenario, len(listed), len(jobs), err)
	}
	for _, id := range listed {
		if n, err := s.Observations(id); err != nil || n != observations[id] {
			t.Errorf("%s: %d observations of %s, want %d: %v", scenario, n, id, observations[id], err)
		}
	}
	if n, err := s.Reservations(); err != nil || n != reservations {
		t.Errorf("%s: %d reservations, want %d: %v", scenario, n, reservations, err)
	}
	return records
}

var recordedPath = regexp.MustCompile(`^(coding-[a-z]+)/([0-9a-f]{64})(?:\.json|/(.+))$`)

// recordedName returns the name of a path of the recorded host.
func recordedName(t *testing.T, at string) (state.Name, canon.Digest) {
	t.Helper()
	parts := recordedPath.FindStringSubmatch(at)
	if parts == nil {
		t.Fatalf("%q has no place in a store", at)
	}
	digest := canon.Digest("sha256:" + parts[2])
	const most = state.MaxCarriedBytes
	switch parts[1] + "/" + filepath.Dir(parts[3]) + "/" + filepath.Base(parts[3]) {
	case "coding-operations/./.":
		return state.Reservation(digest), digest
	case "coding-workspaces/./claim.json":
		return state.Claim(digest), digest
	case "coding-jobs/./intent.json":
		return state.Intent(digest), digest
	case "coding-jobs/./started.json":
		return state.Marker(digest), digest
	case "coding-jobs/./result.json":
		return state.Result(digest), digest
	case "coding-jobs/./settlement.json":
		return state.Settlement(digest, most), digest
	case "coding-jobs/./resolution.json":
		return state.Resolution(digest), digest
	}
	n, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(parts[3]), ".json"))
	if err != nil || filepath.Dir(parts[3]) != "observations" {
		t.Fatalf("%q has no place in a store", at)
	}
	return state.Observation(digest, n, most), digest
}
