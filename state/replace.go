package state

import "github.com/git-algal/git-algal/internal/fault"

// Replace publishes data, one JSON value, as the record name, whether or not
// there is one, in one step: at every moment the name holds its old or its
// new content, whole. Contract section 3: only claims, control.json before
// the launch marker and control-after.json before the settlement may be
// replaced; the caller holds the lease that keeps other writers away.
//
// When it returns nil, the canonical form of data is durable under its name.
// After a failure the old or the new content is there.
//
// A record that is immutable, always or by now, is not replaced: an equal one
// is treated as in [Store.Create], anything else is fault.RecordConflict. The
// other errors are those of [Store.Create].
func (s *Store) Replace(name Name, data []byte) error {
	canonical, err := name.canonical(data)
	if err != nil {
		return err
	}
	frozen := !name.replaceable
	if name.frozenBy != "" {
		if frozen, err = s.exists(name.frozenBy); err != nil {
			return err
		}
	}
	if !frozen {
		return s.replace(name, canonical)
	}
	there, err := s.exists(name.path)
	if err != nil {
		return err
	}
	if !there {
		return fault.New(fault.RecordConflict, "%q may not be published any more", s.at(name.path))
	}
	return s.Create(name, canonical)
}

func (t *tree) replace(name Name, data []byte) error {
	if err := t.usable(); err != nil {
		return err
	}
	dir, err := t.ensureDir(name.dir())
	if err != nil {
		return err
	}
	defer dir.Close()
	// A rename would silently take the place of a symbolic link.
	if _, err := t.statFile(dir, name.path); err != nil && !fault.Is(err, fault.Missing) {
		return err
	}
	temporary, err := t.writeTemporary(dir, name, data)
	if err != nil {
		return err
	}
	if err := dir.Rename(temporary, name.base()); err != nil {
		_ = dir.Remove(temporary)
		return t.refuse("replace", name.path, err)
	}
	return t.sync(dir, name.dir())
}
