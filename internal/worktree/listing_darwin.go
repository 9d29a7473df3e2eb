package worktree

import (
	"errors"
	"io"
	"os"
)

// listBufferSize is zero: the system's library has a buffer of its own.
const listBufferSize = 0

// namesAtATime is how many names are read between two looks at the context.
const namesAtATime = 1_024

// readAll reads all entries and looks up the kind of each.
func (l *listing) readAll() error {
	fd, err := openAt(l.fd, ".", listFlags)
	if err != nil {
		return movedOr(l.path, err)
	}
	directory := os.NewFile(uintptr(fd), l.path)
	defer directory.Close()
	for {
		if err := interrupted(l.ctx); err != nil {
			return err
		}
		names, err := directory.Readdirnames(namesAtATime)
		for _, name := range names {
			if err := l.add(name, 0); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return hostFailed(l.path, err)
		}
	}
}
