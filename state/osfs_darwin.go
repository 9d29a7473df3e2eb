package state

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncFile asks the drive too, which fsync(2) does not do on macOS. A file
// system without F_FULLFSYNC fails here: it could not keep the promise.
func syncFile(file *os.File) error {
	return retry(func() error {
		_, err := unix.FcntlInt(file.Fd(), unix.F_FULLFSYNC, 0)
		return err
	})
}

// chmodDir sets the permissions of a directory that the umask has closed to
// its own maker.
func chmodDir(at int, name string) error {
	return retry(func() error { return unix.Fchmodat(at, name, dirPerm, unix.AT_SYMLINK_NOFOLLOW) })
}

// systemOf reads the type name of the file system and whether it is local.
func systemOf(stat *unix.Statfs_t) System {
	return systemByName(unix.ByteSliceToString(stat.Fstypename[:]), stat.Flags&unix.MNT_LOCAL != 0)
}
