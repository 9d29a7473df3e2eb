package jobs_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/state"
)

// TestRecordedStores inspects every recorded store as it lies there, with the
// paths and digests of the machine that wrote it.
func TestRecordedStores(t *testing.T) {
	inspected := 0
	for _, l := range readLives(t) {
		want := lastSnapshots(t, l)
		if len(want) == 0 {
			continue
		}
		t.Run(l.Scenario, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "store")
			if err := os.Mkdir(root, 0o700); err != nil {
				t.Fatal(err)
			}
			for _, dir := range l.FinalStore.Directories {
				if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for path, text := range l.FinalStore.Files {
				if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			store, err := state.Open(state.OS(), root)
			if err != nil {
				t.Fatal(err)
			}
			service := &jobs.Service{FS: state.OS(), Store: store}
			for job, recorded := range want {
				inspected++
				snap, err := service.Inspect(job)
				got := string(fault.CodeOf(err))
				if err == nil {
					got = string(snapshotText(t, snap))
				}
				if got != recorded {
					t.Errorf("job %s inspects as\n%s, recorded is\n%s", job, got, recorded)
				}
			}
		})
	}
	if inspected < 90 {
		t.Errorf("only %d jobs were inspected", inspected)
	}
}

// lastSnapshots returns the snapshot that a life recorded last of each job,
// canonical, or the error code of its last inspection; without the jobs whose
// store was tampered with afterwards.
func lastSnapshots(t *testing.T, l life) map[canon.Digest]string {
	last := map[canon.Digest]string{}
	for _, s := range l.Steps {
		var input struct {
			In    string
			JobID canon.Digest
		}
		if err := json.Unmarshal(s.Input, &input); err != nil {
			t.Fatal(err)
		}
		switch {
		case s.Step == "shell" && input.In == "store":
			clear(last)
		case s.Step == "inspect" && s.Error != nil && input.JobID.Valid() && s.Error.Code != "ENOENT":
			last[input.JobID] = s.Error.Code
		}
		var snapshot struct {
			JobID  canon.Digest
			Intent json.RawMessage
		}
		if s.Returns == nil || json.Unmarshal(s.Returns, &snapshot) != nil || snapshot.Intent == nil {
			continue
		}
		canonical, err := canon.Canonicalize(s.Returns)
		if err != nil {
			t.Fatal(err)
		}
		last[snapshot.JobID] = string(canonical)
	}
	return last
}
