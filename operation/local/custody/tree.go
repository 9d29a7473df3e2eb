package custody

import (
	"os"
	"time"
)

// A Spec is one command and how it is kept.
type Spec struct {
	Options

	// Found is what the tree shall use, all of it: where that fails now, Prepare
	// fails, because an admission has promised it. Nil lets Prepare probe.
	Found *Found

	Argv []string // of the command; the first element is an absolute path
	Env  []string // its whole environment, as "NAME=value"
	Dir  string   // its working directory, absolute

	// Stdin, Stdout and Stderr are the command's; nil is the null device. They
	// should be files: nobody waits for a pipe's end here, but who reads one waits
	// for every descendant that keeps it.
	Stdin, Stdout, Stderr *os.File

	// ReadOnly are files and directories that the tree can't write below,
	// whatever path leads there; Writable are excepted below those. Prepare
	// refuses a path in ReadOnly that doesn't exist; in Writable it is left out.
	// Both hold where Found.ReadOnlyGit is true, else Prepare refuses a ReadOnly
	// that isn't empty.
	ReadOnly, Writable []string

	// PTY says that Stdout is a terminal that belongs to no session, such as the
	// fresh side of a pseudo terminal: it becomes the command's controlling
	// terminal. The caller reads the other side, which may end later than the
	// tree where somebody else has it open.
	PTY bool

	// Grace is how long descendants may go on after the command's own process has
	// ended, from 0.
	Grace time.Duration
}

// An Ending is what became of a tree.
type Ending struct {
	// Started is false only where it is certain that nothing of the command ever
	// ran: the gate wasn't opened, or StartFailed says why.
	Started bool

	// ExitStatus is 0 to 255 where the command's own process exited, else nil.
	ExitStatus *int

	// Signal names the signal that ended it, as in "SIGKILL"; empty where none did
	// or init didn't live to see it.
	Signal string

	// StartFailed says in the system's words why the command could not be
	// started; empty where it was, where it was never tried, or where init didn't
	// live to say so.
	StartFailed string

	// Left says that descendants were still there when the grace was over, and
	// were ended.
	Left bool

	// Proven says that the kernel proved that nobody of the tree is left.
	Proven bool
}
