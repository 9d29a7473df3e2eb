package custody

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// arranging are the capabilities that init needs to arrange a tree's place, in
// the user namespace where there is one.
func arranging() []uintptr { return []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP} }

// withheld are the capabilities with which a command could undo what was
// arranged: mount and join namespaces, take over init, or go around the kernel.
// A command that runs as root keeps its others.
func withheld() []uintptr {
	return []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SYS_PTRACE, unix.CAP_SYS_MODULE, unix.CAP_SYS_RAWIO}
}

// withhold keeps the withheld capabilities, and all that init has only to
// arrange things, from whatever the calling thread starts. Init itself keeps
// them, so that a command with the same uid can't trace it.
func withhold() error {
	for _, capability := range withheld() {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0)
		if err != nil && !errors.Is(err, unix.EINVAL) { // EINVAL: the kernel doesn't know it
			return fmt.Errorf("withhold capability %d: %w", capability, err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("clear the ambient capabilities: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return fmt.Errorf("read the capabilities: %w", err)
	}
	sets[0].Inheritable, sets[1].Inheritable = 0, 0
	if err := unix.Capset(&header, &sets[0]); err != nil {
		return fmt.Errorf("clear the inheritable capabilities: %w", err)
	}
	return nil
}
