package worktree

import (
	"golang.org/x/sys/unix"
)

// maxOpenDirectories bounds the descriptors that a descent holds, beside one
// for the directory that it is in. Below so many levels only that one is open.
const maxOpenDirectories = 32

// A descent is a way from the root into one directory. Its directories stay
// open, so that the next directory costs only what it doesn't share with the
// one before; sorted requests share most. It follows no symlink.
//
// A directory is compared when the descent leaves it: if its name means
// something else by then, what was read in it was no part of the checkout.
type descent struct {
	root   *Root
	path   string // of the directory it is in, empty in the root
	levels []level
}

// A level is one directory below the root. Its fd is -1 once the descent went
// deeper than it may keep open.
type level struct {
	end int // its path is path[:end]
	fd  int
	identity
}

// enter goes to a directory, a clean path, empty for the root. It returns
// Directory and the descriptor, which belongs to the descent, or what the way
// ended at: Missing, BehindSymlink or Unreadable. The error is SourceMoved for
// a directory that was left, or HostFailed.
func (d *descent) enter(directory string) (int, Kind, error) {
	if err := d.leave(d.shared(directory)); err != nil {
		return -1, 0, err
	}
	for len(d.path) < len(directory) {
		begin := len(d.path)
		if begin > 0 {
			begin++ // the slash
		}
		end := begin
		for end < len(directory) && directory[end] != '/' {
			end++
		}
		fd, err := openAt(d.fd(len(d.levels)), directory[begin:end], directoryFlags)
		switch err {
		case nil:
		case unix.ENOENT, unix.ENAMETOOLONG:
			return -1, Missing, nil
		case unix.ENOTDIR, unix.ELOOP:
			return -1, BehindSymlink, nil
		case unix.EACCES, unix.EPERM:
			return -1, Unreadable, nil
		default:
			return -1, 0, hostFailed(directory[:end], err)
		}
		st, err := statFD(fd)
		if err != nil {
			unix.Close(fd)
			return -1, 0, hostFailed(directory[:end], err)
		}
		if top := len(d.levels) - 1; top >= maxOpenDirectories {
			unix.Close(d.levels[top].fd)
			d.levels[top].fd = -1
		}
		d.levels = append(d.levels, level{end, fd, st.identity})
		d.path = directory[:end]
	}
	return d.fd(len(d.levels)), Directory, nil
}

// fd returns the descriptor of the directory that is n levels below the root,
// or -1.
func (d *descent) fd(n int) int {
	if n == 0 {
		return d.root.fd
	}
	return d.levels[n-1].fd
}

// shared returns how many levels of the descent lead to the directory and can
// be gone on from.
func (d *descent) shared(directory string) int {
	n := len(d.levels)
	if directory == d.path {
		return n
	}
	common := 0
	for common < min(len(directory), len(d.path)) && directory[common] == d.path[common] {
		common++
	}
	for n > 0 {
		l := d.levels[n-1]
		if l.fd >= 0 && l.end <= common && (l.end == len(directory) || directory[l.end] == '/') {
			break
		}
		n--
	}
	return n
}

// leave goes up to the level n and compares each directory on the way whose
// parent is open.
func (d *descent) leave(n int) error {
	var changed error
	for len(d.levels) > n {
		top := len(d.levels) - 1
		l, begin := d.levels[top], 0
		if top > 0 {
			begin = d.levels[top-1].end + 1
		}
		if parent := d.fd(top); parent >= 0 && changed == nil {
			st, err := statAt(parent, d.path[begin:l.end])
			if err != nil || st.identity != l.identity {
				changed = moved(d.path[:l.end], err)
			}
		}
		if l.fd >= 0 {
			unix.Close(l.fd)
		}
		d.levels = d.levels[:top]
		d.path = d.path[:max(begin-1, 0)]
	}
	return changed
}

// split cuts a clean path into its directory and its last component.
func split(path string) (directory, name string) {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[:i], path[i+1:]
		}
	}
	return "", path
}
