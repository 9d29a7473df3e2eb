package custody

// Evidence is what the kernel says about a tree.
type Evidence int

// The evidence. The zero value claims nothing.
const (
	// Unprovable: nothing that this process can ask the kernel decides it.
	Unprovable Evidence = iota

	// Gone: nobody of the tree is left, and nobody of it will write again.
	Gone

	// Alive: somebody of it, its init included, is there.
	Alive

	// OtherBoot: it ran on this machine before the last start, so nobody of it is
	// left.
	OtherBoot

	// OtherMachine: it ran, or runs, elsewhere.
	OtherMachine
)

// String returns the evidence's name.
func (e Evidence) String() string {
	switch e {
	case Gone:
		return "gone"
	case Alive:
		return "alive"
	case OtherBoot:
		return "other-boot"
	case OtherMachine:
		return "other-machine"
	default:
		return "unprovable"
	}
}
