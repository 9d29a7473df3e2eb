// Package worktree reads a checkout that somebody may be changing meanwhile,
// so that what it returns was there, is whole, and lay inside the checkout.
//
// How every name is reached:
//
//   - component by component, each relative to the descriptor of the directory
//     before it, so that no path is too long for the system and none leads
//     through a symlink ([descent]);
//   - looked at before it is opened, because opening a FIFO or a device has
//     effects elsewhere; then opened without following and without blocking;
//   - compared with what was seen before: identity, mode, size and times must
//     be the same before the open and behind the last byte ([stamp]). A
//     difference is [fault.SourceMoved].
//
// Names are bytes. Nothing is written, and nothing but regular files,
// directories and the targets of symlinks is read.
//
// [Root.Scan] hashes many files at once, [Cursor] lists directories and reads
// single files on the way through a checkout.
//
// The conditions of the errors are the same everywhere:
//
//	fault.WorkspaceMissing   the root is no directory, or a symlink
//	fault.UnsafePath         a requested path is not relative and clean
//	fault.SourceMoved        something changed between two looks at it
//	fault.UnsupportedChange  permissions forbid reading
//	fault.OverBound          a bound of contract section 2, or the caller's
//	fault.Deadline, fault.Cancelled, fault.HostFailed   nothing about the checkout
//
// A system that changes a file within one tick of its clock, to the same size,
// is not noticed by one reading; contract section 5 has captures made twice.
package worktree

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// longestArgument bounds, in bytes, the path that one system call gets. It is
// below PATH_MAX of every system, 1,024 on macOS.
const longestArgument = 1_000

// A Root is the directory of a checkout, held open: what is read through it is
// read there, also when the directory is renamed. Its methods may be used at
// the same time from several goroutines.
type Root struct {
	fd    int
	path  string
	tally *Tally
	identity
}

// An identity tells a file of the system from all others.
type identity struct{ device, inode uint64 }

// Open opens the directory at an absolute path of any length. A slash, "." or
// ".." at the path's end hides no symlink. It fails with
// [fault.WorkspaceMissing] where there is no directory, and with
// [fault.HostFailed] where the system cannot tell.
func Open(path string) (*Root, error) {
	if !filepath.IsAbs(path) {
		return nil, fault.New(fault.WorkspaceMissing, "workspace %q is not an absolute path", path)
	}
	fd, err := openRoot(filepath.Clean(path))
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENAMETOOLONG):
		return nil, fault.New(fault.WorkspaceMissing, "workspace %q does not exist: %w", path, err)
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ELOOP):
		return nil, fault.New(fault.WorkspaceMissing, "workspace %q is not a directory, or is a symlink: %w", path, err)
	case err != nil:
		return nil, fault.New(fault.HostFailed, "workspace %q cannot be opened: %w", path, err)
	}
	st, err := statFD(fd)
	if err != nil {
		unix.Close(fd)
		return nil, fault.New(fault.HostFailed, "workspace %q cannot be looked at: %w", path, err)
	}
	return &Root{fd: fd, path: path, identity: st.identity}, nil
}

func openRoot(path string) (int, error) {
	const follow = directoryFlags &^ unix.O_NOFOLLOW
	fd, opened := unix.AT_FDCWD, false
	closeLast := func() {
		if opened {
			unix.Close(fd)
		}
	}
	defer func() { closeLast() }()
	for len(path) > longestArgument {
		cut := strings.LastIndexByte(path[:longestArgument], '/')
		if cut <= 0 {
			return -1, unix.ENAMETOOLONG
		}
		next, err := openAt(fd, path[:cut], follow)
		if err != nil {
			return -1, err
		}
		closeLast()
		fd, opened, path = next, true, path[cut+1:]
	}
	return openAt(fd, path, directoryFlags)
}

// Identity returns device and inode of the root as stat(2) gives them.
func (r *Root) Identity() (device, inode uint64) { return r.device, r.inode }

// Close closes the root. What is being read through it must have ended.
func (r *Root) Close() error {
	if err := unix.Close(r.fd); err != nil {
		return fault.New(fault.HostFailed, "workspace %q cannot be closed: %w", r.path, err)
	}
	return nil
}

// checkPath refuses a path that is not relative and clean, so that no request
// leads out of the checkout. It knows nothing of git's own names.
func checkPath(path string) error {
	if strings.IndexByte(path, 0) >= 0 {
		return fault.New(fault.UnsafePath, "the path %q holds a NUL", path)
	}
	for rest, more := path, true; more; {
		var component string
		component, rest, more = strings.Cut(rest, "/")
		if component == "" || component == "." || component == ".." {
			return fault.New(fault.UnsafePath, "the path %q is not relative and clean", path)
		}
	}
	return nil
}

// interrupted returns the error of a context that is over, or nil.
func interrupted(ctx context.Context) error {
	switch err := ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Deadline, "the deadline passed while the workspace was read: %w", err)
	default:
		return fault.New(fault.Cancelled, "cancelled while the workspace was read: %w", err)
	}
}

func moved(path string, cause error) error {
	if cause == nil {
		return fault.New(fault.SourceMoved, "%q changed while it was read", path)
	}
	return fault.New(fault.SourceMoved, "%q changed while it was read: %w", path, cause)
}

func hostFailed(path string, cause error) error {
	return fault.New(fault.HostFailed, "%q cannot be read: %w", path, cause)
}

func unreadable(path string) error {
	return fault.New(fault.UnsupportedChange, "%q cannot be read: permission denied", path)
}
