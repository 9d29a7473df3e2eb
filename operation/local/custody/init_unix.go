//go:build linux || darwin

package custody

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// Exit statuses of init. Nobody but a person who calls it by hand sees them.
const (
	initDone    = 0
	initNotAsIs = 2 // it wasn't started by Prepare
)

// sweepEvery is the pause between two rounds of ending descendants one by one.
const sweepEvery = 2 * time.Millisecond

// othersEvery is the pause between two questions whether somebody is left.
const othersEvery = 5 * time.Millisecond

// Init is the life of a tree's init: what the binary does when it is started
// with Options.InitArgv. It returns the exit status, and the program exits with
// it at once.
//
// It reads its order from the supervisor, arranges the tree's place, waits at
// the gate, starts the command, notes how the command's own process ends, and
// reaps until nobody is left or the grace is over. When the supervisor dies it
// ends the tree: before the gate by starting nothing.
func Init() int {
	// Capabilities and the parent of a child belong to a thread.
	runtime.LockOSThread()
	if !isPipe(controlFD) || !isPipe(statusFD) {
		return initNotAsIs
	}
	syscall.CloseOnExec(controlFD)
	syscall.CloseOnExec(statusFD)
	closeInherited()

	i := tree{status: gob.NewEncoder(os.NewFile(statusFD, "status"))}
	// Handled signals end neither init nor, as ignored ones would be, are they
	// inherited ignored by the command.
	signals := make(chan os.Signal, 16)
	signal.Notify(signals)
	asked := make(chan struct{}, 1)
	go func() {
		for s := range signals {
			if s == syscall.SIGTERM {
				select {
				case asked <- struct{}{}:
				default:
				}
			}
		}
	}()

	control := gob.NewDecoder(bufio.NewReader(os.NewFile(controlFD, "control")))
	if control.Decode(&i.order) != nil {
		return initDone
	}
	var lack *Lack
	if i.place, lack = arrange(i.order); lack != nil {
		i.note(note{Kind: noteRefused, Of: lack.Of, Text: lack.Why})
		return initDone
	}
	if i.order.Probe {
		if err := reapOne(); err != nil {
			i.note(note{Kind: noteRefused, Of: string(Namespace), Text: err.Error()})
			return initDone
		}
	}
	i.note(note{Kind: noteReady, Confined: i.place.confined})

	i.words = make(chan word)
	go func() {
		defer close(i.words)
		for {
			var w word
			if control.Decode(&w) != nil {
				return // the supervisor is dead
			}
			i.words <- w
		}
	}()
	if i.order.uses(Namespace) {
		asked = nil // whoever is inside must not end it
	}
	select {
	case w := <-i.words:
		if w != openGate || i.order.Probe {
			return initDone
		}
	case <-asked:
		return initDone
	}
	i.asked = asked
	i.live()
	return initDone
}

// uses reports whether the tree uses m.
func (o order) uses(m Mechanism) bool { return slices.Contains(o.Mechanisms, m) }

// A tree is what init knows while it lives.
type tree struct {
	order  order
	place  arranged
	status *gob.Encoder
	words  chan word       // closed when the supervisor is dead
	asked  <-chan struct{} // SIGTERM; nil in a namespace
}

// What arrange leaves to init.
type arranged struct {
	confined bool // nobody of the tree can leave the cgroup

	// Where init doesn't reap everybody: others reports whether anybody but init is
	// left of the tree whose command is or was pid, and strike ends them, perhaps
	// init with them.
	others func(pid int) bool
	strike func(pid int)
}

// byGroup is how the process group of a command is known. Its number stays taken
// while somebody is in it.
func byGroup() arranged {
	return arranged{
		others: func(pid int) bool { return syscall.Kill(-pid, 0) == nil },
		strike: func(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) },
	}
}

// note tells the supervisor. Its death is noticed elsewhere.
func (i *tree) note(n note) { _ = i.status.Encode(n) }

// live starts the command and returns when init has nothing left to do.
func (i *tree) live() {
	pid, err := syscall.ForkExec(i.order.Argv[0], i.order.Argv, &syscall.ProcAttr{
		Dir: i.order.Dir, Env: i.order.Env, Files: []uintptr{0, 1, 2},
		// A session, and with it a group, of its own.
		Sys: &syscall.SysProcAttr{Setsid: true, Setctty: i.order.PTY, Ctty: 1},
	})
	if err != nil {
		i.note(note{Kind: noteStartFailed, Text: err.Error()})
		return
	}
	// With the command's files open here, init would keep others from seeing
	// their end.
	for fd := range 3 {
		_ = syscall.Close(fd)
		_, _ = syscall.Open(os.DevNull, syscall.O_RDWR|syscall.O_CLOEXEC, 0) // the lowest free: fd
	}

	// In a namespace and as subreaper init is the parent of everybody who lost
	// his own. Otherwise it has one child, and there is nothing to reap after it.
	everybody := i.order.uses(Namespace) || i.order.uses(Subreaper)
	death := make(chan syscall.WaitStatus, 1)
	none := make(chan struct{})
	go reap(pid, everybody, death, none)

	var over <-chan time.Time
	for {
		select {
		case status := <-death:
			i.noteEnd(status)
			if !everybody {
				i.outlive(pid)
				return
			}
			over = time.After(i.order.Grace)
		case <-none:
			i.noteDrained(everybody, death)
			if !everybody {
				i.outlive(pid)
			}
			return
		case <-over:
			// The grace may be nothing at all, and the last death not yet told.
			if childless() {
				continue
			}
			i.note(note{Kind: noteLeft})
			i.end(pid, death, none)
			return
		case w, alive := <-i.words:
			if !alive || w == endTree {
				i.end(pid, death, none)
				return
			}
		case <-i.asked:
			i.end(pid, death, none)
			return
		}
	}
}

// noteEnd notes how the command's own process ended.
func (i *tree) noteEnd(status syscall.WaitStatus) {
	if status.Signaled() {
		i.note(note{Kind: noteEnded, Signal: signalName(status.Signal())})
		return
	}
	i.note(note{Kind: noteEnded, Status: status.ExitStatus()})
}

// noteDrained notes that there is no child, and before that how the command
// ended if that is still to be told.
func (i *tree) noteDrained(everybody bool, death <-chan syscall.WaitStatus) {
	select {
	case status := <-death:
		i.noteEnd(status)
	default:
	}
	if everybody {
		i.note(note{Kind: noteDrained})
	}
}

// outlive gives the grace where init doesn't reap everybody.
func (i *tree) outlive(pid int) {
	again := time.NewTicker(othersEvery)
	defer again.Stop()
	over := time.After(i.order.Grace)
	for i.place.others(pid) {
		select {
		case <-again.C:
			continue
		case <-over:
			i.note(note{Kind: noteLeft})
		case <-i.words:
		case <-i.asked:
		}
		i.place.strike(pid)
		return
	}
}

// end ends everybody. In a namespace init's own exit does it, and does it better
// than anybody else could.
func (i *tree) end(pid int, death <-chan syscall.WaitStatus, none <-chan struct{}) {
	if i.order.uses(Namespace) {
		return
	}
	strike := sweep
	if !i.order.uses(Subreaper) {
		strike = func() { i.place.strike(pid) }
	}
	again := time.NewTicker(sweepEvery)
	defer again.Stop()
	strike()
	for {
		select {
		case <-none:
			i.noteDrained(i.order.uses(Subreaper), death)
			return
		case <-again.C:
			strike()
		}
	}
}

// reap waits for children, until there is none or, unless everybody, until pid
// is dead. It tells the death of pid, and closes none at the end. Nothing holds
// it up: those who end the tree count on zombies to go.
func reap(pid int, everybody bool, death chan<- syscall.WaitStatus, none chan<- struct{}) {
	defer close(none)
	which := pid
	if everybody {
		which = -1
	}
	for {
		var status syscall.WaitStatus
		dead, err := syscall.Wait4(which, &status, waitAll, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return
		}
		if dead == pid {
			death <- status
			if !everybody {
				return
			}
			pid = 0 // the number may be given to somebody else now
		}
	}
}

// reapOne starts a child and waits for it. The child can't become the null
// device, so it ends at once, and ForkExec has waited for it.
func reapOne() error {
	if _, err := syscall.ForkExec(os.DevNull, []string{os.DevNull}, &syscall.ProcAttr{}); !errors.Is(err, syscall.EACCES) {
		return fmt.Errorf("start a child: %w", err)
	}
	if !childless() {
		return errors.New("a child that ended is still there")
	}
	return nil
}

// isPipe reports whether fd is an open pipe.
func isPipe(fd int) bool {
	var stat syscall.Stat_t
	return syscall.Fstat(fd, &stat) == nil && stat.Mode&syscall.S_IFMT == syscall.S_IFIFO
}
