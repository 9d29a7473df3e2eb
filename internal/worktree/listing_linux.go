package worktree

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// listBufferSize is what one call may return of a directory, in bytes: that of
// hundreds of entries.
const listBufferSize = 32 << 10

// Where a struct linux_dirent64 has its fields: getdents64(2). The name ends
// with a NUL, and the next entry begins where the length says.
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
)

// readAll reads all entries. Most file systems tell the kind of each; where
// they don't, it is looked up.
func (l *listing) readAll() error {
	for {
		if err := interrupted(l.ctx); err != nil {
			return err
		}
		n, err := unix.Getdents(l.fd, l.buffer)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return movedOr(l.path, err)
		case n == 0:
			return nil
		}
		for rest := l.buffer[:n]; len(rest) > 0; {
			if len(rest) < direntName {
				return hostFailed(l.path, unix.EIO)
			}
			length := int(binary.NativeEndian.Uint16(rest[direntLength:]))
			if length < direntName || length > len(rest) {
				return hostFailed(l.path, unix.EIO)
			}
			name, _, _ := bytes.Cut(rest[direntName:length], []byte{0})
			if err := l.add(string(name), kindOfType(rest[direntType])); err != nil {
				return err
			}
			rest = rest[length:]
		}
	}
}

func kindOfType(direntType byte) Kind {
	switch direntType {
	case unix.DT_REG:
		return File
	case unix.DT_LNK:
		return Symlink
	case unix.DT_DIR:
		return Directory
	case unix.DT_FIFO, unix.DT_SOCK, unix.DT_CHR, unix.DT_BLK:
		return Special
	}
	return 0
}
