package custody

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// endPause is the pause between two looks at a tree that is being ended.
const endPause = 2 * time.Millisecond

// A fact is what the kernel says about one mechanism.
type fact int

const (
	unknown fact = iota // this process can't ask, or the mechanism isn't there
	over
	going
)

// lookHere asks about a tree of this machine and this boot.
func lookHere(identity Identity) (Evidence, error) {
	init, err := lookAtInit(identity)
	if err != nil {
		return Unprovable, err
	}
	group, err := lookAtCgroup(identity)
	if err != nil {
		return Unprovable, err
	}
	return weigh(identity, init, group), nil
}

// weigh concludes from what is known. Somebody who is there outweighs all else.
// A cgroup that init could leave adds to the namespace's proof and gives none.
func weigh(identity Identity, init, group fact) Evidence {
	namespace := identity.Has(Namespace)
	switch {
	case init == going, group == going:
		return Alive
	case namespace && init == over && (group == over || !identity.Has(Cgroup)):
		return Gone
	case identity.Has(Cgroup) && identity.Confined && group == over:
		return Gone
	default:
		return Unprovable
	}
}

// lookAtInit asks about init, by a pidfd.
func lookAtInit(identity Identity) (fact, error) {
	here, err := namespaceOf("pid")
	if err != nil || here != identity.PIDNamespace {
		return unknown, err
	}
	pidfd, err := openInit(identity)
	if err != nil {
		return unknown, err
	}
	if pidfd == nil {
		return over, nil
	}
	defer pidfd.Close()
	done, err := ended(pidfd, 0)
	switch {
	case err != nil:
		return unknown, err
	case done:
		return over, nil
	default:
		return going, nil
	}
}

// openInitHere is openInit, and nil as well where process ids mean something
// else.
func openInitHere(identity Identity) (*os.File, error) {
	here, err := namespaceOf("pid")
	if err != nil || here != identity.PIDNamespace {
		return nil, err
	}
	return openInit(identity)
}

// lookAtCgroup asks about the cgroup.
func lookAtCgroup(identity Identity) (fact, error) {
	found, known, err := findCgroup(identity)
	switch {
	case err != nil || !known:
		return unknown, err
	case !found:
		return over, nil
	}
	some, err := populated(identity.CgroupPath)
	switch {
	case err != nil:
		return unknown, err
	case some:
		return going, nil
	default:
		return over, nil
	}
}

// findCgroup reports whether the identity's cgroup is there, and whether this
// process can know.
func findCgroup(identity Identity) (found, known bool, err error) {
	if !identity.Has(Cgroup) {
		return false, false, nil
	}
	here, err := namespaceOf("cgroup")
	if err != nil || here != identity.CgroupNamespace {
		return false, false, err
	}
	root, err := inodeOf(identity.CgroupMount)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (root != identity.CgroupMountInode || !isCgroup2(identity.CgroupMount)) {
		return false, false, nil
	}
	if err != nil {
		return false, false, fault.New(fault.HostFailed, "the cgroups can't be looked at: %w", err)
	}
	inode, err := inodeOf(identity.CgroupPath)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, true, nil
	case err != nil:
		return false, false, fault.New(fault.HostFailed, "cgroup %q can't be looked at: %w", identity.CgroupPath, err)
	}
	return inode == identity.CgroupInode, true, nil
}

// End ends the tree that identity names and waits for the kernel's proof. It
// returns nil where nobody of it is left, fault.UnsupportedSystem where it was
// ended as far as anybody can but nothing proves it, or where it belongs to
// another machine, and fault.Cancelled or fault.Deadline.
//
// A living supervisor sees an ending like any other, and whatever it can prove
// itself stays provable.
func End(ctx context.Context, identity Identity) error {
	for first := true; ; first = false {
		evidence, err := Look(identity)
		if err != nil {
			return err
		}
		switch evidence {
		case Gone, OtherBoot:
			return nil
		case OtherMachine:
			return fault.New(fault.UnsupportedSystem, "the process tree belongs to another machine")
		case Unprovable:
			if !first {
				return fault.New(fault.UnsupportedSystem, "the process tree was ended, but nothing can prove that nobody of it is left")
			}
		}
		if err := strike(identity, first); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return stopped(ctx)
		case <-time.After(endPause):
		}
	}
}

// strike ends whom it can reach. An init that is the one to see the end is asked,
// once; it must not be killed in the cgroup either.
func strike(identity Identity, first bool) error {
	asking := !identity.Has(Namespace) && !identity.Confined && (identity.Has(Subreaper) || identity.Has(Group))
	pidfd, err := openInitHere(identity)
	if err != nil {
		return err
	}
	if pidfd != nil {
		defer pidfd.Close()
		switch {
		case identity.Has(Namespace):
			if err := signalInit(pidfd, unix.SIGKILL); err != nil {
				return err
			}
		case asking && first:
			// Somebody may have stopped it.
			return errors.Join(signalInit(pidfd, unix.SIGTERM), signalInit(pidfd, unix.SIGCONT))
		case asking:
			done, err := ended(pidfd, 0)
			if err != nil || !done {
				return err
			}
		}
	}
	found, _, err := findCgroup(identity)
	if err != nil || !found {
		return err
	}
	return killCgroup(identity.CgroupPath)
}

// Remove removes what a tree that is gone left behind because its supervisor
// died: the empty cgroup, if it had one. It returns fault.HostFailed where the
// cgroup isn't empty, and does nothing on another machine or after a restart.
func Remove(identity Identity) error {
	if err := identity.Validate(); err != nil {
		return err
	}
	machine, err := MachineID()
	if err != nil {
		return err
	}
	boot, err := BootID()
	if err != nil || machine != identity.Machine || boot != identity.Boot {
		return err
	}
	found, _, err := findCgroup(identity)
	if err != nil || !found {
		return err
	}
	return removeCgroup(identity.CgroupPath)
}
