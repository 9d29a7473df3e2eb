package state_test

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/state"
)

var holder = state.Holder{
	PID: 4711, Host: "machine", Command: "git-algal run",
	Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
}

const leases = storeRoot + "/leases/"

func release(t *testing.T, lease *state.Lease) {
	t.Helper()
	must(t, lease.Release())
}

func TestLeasesExclude(t *testing.T) {
	f := machine()
	s, again := openStore(t, f, storeRoot), openStore(t, f, storeRoot)
	registry, err := state.OpenRegistry(f, "/home/state/registry")
	must(t, err)
	type take func(s *state.Store) (*state.Lease, error)
	takes := map[string]take{
		"job":           func(s *state.Store) (*state.Lease, error) { return s.JobLease(t.Context(), job, 0) },
		"another job":   func(s *state.Store) (*state.Lease, error) { return s.JobLease(t.Context(), other, 0) },
		"admission":     func(s *state.Store) (*state.Lease, error) { return s.AdmissionLease(t.Context(), 0) },
		"workspace":     func(*state.Store) (*state.Lease, error) { return registry.WorkspaceLease(t.Context(), "/w", 0) },
		"another space": func(*state.Store) (*state.Lease, error) { return registry.WorkspaceLease(t.Context(), "/v", 0) },
	}
	for round := range 2 {
		held := map[string]*state.Lease{}
		for name, take := range takes {
			lease, err := take(s)
			must(t, err)
			held[name] = lease
		}
		for name, take := range takes {
			lease, err := take(again)
			wantFault(t, name, err, fault.LeaseHeld)
			if lease != nil {
				t.Errorf("%s: a lease beside the error in round %d", name, round)
			}
		}
		for _, lease := range held {
			release(t, lease)
			release(t, lease)
		}
	}
	for _, lock := range []string{leases + "job-" + job.Hex() + ".lock", leases + "admission.lock", "/home/state/registry/" + canon.DigestText("/w").Hex() + ".lock"} {
		if _, ok := f.Entry(lock); !ok {
			t.Errorf("the lock file %q is gone", lock)
		}
	}
	if n := f.OpenDescriptors(); n != 0 {
		t.Errorf("%d descriptors are open", n)
	}
	_, err = s.JobLease(t.Context(), "sha256:zz", 0)
	wantFault(t, "no digest", err, fault.Malformed)
}

func TestLeaseNotes(t *testing.T) {
	f := machine()
	s, err := state.Open(f, storeRoot, state.HeldBy(holder))
	must(t, err)
	lease, err := s.JobLease(t.Context(), job, 0)
	must(t, err)
	note := leases + "job-" + job.Hex() + ".note"
	want := `{"command":"git-algal run","host":"machine","pid":4711,"since":"2026-01-02T03:04:05Z"}`
	if got := string(f.Files(note)[""]); got != want {
		t.Errorf("the note says %q", got)
	}
	_, err = openStore(t, f, storeRoot).JobLease(t.Context(), job, 0)
	wantFault(t, "held", err, fault.LeaseHeld)
	for _, word := range []string{"git-algal run", "4711", "machine", "2026-01-02T03:04:05Z"} {
		if err != nil && !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
	// A note decides nothing, whatever it says or is.
	for what, set := range map[string]func(){
		"garbage":         func() { f.WriteFile(note, []byte("\x1b[31m")) },
		"too long":        func() { f.WriteFile(note, jsonOf(5_000)) },
		"a link":          func() { f.Symlink("/etc/passwd", note) },
		"a FIFO":          func() { f.Mkfifo(note) },
		"none":            func() { f.Delete(note) },
		"escapes, quoted": func() { f.WriteFile(note, []byte(`{"command":"\u001b[31m","host":"","pid":1,"since":""}`)) },
	} {
		set()
		_, err := openStore(t, f, storeRoot).JobLease(t.Context(), job, 0)
		wantFault(t, what, err, fault.LeaseHeld)
		if err != nil && strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s reaches the terminal: %q", what, err)
		}
	}
	release(t, lease)
	lease, err = s.JobLease(t.Context(), job, 0)
	must(t, err)
	release(t, lease)
	if _, ok := f.Entry(note); ok {
		t.Error("the note outlives the lease")
	}
}

// TestNotesNeverFailALease lets each operation of taking and giving back a
// lease fail: what concerns the note alone changes nothing.
func TestNotesNeverFailALease(t *testing.T) {
	f := machine()
	s, err := state.Open(f, storeRoot, state.HeldBy(holder))
	must(t, err)
	for _, kind := range []faultfs.Kind{faultfs.Create, faultfs.Write, faultfs.Close, faultfs.Rename, faultfs.Remove} {
		lease, err := s.AdmissionLease(t.Context(), 0)
		must(t, err)
		release(t, lease)
		f.Inject(func(op faultfs.Op) faultfs.Fault {
			if op.Kind == kind && !strings.HasSuffix(op.Path, ".lock") {
				return faultfs.Fault{Err: syscall.ENOSPC}
			}
			return faultfs.Fault{}
		})
		lease, err = s.AdmissionLease(t.Context(), 0)
		if err != nil {
			t.Errorf("%s fails: %v", kind, err)
			continue
		}
		release(t, lease)
		f.Inject(nil)
	}
}

func TestLeaseFilesAreChecked(t *testing.T) {
	lock := leases + "admission.lock"
	for what, set := range map[string]func(f *faultfs.FS){
		"a link":         func(f *faultfs.FS) { f.Symlink("/tmp/lock", lock) },
		"a directory":    func(f *faultfs.FS) { f.MkdirAll(lock) },
		"a FIFO":         func(f *faultfs.FS) { f.Mkfifo(lock) },
		"foreign":        func(f *faultfs.FS) { f.WriteFile(lock, nil); f.Chown(lock, state.OwnerForeign) },
		"world-writable": func(f *faultfs.FS) { f.WriteFile(lock, nil); f.Chmod(lock, 0o666) },
		"a linked folder": func(f *faultfs.FS) {
			f.MkdirAll("/elsewhere")
			f.MkdirAll(storeRoot)
			f.Symlink("/elsewhere", storeRoot+"/leases")
		},
	} {
		f := machine()
		set(f)
		_, err := openStore(t, f, storeRoot).AdmissionLease(t.Context(), 0)
		wantFault(t, what, err, fault.StoreFile)
	}
}

// TestWaiting runs on a clock of its own.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t, machine(), storeRoot)
		held, err := s.AdmissionLease(t.Context(), 0)
		must(t, err)
		start := time.Now()
		waited := func(want time.Duration) {
			t.Helper()
			if got := time.Since(start); got < want || got > want+time.Second/10 {
				t.Errorf("waited %v, want %v", got, want)
			}
			start = time.Now()
		}
		_, err = s.AdmissionLease(t.Context(), 0)
		wantFault(t, "without waiting", err, fault.LeaseHeld)
		waited(0)
		_, err = s.AdmissionLease(t.Context(), 5*time.Second)
		wantFault(t, "waiting in vain", err, fault.LeaseHeld)
		waited(5 * time.Second)

		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		_, err = s.AdmissionLease(ctx, time.Hour)
		wantFault(t, "until the deadline", err, fault.Deadline)
		waited(2 * time.Second)
		cancel()
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		_, err = s.AdmissionLease(ctx, time.Hour)
		wantFault(t, "until cancelled", err, fault.Cancelled)
		waited(3 * time.Second)

		time.AfterFunc(time.Second, func() { _ = held.Release() })
		lease, err := s.AdmissionLease(t.Context(), 5*time.Second)
		must(t, err)
		waited(time.Second)
		release(t, lease)

		cancel()
		_, err = s.AdmissionLease(ctx, 0)
		wantFault(t, "cancelled before it began", err, fault.Cancelled)
	})
}

func TestACrashFreesLeases(t *testing.T) {
	for _, loss := range faultfs.Losses() {
		f := machine()
		_, err := openStore(t, f, storeRoot).JobLease(t.Context(), job, 0)
		must(t, err)
		f.Crash(loss)
		if _, err := openStore(t, f, storeRoot).JobLease(t.Context(), job, 0); err != nil {
			t.Errorf("%s: %v", loss, err)
		}
	}
}
