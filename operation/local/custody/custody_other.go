//go:build !linux && !darwin

package custody

import (
	"context"

	"github.com/git-algal/git-algal/internal/fault"
)

// A Tree is one command under custody.
type Tree struct{ identity Identity }

// Probe returns what this machine gives, or fault.UnsupportedSystem.
func Probe(context.Context, Options) (Found, error) { return Found{}, errUnsupported() }

// Prepare makes the tree's place and starts its init, which waits at the gate.
// Nothing of the command has run when it returns.
func Prepare(context.Context, Spec) (*Tree, error) { return nil, errUnsupported() }

// Identity returns what names the tree.
func (t *Tree) Identity() Identity { return t.identity }

// Open opens the gate, once.
func (t *Tree) Open() error { return errUnsupported() }

// Wait returns how the tree ended.
func (t *Tree) Wait(context.Context) (Ending, error) { return Ending{}, errUnsupported() }

// Kill ends everybody of the tree that can be reached.
func (t *Tree) Kill() error { return errUnsupported() }

// Close gives up what the supervisor holds of the tree and removes its cgroup.
func (t *Tree) Close() error { return errUnsupported() }

// Init is the life of a tree's init; it returns the exit status.
func Init() int { return 1 }

// Look asks the kernel about the tree that identity names.
func Look(Identity) (Evidence, error) { return Unprovable, errUnsupported() }

// End ends the tree that identity names and waits for the kernel's proof.
func End(context.Context, Identity) error { return errUnsupported() }

// Remove removes what is left of a tree that is gone: its empty cgroup.
func Remove(Identity) error { return errUnsupported() }

// MachineID returns a name of this machine that outlives a restart.
func MachineID() (string, error) { return "", errUnsupported() }

// BootID returns a name of the time since this machine's last start.
func BootID() (string, error) { return "", errUnsupported() }

// errUnsupported is what systems without custody answer.
func errUnsupported() error {
	return fault.New(fault.UnsupportedSystem, "this system has nothing that keeps a process tree")
}
