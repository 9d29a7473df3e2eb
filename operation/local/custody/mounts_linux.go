package custody

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// mountProc makes /proc that of this process's PID namespace. With the old one,
// /proc/self and every number would be somebody else.
func mountProc() error {
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return &fs.PathError{Op: "mount", Path: "/proc", Err: err}
	}
	return nil
}

// leaveMounts lets nothing that is mounted here be seen outside; what is mounted
// outside still comes in.
func leaveMounts() error {
	if err := unix.Mount("", "/", "", unix.MS_SLAVE|unix.MS_REC, ""); err != nil {
		return &fs.PathError{Op: "make slave", Path: "/", Err: err}
	}
	return nil
}

// shieldCgroups makes every cgroup file system of version 2 read-only here, so
// that nobody can move himself elsewhere. The mounts themselves stay as they are
// below: init has cgroup.kill open for writing.
func shieldCgroups(all []mount) error {
	for _, m := range all {
		if m.system != "cgroup2" || !isCgroup2(m.point) {
			continue // or another mount hides it
		}
		if err := bind(m.point, true); err != nil {
			return err
		}
	}
	return nil
}

// protect makes readOnly read-only here, whatever path leads there, and writable
// writable again below those.
func protect(readOnly, writable []string) error {
	for _, path := range readOnly {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return err
		}
		all, err := mounts()
		if err != nil {
			return err
		}
		for _, place := range everywhere(all, real) {
			if err := bind(place, true); err != nil {
				return err
			}
		}
		if err := provenReadOnly(real); err != nil {
			return err
		}
	}
	for _, path := range writable {
		real, err := filepath.EvalSymlinks(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := bind(real, false); err != nil {
			return err
		}
	}
	return nil
}

// bind mounts path over itself, with what is mounted below it, and makes that
// read-only or writable.
func bind(path string, readOnly bool) error {
	if err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return &fs.PathError{Op: "bind", Path: path, Err: err}
	}
	return setReadOnly(path, readOnly, unix.AT_RECURSIVE)
}

// setReadOnly sets or clears one attribute of the mount at path, and with
// AT_RECURSIVE of those below. Kernels before 5.12 know only how to set all
// attributes of one mount.
func setReadOnly(path string, readOnly bool, flags uint) error {
	attributes := unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	if readOnly {
		attributes = unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	}
	err := unix.MountSetattr(unix.AT_FDCWD, path, flags, &attributes)
	if errors.Is(err, unix.ENOSYS) {
		err = remount(path, readOnly)
	}
	if err != nil {
		return &fs.PathError{Op: "set read-only", Path: path, Err: err}
	}
	return nil
}

// remount sets or clears read-only at path and leaves the other attributes, some
// of which a user namespace must not clear.
func remount(path string, readOnly bool) error {
	var system unix.Statfs_t
	if err := unix.Statfs(path, &system); err != nil {
		return err
	}
	flags := uintptr(unix.MS_BIND | unix.MS_REMOUNT)
	for _, kept := range []struct{ has, set uintptr }{
		{unix.ST_NOSUID, unix.MS_NOSUID}, {unix.ST_NODEV, unix.MS_NODEV}, {unix.ST_NOEXEC, unix.MS_NOEXEC},
		{unix.ST_NOATIME, unix.MS_NOATIME}, {unix.ST_NODIRATIME, unix.MS_NODIRATIME}, {unix.ST_RELATIME, unix.MS_RELATIME},
	} {
		if uintptr(system.Flags)&kept.has != 0 {
			flags |= kept.set
		}
	}
	if readOnly {
		flags |= unix.MS_RDONLY
	}
	return unix.Mount("", path, "", flags, "")
}

// provenReadOnly returns an error unless path is on a read-only mount.
func provenReadOnly(path string) error {
	var system unix.Statfs_t
	if err := unix.Statfs(path, &system); err != nil {
		return &fs.PathError{Op: "statfs", Path: path, Err: err}
	}
	if system.Flags&unix.ST_RDONLY == 0 {
		return fmt.Errorf("%s is still writable", path)
	}
	return nil
}
