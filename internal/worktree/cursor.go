package worktree

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// MaxListed bounds the entries of one directory, so that a listing cannot take
// all memory. It is far above what a status text (contract section 2) or a
// directory of ignored files needs.
const MaxListed = 1 << 20

// An Entry is a name in a directory.
type Entry struct {
	// Name has no slash. It may be any other bytes.
	Name string

	// Kind is File, Symlink, Directory or Special.
	Kind Kind
}

// A Cursor lists directories and reads files on a way through the checkout,
// keeping the directories open in which the next one likely is. It must not be
// used from several goroutines at once; a Root may have many cursors.
type Cursor struct {
	descent descent
	buffer  []byte // of a listing
}

// Cursor returns a cursor, which the caller closes.
func (r *Root) Cursor() *Cursor { return &Cursor{descent: descent{root: r}} }

// Close frees what the cursor holds. It fails with [fault.SourceMoved] where a
// directory that it was in is another one by now.
func (c *Cursor) Close() error { return c.descent.leave(0) }

// List returns the entries of a directory, a clean path, empty for the root,
// in ascending order of their names. "." and ".." are left out, ".git" is not.
//
// It fails with [fault.SourceMoved] where the directory is missing, is reached
// through a symlink or is none, since a caller lists what a listing showed;
// the same where it changes meanwhile. A directory that may not be read is
// [fault.UnsupportedChange], one with more than MaxListed entries is
// [fault.OverBound].
func (c *Cursor) List(ctx context.Context, directory string) ([]Entry, error) {
	name := "."
	if directory != "" {
		if err := checkPath(directory); err != nil {
			return nil, err
		}
		directory, name = split(directory)
	}
	path := name
	if directory != "" {
		path = directory + "/" + name
	}
	parent, err := c.enter(directory, path)
	if err != nil {
		return nil, err
	}
	fd, err := openAt(parent, name, listFlags)
	switch err {
	case nil:
	case unix.EACCES, unix.EPERM:
		return nil, unreadable(path)
	default:
		return nil, movedOr(path, err)
	}
	defer unix.Close(fd)
	before, err := statFD(fd)
	if err != nil {
		return nil, hostFailed(path, err)
	}
	if c.buffer == nil {
		c.buffer = make([]byte, listBufferSize)
	}
	l := listing{ctx: ctx, fd: fd, path: path, buffer: c.buffer}
	if err := l.readAll(); err != nil {
		return nil, err
	}
	after, err := statFD(fd)
	if err != nil {
		return nil, hostFailed(path, err)
	}
	if after != before {
		return nil, moved(path, nil)
	}
	slices.SortFunc(l.entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return l.entries, nil
}

// ReadFile returns the content of a regular file and its st_mode & 07777. It
// fails with [fault.OverBound], without reading, where the content is longer
// than max bytes, with [fault.UnsupportedChange] where it may not be read, and
// with [fault.SourceMoved] where there is no regular file that is reached
// without a symlink, or where it changes meanwhile.
func (c *Cursor) ReadFile(ctx context.Context, path string, max int64) ([]byte, uint32, error) {
	if err := checkPath(path); err != nil {
		return nil, 0, err
	}
	if err := interrupted(ctx); err != nil {
		return nil, 0, err
	}
	directory, name := split(path)
	parent, err := c.enter(directory, path)
	if err != nil {
		return nil, 0, err
	}
	before, err := statAt(parent, name)
	switch {
	case err == unix.EACCES, err == unix.EPERM:
		return nil, 0, unreadable(path)
	case err != nil:
		return nil, 0, movedOr(path, err)
	case before.kind() != File:
		return nil, 0, notAsListed(path, before.kind())
	case before.size > max:
		return nil, 0, fault.New(fault.OverBound, "%q has %d bytes, more than %d", path, before.size, max)
	}
	file, err := openFile(parent, name, path, &before)
	if err != nil {
		return nil, 0, err
	}
	defer file.close()
	content := make([]byte, before.size)
	for rest := content; len(rest) > 0; {
		chunk, err := file.next(ctx, rest[:min(len(rest), bufferSize)])
		if err != nil {
			return nil, 0, err
		}
		rest = rest[len(chunk):]
		c.descent.root.tally.add(len(chunk))
	}
	if err := file.unchanged(); err != nil {
		return nil, 0, err
	}
	c.descent.root.tally.end()
	return content, before.permissions(), nil
}

// enter goes to the directory of a path, which must be reachable.
func (c *Cursor) enter(directory, path string) (int, error) {
	fd, found, err := c.descent.enter(directory)
	switch {
	case err != nil:
		return -1, err
	case found == Unreadable:
		return -1, unreadable(path)
	case found != Directory:
		return -1, notAsListed(path, found)
	}
	return fd, nil
}

func notAsListed(path string, found Kind) error {
	return fault.New(fault.SourceMoved, "%q is no longer what it was listed as: %v", path, found)
}

// List is List of a cursor of its own.
func (r *Root) List(ctx context.Context, directory string) ([]Entry, error) {
	c := r.Cursor()
	entries, err := c.List(ctx, directory)
	if closed := c.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	return entries, nil
}

// ReadFile is ReadFile of a cursor of its own.
func (r *Root) ReadFile(ctx context.Context, path string, max int64) ([]byte, uint32, error) {
	c := r.Cursor()
	content, mode, err := c.ReadFile(ctx, path, max)
	if closed := c.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, 0, err
	}
	return content, mode, nil
}

// A listing reads the entries of one open directory.
type listing struct {
	ctx     context.Context
	fd      int
	path    string
	buffer  []byte
	entries []Entry
}

// add takes an entry of which the file system told the kind, or none.
func (l *listing) add(name string, kind Kind) error {
	if name == "." || name == ".." {
		return nil
	}
	if len(l.entries) == MaxListed {
		return fault.New(fault.OverBound, "the directory %q has more than %d entries", l.path, MaxListed)
	}
	if kind == 0 {
		st, err := statAt(l.fd, name)
		if err != nil {
			return movedOr(l.path+"/"+name, err)
		}
		kind = st.kind()
	}
	l.entries = append(l.entries, Entry{name, kind})
	return nil
}
