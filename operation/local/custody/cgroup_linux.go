package custody

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// CgroupPrefix begins the name of each cgroup made here; 16 hexadecimal digits
// follow.
const CgroupPrefix = "git-algal-"

// Pauses between two looks at a cgroup that is about to be empty: the kernel
// needs 8 ms for 200 processes.
const (
	firstPause = 500 * time.Microsecond
	lastPause  = 20 * time.Millisecond
)

// removeTimeout bounds the removal of an empty cgroup. The kernel answers "busy"
// for some milliseconds after the last process.
const removeTimeout = 2 * time.Second

// A cgroup is a directory of the version 2 file system, which may be mounted at
// a hybrid place as well: killing and counting need no controllers.
type cgroup struct {
	mount string // where the file system is mounted
	path  string // absolute, below mount
	dir   *os.File
}

// makeCgroup makes a cgroup in root, or in the cgroup of this process where root
// is empty.
func makeCgroup(root string) (*cgroup, error) {
	all, err := mounts()
	if err != nil {
		return nil, err
	}
	if root == "" {
		if root, err = ownCgroup(all); err != nil {
			return nil, err
		}
	}
	home, found := mountOf(all, root)
	if !found || home.system != "cgroup2" {
		return nil, errors.New(root + " lies in no cgroup file system of version 2")
	}
	name := make([]byte, 8)
	if _, err := rand.Read(name); err != nil {
		return nil, err
	}
	c := &cgroup{mount: home.point, path: filepath.Join(root, CgroupPrefix+hex.EncodeToString(name))}
	if err := os.Mkdir(c.path, 0o755); err != nil {
		return nil, err
	}
	if c.dir, err = os.Open(c.path); err != nil {
		return nil, errors.Join(err, removeCgroup(c.path))
	}
	if _, err := os.Stat(filepath.Join(c.path, "cgroup.kill")); err != nil {
		return nil, errors.Join(err, c.remove())
	}
	return c, nil
}

// ownCgroup returns the directory of this process's cgroup.
func ownCgroup(all []mount) (string, error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		path, found := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::")
		if !found {
			continue
		}
		for _, m := range all {
			if m.system != "cgroup2" {
				continue
			}
			if rest, within := below(m.root, path); within {
				return filepath.Join(m.point, rest), nil
			}
		}
	}
	return "", errors.New("no cgroup file system of version 2 is mounted that has this process")
}

// remove removes the cgroup, which is empty.
func (c *cgroup) remove() error {
	c.dir.Close()
	return removeCgroup(c.path)
}

// killCgroup ends everybody in the cgroup and below, also who is just being
// born. One that was removed is empty.
func killCgroup(path string) error {
	file, err := os.OpenFile(filepath.Join(path, "cgroup.kill"), os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString("1")
		err = errors.Join(err, file.Close())
	}
	if removed(err) || err == nil {
		return nil
	}
	return fault.New(fault.HostFailed, "cgroup %q can't be ended: %w", path, err)
}

// removed reports whether err says that a cgroup is no more; an open file of it
// says ENODEV.
func removed(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENODEV)
}

// populated reports whether anybody is in the cgroup or below. One that was
// removed has nobody.
func populated(path string) (bool, error) {
	text, err := os.ReadFile(filepath.Join(path, "cgroup.events"))
	if removed(err) {
		return false, nil
	}
	if err != nil {
		return false, fault.New(fault.HostFailed, "cgroup %q can't be read: %w", path, err)
	}
	for line := range strings.Lines(string(text)) {
		switch strings.TrimSpace(line) {
		case "populated 0":
			return false, nil
		case "populated 1":
			return true, nil
		}
	}
	return false, fault.New(fault.HostFailed, "cgroup %q doesn't say whether it is populated", path)
}

// othersInCgroup reports whether anybody but the caller, who is in it, is in the
// cgroup or below.
func othersInCgroup(path string) bool {
	procs, err := os.ReadFile(filepath.Join(path, "cgroup.procs"))
	if err != nil || strings.Count(string(procs), "\n") != 1 {
		return true
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return true
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		if some, err := populated(filepath.Join(path, entry.Name())); err != nil || some {
			return true
		}
	}
	return false
}

// awaitEmpty waits until nobody is in the cgroup, up to limit, and reports
// whether it came to that. It returns fault.Cancelled or fault.Deadline where
// ctx is done first.
func awaitEmpty(ctx context.Context, path string, limit time.Duration) (bool, error) {
	over := time.NewTimer(limit)
	defer over.Stop()
	pause := firstPause
	for {
		some, err := populated(path)
		if err != nil || !some {
			return err == nil, err
		}
		select {
		case <-ctx.Done():
			return false, stopped(ctx)
		case <-over.C:
			return false, nil
		case <-time.After(pause):
			pause = min(2*pause, lastPause)
		}
	}
}

// removeCgroup removes an empty cgroup and those that its processes made in it.
func removeCgroup(path string) error {
	for began := time.Now(); ; time.Sleep(firstPause) {
		err := removeOnce(path)
		if err == nil {
			return nil
		}
		if !errors.Is(err, unix.EBUSY) || time.Since(began) > removeTimeout {
			return fault.New(fault.HostFailed, "cgroup %q can't be removed: %w", path, err)
		}
	}
}

// removeOnce tries to remove a cgroup, what is below first.
func removeOnce(path string) error {
	entries, err := os.ReadDir(path)
	if removed(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			if err := removeOnce(filepath.Join(path, entry.Name())); err != nil {
				return err
			}
		}
	}
	if err := unix.Rmdir(path); err != nil && !removed(err) {
		return err
	}
	return nil
}

// staleAfter is how old an empty cgroup is when nobody can be about to use it:
// between making one and starting somebody in it lie milliseconds.
const staleAfter = time.Minute

// removeStale removes what killed supervisors and probes left in root: empty
// cgroups of ours. That one is missing says the same as that it is empty.
func removeStale(root string, now time.Time) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !strings.HasPrefix(entry.Name(), CgroupPrefix) || now.Sub(info.ModTime()) < staleAfter {
			continue
		}
		_ = unix.Rmdir(filepath.Join(root, entry.Name())) // the kernel refuses a populated one
	}
}

// inodeOf returns the inode of path, in decimal.
func inodeOf(path string) (string, error) {
	var stat unix.Stat_t
	if err := unix.Stat(path, &stat); err != nil {
		return "", &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return strconv.FormatUint(stat.Ino, 10), nil
}

// isCgroup2 reports whether path lies in a cgroup file system of version 2.
func isCgroup2(path string) bool {
	var system unix.Statfs_t
	return unix.Statfs(path, &system) == nil && int64(system.Type) == unix.CGROUP2_SUPER_MAGIC
}

// confined reports whether this process can write cgroup.procs of no ancestor of
// the cgroup, nor make itself able to: then neither can a process that it starts
// with no more rights. Shielded says that the file system is read-only here, and
// not this process's to change for those.
func confined(mount, path string, shielded bool) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, within := below(mount, dir); !within {
			return true
		}
		procs := filepath.Join(dir, "cgroup.procs")
		file, err := os.OpenFile(procs, os.O_WRONLY, 0)
		if err == nil {
			file.Close()
			return false
		}
		if shielded && (errors.Is(err, unix.EROFS) || provenReadOnly(dir) == nil) {
			continue
		}
		// Its owner can give himself the right, and root needs none.
		var stat unix.Stat_t
		if !errors.Is(err, unix.EACCES) || unix.Stat(procs, &stat) != nil || int(stat.Uid) == os.Geteuid() || os.Geteuid() == 0 {
			return false
		}
	}
}
