package gittest

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A Snapshot is everything below a directory that a reader must leave alone:
// for each path its type and mode, owner, links, inode, size, times of
// modification and change, and content. Access times are left out.
type Snapshot map[string]State

// A State is one path of a snapshot. Equal states mean that nothing was
// written there, not even back and forth: the change time would tell.
type State struct {
	Mode     uint32
	UID, GID uint32
	Links    uint64
	Inode    uint64
	Size     int64
	Modified unix.Timespec
	Changed  unix.Timespec
	Content  string // SHA-256 of a file, target of a symbolic link, or why neither could be read
}

// Take returns the snapshot of a directory, itself under the name ".". It
// opens regular files and directories only, and goes below paths of any
// length.
func Take(tb testing.TB, dir string) Snapshot {
	tb.Helper()
	s := Snapshot{}
	if err := s.add(unix.AT_FDCWD, dir, "."); err != nil {
		tb.Fatalf("snapshot of %q: %v", dir, err)
	}
	return s
}

// Snapshot returns the snapshot of everything that the fixture built, the
// user's home included.
func (c Checkout) Snapshot(tb testing.TB) Snapshot {
	tb.Helper()
	c.shared.user.RLock()
	defer c.shared.user.RUnlock()
	s := Take(tb, c.Root)
	for path, state := range Take(tb, c.Home) {
		s["HOME/"+path] = state
	}
	return s
}

// add records the entry name of the directory at, and what is below it.
func (s Snapshot) add(at int, name, path string) error {
	var st unix.Stat_t
	if err := unix.Fstatat(at, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	state := State{
		Mode: uint32(st.Mode), UID: st.Uid, GID: st.Gid, Links: uint64(st.Nlink), Inode: st.Ino,
		Size: st.Size, Modified: st.Mtim, Changed: st.Ctim,
	}
	var err error
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		state.Content, err = digest(at, name)
	case unix.S_IFLNK:
		state.Content, err = target(at, name, st.Size)
	case unix.S_IFDIR:
		err = s.below(at, name, path)
	}
	if err != nil {
		state.Content = err.Error()
	}
	s[path] = state
	return nil
}

// below records the entries of the directory name.
func (s Snapshot) below(at int, name, path string) error {
	fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	dir := os.NewFile(uintptr(fd), name)
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, entry := range names {
		if err := s.add(fd, entry, path+"/"+entry); err != nil {
			return err
		}
	}
	return nil
}

func digest(at int, name string) (string, error) {
	fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	file := os.NewFile(uintptr(fd), name)
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), nil
}

func target(at int, name string, size int64) (string, error) {
	buf := make([]byte, size+1)
	n, err := unix.Readlinkat(at, name, buf)
	return string(buf[:max(n, 0)]), err
}

// Diff returns one line for each path that differs between s and later,
// sorted; nothing when no path does.
func (s Snapshot) Diff(later Snapshot) []string {
	var lines []string
	for path, state := range s {
		now, ok := later[path]
		switch {
		case !ok:
			lines = append(lines, fmt.Sprintf("%q is gone", path))
		case now != state:
			lines = append(lines, fmt.Sprintf("%q changed: %s", path, state.difference(now)))
		}
	}
	for path := range later {
		if _, ok := s[path]; !ok {
			lines = append(lines, fmt.Sprintf("%q is new", path))
		}
	}
	slices.Sort(lines)
	return lines
}

// difference names the parts in which two states differ.
func (a State) difference(b State) string {
	var parts []string
	for _, part := range []struct {
		name    string
		differs bool
	}{
		{"mode", a.Mode != b.Mode},
		{"owner", a.UID != b.UID || a.GID != b.GID},
		{"links", a.Links != b.Links},
		{"inode", a.Inode != b.Inode},
		{"size", a.Size != b.Size},
		{"modification time", a.Modified != b.Modified},
		{"change time", a.Changed != b.Changed},
		{"content", a.Content != b.Content},
	} {
		if part.differs {
			parts = append(parts, part.name)
		}
	}
	return strings.Join(parts, ", ")
}
