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

const registryDir = "/home/state/git-algal/workspaces"

func openRegistry(t *testing.T, f *faultfs.FS) *state.Registry {
	t.Helper()
	r, err := state.OpenRegistry(f, registryDir)
	must(t, err)
	return r
}

func TestRegistry(t *testing.T) {
	f := machine()
	r := openRegistry(t, f)
	if r.Dir() != registryDir {
		t.Errorf("lies at %q", r.Dir())
	}
	if root, ok, err := r.Lookup("/w"); root != "" || ok || err != nil {
		t.Errorf("nothing set: %q, %v, %v", root, ok, err)
	}
	must(t, r.Set("/w", "/store/one"))
	must(t, r.Set("/w", "/store/two/"))
	must(t, r.Set("/v", "/store/one"))
	if root, ok, err := r.Lookup("/w"); root != "/store/two" || !ok || err != nil {
		t.Errorf("got %q, %v, %v", root, ok, err)
	}
	entry := registryDir + "/" + canon.DigestText("/w").Hex() + ".json"
	want := `{"contract":"git-algal.registry.v1","store":"/store/two","workspace":"/w"}`
	if got := string(f.Files(entry)[""]); got != want {
		t.Errorf("the entry holds %s", got)
	}
	for _, paths := range [][2]string{{"w", "/s"}, {"/w", "s"}, {"", "/s"}, {"/w", ""}} {
		wantFault(t, fmt.Sprint(paths), r.Set(paths[0], paths[1]), fault.Usage)
	}
	wantFault(t, "a path that is not UTF-8", r.Set("/w\xff", "/s"), fault.UnsafePath)
	for what, test := range map[string]struct {
		content string
		want    fault.Condition
	}{
		"garbage":           {"{", fault.Malformed},
		"another contract":  {strings.Replace(want, "registry.v1", "registry.v2", 1), fault.Malformed},
		"a relative store":  {strings.Replace(want, "/store/two", "two", 1), fault.Malformed},
		"one member more":   {strings.Replace(want, "{", `{"x":1,`, 1), fault.Malformed},
		"another workspace": {strings.Replace(want, `"/w"`, `"/v"`, 1), fault.StoreInconsistent},
		"too long":          {want + strings.Repeat(" ", 65_536), fault.StoreFile},
	} {
		f.WriteFile(entry, []byte(test.content))
		root, ok, err := r.Lookup("/w")
		wantFault(t, what, err, test.want)
		if root != "" || ok {
			t.Errorf("%s: got %q, %v beside the error", what, root, ok)
		}
	}
	f.Symlink("/elsewhere", entry)
	_, _, err := r.Lookup("/w")
	wantFault(t, "a link", err, fault.StoreFile)
	wantFault(t, "set over a link", r.Set("/w", "/s"), fault.StoreFile)
}

// TestRegistryBound feeds the longest paths, escaped at worst, and more.
func TestRegistryBound(t *testing.T) {
	r := openRegistry(t, machine())
	long := "/" + strings.Repeat("\x01", 4_095)
	must(t, r.Set(long, long))
	if root, ok, err := r.Lookup(long); root != long || !ok || err != nil {
		t.Errorf("%d bytes, %v, %v", len(root), ok, err)
	}
	wantFault(t, "longer than any path", r.Set(long+long, long), fault.OverBound)
}

// TestRegistryCrashLoop checks that an entry names the old store or the new
// one, whole, and the new one once Set has returned.
func TestRegistryCrashLoop(t *testing.T) {
	base := machine()
	must(t, openRegistry(t, base).Set("/w", "/old"))
	base.Crash(faultfs.LoseNone)
	for k := 1; ; k++ {
		f := base.Clone(0)
		f.CrashAt(k)
		r, err := state.OpenRegistry(f, registryDir)
		if err == nil {
			err = r.Set("/w", "/new")
		}
		if !f.Stopped() {
			must(t, err)
			f.Crash(faultfs.LoseAll)
			if root, _, err := openRegistry(t, f).Lookup("/w"); root != "/new" || err != nil {
				t.Errorf("acknowledged and lost: %q, %v", root, err)
			}
			return
		}
		eachLoss(f, func(loss string, f *faultfs.FS) {
			root, ok, err := openRegistry(t, f).Lookup("/w")
			if err != nil || !ok || root != "/old" && root != "/new" {
				t.Errorf("stopped before operation %d, %s: %q, %v, %v", k, loss, root, ok, err)
			}
			must(t, openRegistry(t, f).Set("/w", "/new"))
		})
	}
}

func TestRegistryOnASharedSystem(t *testing.T) {
	f := machine()
	f.MkdirAll(registryDir)
	f.Mount(registryDir, state.System{Name: "nfs", Shared: true})
	r, err := state.OpenRegistry(f, registryDir)
	wantFault(t, "a shared file system", err, fault.UnsupportedSystem)
	if r != nil {
		t.Error("a registry beside the error")
	}
}
