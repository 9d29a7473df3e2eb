package state_test

import (
	"fmt"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/state"
)

// TestEveryComponentIsChecked puts each wrong thing at each place on the way
// to each record.
func TestEveryComponentIsChecked(t *testing.T) {
	base := machine()
	s := openStore(t, base, storeRoot)
	digest, err := s.Put(record)
	must(t, err)
	for _, name := range names() {
		must(t, s.Create(name, record))
	}
	set := map[string]func(f *faultfs.FS, at string){
		"a link":         func(f *faultfs.FS, at string) { f.Move(at, "/moved"); f.Symlink("/moved", at) },
		"foreign":        func(f *faultfs.FS, at string) { f.Chown(at, state.OwnerForeign); f.Chmod(at, 0o755) },
		"world-writable": func(f *faultfs.FS, at string) { f.Chmod(at, 0o702) },
		"a FIFO":         func(f *faultfs.FS, at string) { f.Delete(at); f.Mkfifo(at) },
		"another kind": func(f *faultfs.FS, at string) {
			info, _ := f.Entry(at)
			f.Delete(at)
			if info.Kind == state.KindDir {
				f.WriteFile(at, record)
			} else {
				f.MkdirAll(at)
			}
		},
	}
	for path, name := range names() {
		for _, at := range prefixes(path) {
			for what, put := range set {
				f := base.Clone(1)
				s := openStore(t, f, storeRoot)
				put(f, storeRoot+"/"+at)
				_, read := s.Read(name)
				_, exists := s.Exists(name)
				for verb, err := range map[string]error{
					"read": read, "exists": exists, "create": s.Create(name, record), "replace": s.Replace(name, record),
				} {
					wantFault(t, fmt.Sprintf("%s %s with %s at %s", verb, path, what, at), err, fault.StoreFile)
				}
			}
		}
	}
	for _, at := range prefixes("values/" + digest.Hex() + ".json") {
		for what, put := range set {
			f := base.Clone(1)
			s := openStore(t, f, storeRoot)
			put(f, storeRoot+"/"+at)
			_, get := s.Get(digest, 1000)
			wantFault(t, fmt.Sprintf("get with %s at %s", what, at), get, fault.StoreFile)
			_, put := s.Put(record)
			wantFault(t, fmt.Sprintf("put with %s at %s", what, at), put, fault.StoreFile)
		}
	}
}

// prefixes returns the path and every path above it.
func prefixes(path string) (all []string) {
	for i, c := range path {
		if c == '/' {
			all = append(all, path[:i])
		}
	}
	return append(all, path)
}

func TestOtherPermissionBitsPass(t *testing.T) {
	f := machine()
	s := openStore(t, f, storeRoot)
	must(t, s.Create(state.Intent(job), record))
	f.Chmod(storeRoot, 0o755)
	f.Chmod(storeRoot+"/coding-jobs", 0o2775)
	f.Chmod(storeRoot+"/"+state.Intent(job).String(), 0o664)
	f.Chown(storeRoot+"/"+state.Intent(job).String(), state.OwnerRoot)
	if _, err := s.Read(state.Intent(job)); err != nil {
		t.Error(err)
	}
	must(t, s.Create(state.Marker(job), record))
}
