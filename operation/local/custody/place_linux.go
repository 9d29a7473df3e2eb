package custody

import (
	"context"
	"errors"
	"math"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// A place is what the system gives to one tree, as its supervisor holds it.
type place struct {
	found    Found
	confined bool    // init found that the cgroup can't be left
	cgroup   *cgroup // nil without one
	pidfd    int
}

// newPlace makes what must exist before init: the cgroup. It returns
// fault.UnsupportedSystem where that fails now.
func newPlace(o Options, found Found) (*place, error) {
	if len(found.Mechanisms) == 0 {
		return nil, fault.New(fault.UnsupportedSystem, "this machine has no means to keep a process tree")
	}
	p := &place{found: found}
	if found.Has(Cgroup) {
		c, err := makeCgroup(o.CgroupRoot)
		if err != nil {
			return nil, fault.New(fault.UnsupportedSystem, "a cgroup can't be made: %w", err)
		}
		p.cgroup = c
	}
	return p, nil
}

// complete tells init about its place.
func (p *place) complete(o *order) {
	if p.cgroup != nil {
		o.Cgroup, o.CgroupMount = p.cgroup.path, p.cgroup.mount
	}
}

// attributes returns how init is started, and where its pidfd will be.
func (p *place) attributes() (*syscall.SysProcAttr, *int) {
	p.pidfd = -1
	a := &syscall.SysProcAttr{Setsid: true, PidFD: &p.pidfd}
	if p.found.Has(Namespace) {
		a.Cloneflags |= unix.CLONE_NEWPID
		a.Pdeathsig = unix.SIGKILL
	}
	if p.found.Mounts {
		a.Cloneflags |= unix.CLONE_NEWNS
	}
	if p.found.UserNamespace {
		a.Cloneflags |= unix.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		a.AmbientCaps = arranging()
	}
	if p.cgroup != nil {
		a.UseCgroupFD, a.CgroupFD = true, int(p.cgroup.dir.Fd())
	}
	return a, &p.pidfd
}

// identify returns what names the tree of a started init.
func (p *place) identify(init *initProcess) (Identity, error) {
	identity := Identity{Mechanisms: p.found.Mechanisms, InitPID: init.process.Pid, Confined: p.confined}
	if init.pidfd == nil {
		return Identity{}, fault.New(fault.UnsupportedSystem, "this kernel gives no pidfd for a new process")
	}
	var err error
	fill := func(text *string, get func() (string, error)) {
		if err == nil {
			*text, err = get()
		}
	}
	fill(&identity.Machine, MachineID)
	fill(&identity.Boot, BootID)
	fill(&identity.PIDNamespace, func() (string, error) { return namespaceOf("pid") })
	if err != nil {
		return Identity{}, err
	}
	identity.InitInode, identity.InitStart, err = processName(int(init.pidfd.Fd()), init.process.Pid)
	if p.cgroup != nil {
		identity.CgroupMount, identity.CgroupPath = p.cgroup.mount, p.cgroup.path
		fill(&identity.CgroupNamespace, func() (string, error) { return namespaceOf("cgroup") })
		fill(&identity.CgroupMountInode, func() (string, error) { return inodeOf(p.cgroup.mount) })
		fill(&identity.CgroupInode, func() (string, error) { return inodeOf(p.cgroup.path) })
	}
	if err != nil {
		return Identity{}, fault.New(fault.HostFailed, "a process tree can't be named: %w", err)
	}
	return identity, identity.Validate()
}

// settle waits for what must be empty after init is gone, and reports whether
// that and the end of init prove that nobody is left.
func (p *place) settle(ctx context.Context, drained bool) (proven bool, err error) {
	proven = p.found.Has(Namespace) || p.found.Has(Subreaper) && drained
	if p.cgroup == nil {
		return proven, nil
	}
	if err := killCgroup(p.cgroup.path); err != nil {
		return false, err
	}
	empty, err := awaitEmpty(ctx, p.cgroup.path, math.MaxInt64)
	return empty && (proven || p.confined), err
}

// kill ends everybody while init is there. What proves the end must survive:
// a subreaper has to see it.
func (p *place) kill(init *initProcess) error {
	switch {
	case p.found.Has(Namespace):
		return signalInit(init.pidfd, unix.SIGKILL)
	case p.cgroup != nil && (p.confined || !p.found.Has(Subreaper)):
		return killCgroup(p.cgroup.path)
	}
	// Somebody may have stopped it.
	if err := signalInit(init.pidfd, unix.SIGCONT); err != nil {
		return err
	}
	if err := init.say(endTree); err != nil && !errors.Is(err, unix.EPIPE) {
		return fault.New(fault.HostFailed, "the init of a process tree can't be told to end it: %w", err)
	}
	return nil
}

// killRest ends whom init has left.
func (p *place) killRest() error {
	if p.cgroup == nil {
		return nil
	}
	return killCgroup(p.cgroup.path)
}

// remove removes the cgroup.
func (p *place) remove() error {
	if p.cgroup == nil {
		return nil
	}
	return p.cgroup.remove()
}
