// Package custody runs one command so that the kernel can prove when nobody of
// its process tree is left, also to a process that comes later. It knows
// nothing of operations, ledgers or adapters; operation/local decides what a
// proof means.
//
// # The tree
//
// [Prepare] makes what the machine gives (a cgroup, a PID namespace) and starts
// this binary again in it as the tree's init, which calls [Init] and waits at a
// pipe. So an [Identity] exists, and can be made durable, before anything of the
// command has run. [Tree.Open] opens the gate, once. Init starts the command,
// notes its status and reaps until nobody is left or the grace is over; then it
// exits, and the kernel ends the rest. [Tree.Wait] returns after the kernel has
// said so.
//
// # The proof
//
//	mechanism          proof while the supervisor lives   proof after its death
//	pid-namespace      init was waited for                init's pidfd is readable, or it names nobody
//	cgroup, confined   populated 0                        populated 0, or the directory is gone
//	subreaper          init saw ECHILD                    none, ever
//	process-group      none                               none
//
// Both must hold where a tree has a namespace and a cgroup. A process that was
// never a descendant is outside of it all: whoever asks a server that was
// already running to do something isn't seen here.
//
// A cgroup counts by itself only where init found, from the place of the command
// and after all preparations, that it can write cgroup.procs of no ancestor
// (confined). Where mount namespaces are allowed, a read-only bind of the cgroup
// file system makes it so.
//
// What doesn't count: a lock that descendants inherit (closed early), a lock
// that init holds (freed up to 22 ms before the last process is gone), the state
// letter of init (the leader of a process with several threads can be a zombie
// before the namespace is empty), a kernel's version, a sysctl.
//
// # Where things are
//
//   - custody.go: mechanisms, what was found, options
//   - identity.go: the record by which a later process asks the kernel
//   - evidence.go: what it can learn
//   - tree.go: the command and how it ended
//   - tree_unix.go, init_unix.go: the supervisor's side and init's
//   - order.go: what they say to each other
//   - probe_linux.go: what the machine gives
//   - place_linux.go, cgroup_linux.go, pidfd_linux.go: the means, from outside
//   - arrange_linux.go, mounts_linux.go, mountinfo_linux.go,
//     capabilities_linux.go, sweep_linux.go: the means, from inside
//   - look_linux.go: a later process looks, and ends
//   - *_darwin.go: a process group, which proves nothing and says so
//   - custody_other.go: nothing at all
//
// # What a command notices
//
// It has a session of its own and no terminal. In a mount namespace it lacks a
// few capabilities (withheld), also as root; in a user namespace set-user-ID
// programs such as sudo have no effect. /proc shows its own tree.
package custody

import "time"

// A Mechanism is a means of the kernel that knows a process tree.
type Mechanism string

// The mechanisms, the strongest first.
const (
	Namespace Mechanism = "pid-namespace" // the kernel ends everybody when its init ends
	Cgroup    Mechanism = "cgroup"        // version 2: the kernel counts who is in it and below
	Subreaper Mechanism = "subreaper"     // orphans return to init, which reaps them all
	Group     Mechanism = "process-group" // a name for signals; any process can leave it
)

// GitProtection is the [Lack.Of] of the read-only bind of git's directories.
const GitProtection = "read-only-git"

// A Lack is something that this machine doesn't give.
type Lack struct {
	Of     string `json:"of"`     // a Mechanism, or GitProtection
	Why    string `json:"why"`    // what was tried and how it failed, one line
	Remedy string `json:"remedy"` // what a person can do about it, one sentence
}

// Found is what this machine gave when it was tried. It is a closed record.
type Found struct {
	// Mechanisms are those that a tree will use together, the strongest first.
	// It is empty only where Options.Force names one that isn't there; Prepare
	// refuses that.
	Mechanisms []Mechanism `json:"mechanisms"`

	// UserNamespace says that the mount and PID namespaces need a user namespace
	// around them, in which the uid stays what it is. Set-user-ID programs have
	// no effect in it.
	UserNamespace bool `json:"userNamespace"`

	// Mounts says that the tree gets a mount namespace.
	Mounts bool `json:"mounts"`

	// Confined says that the cgroup can't be left.
	Confined bool `json:"confined"`

	// Proof says that a later process can prove settlement after the supervisor's
	// death. Without it only a living supervisor can, with Subreaper, or nobody.
	Proof bool `json:"proof"`

	// ReadOnlyGit says that Spec.ReadOnly will hold.
	ReadOnlyGit bool `json:"readOnlyGit"`

	// Missing are the mechanisms and protections that aren't there. Those that
	// Options.Force leaves out are not among them.
	Missing []Lack `json:"missing"`
}

// Has reports whether a tree will use m.
func (f Found) Has(m Mechanism) bool {
	for _, found := range f.Mechanisms {
		if found == m {
			return true
		}
	}
	return false
}

// Options are what a probe and a tree have in common.
type Options struct {
	// InitArgv is the argument vector that starts this binary again so that it
	// calls Init; the first element is an absolute path.
	InitArgv []string

	// Force leaves all other mechanisms aside. It is for tests; empty uses all
	// that the machine gives.
	Force Mechanism

	// CgroupRoot is the directory in which a cgroup is made. Empty is the cgroup
	// of the calling process.
	CgroupRoot string
}

// ProbeTimeout bounds one probe of one mechanism. Each takes a few milliseconds;
// a machine that needs longer than this doesn't have it.
const ProbeTimeout = 5 * time.Second
