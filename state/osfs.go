package state

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sys/unix"
)

const (
	dirPerm  = 0o700 // of every directory that we make: the store holds prompts and answers
	filePerm = 0o600 // of every file that we make
)

// OS returns the file system of this machine. Only the system calls that the
// comments of [FS], [Dir] and [File] name are made.
func OS() FS { return osFS{} }

type osFS struct{}

func (osFS) OpenRoot(path string) (Dir, error) {
	return openDirAt(unix.AT_FDCWD, path, path, unix.O_NOFOLLOW)
}

func (osFS) OpenAncestor(path string) (Dir, error) {
	return openDirAt(unix.AT_FDCWD, path, path, 0)
}

func (osFS) Nonce() (nonce [nonceSize]byte) {
	// crypto/rand.Read never fails: it ends the process instead.
	_, _ = rand.Read(nonce[:])
	return nonce
}

type osDir struct {
	file *os.File
	path string // only for flock, which takes no descriptor, and for nothing else
}

// openDirAt and openFileAt repeat what a signal interrupts, as package os does.
func openDirAt(at int, name, path string, flags int) (Dir, error) {
	fd, err := openAt(at, name, unix.O_RDONLY|unix.O_DIRECTORY|flags, 0)
	if err != nil {
		return nil, err
	}
	return &osDir{os.NewFile(uintptr(fd), path), path}, nil
}

func openAt(at int, name string, flags int, perm uint32) (int, error) {
	for {
		fd, err := unix.Openat(at, name, flags|unix.O_CLOEXEC, perm)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}

func (d *osDir) fd() int { return int(d.file.Fd()) }

func (d *osDir) Info() (Info, error) { return infoOf(d.file) }

func (d *osDir) System() (System, error) {
	var stat unix.Statfs_t
	if err := retry(func() error { return unix.Fstatfs(d.fd(), &stat) }); err != nil {
		return System{}, err
	}
	return systemOf(&stat), nil
}

func (d *osDir) Lstat(name string) (Info, error) {
	stat, err := d.lstat(name)
	if err != nil {
		return Info{}, err
	}
	return describe(&stat), nil
}

func (d *osDir) lstat(name string) (stat unix.Stat_t, err error) {
	err = retry(func() error { return unix.Fstatat(d.fd(), name, &stat, unix.AT_SYMLINK_NOFOLLOW) })
	return stat, err
}

func (d *osDir) Names(limit int) ([]string, error) {
	// A descriptor of its own, since the position in a directory belongs to
	// the descriptor and a Dir may be listed twice.
	fd, err := openAt(d.fd(), ".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	listing := os.NewFile(uintptr(fd), d.path)
	defer listing.Close()
	names, err := listing.Readdirnames(limit + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(names) > limit {
		return nil, ErrTooManyEntries
	}
	return names, nil
}

func (d *osDir) OpenDir(name string) (Dir, error) {
	return openDirAt(d.fd(), name, filepath.Join(d.path, name), unix.O_NOFOLLOW)
}

func (d *osDir) Open(name string) (File, error) {
	return d.open(name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK)
}

func (d *osDir) open(name string, flags int) (*osFile, error) {
	fd, err := openAt(d.fd(), name, flags, filePerm)
	if err != nil {
		return nil, err
	}
	return &osFile{os.NewFile(uintptr(fd), filepath.Join(d.path, name))}, nil
}

func (d *osDir) Mkdir(name string) error {
	if err := retry(func() error { return unix.Mkdirat(d.fd(), name, dirPerm) }); err != nil {
		return err
	}
	stat, err := d.lstat(name)
	if err != nil {
		return err
	}
	if describe(&stat).Perm == dirPerm {
		return nil
	}
	return chmodDir(d.fd(), name)
}

func (d *osDir) Create(name string) (File, error) {
	return d.create(name)
}

func (d *osDir) create(name string) (*osFile, error) {
	file, err := d.open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW)
	if err != nil {
		return nil, err
	}
	if err := file.file.Chmod(filePerm); err != nil {
		return nil, errors.Join(err, file.Close(), d.Remove(name))
	}
	return file, nil
}

func (d *osDir) Link(from, to string) error {
	return retry(func() error { return unix.Linkat(d.fd(), from, d.fd(), to, 0) })
}

func (d *osDir) Rename(from, to string) error {
	return retry(func() error { return unix.Renameat(d.fd(), from, d.fd(), to) })
}

func (d *osDir) Remove(name string) error {
	return retry(func() error { return unix.Unlinkat(d.fd(), name, 0) })
}

func (d *osDir) Sync() error { return syncFile(d.file) }

func (d *osDir) Close() error { return d.file.Close() }

// makeLock makes the file of a lock where it does not exist, with permissions
// that do not depend on the umask.
func (d *osDir) makeLock(name string) error {
	if file, err := d.create(name); err == nil {
		if err := file.Close(); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if stat, err := d.lstat(name); err != nil {
		return err
	} else if describe(&stat).Kind != KindFile {
		return unix.ELOOP
	}
	return nil
}

func (d *osDir) TryLock(name string) (Lock, error) {
	if err := d.makeLock(name); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(d.path, name),
		flock.SetFlag(os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK), flock.SetPermissions(filePerm))
	held, err := lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, ErrLocked
	}
	// A lock counts only on the file that everybody else finds: flock took a
	// path, and somebody may have deleted the file against the rule.
	same, err := d.sameFile(lock, name)
	if err != nil || !same {
		return nil, errors.Join(err, unix.ESTALE, lock.Unlock())
	}
	return lock, nil
}

func (d *osDir) sameFile(lock *flock.Flock, name string) (bool, error) {
	info, err := lock.Stat()
	if err != nil {
		return false, err
	}
	found, err := d.lstat(name)
	if err != nil {
		return false, err
	}
	locked, ok := info.Sys().(*syscall.Stat_t)
	return ok && locked.Dev == found.Dev && locked.Ino == found.Ino, nil
}

type osFile struct{ file *os.File }

func (f *osFile) Read(p []byte) (int, error)  { return f.file.Read(p) }
func (f *osFile) Write(p []byte) (int, error) { return f.file.Write(p) }
func (f *osFile) Info() (Info, error)         { return infoOf(f.file) }
func (f *osFile) Sync() error                 { return syncFile(f.file) }
func (f *osFile) Close() error                { return f.file.Close() }

func infoOf(file *os.File) (Info, error) {
	var stat unix.Stat_t
	if err := retry(func() error { return unix.Fstat(int(file.Fd()), &stat) }); err != nil {
		return Info{}, err
	}
	return describe(&stat), nil
}

func describe(stat *unix.Stat_t) Info {
	info := Info{
		Kind:   KindSpecial,
		Owner:  ownerOf(int(stat.Uid), os.Geteuid()),
		Perm:   uint32(stat.Mode) & 0o7777,
		Size:   stat.Size,
		Device: uint64(stat.Dev),
		Inode:  stat.Ino,
	}
	seconds, nanoseconds := stat.Mtim.Unix()
	info.Modified = time.Unix(seconds, nanoseconds)
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		info.Kind = KindFile
	case unix.S_IFDIR:
		info.Kind = KindDir
	case unix.S_IFLNK:
		info.Kind = KindSymlink
	}
	return info
}

func ownerOf(uid, self int) Owner {
	switch uid {
	case self:
		return OwnerSelf
	case 0:
		return OwnerRoot
	}
	return OwnerForeign
}

// OSFile returns the open file of the system behind f, to be given to a child,
// and false where f is of a file system in memory. It stays f's own.
func OSFile(f File) (*os.File, bool) {
	of, ok := f.(*osFile)
	if !ok {
		return nil, false
	}
	return of.file, true
}

// retry repeats a system call that a signal interrupted.
func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
