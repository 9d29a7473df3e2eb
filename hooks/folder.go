package hooks

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/git-algal/git-algal/internal/fault"
)

// chainedSuffix stands behind the name of the hook that was there before; the
// script knows it too.
const chainedSuffix = ".git-algal-chained"

// A State is what stands under the name of a hook.
type State string

// The states of a hook.
const (
	Absent    State = "absent"
	Foreign   State = "foreign"   // a hook of somebody else
	Installed State = "installed" // the guard, as this version writes it
	Outdated  State = "outdated"  // the guard of another version, or one that was edited
	Disabled  State = "disabled"  // the guard, but not executable: git passes it by
)

// A Hook is one hook as it stands in its directory.
type Hook struct {
	Name    Name
	State   State
	Script  Script // of a guard; of one that is outdated, what its lines say
	Chained bool   // a hook that was there before is set aside
}

// guards reports whether the hook is one that git-algal wrote.
func (s State) guards() bool { return s == Installed || s == Outdated || s == Disabled }

// A folder is a hooks directory, whose entries are reached through it alone.
type folder struct{ root *os.Root }

func openFolder(dir string) (folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return folder{}, fault.New(fault.HostFailed, "the hooks directory %q cannot be opened: %w", dir, err)
	}
	return folder{root}, nil
}

func (f folder) close() { _ = f.root.Close() }

func (f folder) failed(action, name string, err error) error {
	return fault.New(fault.HostFailed, "cannot %s %q in %q: %w", action, name, f.root.Name(), err)
}

// Look returns what stands in a place, one hook per name. The error is
// fault.HostFailed.
func Look(p Place) ([]Hook, error) {
	if !p.Exists {
		var absent []Hook
		for _, name := range Names() {
			absent = append(absent, Hook{Name: name, State: Absent})
		}
		return absent, nil
	}
	f, err := openFolder(p.Directory)
	if err != nil {
		return nil, err
	}
	defer f.close()
	return f.lookAll()
}

// look returns what stands under the name of a hook.
func (f folder) look(name Name) (Hook, error) {
	h := Hook{Name: name, State: Foreign}
	_, err := f.root.Lstat(string(name) + chainedSuffix)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Hook{}, f.failed("look at", string(name)+chainedSuffix, err)
	}
	h.Chained = err == nil
	info, err := f.root.Lstat(string(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		h.State = Absent
		return h, nil
	case err != nil:
		return Hook{}, f.failed("look at", string(name), err)
	case !info.Mode().IsRegular():
		return h, nil // the guard is never a symbolic link
	}
	text, err := f.read(string(name))
	if err != nil {
		return Hook{}, err
	}
	if !isGuard(text) {
		return h, nil
	}
	h.Script = settingsIn(text)
	switch _, err := ParseScript(text); {
	case err != nil || h.Script.Hook != name:
		h.State = Outdated
	case info.Mode().Perm()&0o111 == 0:
		h.State = Disabled
	default:
		h.State = Installed
	}
	return h, nil
}

// read returns the beginning of a file, no more than a guard may have.
func (f folder) read(name string) ([]byte, error) {
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, f.failed("read", name, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxScriptBytes))
	if err != nil {
		return nil, f.failed("read", name, err)
	}
	return text, nil
}

// checkAside refuses a hook that cannot be set aside: one that is no file, and
// one beside which another one is set aside already.
func (f folder) checkAside(h Hook) error {
	name, aside := string(h.Name), string(h.Name)+chainedSuffix
	info, err := f.root.Lstat(name)
	if err != nil {
		return f.failed("look at", name, err)
	}
	if !info.Mode().IsRegular() && info.Mode().Type() != fs.ModeSymlink {
		return fault.New(fault.UnsupportedRepo, "hook %q in %q is no file", name, f.root.Name())
	}
	same, err := f.same(name, aside)
	if err == nil && h.Chained && !same {
		err = fault.New(fault.RecordConflict, "beside hook %q in %q another one is set aside as %q", name, f.root.Name(), aside).
			WithNext("keep one of them and remove the other")
	}
	return err
}

// setAside keeps the hook under a second name, the file itself or an equal
// symbolic link. It may be there already, from an installation that died.
func (f folder) setAside(name string) error {
	aside := name + chainedSuffix
	same, err := f.same(name, aside)
	if err != nil || same {
		return err
	}
	target, err := f.root.Readlink(name)
	if err == nil {
		err = f.root.Symlink(target, aside)
	} else {
		err = f.root.Link(name, aside)
	}
	if err != nil {
		return f.failed("set aside", name, err)
	}
	return nil
}

// same reports whether both names stand for one file, or for equal symbolic
// links. A name that does not exist is the same as nothing.
func (f folder) same(a, b string) (bool, error) {
	infoA, errA := f.root.Lstat(a)
	infoB, errB := f.root.Lstat(b)
	switch err := errors.Join(errA, errB); {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, f.failed("compare", a, err)
	case os.SameFile(infoA, infoB):
		return true, nil
	case infoA.Mode().Type() != fs.ModeSymlink || infoB.Mode().Type() != fs.ModeSymlink:
		return false, nil
	}
	targetA, errA := f.root.Readlink(a)
	targetB, errB := f.root.Readlink(b)
	if err := errors.Join(errA, errB); err != nil {
		return false, f.failed("compare", a, err)
	}
	return targetA == targetB, nil
}

// Whether a name that is taken is given away: the error is fs.ErrExist where
// it is not.
type taking bool

const (
	onlyNew   taking = false
	replacing taking = true
)

// put gives text its name in one step.
func (f folder) put(name string, text []byte, how taking) error {
	var nonce [16]byte
	_, _ = rand.Read(nonce[:]) // it never fails: crypto/rand ends the process first
	temporary := ".git-algal-" + hex.EncodeToString(nonce[:])
	if err := f.write(temporary, text); err != nil {
		_ = f.root.Remove(temporary)
		return f.failed("write", name, err)
	}
	var err error
	if how == replacing {
		err = f.root.Rename(temporary, name)
	} else {
		err = f.root.Link(temporary, name)
	}
	if err != nil || how == onlyNew {
		_ = f.root.Remove(temporary)
	}
	if err != nil {
		return f.failed("put", name, err)
	}
	return f.sync()
}

func (f folder) write(name string, text []byte) error {
	file, err := f.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Chmod(scriptMode)
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// scriptMode is what git's own templates give hooks.
const scriptMode = 0o755

func (f folder) rename(from, to string) error {
	if err := f.root.Rename(from, to); err != nil {
		return f.failed("restore", to, err)
	}
	return f.sync()
}

func (f folder) remove(name string) error {
	if err := f.root.Remove(name); err != nil {
		return f.failed("remove", name, err)
	}
	return f.sync()
}

func (f folder) sync() error {
	dir, err := f.root.Open(".")
	if err != nil {
		return f.failed("sync", ".", err)
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil {
		return f.failed("sync", ".", err)
	}
	return nil
}
