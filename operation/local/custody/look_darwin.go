package custody

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// endPause is the pause between two looks at a tree that is being ended.
const endPause = 20 * time.Millisecond

// lookHere tells a living init. A tree whose init is gone stays Unprovable.
func lookHere(identity Identity) (Evidence, error) {
	if living(identity) {
		return Alive, nil
	}
	return Unprovable, nil
}

// living reports whether the identity's init is there.
func living(identity Identity) bool {
	start, err := startOf(identity.InitPID)
	return err == nil && identity.InitStart != "" && start == identity.InitStart
}

// End asks the init to end the command's group and waits for init's end. It
// returns fault.UnsupportedSystem then, because nothing proves that nobody is
// left; nil after a restart; fault.Cancelled or fault.Deadline.
func End(ctx context.Context, identity Identity) error {
	for asked := false; ; asked = true {
		evidence, err := Look(identity)
		switch {
		case err != nil:
			return err
		case evidence == OtherBoot:
			return nil
		case evidence == OtherMachine:
			return fault.New(fault.UnsupportedSystem, "the process tree belongs to another machine")
		case evidence == Unprovable:
			return fault.New(fault.UnsupportedSystem, "the process group was ended, but nothing can prove that nobody of the tree is left")
		}
		if !asked {
			if err := unix.Kill(identity.InitPID, unix.SIGTERM); err != nil && !errors.Is(err, unix.ESRCH) {
				return fault.New(fault.HostFailed, "the init of a process tree can't be signalled: %w", err)
			}
		}
		select {
		case <-ctx.Done():
			return stopped(ctx)
		case <-time.After(endPause):
		}
	}
}

// Remove removes nothing: a tree leaves nothing behind here.
func Remove(identity Identity) error { return identity.Validate() }

// MachineID returns a name of this machine that outlives a restart: the UUID of
// its hardware.
func MachineID() (string, error) { return sysctl("kern.uuid") }

// BootID returns a name of the time since this machine's last start.
func BootID() (string, error) { return sysctl("kern.bootsessionuuid") }

// sysctl returns a text of the kernel.
func sysctl(name string) (string, error) {
	text, err := unix.Sysctl(name)
	if err != nil {
		return "", fault.New(fault.HostFailed, "%s can't be read: %w", name, err)
	}
	return text, nil
}
