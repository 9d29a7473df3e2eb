package hooks

import (
	"errors"
	"io/fs"
	"os"

	"github.com/git-algal/git-algal/internal/fault"
)

// An Installation is what installed hooks carry.
type Installation struct {
	Program  string // absolute path by which git-algal can be found from now on
	Registry string // absolute path of the registry
	// AllClears is the absolute path of the directory that holds the
	// all-clears of all repositories; see allclear.go.
	AllClears string
}

// Install sets the guard hooks into a place and returns what stands there
// now. It may be repeated: what is as it should be is not touched, and an
// installation that was interrupted is finished. Hooks of others are set aside
// and chained.
//
// Errors are fault.UnsafePath for a path that cannot stand in a script,
// fault.RecordConflict where a hook is set aside already and another one has
// taken the guard's place, fault.UnsupportedRepo for a hook that is no file,
// and fault.HostFailed.
func Install(p Place, in Installation) ([]Hook, error) {
	script := Script{Program: in.Program, Registry: in.Registry, AllClears: in.AllClears}
	if !p.Exists {
		err := os.Mkdir(p.Directory, 0o777) // as git makes it, less the umask
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fault.New(fault.HostFailed, "cannot make the hooks directory %q: %w", p.Directory, err)
		}
		script.MadeDirectory = err == nil
	}
	f, err := openFolder(p.Directory)
	if err != nil {
		return nil, err
	}
	defer f.close()
	found, err := f.lookAll()
	if err != nil {
		return nil, err
	}
	for _, h := range found {
		if h.State == Foreign {
			if err := f.checkAside(h); err != nil {
				return nil, err
			}
		}
	}
	for _, h := range found {
		if err := f.install(h, script); err != nil {
			return nil, err
		}
	}
	return f.lookAll()
}

func (f folder) lookAll() ([]Hook, error) {
	var hooks []Hook
	for _, name := range Names() {
		h, err := f.look(name)
		if err != nil {
			return nil, err
		}
		hooks = append(hooks, h)
	}
	return hooks, nil
}

func (f folder) install(h Hook, script Script) error {
	name := string(h.Name)
	script.Hook = h.Name
	script.MadeDirectory = script.MadeDirectory || h.Script.MadeDirectory
	text, err := script.Format()
	if err != nil {
		return err
	}
	switch {
	case h.State == Installed && h.Script == script:
		return f.sync() // its maker may have died before
	case h.State == Absent:
		err := f.put(name, text, onlyNew)
		if errors.Is(err, fs.ErrExist) {
			return fault.New(fault.RecordConflict, "hook %q appeared in %q meanwhile", name, f.root.Name()).
				WithNext("repeat the command")
		}
		return err
	case h.State == Foreign:
		if err := f.setAside(name); err != nil {
			return err
		}
	}
	return f.put(name, text, replacing)
}

// Uninstall takes the guard hooks away and restores what was there: the same
// files under their own names. It returns the hooks that it took away or
// restored, as they were. What others have put in a guard's place stays, with
// fault.RecordConflict where their own predecessor is still set aside.
func Uninstall(p Place) ([]Hook, error) {
	if !p.Exists {
		return nil, nil
	}
	f, err := openFolder(p.Directory)
	if err != nil {
		return nil, err
	}
	defer f.close()
	found, err := f.lookAll()
	if err != nil {
		return nil, err
	}
	var changed []Hook
	made := false
	for _, h := range found {
		if err := f.uninstall(h); err != nil {
			return changed, err
		}
		if h.State.guards() || h.Chained {
			changed = append(changed, h)
		}
		made = made || h.Script.MadeDirectory
	}
	if made {
		_ = os.Remove(p.Directory) // only if nothing else is in it
	}
	return changed, nil
}

func (f folder) uninstall(h Hook) error {
	name, aside := string(h.Name), string(h.Name)+chainedSuffix
	switch {
	case h.Chained && h.State != Foreign:
		return f.rename(aside, name)
	case h.Chained:
		same, err := f.same(name, aside)
		if err != nil {
			return err
		}
		if same { // an installation died before its last step
			return f.remove(aside)
		}
		return fault.New(fault.RecordConflict, "hook %q in %q has taken the guard's place, and %q is the one before it", name, f.root.Name(), aside).
			WithNext("keep one of them and remove the other")
	case h.State.guards():
		return f.remove(name)
	}
	return nil
}
