package custody

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// An Identity names what ran, so that a later process can ask the kernel about
// it. It is a closed record, complete before the command starts. Members that a
// mechanism doesn't need are absent.
type Identity struct {
	Machine string `json:"machine"` // MachineID when it ran
	Boot    string `json:"boot"`    // BootID when it ran

	// Mechanisms are those in use, the strongest first, at least one.
	Mechanisms []Mechanism `json:"mechanisms"`

	// PIDNamespace and CgroupNamespace are those of the supervisor, as
	// /proc/self/ns names them. Process ids and cgroup paths mean nothing
	// elsewhere.
	PIDNamespace    string `json:"pidNamespace,omitzero"`
	CgroupNamespace string `json:"cgroupNamespace,omitzero"`

	// InitPID is the process id of the tree's init. InitInode is the inode of its
	// pidfd, which no other process of this boot has; on kernels that give all
	// pidfds one inode it is absent, and InitStart is there: the start in clock
	// ticks since the boot. Both are decimal.
	InitPID   int    `json:"initPid"`
	InitInode string `json:"initInode,omitzero"`
	InitStart string `json:"initStart,omitzero"`

	// CgroupMount is where the cgroup file system is mounted, and CgroupMountInode
	// the inode of its root there: a directory that is missing under the same root
	// was removed, and only an empty cgroup can be. CgroupPath is absolute, below
	// CgroupMount. Inodes are decimal.
	CgroupMount      string `json:"cgroupMount,omitzero"`
	CgroupMountInode string `json:"cgroupMountInode,omitzero"`
	CgroupPath       string `json:"cgroupPath,omitzero"`
	CgroupInode      string `json:"cgroupInode,omitzero"`

	// Confined says that nobody of the tree could leave the cgroup.
	Confined bool `json:"confined"`
}

// Bounds of an Identity.
const (
	// MaxIdentityText bounds each text in bytes: PATH_MAX of Linux, which is
	// longer than any cgroup path can be.
	MaxIdentityText = 4096

	// MaxPID is the largest process id that Linux can be told to give,
	// PID_MAX_LIMIT of 64-bit kernels; darwin's are smaller.
	MaxPID = 1 << 22
)

// Has reports whether the tree used m.
func (i Identity) Has(m Mechanism) bool { return slices.Contains(i.Mechanisms, m) }

// Provable reports whether a later process can learn that nobody is left.
func (i Identity) Provable() bool {
	return i.Has(Namespace) || i.Has(Cgroup) && i.Confined
}

// Validate returns fault.Malformed unless i has the form of a record that
// Prepare returns.
func (i Identity) Validate() error {
	malformed := func(format string, args ...any) error {
		return fault.New(fault.Malformed, "identity of a process tree: "+format, args...)
	}
	if len(i.Mechanisms) == 0 {
		return malformed("no mechanism")
	}
	order := []Mechanism{Namespace, Cgroup, Subreaper, Group}
	last := -1
	for _, m := range i.Mechanisms {
		at := slices.Index(order, m)
		if at <= last {
			return malformed("mechanism %q is unknown, repeated or out of order", m)
		}
		last = at
	}
	for _, text := range []string{
		i.Machine, i.Boot, i.PIDNamespace, i.CgroupNamespace, i.InitInode, i.InitStart,
		i.CgroupMount, i.CgroupMountInode, i.CgroupPath, i.CgroupInode,
	} {
		if len(text) > MaxIdentityText {
			return malformed("a text of %d bytes", len(text))
		}
	}
	if i.Machine == "" || i.Boot == "" {
		return malformed("no machine or no boot")
	}
	if i.InitPID < 1 || i.InitPID > MaxPID {
		return malformed("process id %d", i.InitPID)
	}
	for _, number := range []string{i.InitInode, i.InitStart, i.CgroupMountInode, i.CgroupInode} {
		if number != "" && !decimal(number) {
			return malformed("number %q", number)
		}
	}
	if i.Mechanisms[0] != Group && (i.PIDNamespace == "" || (i.InitInode == "") == (i.InitStart == "")) {
		return malformed("an init without its observer or its name")
	}
	inCgroup := i.CgroupMount != "" && i.CgroupMountInode != "" && i.CgroupPath != "" && i.CgroupInode != "" && i.CgroupNamespace != ""
	switch {
	case i.Has(Cgroup) && !inCgroup:
		return malformed("a cgroup without its place")
	case i.Has(Cgroup) && !(strings.HasPrefix(i.CgroupMount, "/") && strings.HasPrefix(i.CgroupPath, strings.TrimSuffix(i.CgroupMount, "/")+"/")):
		return malformed("cgroup %q does not lie below %q", i.CgroupPath, i.CgroupMount)
	case !i.Has(Cgroup) && (i.CgroupMount != "" || i.CgroupMountInode != "" || i.CgroupPath != "" || i.CgroupInode != "" || i.Confined):
		return malformed("a place in cgroups without a cgroup")
	}
	return nil
}

// decimal reports whether s is a number as strconv writes it, within 64 bits.
func decimal(s string) bool {
	n, err := strconv.ParseUint(s, 10, 64)
	return err == nil && strconv.FormatUint(n, 10) == s
}
