//go:build linux || darwin

package custody

import "time"

// What the supervisor and init say to each other, as gob streams on two pipes.
// Both ends are the same binary, one started by the other, so the form is
// nobody else's business; gob carries paths and environments that aren't UTF-8.
//
// The supervisor's pipe is also the line on which the tree's life hangs: when it
// ends, the supervisor is dead, and init ends the tree.

// Descriptors of init, besides the command's standard streams.
const (
	controlFD = 3 // init reads: one order, then words
	statusFD  = 4 // init writes: notes
	firstFree = 5 // whatever else was inherited is closed
)

// An order is what init needs to know.
type order struct {
	Probe bool // arrange everything, start and reap a child, say so and exit at the gate

	Argv, Env []string
	Dir       string
	PTY       bool // the standard output becomes the controlling terminal
	Grace     time.Duration

	Mechanisms []Mechanism
	Mounts     bool // init is in a mount namespace of its own
	ReadOnly   []string
	Writable   []string

	// Cgroup and CgroupMount are the places of Identity, empty without a cgroup.
	Cgroup, CgroupMount string
}

// A word is what the supervisor says after the order.
type word int

const (
	openGate word = iota + 1 // start the command
	endTree                  // end everybody
)

// A noteKind says what a note is about.
type noteKind int

const (
	noteReady       noteKind = iota + 1 // everything is arranged; Confined is set
	noteRefused                         // something can't be arranged; Text and Of are set
	noteStartFailed                     // it can't be started; Text is set
	noteEnded                           // its own process ended; Status or Signal is set
	noteLeft                            // descendants are there after the grace
	noteDrained                         // the kernel said that there is no child left
)

// A note is what init says.
type note struct {
	Kind     noteKind
	Confined bool
	Of       string // of a refusal: a Mechanism or GitProtection
	Text     string
	Status   int
	Signal   string
}
