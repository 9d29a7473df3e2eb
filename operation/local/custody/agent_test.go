//go:build linux

package custody

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A writer writes a byte per writerPause until it is killed. It gives up after
// writerLife, or when a file with the suffix ".stop" is beside its own, so that
// nobody is left where nothing is proven.
const (
	writerPause = time.Millisecond
	writerLife  = 30 * time.Second
)

// How many writers a fork storm has, in the soak and otherwise: starting them is
// what takes long.
const (
	soakStorm  = 200
	briefStorm = 50
)

// kinds are the descendants of the table: each starts a writer that outlives its
// parent, and returns.
var kinds = map[string]func(file string) error{
	"background": func(file string) error { return spawn(&syscall.SysProcAttr{}, "write", file) },
	"setsid":     func(file string) error { return spawn(&syscall.SysProcAttr{Setsid: true}, "write", file) },
	"double fork": func(file string) error {
		return spawn(&syscall.SysProcAttr{Setsid: true}, "start", "setsid", file)
	},
	"CLONE_PARENT": func(file string) error {
		return spawn(&syscall.SysProcAttr{Cloneflags: syscall.CLONE_PARENT, Setsid: true}, "write", file)
	},
	"own subreaper": func(file string) error {
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return err
		}
		return spawn(&syscall.SysProcAttr{Setsid: true}, "start", "double fork", file)
	},
	"nested namespaces": func(file string) error {
		return spawn(&syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
		}, "write", file)
	},
	"leaves its cgroup": func(file string) error {
		return spawn(&syscall.SysProcAttr{Setsid: true}, "leave", file)
	},
	"fork storm": func(file string) error {
		// Not this program, of which two hundred would need minutes. A shell forks
		// for each pause, so it is second best.
		if perl, err := exec.LookPath("perl"); err == nil {
			const storm = `my ($f, $n) = @ARGV; my $end = time + 30;
				for (1 .. $n) {
					next if fork;
					while (time < $end && ! -e "$f.stop") {
						open F, ">>", $f; print F "x"; close F;
						select undef, undef, undef, 0.05;
					}
					exit;
				}`
			return exec.Command(perl, "-e", storm, file, os.Getenv("STORM")).Run()
		}
		const storm = `n=0; while [ $n -lt "$1" ]; do (
			i=0; while [ $i -lt 30 ] && ! [ -e "$0.stop" ]; do echo x >>"$0"; sleep 1; i=$((i+1)); done
		) & n=$((n+1)); done`
		return exec.Command("/bin/sh", "-c", storm, file, os.Getenv("STORM")).Run()
	},
}

// spawn starts this binary as an agent that has no open file.
func spawn(attributes *syscall.SysProcAttr, args ...string) error {
	child, err := os.StartProcess("/proc/self/exe", append([]string{"agent", "custody-agent"}, args...), &os.ProcAttr{Sys: attributes})
	if err != nil {
		return err
	}
	return child.Release()
}

// agent is the test binary as a command under custody.
func agent(args []string) int {
	err := func() error {
		switch args[0] {
		case "start": // KIND FILE: start the descendant and end when it writes
			if err := kinds[args[1]](args[2]); err != nil {
				return err
			}
			for range 2000 {
				if info, err := os.Stat(args[2]); err == nil && info.Size() > 0 {
					return nil
				}
				time.Sleep(time.Millisecond)
			}
			return fmt.Errorf("%s never wrote", args[1])
		case "leave": // FILE: leave the cgroup, then write
			if err := leaveCgroup(); err != nil {
				return err
			}
			return write(args[1])
		case "write": // FILE
			return write(args[1])
		default:
			return fmt.Errorf("agent %q", args)
		}
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// write appends to file for as long as it is let.
func write(file string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < writerLife; time.Sleep(writerPause) {
		if _, err := os.Stat(file + ".stop"); err == nil {
			return nil
		}
		if _, err := f.WriteString("x"); err != nil {
			return err
		}
	}
	return nil
}

// leaveCgroup tries to move this process to every cgroup there is above its own,
// by any mount, also a new one. That it can't is no error.
func leaveCgroup() error {
	file, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	defer file.Close()
	all, err := parseMounts(bufio.NewScanner(file))
	if err != nil {
		return err
	}
	own, err := ownCgroup(all)
	if err != nil {
		return nil
	}
	roots := []string{}
	for _, m := range all {
		if m.system == "cgroup2" {
			roots = append(roots, m.point)
			// As root one may try harder.
			_ = unix.Mount("", m.point, "", unix.MS_REMOUNT|unix.MS_BIND, "")
			_ = unix.Unmount(m.point, unix.MNT_DETACH)
		}
	}
	if fresh, err := os.MkdirTemp("", "cgroup"); err == nil {
		if unix.Mount("cgroup2", fresh, "cgroup2", 0, "") == nil {
			roots = append(roots, fresh)
		}
		defer os.Remove(fresh)
	}
	for _, root := range roots {
		for dir := own; strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
			_ = os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0)
		}
	}
	return nil
}

// copyOfSelf puts the test binary where an ordinary user can start it.
func copyOfSelf(dir string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, "custody.test")
	return to, exec.Command("cp", self, to).Run()
}
