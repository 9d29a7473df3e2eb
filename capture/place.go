package capture

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/git-algal/git-algal/internal/fault"
)

// place returns nil where the workspace is the directory that was admitted.
// Otherwise it tells what refuses a capture for good from what the host has to
// put right first (contract section 6, settling):
//
//   - fault.SourceMoved: another directory stands there, on the same device;
//   - fault.WorkspaceMissing: it is gone, and its parent is where it was;
//   - fault.HostFailed: the path or its parent is on another device, as when a
//     file system is not mounted, or neither can be reached.
//
// A path that is no directory is left to gitplumb.Open, which refuses it.
func (s Source) place() error {
	path := filepath.Clean(s.Workspace)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		parent, err := os.Lstat(filepath.Dir(path))
		if err != nil || !parent.IsDir() {
			return fault.New(fault.HostFailed, "neither workspace %q nor its parent is there", s.Workspace).
				WithNext("mount its file system")
		}
		if device, _ := identify(parent); device != s.Device {
			return s.notMounted()
		}
		return fault.New(fault.WorkspaceMissing, "workspace %q does not exist", s.Workspace)
	}
	if err != nil {
		return fault.New(fault.HostFailed, "workspace %q cannot be reached: %w", s.Workspace, err)
	}
	device, inode := identify(info)
	switch {
	case device != s.Device:
		return s.notMounted()
	case info.IsDir() && inode != s.Inode:
		return fault.New(fault.SourceMoved, "workspace %q is another directory than the one that was admitted", s.Workspace)
	}
	return nil
}

func (s Source) notMounted() error {
	return fault.New(fault.HostFailed, "workspace %q is on another device than at admission", s.Workspace).
		WithNext("mount its file system")
}

// identify returns device and inode in decimal, as an intent records them.
func identify(info fs.FileInfo) (device, inode string) {
	status, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", ""
	}
	// The types of both members differ between systems; the decimals do not.
	return strconv.FormatUint(uint64(status.Dev), 10), strconv.FormatUint(uint64(status.Ino), 10)
}
