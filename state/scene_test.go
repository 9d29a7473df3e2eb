package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/state"
)

// storeRoot lies below directories that are missing.
const storeRoot = "/home/state/share/git-algal/store"

var (
	job     = canon.DigestText("job")
	other   = canon.DigestText("another job")
	record  = []byte(`{"contract":"example.v1","n":1}`)
	changed = []byte(`{"contract":"example.v1","n":2}`)
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantFault checks the condition of an error.
func wantFault(t *testing.T, what string, err error, want fault.Condition) {
	t.Helper()
	if !fault.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// machine returns a file system in memory with a home directory.
func machine() *faultfs.FS {
	f := faultfs.New(1)
	f.MkdirAll("/home/state")
	f.Chmod("/home", 0o755)
	return f
}

func openStore(t *testing.T, fsys state.FS, root string) *state.Store {
	t.Helper()
	s, err := state.Open(fsys, root)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// jsonOf returns a JSON value of exactly size bytes.
func jsonOf(size int) []byte {
	return []byte(`"` + strings.Repeat("a", size-2) + `"`)
}

// names lists one name of every record, by its path in the documents.
func names() map[string]state.Name {
	hex := job.Hex()
	return map[string]state.Name{
		"coding-jobs/" + hex + "/intent.json":                 state.Intent(job),
		"coding-jobs/" + hex + "/started.json":                state.Marker(job),
		"coding-jobs/" + hex + "/result.json":                 state.Result(job),
		"coding-jobs/" + hex + "/observations/0001.json":      state.Observation(job, 1, 1024),
		"coding-jobs/" + hex + "/observations/0016.json":      state.Observation(job, 16, 1_048_576),
		"coding-jobs/" + hex + "/settlement.json":             state.Settlement(job, 1024),
		"coding-jobs/" + hex + "/resolution.json":             state.Resolution(job),
		"coding-jobs/" + hex + "/control.json":                state.Control(job),
		"coding-jobs/" + hex + "/control-after.json":          state.ControlAfter(job),
		"coding-jobs/" + hex + "/validations/0064-start.json": state.ValidationStart(job, 64),
		"coding-jobs/" + hex + "/validations/0064-end.json":   state.ValidationEnd(job, 64),
		"coding-operations/" + hex + ".json":                  state.Reservation(job),
		"coding-workspaces/" + hex + "/claim.json":            state.Claim(job),
	}
}

// stored returns the files of a store, temporaries and leases included.
func stored(f *faultfs.FS) map[string]string {
	files := map[string]string{}
	for at, data := range f.Files(storeRoot) {
		files[at] = string(data)
	}
	return files
}

// leftOver counts the temporaries.
func leftOver(f *faultfs.FS) int {
	n := 0
	for at := range stored(f) {
		if strings.Contains(at, "/.tmp-") {
			n++
		}
	}
	return n
}

func hexName(n int) string { return fmt.Sprintf("%064x", n) }
