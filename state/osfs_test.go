package state_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

// realStore returns a store on the disk, below directories that are missing.
func realStore(t *testing.T) *state.Store {
	t.Helper()
	return openStore(t, state.OS(), filepath.Join(t.TempDir(), "missing", "directories", "store"))
}

func path(s *state.Store, name fmt.Stringer) string {
	return filepath.Join(s.Root(), filepath.FromSlash(name.String()))
}

// fill writes one record of each kind, a value and a lock.
func fill(t *testing.T, s *state.Store) {
	t.Helper()
	for _, name := range names() {
		must(t, s.Create(name, record))
	}
	_, err := s.Put(record)
	must(t, err)
	lease, err := s.AdmissionLease(t.Context(), 0)
	must(t, err)
	must(t, lease.Release())
}

// TestPermissions holds 0700 and 0600 under each umask.
func TestPermissions(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077, 0o777} {
		t.Run(fmt.Sprintf("%03o", mask), func(t *testing.T) {
			s := realStore(t)
			old := syscall.Umask(mask)
			defer syscall.Umask(old)
			fill(t, s)
			above := filepath.Dir(filepath.Dir(s.Root()))
			entries := 0
			must(t, filepath.WalkDir(above, func(at string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				if err != nil {
					return err
				}
				want := fs.FileMode(0o600)
				if d.IsDir() {
					want = 0o700 | fs.ModeDir
				}
				if info.Mode() != want {
					t.Errorf("%s: mode %v, want %v", at, info.Mode(), want)
				}
				entries++
				return nil
			}))
			if entries < 20 {
				t.Errorf("looked at %d entries only", entries)
			}
		})
	}
}

// TestRealLayout walks a full store and refuses every name that the package
// comment does not list, and every file with two names.
func TestRealLayout(t *testing.T) {
	s := realStore(t)
	fill(t, s)
	digest, err := s.Put(record)
	must(t, err)
	known := map[string]bool{"values/" + digest.Hex() + ".json": true, "leases/admission.lock": true}
	for at := range names() {
		known[at] = true
	}
	must(t, filepath.WalkDir(s.Root(), func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, err := filepath.Rel(s.Root(), at)
		if err != nil {
			return err
		}
		if !known[filepath.ToSlash(below)] {
			t.Errorf("%s has no place in a store", below)
		}
		delete(known, filepath.ToSlash(below))
		info, err := d.Info()
		if err != nil {
			return err
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Nlink != 1 {
			t.Errorf("%s has another name", below)
		}
		return nil
	}))
	for at := range known {
		t.Errorf("%s is missing", at)
	}
}

func TestRealRecords(t *testing.T) {
	s := realStore(t)
	must(t, s.Create(state.Intent(job), record))
	must(t, s.Create(state.Intent(job), record))
	wantFault(t, "a conflict", s.Create(state.Intent(job), changed), fault.RecordConflict)
	if data, err := s.Read(state.Intent(job)); err != nil || !bytes.Equal(data, record) {
		t.Errorf("read %s, %v", data, err)
	}
	must(t, s.Replace(state.Claim(job), changed))
	must(t, s.Replace(state.Claim(job), record))
	if data, err := s.Read(state.Claim(job)); err != nil || !bytes.Equal(data, record) {
		t.Errorf("claim: %s, %v", data, err)
	}
	digest, err := s.Put(jsonOf(100_000))
	must(t, err)
	if data, err := s.Get(digest, 100_000); err != nil || len(data) != 100_000 {
		t.Errorf("value: %d bytes, %v", len(data), err)
	}
	if jobs, err := s.Jobs(); err != nil || len(jobs) != 1 || jobs[0] != job {
		t.Errorf("jobs: %v, %v", jobs, err)
	}
	_, err = s.Read(state.Marker(job))
	wantFault(t, "a missing record", err, fault.Missing)
	if at, err := s.ModTime(state.Intent(job)); err != nil || time.Since(at).Abs() > time.Minute {
		t.Errorf("published at %v, %v", at, err)
	}
	_, err = s.ModTime(state.Marker(job))
	wantFault(t, "the time of a missing record", err, fault.Missing)
}

// TestRealOddFiles puts odd things in the places of a directory and of a
// record. None may be followed, waited for or taken for a record.
func TestRealOddFiles(t *testing.T) {
	odd := map[string]func(t *testing.T, at string){
		"a link to the same": func(t *testing.T, at string) {
			must(t, os.Rename(at, at+".moved"))
			must(t, os.Symlink(filepath.Base(at)+".moved", at))
		},
		"a dangling link": func(t *testing.T, at string) {
			must(t, os.RemoveAll(at))
			must(t, os.Symlink("nothing", at))
		},
		"a FIFO": func(t *testing.T, at string) {
			must(t, os.RemoveAll(at))
			must(t, unix.Mkfifo(at, 0o600))
		},
		"a socket": func(t *testing.T, at string) {
			must(t, os.RemoveAll(at))
			// The path may be too long for a socket; it is moved to its place.
			short, err := os.MkdirTemp("", "s")
			must(t, err)
			t.Cleanup(func() { _ = os.RemoveAll(short) })
			listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(short, "s"), Net: "unix"})
			must(t, err)
			t.Cleanup(func() { _ = listener.Close() })
			must(t, os.Rename(filepath.Join(short, "s"), at))
		},
		"world-writable": func(t *testing.T, at string) { must(t, os.Chmod(at, 0o707)) },
	}
	for what, put := range odd {
		for _, below := range []string{".", "coding-workspaces", "coding-workspaces/" + job.Hex(), "coding-workspaces/" + job.Hex() + "/claim.json"} {
			t.Run(what+" at "+below, func(t *testing.T) {
				s := realStore(t)
				name := state.Claim(job)
				must(t, s.Replace(name, record))
				put(t, filepath.Join(s.Root(), below))
				answered := make(chan struct{})
				go func() {
					defer close(answered)
					_, read := s.Read(name)
					wantFault(t, "read", read, fault.StoreFile)
					_, exists := s.Exists(name)
					wantFault(t, "exists", exists, fault.StoreFile)
					wantFault(t, "create", s.Create(name, record), fault.StoreFile)
					wantFault(t, "replace", s.Replace(name, record), fault.StoreFile)
				}()
				select {
				case <-answered:
				case <-time.After(10 * time.Second):
					t.Fatal("blocked")
				}
			})
		}
	}
}

func TestRealOverBound(t *testing.T) {
	s := realStore(t)
	name := state.Marker(job)
	must(t, s.Create(name, record))
	must(t, os.WriteFile(path(s, name), jsonOf(name.Bound()+1), 0o600))
	_, err := s.Read(name)
	wantFault(t, "a record over its bound", err, fault.StoreFile)
	// A sparse file says that it is large before anything is read.
	must(t, os.Truncate(path(s, name), 1<<40))
	_, err = s.Read(name)
	wantFault(t, "a record of a tebibyte", err, fault.StoreFile)
	digest, err := s.Put(record)
	must(t, err)
	must(t, os.Truncate(filepath.Join(s.Root(), "values", digest.Hex()+".json"), 1<<40))
	_, err = s.Get(digest, 1<<50)
	wantFault(t, "a value of a tebibyte", err, fault.OverBound)
}

// TestRealDir holds the seam itself to its comments.
func TestRealDir(t *testing.T) {
	dir, err := state.OS().OpenRoot(t.TempDir())
	must(t, err)
	defer dir.Close()
	file, err := dir.Create("file")
	must(t, err)
	if _, err := file.Write(record); err != nil {
		t.Fatal(err)
	}
	must(t, file.Sync())
	must(t, file.Close())
	must(t, dir.Mkdir("folder"))
	must(t, dir.Sync())
	_, created := dir.Create("file")
	_, opened := dir.OpenDir("file")
	_, missing := dir.Open("none")
	_, many := dir.Names(1)
	_, noLock := dir.TryLock("folder")
	for _, test := range []struct {
		name      string
		got, want error
	}{
		{"create over a file", created, fs.ErrExist},
		{"link over a directory", dir.Link("file", "folder"), fs.ErrExist},
		{"rename over a directory", dir.Rename("file", "folder"), fs.ErrExist},
		{"mkdir over a file", dir.Mkdir("file"), fs.ErrExist},
		{"open a file as directory", opened, syscall.ENOTDIR},
		{"open nothing", missing, fs.ErrNotExist},
		{"list too much", many, state.ErrTooManyEntries},
		{"lock a directory", noLock, syscall.ELOOP},
	} {
		if test.name == "rename over a directory" && errors.Is(test.got, syscall.EISDIR) {
			continue
		}
		if !errors.Is(test.got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
		}
	}
	for range 2 { // listing starts at the beginning each time
		if names, err := dir.Names(2); err != nil || len(names) != 2 {
			t.Errorf("names: %v, %v", names, err)
		}
	}
	info, err := dir.Lstat("file")
	if err != nil || info.Kind != state.KindFile || info.Owner != state.OwnerSelf || info.Perm != 0o600 || info.Size != int64(len(record)) {
		t.Errorf("file: %+v, %v", info, err)
	}
	if system, err := dir.System(); err != nil || system.Shared {
		t.Errorf("the tests' own directory: %+v, %v", system, err)
	}
}

func TestNoncesAreFresh(t *testing.T) {
	seen := map[[24]byte]bool{}
	for range 1000 {
		seen[state.OS().Nonce()] = true
	}
	if len(seen) != 1000 || seen[[24]byte{}] {
		t.Errorf("%d different nonces of 1000", len(seen))
	}
}

// TestRealLockFileMayNotVanish deletes a lock file against the rule while the
// lock is held: its holder and the next one must not both be right for long.
func TestRealLockFileMayNotVanish(t *testing.T) {
	s := realStore(t)
	lease, err := s.AdmissionLease(t.Context(), 0)
	must(t, err)
	lock := filepath.Join(s.Root(), "leases", "admission.lock")
	must(t, os.Remove(lock))
	must(t, os.Mkdir(lock, 0o700))
	_, err = s.AdmissionLease(t.Context(), 0)
	wantFault(t, "a directory for a lock", err, fault.StoreFile)
	must(t, lease.Release())
}

// TestErrorsNameThePath checks what a person reads of a failure.
func TestErrorsNameThePath(t *testing.T) {
	s := realStore(t)
	_, err := s.Read(state.Intent(job))
	if err == nil || !strings.Contains(err.Error(), "coding-jobs") && !strings.Contains(err.Error(), s.Root()) {
		t.Errorf("%v does not name the path", err)
	}
	must(t, s.Create(state.Intent(job), record))
	must(t, os.WriteFile(path(s, state.Intent(job)), []byte(`"secret"`), 0o600))
	err = s.Create(state.Intent(job), []byte(`"confidential"`))
	if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "confidential") {
		t.Errorf("%v quotes a record", err)
	}
	err = s.Create(state.Marker(job), []byte(`confidential`))
	if err == nil || strings.Contains(err.Error(), "confidential") {
		t.Errorf("%v quotes a record", err)
	}
}
