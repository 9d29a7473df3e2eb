package custody

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// waitAll is of Linux; here wait4 sees every child anyway.
const waitAll = 0

// Probe returns a process group, which proves nothing: any process can leave
// it, and macOS has nothing that counts a tree. It returns fault.Malformed for
// options that can't be meant, and fault.Cancelled or fault.Deadline.
func Probe(ctx context.Context, o Options) (Found, error) {
	if len(o.InitArgv) == 0 || !filepath.IsAbs(o.InitArgv[0]) {
		return Found{}, fault.New(fault.Malformed, "the init needs an absolute path")
	}
	if ctx.Err() != nil {
		return Found{}, stopped(ctx)
	}
	const why = "macOS has no such thing"
	const remedy = "run the jobs on Linux, also in a virtual machine, or settle them yourself"
	found := Found{Mechanisms: []Mechanism{}, Missing: []Lack{}}
	for _, of := range []string{string(Namespace), string(Cgroup), string(Subreaper), GitProtection} {
		found.Missing = append(found.Missing, Lack{Of: of, Why: why, Remedy: remedy})
	}
	if o.Force == "" || o.Force == Group {
		found.Mechanisms = append(found.Mechanisms, Group)
	}
	return found, nil
}

// A place is what the system gives to one tree: here its init alone.
type place struct{ confined bool }

func newPlace(_ Options, found Found) (*place, error) {
	if !found.Has(Group) || len(found.Mechanisms) > 1 {
		return nil, fault.New(fault.UnsupportedSystem, "macOS gives a process tree no more than a process group")
	}
	return &place{}, nil
}

// complete adds nothing.
func (p *place) complete(*order) {}

// attributes returns how init is started. There are no pidfds.
func (p *place) attributes() (*syscall.SysProcAttr, *int) {
	return &syscall.SysProcAttr{Setsid: true}, nil
}

// identify returns what names the tree, though nobody can ask about it.
func (p *place) identify(init *initProcess) (Identity, error) {
	machine, err := MachineID()
	if err != nil {
		return Identity{}, err
	}
	boot, err := BootID()
	if err != nil {
		return Identity{}, err
	}
	identity := Identity{Machine: machine, Boot: boot, Mechanisms: []Mechanism{Group}, InitPID: init.process.Pid}
	if start, err := startOf(init.process.Pid); err == nil {
		identity.InitStart = start
	}
	return identity, identity.Validate()
}

// settle proves nothing.
func (p *place) settle(context.Context, bool) (bool, error) { return false, nil }

// kill tells init to end the command's group.
func (p *place) kill(init *initProcess) error {
	if err := init.say(endTree); err != nil && !errors.Is(err, unix.EPIPE) {
		return fault.New(fault.HostFailed, "the init of a process tree can't be told to end it: %w", err)
	}
	return nil
}

// killRest ends nobody: without init the group's number may be somebody else's.
func (p *place) killRest() error { return nil }

// remove removes nothing.
func (p *place) remove() error { return nil }

// maxInherited bounds the search for inherited descriptors; the system lists
// them nowhere. It is the usual limit of open files of a process.
const maxInherited = 256

// closeInherited closes what the supervisor got from elsewhere and did not mean
// to hand on. Descriptors of this process are close-on-exec, so that an inherited
// one is known by not being it.
func closeInherited() {
	for fd := firstFree; fd < maxInherited; fd++ {
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(fd)
		}
	}
}

// arrange refuses what isn't a process group; there is nothing to arrange.
func arrange(o order) (arranged, *Lack) {
	if len(o.ReadOnly) > 0 || o.Mounts || !o.uses(Group) {
		return arranged{}, &Lack{Of: GitProtection, Why: "macOS has no mount namespaces"}
	}
	return byGroup(), nil
}

// childless is true: init has one child, the command, and asks after its end.
func childless() bool { return true }

// sweep ends nobody: there is no subreaper here.
func sweep() {}

// signalName returns the name of a signal, as in "SIGKILL".
func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return "signal " + strconv.Itoa(int(s))
}

// startOf returns when pid started, in microseconds since 1970.
func startOf(pid int) (string, error) {
	process, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", err
	}
	start := process.Proc.P_starttime
	return strconv.FormatInt(start.Sec*1_000_000+int64(start.Usec), 10), nil
}
