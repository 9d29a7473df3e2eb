package state_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

func openLedger(t *testing.T, fsys state.FS, root string) *state.Ledger {
	t.Helper()
	l, err := state.OpenLedger(fsys, root)
	must(t, err)
	return l
}

func ledgerNames() []state.Name {
	return []state.Name{
		state.LedgerIdentity(), state.Admitted(job), state.Start(job), state.Stopping(job), state.Unresolved(job), state.Concluded(job),
	}
}

var streams = []state.Stream{state.Prompt, state.Stdout, state.Stderr, state.Supervisor}

// TestLedgerLayout fills a ledger on the disk and walks it: everything has its
// place in the layout, and its permissions.
func TestLedgerLayout(t *testing.T) {
	l := openLedger(t, state.OS(), filepath.Join(t.TempDir(), "missing", "ledger"))
	for _, name := range ledgerNames() {
		must(t, l.Create(name, record))
	}
	for _, stream := range streams {
		file, err := l.Write(job, stream)
		must(t, err)
		must(t, file.Close())
	}
	_, err := l.Put(record)
	must(t, err)
	lease, err := l.Lease(job)
	must(t, err)
	must(t, lease.Close())
	entries := 0
	must(t, filepath.WalkDir(l.Root(), func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, err := filepath.Rel(l.Root(), at)
		if err != nil {
			return err
		}
		if !state.LedgerPath(filepath.ToSlash(below)) {
			t.Errorf("%q has no place", below)
		}
		info, err := d.Info()
		if err == nil && info.Mode() != 0o600 {
			t.Errorf("%q has the mode %v", below, info.Mode())
		}
		entries++
		return err
	}))
	if want := len(ledgerNames()) + len(streams) + 2; entries != want {
		t.Errorf("%d files, want %d", entries, want)
	}
	for _, stray := range []string{"other.json", "operations/x/admitted.json", "operations/" + job.Hex() + "/started.json", "leases/admission.lock", "values/x.json"} {
		if state.LedgerPath(stray) {
			t.Errorf("%q has a place", stray)
		}
	}
	keys, err := l.Operations()
	if err != nil || len(keys) != 1 || keys[0] != job {
		t.Errorf("operations: %v, %v", keys, err)
	}
}

// TestLedgerBounds feeds each record its bound and one byte more.
func TestLedgerBounds(t *testing.T) {
	l := openLedger(t, machine(), storeRoot)
	for _, name := range ledgerNames() {
		wantFault(t, name.String(), l.Create(name, jsonOf(name.Bound()+1)), fault.OverBound)
		must(t, l.Create(name, jsonOf(name.Bound())))
		wantFault(t, name.String(), l.Create(name, record), fault.RecordConflict)
	}
}

func TestLedgerStreams(t *testing.T) {
	l := openLedger(t, machine(), storeRoot)
	_, err := l.Open(job, state.Prompt)
	wantFault(t, "a stream that is not there", err, fault.Missing)
	for _, text := range []string{"first", "second"} {
		file, err := l.Write(job, state.Prompt)
		must(t, err)
		_, err = io.WriteString(file, text)
		must(t, errors.Join(err, file.Close()))
		file, err = l.Open(job, state.Prompt)
		must(t, err)
		got, err := io.ReadAll(file)
		if err != nil || string(got) != text {
			t.Errorf("read %q, %v", got, err)
		}
		must(t, file.Close())
	}
	must(t, l.Discard(job, state.Prompt))
	must(t, l.Discard(job, state.Prompt))
	_, err = l.Open(job, state.Prompt)
	wantFault(t, "a discarded stream", err, fault.Missing)
	_, err = l.Write(job, "../escape")
	wantFault(t, "another stream", err, fault.Malformed)
}

// TestIncarnation tells a ledger from a copy that took its place.
func TestIncarnation(t *testing.T) {
	root := filepath.Join(t.TempDir(), "ledger")
	l := openLedger(t, state.OS(), root)
	_, err := l.Incarnation()
	wantFault(t, "no ledger", err, fault.Missing)
	first, err := l.Establish()
	must(t, err)
	again, err := openLedger(t, state.OS(), root).Establish()
	must(t, err)
	if again != first {
		t.Errorf("the same ledger is %v and then %v", first, again)
	}
	must(t, os.Rename(root, root+".old"))
	must(t, os.CopyFS(root, os.DirFS(root+".old")))
	copied, err := l.Incarnation()
	must(t, err)
	if copied.Root == first.Root || copied.Operations == first.Operations {
		t.Errorf("a copy is %v as the original is %v", copied, first)
	}
}

// TestOperationLease holds that the lease lasts until the last descriptor is
// closed, in whatever process, and that no child gets it by chance.
func TestOperationLease(t *testing.T) {
	l := openLedger(t, state.OS(), filepath.Join(t.TempDir(), "ledger"))
	lease, err := l.Lease(job)
	must(t, err)
	_, err = l.Lease(job)
	wantFault(t, "a second lease", err, fault.LeaseHeld)

	bystander := exec.Command("sleep", "60")
	must(t, bystander.Start())
	heir := exec.Command("sleep", "60")
	heir.ExtraFiles = []*os.File{lease.File()}
	must(t, heir.Start())
	t.Cleanup(func() { end(bystander) })
	must(t, lease.Close())
	must(t, lease.Close())
	_, err = l.Lease(job)
	wantFault(t, "a lease that a child has", err, fault.LeaseHeld)
	end(heir)
	lease, err = l.Lease(job)
	must(t, err)

	// What does not hold the lock, or is another file, is not adopted.
	stranger, err := os.Open(filepath.Join(l.Root(), "leases", job.Hex()+".lock"))
	must(t, err)
	_, err = l.Adopt(job, stranger)
	wantFault(t, "a descriptor without the lock", err, fault.LeaseHeld)
	must(t, lease.Close())
	null, err := os.Open(os.DevNull)
	must(t, err)
	_, err = l.Adopt(job, null)
	wantFault(t, "another file", err, fault.StoreFile)
}

func end(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// TestLedgerLeaseOverFaults holds the lease in memory to the same rule.
func TestLedgerLeaseOverFaults(t *testing.T) {
	f := machine()
	l := openLedger(t, f, storeRoot)
	lease, err := l.Lease(job)
	must(t, err)
	_, err = openLedger(t, f, storeRoot).Lease(job)
	wantFault(t, "a held lease", err, fault.LeaseHeld)
	if _, err := l.Lease(other); err != nil {
		t.Errorf("another operation's lease: %v", err)
	}
	must(t, lease.Close())
	_, err = l.Lease(job)
	must(t, err)
	f.Kill()
	if _, err := openLedger(t, f, storeRoot).Lease(job); err != nil {
		t.Errorf("after the holder's death: %v", err)
	}
	f.Mount("/home/state", state.System{Name: "nfs", Shared: true})
	f.Mount("/home/state/share", state.System{Name: "nfs", Shared: true})
	f.Mount(storeRoot, state.System{Name: "nfs", Shared: true})
	_, err = state.OpenLedger(f, storeRoot)
	wantFault(t, "a ledger on a network file system", err, fault.UnsupportedSystem)
	if !strings.Contains(fmt.Sprint(err), "nfs") {
		t.Errorf("the refusal does not name the system: %v", err)
	}
}
