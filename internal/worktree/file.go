package worktree

import (
	"context"

	"golang.org/x/sys/unix"
)

// An openedFile is a regular file that is being read from its first byte to
// the last that it had when it was looked at.
type openedFile struct {
	fd     int
	path   string
	before *stamp
	left   int64 // bytes that were not read yet
}

// openFile opens what was seen to be a regular file. Where the name means
// something else by now, that shows at the end, when unchanged is asked: what
// was read until then is as much as the file was long, comes from no FIFO that
// could make us wait, and is thrown away. It fails with
// [fault.UnsupportedChange] where permissions forbid reading.
func openFile(directory int, name, path string, before *stamp) (openedFile, error) {
	fd, err := openAt(directory, name, fileFlags)
	switch err {
	case nil:
	case unix.EACCES, unix.EPERM:
		return openedFile{}, unreadable(path)
	default:
		return openedFile{}, movedOr(path, err)
	}
	return openedFile{fd, path, before, before.size}, nil
}

// next reads the next bytes into the buffer, at least one.
func (f *openedFile) next(ctx context.Context, buffer []byte) ([]byte, error) {
	if err := interrupted(ctx); err != nil {
		return nil, err
	}
	n, err := read(f.fd, buffer[:min(int64(len(buffer)), f.left)])
	switch {
	case err == unix.EAGAIN: // a FIFO by now
		return nil, moved(f.path, err)
	case err != nil:
		return nil, movedOr(f.path, err)
	case n == 0:
		return nil, moved(f.path, nil)
	}
	f.left -= int64(n)
	return buffer[:n], nil
}

// unchanged compares the file with what was seen before it was opened. Nothing
// that was read counts before it says so.
func (f *openedFile) unchanged() error {
	now, err := statFD(f.fd)
	if err != nil {
		return hostFailed(f.path, err)
	}
	if now != *f.before {
		return moved(f.path, nil)
	}
	return nil
}

func (f *openedFile) close() { unix.Close(f.fd) }

// movedOr returns the error of a call on a name that had been looked at: the
// name is gone or means something else, or else the call itself failed.
func movedOr(path string, err error) error {
	switch err {
	case unix.ENOENT, unix.ELOOP, unix.ENOTDIR, unix.EISDIR, unix.ENXIO, unix.ENODEV, unix.EINVAL:
		return moved(path, err)
	}
	return hostFailed(path, err)
}
