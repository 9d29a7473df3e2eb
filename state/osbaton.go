package state

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// A baton is an flock(2) lock on a descriptor of our own. gofrs/flock exports
// no descriptor, and both its Unlock and its Close call LOCK_UN, which releases
// the lock for every duplicate: the process that hands a lock on would take it
// away from the one that received it.
type baton struct{ file *os.File }

func (d *osDir) TryBaton(name string) (Baton, error) {
	if err := d.makeLock(name); err != nil {
		return nil, err
	}
	opened, err := d.open(name, unix.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK)
	if err != nil {
		return nil, err
	}
	return d.takeBaton(opened.file, name)
}

func (d *osDir) AdoptBaton(name string, file *os.File) (Baton, error) {
	unix.CloseOnExec(int(file.Fd()))
	return d.takeBaton(file, name)
}

// takeBaton locks the open file if everybody else finds the same one under the
// name, or closes it. A descriptor that has the lock already gets it again.
func (d *osDir) takeBaton(file *os.File, name string) (Baton, error) {
	err := retry(func() error { return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) })
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = ErrLocked
	}
	if err == nil {
		err = d.samePlace(file, name)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &baton{file}, nil
}

// samePlace returns ESTALE unless name is the open file: somebody may have
// deleted it against the rule, and then the lock excludes nobody.
func (d *osDir) samePlace(file *os.File, name string) error {
	opened, err := infoOf(file)
	if err != nil {
		return err
	}
	found, err := d.lstat(name)
	if err != nil {
		return err
	}
	if info := describe(&found); info.Device != opened.Device || info.Inode != opened.Inode {
		return unix.ESTALE
	}
	return nil
}

func (b *baton) File() *os.File { return b.file }

func (b *baton) Close() error {
	if err := b.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
