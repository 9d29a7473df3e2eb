package custody

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A mount is one line of /proc/self/mountinfo.
type mount struct {
	id     string
	device string // of the file system, as "major:minor"
	root   string // the directory of the file system that is mounted
	point  string // where it is mounted
	system string // the type, as in "cgroup2"
}

// mounts returns what is mounted in this process's mount namespace, in the order
// of mounting.
func mounts() ([]mount, error) {
	file, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseMounts(bufio.NewScanner(file))
}

// parseMounts reads the lines of proc_pid_mountinfo(5): id, parent, device,
// root, point, options, any number of tags, "-", type and more. Lines of another
// form are left out.
func parseMounts(lines *bufio.Scanner) ([]mount, error) {
	var all []mount
	for lines.Scan() {
		before, after, found := strings.Cut(lines.Text(), " - ")
		fields, rest := strings.Fields(before), strings.Fields(after)
		if !found || len(fields) < 6 || len(rest) == 0 {
			continue
		}
		all = append(all, mount{
			id: fields[0], device: fields[2], root: unescapeMount(fields[3]), point: unescapeMount(fields[4]), system: rest[0],
		})
	}
	return all, lines.Err()
}

// unescapeMount undoes what the kernel does to blanks and backslashes: a
// backslash and three octal digits.
func unescapeMount(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// mountOf returns the mount that path lies in. Path is absolute and without
// symbolic links.
func mountOf(all []mount, path string) (mount, bool) {
	var stat unix.Statx_t
	if unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_MNT_ID, &stat) == nil && stat.Mask&unix.STATX_MNT_ID != 0 {
		id := strconv.FormatUint(stat.Mnt_id, 10)
		for _, m := range all {
			if m.id == id {
				return m, true
			}
		}
	}
	// Kernels before 5.8 don't say. The last of the longest hides the others.
	best := mount{}
	for _, m := range all {
		if _, within := below(m.point, path); within && len(m.point) >= len(best.point) {
			best = m
		}
	}
	return best, best.point != ""
}

// below returns path relative to dir, with a leading slash or empty, and whether
// it is dir or lies below.
func below(dir, path string) (string, bool) {
	if dir == "/" {
		return strings.TrimSuffix(path, "/"), true
	}
	rest, found := strings.CutPrefix(path, dir)
	return rest, found && (rest == "" || rest[0] == '/')
}

// everywhere returns all paths that lead to path through other mounts of the
// same file system, path itself first.
func everywhere(all []mount, path string) []string {
	paths := []string{path}
	home, found := mountOf(all, path)
	if !found {
		return paths
	}
	rest, _ := below(home.point, path)
	inside := filepath.Join(home.root, rest)
	var original unix.Stat_t
	if unix.Lstat(path, &original) != nil {
		return paths
	}
	for _, m := range all {
		if m.device != home.device || m.id == home.id {
			continue
		}
		rest, within := below(m.root, inside)
		if !within {
			continue
		}
		other := filepath.Join(m.point, rest)
		var stat unix.Stat_t
		// Another mount may hide that place.
		if unix.Lstat(other, &stat) == nil && stat.Dev == original.Dev && stat.Ino == original.Ino && other != path {
			paths = append(paths, other)
		}
	}
	return paths
}
