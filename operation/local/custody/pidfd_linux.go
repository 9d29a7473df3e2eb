package custody

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// processName returns what no other process of this boot has: the inode of the
// pidfd on kernels from 6.9 on, where pidfds have a file system of their own, or
// else the start of the process. The
// pidfd must name pid.
func processName(pidfd, pid int) (inode, start string, err error) {
	var system unix.Statfs_t
	if err := unix.Fstatfs(pidfd, &system); err != nil {
		return "", "", fault.New(fault.HostFailed, "a pidfd can't be looked at: %w", err)
	}
	if int64(system.Type) != unix.PID_FS_MAGIC {
		start, err := startOf(pid)
		if err != nil {
			return "", "", fault.New(fault.HostFailed, "the start of process %d can't be read: %w", pid, err)
		}
		return "", start, nil
	}
	var stat unix.Stat_t
	if err := unix.Fstat(pidfd, &stat); err != nil {
		return "", "", fault.New(fault.HostFailed, "a pidfd can't be looked at: %w", err)
	}
	return strconv.FormatUint(stat.Ino, 10), "", nil
}

// Fields of /proc/PID/stat after the parenthesis that ends the name, from 0
// (proc_pid_stat(5) counts from 1 and has two before).
const (
	statParent = 1
	statStart  = 19
)

// startOf returns when pid started, in ticks since the boot.
func startOf(pid int) (string, error) { return statField(pid, statStart) }

// statField returns one field of /proc/PID/stat after the name.
func statField(pid, field int) (string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	// The name may contain anything, parentheses too.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if field >= len(fields) {
		return "", fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	return fields[field], nil
}

// openInit returns a pidfd of the init that identity names, or nil where that
// process is gone: waited for, so that its number is free or somebody else's.
// The caller is in the identity's boot and PID namespace.
func openInit(identity Identity) (*os.File, error) {
	pidfd, err := unix.PidfdOpen(identity.InitPID, 0)
	switch {
	case errors.Is(err, unix.ESRCH), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOENT):
		return nil, nil // nobody, or a thread of another process
	case err != nil:
		return nil, fault.New(fault.HostFailed, "process %d can't be looked at: %w", identity.InitPID, err)
	}
	file := os.NewFile(uintptr(pidfd), "pidfd")
	inode, start, err := processName(pidfd, identity.InitPID)
	if err != nil {
		defer file.Close()
		// Without an inode the start is read by number, and the process may have
		// been waited for since.
		if errors.Is(unix.PidfdSendSignal(pidfd, 0, nil, 0), unix.ESRCH) {
			return nil, nil
		}
		return nil, err
	}
	if inode != identity.InitInode || start != identity.InitStart {
		file.Close()
		return nil, nil
	}
	return file, nil
}

// ended waits up to wait for the end of the process that pidfd names, and
// reports whether it came. A pidfd becomes readable when the last thread has
// ended, and in a PID namespace the last thread of init ends after everybody
// else. It doesn't matter who waits for the process, or whether anybody does.
func ended(pidfd *os.File, wait time.Duration) (bool, error) {
	polled := []unix.PollFd{{Fd: int32(pidfd.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(polled, int(wait.Milliseconds()))
	if errors.Is(err, unix.EINTR) {
		return false, nil
	}
	if err != nil {
		return false, fault.New(fault.HostFailed, "a pidfd can't be polled: %w", err)
	}
	return n == 1 && polled[0].Revents&unix.POLLIN != 0, nil
}

// signalInit sends a signal to the process that pidfd names; one that has ended
// is left alone.
func signalInit(pidfd *os.File, signal unix.Signal) error {
	err := unix.PidfdSendSignal(int(pidfd.Fd()), signal, nil, 0)
	if err != nil && !errors.Is(err, unix.ESRCH) {
		return fault.New(fault.HostFailed, "the init of a process tree can't be signalled: %w", err)
	}
	return nil
}
