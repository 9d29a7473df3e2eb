package custody

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// waitAll lets wait4 see children of every kind, also those whose end sends no
// SIGCHLD.
const waitAll = unix.WALL

// closeInherited closes what the supervisor got from elsewhere and did not mean
// to hand on, such as the descriptor of a lease. Descriptors of this process are
// close-on-exec, so that an inherited one is known by not being it.
func closeInherited() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, entry := range entries {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || fd < firstFree {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(fd)
		}
	}
}

// arrange does in init what must be done from the inside, before the gate: the
// mounts, who reaps, and what the command must not be able to undo.
func arrange(o order) (a arranged, lack *Lack) {
	refuse := func(of Mechanism, err error) (arranged, *Lack) {
		return arranged{}, &Lack{Of: string(of), Why: err.Error()}
	}
	a = byGroup()
	if o.uses(Cgroup) {
		// Before the shield, which would be in the way.
		file, err := os.OpenFile(filepath.Join(o.Cgroup, "cgroup.kill"), os.O_WRONLY, 0)
		if err != nil {
			return refuse(Cgroup, err)
		}
		a.others = func(int) bool { return othersInCgroup(o.Cgroup) }
		a.strike = func(int) { _, _ = file.WriteString("1") }
	}
	if o.uses(Subreaper) {
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return refuse(Subreaper, fmt.Errorf("become subreaper: %w", err))
		}
	}
	if o.uses(Namespace) && os.Getpid() != 1 {
		return refuse(Namespace, fmt.Errorf("init of the namespace is process %d", os.Getpid()))
	}
	shielded := false
	if o.Mounts {
		if err := leaveMounts(); err != nil {
			return refuse(Namespace, err)
		}
		if o.uses(Namespace) {
			if err := mountProc(); err != nil {
				return refuse(Namespace, err)
			}
		}
		if o.uses(Cgroup) {
			all, err := mounts()
			if err != nil {
				return refuse(Cgroup, err)
			}
			// Where it doesn't work, confined finds out.
			shielded = shieldCgroups(all) == nil
		}
		if err := protect(o.ReadOnly, o.Writable); err != nil {
			return refuse(GitProtection, err)
		}
		if err := withhold(); err != nil {
			return refuse(Namespace, err)
		}
	}
	// Nobody with the same uid can trace init then, or open its descriptors.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return refuse(Subreaper, fmt.Errorf("forbid tracing: %w", err))
	}
	a.confined = o.uses(Cgroup) && confined(o.CgroupMount, o.Cgroup, shielded)
	return a, nil
}

// childless reports whether this process has no child. It reaps none.
func childless() bool {
	for {
		err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT|unix.WALL, nil)
		if !errors.Is(err, unix.EINTR) {
			return errors.Is(err, unix.ECHILD)
		}
	}
}

// signalName returns the name of a signal, as in "SIGKILL".
func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return "signal " + strconv.Itoa(int(s))
}
