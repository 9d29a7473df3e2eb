//go:build linux || darwin

package custody

import (
	"context"
	"encoding/gob"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
)

// closeTimeout bounds how long Close waits for a tree that it ends. The kernel
// needs milliseconds, also for some hundred processes.
const closeTimeout = 10 * time.Second

// A Tree is one command under custody. Its methods may be called by several
// goroutines at once, except that Close comes last.
type Tree struct {
	identity Identity
	place    *place
	init     *initProcess

	mu     sync.Mutex
	opened bool // Open was called
	passed bool // init may have heard it
	closed bool
}

// Prepare makes the tree's place and starts its init, which waits at the gate.
// Nothing of the command has run when it returns, and nothing will if the
// supervisor dies before Open.
//
// It returns fault.Malformed for a spec that can't be meant,
// fault.UnsupportedSystem where the machine no longer gives what spec.Found
// says or init can't arrange it, fault.HostFailed where the system's I/O fails,
// and fault.Cancelled or fault.Deadline.
func Prepare(ctx context.Context, spec Spec) (*Tree, error) {
	if err := spec.validate(); err != nil {
		return nil, err
	}
	if spec.Found == nil {
		found, err := Probe(ctx, spec.Options)
		if err != nil {
			return nil, err
		}
		spec.Found = &found
	}
	if len(spec.ReadOnly) > 0 && !spec.Found.ReadOnlyGit {
		return nil, fault.New(fault.UnsupportedSystem, "this machine can't make a directory read-only for a process tree")
	}
	where, err := newPlace(spec.Options, *spec.Found)
	if err != nil {
		return nil, err
	}
	o := order{
		Argv: spec.Argv, Env: spec.Env, Dir: spec.Dir, PTY: spec.PTY, Grace: spec.Grace,
		Mechanisms: spec.Found.Mechanisms, Mounts: spec.Found.Mounts,
		ReadOnly: spec.ReadOnly, Writable: spec.Writable,
	}
	p, ready, err := startInit(ctx, where, spec.InitArgv, [3]*os.File{spec.Stdin, spec.Stdout, spec.Stderr}, o)
	if err != nil {
		return nil, errors.Join(err, where.remove())
	}
	where.confined = ready.Confined
	t := &Tree{place: where, init: p}
	t.identity, err = where.identify(p)
	if err == nil && ready.Confined != spec.Found.Confined {
		err = fault.New(fault.UnsupportedSystem, "the cgroup can be left: %t was found, %t is the case", !spec.Found.Confined, !ready.Confined)
	}
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// validate returns fault.Malformed for a spec that can't be meant.
func (s Spec) validate() error {
	switch {
	case len(s.Argv) == 0 || !filepath.IsAbs(s.Argv[0]):
		return fault.New(fault.Malformed, "the command needs an absolute path")
	case len(s.InitArgv) == 0 || !filepath.IsAbs(s.InitArgv[0]):
		return fault.New(fault.Malformed, "the init needs an absolute path")
	case !filepath.IsAbs(s.Dir):
		return fault.New(fault.Malformed, "working directory %q isn't absolute", s.Dir)
	case s.Grace < 0:
		return fault.New(fault.Malformed, "a grace of %v", s.Grace)
	case s.PTY && s.Stdout == nil:
		return fault.New(fault.Malformed, "the command's terminal isn't given")
	}
	for _, path := range append(append([]string{}, s.ReadOnly...), s.Writable...) {
		if !filepath.IsAbs(path) {
			return fault.New(fault.Malformed, "protected path %q isn't absolute", path)
		}
	}
	return nil
}

// Identity returns what names the tree to a later process. It is complete when
// Prepare returns.
func (t *Tree) Identity() Identity { return t.identity }

// Open opens the gate: init starts the command. A second call returns
// fault.Malformed and does nothing; fault.HostFailed says that init is gone, and
// then nothing was started.
func (t *Tree) Open() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.opened || t.closed {
		return fault.New(fault.Malformed, "the gate of a process tree is opened once")
	}
	t.opened = true
	if err := t.init.say(openGate); err != nil {
		return fault.New(fault.HostFailed, "the init of a process tree is gone: %w", err)
	}
	t.passed = true
	return nil
}

// Wait returns how the tree ended, after the kernel's proof: init gone and the
// cgroup empty, or no child left for the subreaper. Where a mechanism proves
// nothing it returns when init is gone, with Proven false. That nothing of the
// command ever ran is proof enough under any mechanism.
//
// fault.Cancelled and fault.Deadline say that ctx was done first; the tree is as
// before, and Wait can be called again.
func (t *Tree) Wait(ctx context.Context) (Ending, error) {
	select {
	case <-t.init.gone:
	case <-ctx.Done():
		return Ending{}, stopped(ctx)
	}
	ending, drained := t.init.ending()
	proven, err := t.place.settle(ctx, drained)
	if err != nil {
		return Ending{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	ending.Started = t.passed && ending.StartFailed == ""
	ending.Proven = proven || !ending.Started // init alone has ever been there
	return ending, nil
}

// Kill ends everybody of the tree that the mechanisms reach, at once. Wait says
// when they are gone. A tree that has ended is left alone.
func (t *Tree) Kill() error {
	select {
	case <-t.init.gone:
		return t.place.killRest()
	default:
		return t.place.kill(t.init)
	}
}

// Close ends the tree if it hasn't ended, and removes its cgroup. After an
// ending that Wait reported it only tidies up. It returns fault.Deadline where
// somebody of the tree is still there after some seconds.
func (t *Tree) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	t.closed = true
	// The line's end tells init to end the tree, without a race against Open.
	t.init.control.Close()
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	select {
	case <-t.init.gone:
	case <-ctx.Done():
		if err := t.place.kill(t.init); err != nil {
			return err
		}
		return stopped(ctx)
	}
	t.init.release()
	if err := t.place.killRest(); err != nil {
		return err
	}
	return t.place.remove()
}

// An initProcess is a started init, as its supervisor sees it.
type initProcess struct {
	process *os.Process
	pidfd   *os.File // nil where the system has none
	control *os.File
	gone    chan struct{} // closed when init was waited for and all its notes are read

	saying sync.Mutex // keeps words whole
	words  *gob.Encoder

	mu    sync.Mutex
	notes []note
}

// startInit starts init in its place and returns when it has arranged
// everything and waits at the gate.
func startInit(ctx context.Context, where *place, argv []string, streams [3]*os.File, o order) (*initProcess, note, error) {
	hostFailed := func(err error) error {
		return fault.New(fault.HostFailed, "the init of a process tree can't be started: %w", err)
	}
	where.complete(&o)
	controlRead, control, err := os.Pipe()
	if err != nil {
		return nil, note{}, hostFailed(err)
	}
	defer controlRead.Close()
	status, statusWrite, err := os.Pipe()
	if err != nil {
		control.Close()
		return nil, note{}, hostFailed(err)
	}
	defer statusWrite.Close()
	files := []*os.File{streams[0], streams[1], streams[2], controlRead, statusWrite}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		control.Close()
		status.Close()
		return nil, note{}, hostFailed(err)
	}
	defer null.Close()
	for i := range streams {
		if files[i] == nil {
			files[i] = null
		}
	}

	p := &initProcess{control: control, gone: make(chan struct{}), words: gob.NewEncoder(control)}
	attributes, pidfd := where.attributes()
	started := make(chan error, 1)
	waited := make(chan struct{})
	go func() {
		// A parent-death signal comes when the thread that forked ends, so this
		// goroutine keeps its thread until init is gone.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var err error
		p.process, err = os.StartProcess(argv[0], argv, &os.ProcAttr{Dir: "/", Env: []string{}, Files: files, Sys: attributes})
		started <- err
		if err == nil {
			_, _ = p.process.Wait()
		}
		close(waited)
	}()
	err = <-started
	// Only init may hold these ends, or their end is never seen.
	controlRead.Close()
	statusWrite.Close()
	if err != nil {
		control.Close()
		status.Close()
		return nil, note{}, fault.New(fault.UnsupportedSystem, "the init of a process tree can't be started: %w", err)
	}
	if pidfd != nil && *pidfd >= 0 {
		p.pidfd = os.NewFile(uintptr(*pidfd), "pidfd")
	}

	first := make(chan note, 1)
	go func() {
		defer close(p.gone)
		p.read(status, first)
		<-waited
	}()
	// The order may be longer than a pipe holds; init's death ends the writing.
	sent := make(chan error, 1)
	go func() {
		p.saying.Lock()
		defer p.saying.Unlock()
		sent <- p.words.Encode(o)
	}()

	giveUp := func(err error) (*initProcess, note, error) {
		control.Close()
		_ = p.process.Kill()
		<-p.gone
		p.release()
		return nil, note{}, err
	}
	select {
	case n, ok := <-first:
		if !ok {
			<-p.gone
			return giveUp(fault.New(fault.UnsupportedSystem, "the init of a process tree ended before it was ready"))
		}
		if n.Kind != noteReady {
			return giveUp(refusal(n))
		}
		if err := <-sent; err != nil {
			return giveUp(hostFailed(err))
		}
		return p, n, nil
	case <-ctx.Done():
		return giveUp(stopped(ctx))
	}
}

// read keeps init's notes until its end of the pipe is closed, which only init
// holds. The first goes to first as well, which is closed if there is none.
func (p *initProcess) read(status *os.File, first chan<- note) {
	defer close(first)
	defer status.Close()
	decoder := gob.NewDecoder(status)
	for {
		var n note
		if decoder.Decode(&n) != nil {
			return
		}
		p.mu.Lock()
		p.notes = append(p.notes, n)
		count := len(p.notes)
		p.mu.Unlock()
		if count == 1 {
			first <- n
		}
	}
}

// say sends a word.
func (p *initProcess) say(w word) error {
	p.saying.Lock()
	defer p.saying.Unlock()
	return p.words.Encode(w)
}

// ending tells from the notes how the tree ended, as far as init saw it, and
// whether the kernel told init that no child was left.
func (p *initProcess) ending() (e Ending, drained bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.notes {
		switch n.Kind {
		case noteStartFailed:
			e.StartFailed = n.Text
		case noteEnded:
			if e.Signal = n.Signal; n.Signal == "" {
				e.ExitStatus = &n.Status
			}
		case noteLeft:
			e.Left = true
		case noteDrained:
			drained = true
		}
	}
	return e, drained
}

// release closes the descriptors of an init that is gone.
func (p *initProcess) release() {
	p.control.Close()
	if p.pidfd != nil {
		p.pidfd.Close()
	}
}

// A refused is what init could not arrange.
type refused struct{ of, text string }

func (r *refused) Error() string { return r.text }

// refusal returns init's own words about what it could not arrange.
func refusal(n note) error {
	return fault.New(fault.UnsupportedSystem, "a process tree can't be kept: %w", &refused{n.Of, n.Text})
}

// stopped returns fault.Cancelled or fault.Deadline for a context that is done.
func stopped(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.New(fault.Deadline, "the time for a process tree is over: %w", ctx.Err())
	}
	return fault.New(fault.Cancelled, "cancelled while a process tree was there: %w", ctx.Err())
}
