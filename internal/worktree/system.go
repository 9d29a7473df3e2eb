package worktree

import (
	"golang.org/x/sys/unix"
)

// fileFlags open a file for reading without following a symlink, without
// waiting for a writer of a FIFO, and without making a terminal our own.
const fileFlags = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY

// listFlags open a directory whose entries are to be read.
const listFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW

// A stamp is what must not change while something is read: which file it is,
// its type and mode, size, and the times of content and status. Equal stamps
// compare equal.
type stamp struct {
	identity
	mode         uint32 // type and permissions, as in stat(2)
	size         int64
	mtime, ctime instant
}

type instant struct{ sec, nsec int64 }

func (s *stamp) kind() Kind {
	switch s.mode & unix.S_IFMT {
	case unix.S_IFREG:
		return File
	case unix.S_IFLNK:
		return Symlink
	case unix.S_IFDIR:
		return Directory
	}
	return Special
}

// permissions are st_mode & 07777: contract section 4, raw fingerprint.
func (s *stamp) permissions() uint32 { return s.mode & 0o7777 }

func stampOf(st *unix.Stat_t) stamp {
	return stamp{
		identity: identity{uint64(st.Dev), uint64(st.Ino)},
		mode:     uint32(st.Mode),
		size:     int64(st.Size),
		mtime:    instant{int64(st.Mtim.Sec), int64(st.Mtim.Nsec)},
		ctime:    instant{int64(st.Ctim.Sec), int64(st.Ctim.Nsec)},
	}
}

// The system calls that are used, repeated where a signal interrupts them.

func openAt(directory int, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(directory, name, flags|unix.O_CLOEXEC, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// statAt looks at a name without following it.
func statAt(directory int, name string) (stamp, error) {
	var st unix.Stat_t
	for {
		switch err := unix.Fstatat(directory, name, &st, unix.AT_SYMLINK_NOFOLLOW); err {
		case nil:
			return stampOf(&st), nil
		case unix.EINTR:
		default:
			return stamp{}, err
		}
	}
}

func statFD(fd int) (stamp, error) {
	var st unix.Stat_t
	for {
		switch err := unix.Fstat(fd, &st); err {
		case nil:
			return stampOf(&st), nil
		case unix.EINTR:
		default:
			return stamp{}, err
		}
	}
}

func read(fd int, buffer []byte) (int, error) {
	for {
		n, err := unix.Read(fd, buffer)
		if err != unix.EINTR {
			return n, err
		}
	}
}

func readlinkAt(directory int, name string, buffer []byte) (int, error) {
	for {
		n, err := unix.Readlinkat(directory, name, buffer)
		if err != unix.EINTR {
			return n, err
		}
	}
}
