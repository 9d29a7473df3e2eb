package state_test

import (
	"bytes"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

func TestOpen(t *testing.T) {
	f := machine()
	f.WriteFile("/home/state/file", nil)
	f.MkdirAll("/home/state/real")
	f.Symlink("real", "/home/state/link")
	f.Symlink("none", "/home/state/dangling")
	f.MkdirAll("/home/state/public")
	f.Chmod("/home/state/public", 0o777)
	f.MkdirAll("/home/state/foreign")
	f.Chown("/home/state/foreign", state.OwnerForeign)
	f.Chmod("/home/state/foreign", 0o755)
	f.MkdirAll("/home/state/roots")
	f.Chown("/home/state/roots", state.OwnerRoot)
	f.MkdirAll("/net")
	f.Mount("/net", state.System{Name: "nfs", Shared: true})
	for root, want := range map[string]fault.Condition{
		"relative/store":         fault.Usage,
		"/home/state/file":       fault.StoreFile,
		"/home/state/file/below": fault.StoreFile,
		"/home/state/link":       fault.StoreFile,
		"/home/state/link/":      fault.StoreFile, // a trailing slash hides nothing
		"/home/state/dangling":   fault.StoreFile,
		"/home/state/public":     fault.StoreFile,
		"/home/state/foreign":    fault.StoreFile,
		"/net":                   fault.UnsupportedSystem,
		"/net/new/store":         fault.UnsupportedSystem,
	} {
		s, err := state.Open(f, root)
		wantFault(t, root, err, want)
		if s != nil {
			t.Errorf("%s: a store beside the error", root)
		}
	}
	for _, root := range []string{"/home/state/real", "/home/state/link/below", "/home/state/roots", "/home/state/new/one/", "/home/state/x/../new"} {
		s := openStore(t, f, root)
		must(t, s.Create(state.Intent(job), record))
	}
	if n := f.OpenDescriptors(); n != 0 {
		t.Errorf("%d descriptors are open", n)
	}
	if _, ok := f.Entry("/net/new"); ok {
		t.Error("something was made on a shared file system")
	}
}

func TestOpeningMakesNothing(t *testing.T) {
	f := machine()
	s := openStore(t, f, storeRoot)
	if jobs, err := s.Jobs(); err != nil || len(jobs) != 0 {
		t.Errorf("jobs: %v, %v", jobs, err)
	}
	if _, err := s.Read(state.Intent(job)); !fault.Is(err, fault.Missing) {
		t.Errorf("a record of an empty store: %v", err)
	}
	if ok, err := s.Exists(state.Intent(job)); ok || err != nil {
		t.Errorf("exists: %v, %v", ok, err)
	}
	if _, ok := f.Entry(storeRoot); ok {
		t.Error("reading made the store")
	}
}

func TestCreate(t *testing.T) {
	f := machine()
	s := openStore(t, f, storeRoot)
	name := state.Intent(job)
	must(t, s.Create(name, []byte(` { "n": 1.0, "contract": "example.v1" } `)))
	data, err := s.Read(name)
	if err != nil || !bytes.Equal(data, record) {
		t.Fatalf("read %s, %v", data, err)
	}
	must(t, s.Create(name, record))
	wantFault(t, "other content", s.Create(name, changed), fault.RecordConflict)
	wantFault(t, "no JSON", s.Create(state.Marker(job), []byte("{")), fault.Malformed)
	wantFault(t, "nothing", s.Create(state.Marker(job), nil), fault.Malformed)
	if ok, err := s.Exists(state.Marker(job)); ok || err != nil {
		t.Errorf("a refused record exists: %v, %v", ok, err)
	}
	// What another program wrote is judged by its value, and stays as it is.
	loose := []byte("{\"n\": 1,\n\"contract\": \"example.v1\"}\n")
	f.WriteFile(storeRoot+"/"+name.String(), loose)
	must(t, s.Create(name, record))
	if data, err := s.Read(name); err != nil || !bytes.Equal(data, loose) {
		t.Errorf("read %q, %v", data, err)
	}
	f.WriteFile(storeRoot+"/"+name.String(), nil)
	wantFault(t, "an empty record", s.Create(name, record), fault.RecordConflict)
	if n := leftOver(f); n != 0 {
		t.Errorf("%d temporaries are left", n)
	}
}

func TestReplace(t *testing.T) {
	f := machine()
	s := openStore(t, f, storeRoot)
	immutable := []state.Name{
		state.Intent(job), state.Marker(job), state.Result(job), state.Resolution(job), state.Settlement(job, 1024),
		state.Observation(job, 1, 1024), state.Reservation(job), state.ValidationStart(job, 1), state.ValidationEnd(job, 1),
	}
	for _, name := range immutable {
		wantFault(t, "a first "+name.String(), s.Replace(name, record), fault.RecordConflict)
		must(t, s.Create(name, record))
		must(t, s.Replace(name, record))
		wantFault(t, name.String(), s.Replace(name, changed), fault.RecordConflict)
	}
	claim := state.Claim(canon.DigestText("/srv/checkouts/demo"))
	for _, data := range [][]byte{record, changed, record, record} {
		must(t, s.Replace(claim, data))
		if got, err := s.Read(claim); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("claim: %s, %v", got, err)
		}
	}
	if n := leftOver(f); n != 0 {
		t.Errorf("%d temporaries are left", n)
	}
}

func TestReplaceableUntil(t *testing.T) {
	for _, test := range []struct{ name, until, another state.Name }{
		{state.Control(job), state.Marker(job), state.Control(other)},
		{state.ControlAfter(job), state.Settlement(job, 1024), state.ControlAfter(other)},
	} {
		s := openStore(t, machine(), storeRoot)
		must(t, s.Replace(test.name, changed))
		must(t, s.Replace(test.name, record))
		must(t, s.Create(test.until, record))
		must(t, s.Replace(test.name, record))
		wantFault(t, test.name.String(), s.Replace(test.name, changed), fault.RecordConflict)
		if got, err := s.Read(test.name); err != nil || !bytes.Equal(got, record) {
			t.Errorf("%s: %s, %v", test.name, got, err)
		}
		must(t, s.Replace(test.another, changed))
		// Nothing may be added late either.
		late := openStore(t, machine(), storeRoot)
		must(t, late.Create(test.until, record))
		wantFault(t, "late "+test.name.String(), late.Replace(test.name, record), fault.RecordConflict)
	}
}

func TestValues(t *testing.T) {
	f := machine()
	s := openStore(t, f, storeRoot)
	digest, err := s.Put([]byte(`{"n":1,"contract":"example.v1"}`))
	if err != nil || digest != canon.DigestText(record) {
		t.Fatalf("put: %s, %v", digest, err)
	}
	again, err := s.Put(record)
	if err != nil || again != digest {
		t.Fatalf("put again: %s, %v", again, err)
	}
	if data, err := s.Get(digest, len(record)); err != nil || !bytes.Equal(data, record) {
		t.Errorf("get: %s, %v", data, err)
	}
	_, err = s.Get(digest, len(record)-1)
	wantFault(t, "over the caller's bound", err, fault.OverBound)
	_, err = s.Get(canon.DigestText("none"), 1)
	wantFault(t, "unknown value", err, fault.Missing)
	_, err = s.Get("sha256:zz", 1)
	wantFault(t, "no digest", err, fault.Malformed)
	_, err = s.Get(digest, -1)
	wantFault(t, "no bytes at all", err, fault.OverBound)
	_, err = s.Put([]byte("nothing"))
	wantFault(t, "no JSON", err, fault.Malformed)

	path := storeRoot + "/values/" + digest.Hex() + ".json"
	f.WriteFile(path, []byte("{\"contract\": \"example.v1\", \"n\": 1}\n"))
	if data, err := s.Get(digest, 1000); err != nil || !bytes.Equal(data, record) {
		t.Errorf("a value that is not canonical: %s, %v", data, err)
	}
	if _, err := s.Put(record); err != nil {
		t.Errorf("put over a value that is not canonical: %v", err)
	}
	f.WriteFile(path, changed)
	_, err = s.Get(digest, 1000)
	wantFault(t, "another content", err, fault.StoreInconsistent)
	_, err = s.Put(record)
	wantFault(t, "put over another content", err, fault.StoreInconsistent)
	if got := f.Files(path)[""]; !bytes.Equal(got, changed) {
		t.Errorf("a wrong value was repaired silently: %s", got)
	}

	// The recorded host orders member names that look like integers by their
	// number; such a value is what its digest says, though not canonical here.
	numeric := []byte(`{"9":0,"10":0}`)
	f.WriteFile(storeRoot+"/values/"+canon.DigestText(numeric).Hex()+".json", numeric)
	if data, err := s.Get(canon.DigestText(numeric), 100); err != nil || !bytes.Equal(data, numeric) {
		t.Errorf("a value of the recorded host: %s, %v", data, err)
	}
}

func TestValueBound(t *testing.T) {
	t.Parallel()
	s := openStore(t, machine(), storeRoot)
	_, err := s.Put(jsonOf(state.MaxValueBytes + 1))
	wantFault(t, "a value over the bound", err, fault.OverBound)
	digest, err := s.Put(jsonOf(state.MaxValueBytes))
	must(t, err)
	if data, err := s.Get(digest, state.MaxValueBytes+1); err != nil || len(data) != state.MaxValueBytes {
		t.Errorf("got %d bytes, %v", len(data), err)
	}
}
