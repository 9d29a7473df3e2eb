package state

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

func syncFile(file *os.File) error {
	return retry(func() error { return unix.Fsync(int(file.Fd())) })
}

// chmodDir sets the permissions of a directory that the umask has closed to
// its own maker. fchmodat2 came with Linux 6.6, and some containers deny it.
func chmodDir(at int, name string) error {
	if err := unix.Fchmodat(at, name, dirPerm, unix.AT_SYMLINK_NOFOLLOW); err == nil {
		return nil
	}
	fd, err := openAt(at, name, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	return errors.Join(unix.Chmod(fmt.Sprintf("/proc/self/fd/%d", fd), dirPerm), unix.Close(fd))
}

// systemOf reads the type number of the file system. virtiofs and every other
// FUSE system carry FUSE's.
func systemOf(stat *unix.Statfs_t) System {
	return systemByMagic(uint32(stat.Type))
}
