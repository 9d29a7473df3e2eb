//go:build linux || darwin

package custody

// Look asks the kernel about the tree that identity names. It changes nothing.
// The answers are those of this moment, but Gone, OtherBoot and OtherMachine
// stay; on macOS nothing is ever Gone. It returns fault.Malformed for an
// identity that is no record, and fault.HostFailed or fault.UnsupportedSystem
// where the kernel can't be asked.
func Look(identity Identity) (Evidence, error) {
	if err := identity.Validate(); err != nil {
		return Unprovable, err
	}
	machine, err := MachineID()
	if err != nil {
		return Unprovable, err
	}
	boot, err := BootID()
	if err != nil {
		return Unprovable, err
	}
	switch {
	case machine != identity.Machine:
		return OtherMachine, nil
	case boot != identity.Boot:
		return OtherBoot, nil
	}
	return lookHere(identity)
}
