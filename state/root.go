package state

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/git-algal/git-algal/internal/fault"
)

// ensureRoot opens the root and makes it, and the directories above it, where
// they are missing.
func (t *tree) ensureRoot() (Dir, error) {
	dir, err := t.openRoot()
	if !fault.Is(err, fault.Missing) {
		return dir, err
	}
	t.setDurable(".", false)
	dir, missing, err := t.nearestAncestor()
	if err != nil {
		return nil, err
	}
	for _, name := range missing {
		if err := dir.Mkdir(name); err != nil && !errors.Is(err, fs.ErrExist) {
			_ = dir.Close()
			return nil, t.refuse("make", ".", err)
		}
		next, err := dir.OpenDir(name)
		_ = dir.Close()
		if err != nil {
			return nil, t.refuse("open", ".", err)
		}
		dir = next
	}
	return t.admit(dir, ".")
}

// nearestAncestor opens the deepest directory above the root that exists, and
// names what is missing from there down to the root.
func (t *tree) nearestAncestor() (Dir, []string, error) {
	var missing []string
	for at := t.root; ; at = filepath.Dir(at) {
		dir, err := t.fs.OpenAncestor(at)
		if err == nil {
			if err := t.checkSystem(dir, at); err != nil {
				_ = dir.Close()
				return nil, nil, err
			}
			slices.Reverse(missing)
			return dir, missing, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			return nil, nil, t.refuse("reach", ".", err)
		}
		missing = append(missing, filepath.Base(at))
	}
}

// makeRootDurable syncs the entry of the root, and the entries of those
// directories above it that a process like this one may have made and died
// before it synced them: while a directory is this user's, closed to all
// others and no mount point, its parent is synced too.
func (t *tree) makeRootDurable() error {
	if t.isDurable(".") {
		return nil
	}
	for at := t.root; at != filepath.Dir(at); at = filepath.Dir(at) {
		again, err := t.makeEntryDurable(at)
		if err != nil {
			return err
		}
		if !again {
			break
		}
	}
	t.setDurable(".", true)
	return nil
}

// makeEntryDurable syncs the parent of the directory at an absolute path
// where this program may have made the directory, and reports whether it did.
func (t *tree) makeEntryDurable(at string) (bool, error) {
	info, err := t.ancestorInfo(at)
	if err != nil {
		return false, err
	}
	if info.Owner != OwnerSelf || info.Perm != dirPerm {
		return false, nil
	}
	parent, err := t.fs.OpenAncestor(filepath.Dir(at))
	if errors.Is(err, fs.ErrPermission) {
		return false, nil // what may not be read could not have been opened to make this in
	}
	if err != nil {
		return false, t.refuse("open the directories above", ".", err)
	}
	defer parent.Close()
	above, err := parent.Info()
	if err != nil {
		return false, t.refuse("look above", ".", err)
	}
	if above.Device != info.Device {
		return false, nil
	}
	return true, t.sync(parent, ".")
}

func (t *tree) ancestorInfo(at string) (Info, error) {
	dir, err := t.fs.OpenAncestor(at)
	if err != nil {
		return Info{}, t.refuse("open the directories above", ".", err)
	}
	defer dir.Close()
	info, err := dir.Info()
	if err != nil {
		return Info{}, t.refuse("look above", ".", err)
	}
	return info, nil
}
