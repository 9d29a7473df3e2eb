package jobs_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/state"
)

// brokenRecordings are the recorded lives whose store was tampered with and
// never healed, with the paths where it is broken, HEX standing for digests.
var brokenRecordings = map[string][]string{
	"f-observation-gap": {"coding-jobs/HEX/observations/dir"},
	"f-settlement-without-result-then-empty-observations": {"coding-jobs/HEX/settlement.json"},
	"f-stray-job-entry":       {"coding-operations/stray"},
	"f-symlinked-directories": {"values"},
	"j-claim-tampered":        {"coding-workspaces/HEX/claim.json"},
	"k-job-count":             {"coding-jobs"},
}

// recordedStore returns a machine with the store that a life ended with.
func recordedStore(l life) *faultfs.FS {
	disk := faultfs.New(1)
	disk.MkdirAll(diskStore)
	for _, dir := range l.FinalStore.Directories {
		disk.MkdirAll(filepath.Join(diskStore, dir))
	}
	for path, text := range l.FinalStore.Files {
		disk.WriteFile(filepath.Join(diskStore, path), []byte(text))
	}
	return disk
}

// fsckOf returns where the store of a machine is broken.
func fsckOf(t *testing.T, disk *faultfs.FS) (paths []string, findings []jobs.Finding) {
	t.Helper()
	store, err := state.Open(disk, diskStore)
	if err != nil {
		t.Fatal(err)
	}
	findings, err = (&jobs.Service{FS: disk, Store: store}).Fsck(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		paths = append(paths, withoutDigests(f.Path))
	}
	return paths, findings
}

// TestFsckOfRecordedStores walks every store as the recorded host left it.
func TestFsckOfRecordedStores(t *testing.T) {
	lives := readLives(t)
	for _, l := range lives {
		if paths, findings := fsckOf(t, recordedStore(l)); !slices.Equal(paths, brokenRecordings[l.Scenario]) {
			t.Errorf("%s: %+v", l.Scenario, findings)
		}
	}
	if len(lives) < 100 {
		t.Errorf("only %d stores were walked", len(lives))
	}
}

// TestFsckOfV1Jobs breaks the store of a completed v1 job.
func TestFsckOfV1Jobs(t *testing.T) {
	lives := readLives(t)
	l := lives[slices.IndexFunc(lives, func(l life) bool { return l.Scenario == "h-xcb-completed" })]
	named := map[string]string{} // the only file of each kind, its values by what they are
	for path, text := range l.FinalStore.Files {
		name := withoutDigests(path)
		switch {
		case strings.Contains(text, `"joined"`):
			name = "envelope"
		case strings.Contains(text, `"trackedPatch"`):
			name = "patch"
		}
		named[name] = path
	}
	job := filepath.Dir(named["coding-jobs/HEX/intent.json"])
	for _, c := range []struct {
		name   string
		tamper func(tampered)
		path   string
	}{
		{"envelope missing", func(s tampered) { s.remove(named["envelope"]) }, "values/HEX.json"},
		{"patch missing", func(s tampered) { s.remove(named["patch"]) }, "values/HEX.json"},
		{"another session", func(s tampered) { s.replace(named["coding-jobs/HEX/result.json"], `"session":"`, `"session":"x`) }, "coding-jobs/HEX/result.json"},
		{"another status", func(s tampered) { s.edit(named["coding-jobs/HEX/result.json"], "status", "failed") }, "coding-jobs/HEX/result.json"},
		{"marker missing", func(s tampered) { s.remove(named["coding-jobs/HEX/started.json"]) }, "coding-jobs/HEX/started.json"},
		{"claim missing", func(s tampered) { s.remove(named["coding-workspaces/HEX/claim.json"]) }, "coding-workspaces/HEX/claim.json"},
		{"resolution", func(s tampered) {
			s.write(filepath.Join(job, "resolution.json"), string(s.read(named["coding-jobs/HEX/result.json"])))
		}, "coding-jobs/HEX/intent.json"},
		{"v2 result", func(s tampered) {
			s.edit(named["coding-jobs/HEX/result.json"], "contract", "algal.coding-job-result.v2")
		}, "coding-jobs/HEX/result.json"},
	} {
		disk := recordedStore(l)
		c.tamper(tampered{t: t, disk: disk})
		if paths, findings := fsckOf(t, disk); !slices.Equal(paths, []string{c.path}) {
			t.Errorf("%s: want one finding at %s, found is %+v", c.name, c.path, findings)
		}
	}
}

// withoutDigests replaces the digests in a path by HEX.
func withoutDigests(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		digits, suffix, _ := strings.Cut(part, ".")
		if _, err := canon.ParseDigest("sha256:" + digits); err == nil {
			parts[i] = strings.TrimSuffix("HEX."+suffix, ".")
		}
	}
	return strings.Join(parts, "/")
}
