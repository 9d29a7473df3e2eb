package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

const crashRoot = "/home/state/ledger"

// A lab is a machine with a ledger in memory, on which submit and supervisor
// run in one process, so that a crash ends both.
type lab struct {
	fs      *faultfs.FS
	ledger  operation.Identity
	digest  canon.Digest
	binding operation.Binding

	boot   string
	alive  bool // the tree's init or its agent
	starts int
	said   operation.History // what a host has been told
}

func newLab(t *testing.T) *lab {
	t.Helper()
	f := faultfs.New(1)
	f.MkdirAll("/home/state")
	l, err := Create(Environment{FS: f, Now: time.Now, Machine: "lab"}, crashRoot)
	if err != nil {
		t.Fatal(err)
	}
	digest, err := l.Define(definition.Definition{
		Contract: definition.Contract, Executable: "/agent", Arguments: []string{}, Environment: map[string]string{},
		Prompt: definition.Stdin, Writable: []string{},
	})
	if err != nil {
		t.Fatal(err)
	}
	f.Crash(faultfs.LoseNone)
	return &lab{
		fs: f, ledger: l.Authority(), digest: digest, boot: "first",
		binding: operation.Binding{OperationID: "op", AuthorityID: l.Authority(), RequestDigest: canon.DigestText("payload")},
	}
}

// clone returns the lab as it is, its processes ended.
func (l *lab) clone(seed uint64) *lab {
	c := *l
	c.fs = l.fs.Clone(seed)
	c.said = append(operation.History{}, l.said...)
	return &c
}

func (l *lab) world() (*world, error) {
	book, err := state.OpenLedger(l.fs, crashRoot)
	if err != nil {
		return nil, err
	}
	w := &world{
		book: disk{book}, kernel: l, machine: "lab",
		sound: func() error { return isSound(book, l.ledger, "lab") },
		now:   func() time.Time { return modelTime },
		pause: func(context.Context, time.Duration) error {
			if l.fs.Stopped() {
				return faultfs.ErrStopped
			}
			return nil
		},
	}
	w.start = labStarter{l, w}
	return w, nil
}

// submit and observe are what the host's calls come to. What they answer is
// what the host keeps.
func (l *lab) submit() error {
	return l.call(func(w *world) (operation.Outcome, error) {
		agent, err := definitionOf(w.book, l.digest)
		if err != nil {
			return operation.Outcome{}, err
		}
		key, err := keyOf(l.binding)
		if err != nil {
			return operation.Outcome{}, err
		}
		s := &submit{
			binding: l.binding, key: key, definition: agent, digest: l.digest, limit: modelTime.Add(time.Hour), next: lookUp,
			task: task{workspace: "/w", gitDirectory: "/w/.git", prompt: "p", call: time.Minute, maxOutputBytes: operation.MaxOutputBytes},
		}
		err = perform(context.Background(), w, s)
		return s.answer, err
	})
}

func (l *lab) observe() error {
	return l.call(func(w *world) (operation.Outcome, error) { return observe(context.Background(), w, l.binding) })
}

func (l *lab) call(do func(*world) (operation.Outcome, error)) error {
	w, err := l.world()
	if err != nil {
		return err
	}
	o, err := do(w)
	if err != nil {
		return err
	}
	reuse, err := l.said.Admit(o)
	if err != nil {
		return fmt.Errorf("a host refuses it: %w", err)
	}
	if !reuse {
		l.said = append(l.said, o)
	}
	return nil
}

// The lab's kernel ends every tree with its supervisor.

func (l *lab) probe(context.Context) (custody.Found, error) {
	return custody.Found{Mechanisms: []custody.Mechanism{custody.Namespace}, Proof: true}, nil
}

func (l *lab) prepare(_ context.Context, work work) (tree, error) {
	l.alive = true
	return &labTree{l, work}, nil
}

func (l *lab) look(id custody.Identity) (custody.Evidence, error) {
	switch {
	case id.Boot != l.boot:
		return custody.OtherBoot, nil
	case l.alive:
		return custody.Alive, nil
	}
	return custody.Gone, nil
}

func (l *lab) end(context.Context, custody.Identity) error { l.alive = false; return nil }
func (l *lab) remove(custody.Identity) error               { return nil }

type labTree struct {
	lab  *lab
	work work
}

func (t *labTree) identity() custody.Identity {
	return custody.Identity{
		Machine: "lab", Boot: t.lab.boot, Mechanisms: []custody.Mechanism{custody.Namespace},
		PIDNamespace: "pid:[1]", InitPID: 1, InitInode: "1",
	}
}

func (t *labTree) open() error {
	if !t.lab.fs.Stopped() {
		t.lab.starts++
	}
	return nil
}

func (t *labTree) wait(context.Context) (custody.Ending, error) {
	if t.lab.fs.Stopped() {
		return custody.Ending{}, faultfs.ErrStopped
	}
	_, err := io.WriteString(t.work.stdout, "done")
	t.lab.alive = false
	zero := 0
	return custody.Ending{Started: true, ExitStatus: &zero, Proven: true}, err
}

func (t *labTree) kill() error                          { t.lab.alive = false; return nil }
func (t *labTree) close() error                         { return nil }
func (t *labTree) trim(state.File, int64) (bool, error) { return false, nil }

// labStarter runs the supervisor while its submit waits.
type labStarter struct {
	lab   *lab
	world *world
}

type labSupervisor struct{ run func() }

func (s labStarter) supervise(key canon.Digest, held lease, _ state.File) (supervisor, error) {
	return labSupervisor{func() {
		act := newSupervision(key, held)
		defer act.drop()
		_ = act.see(context.Background(), s.world, func() (book, error) {
			again, err := state.OpenLedger(s.lab.fs, crashRoot)
			return disk{again}, err
		})
	}}, nil
}

func (s labSupervisor) wait(context.Context) error { s.run(); return nil }

// check holds what must be true whatever has happened.
func (l *lab) check() error {
	if l.starts > 1 {
		return fmt.Errorf("%d starts", l.starts)
	}
	if o, ok := l.said.Terminal(); ok && l.starts > 0 && strings.Contains(o.Text(), "not started") {
		return errors.New("what was started is said not to be")
	}
	return nil
}

// goOn is what a host does after the crash: it looks, twice, and whoever
// submits again starts nothing that was admitted.
func (l *lab) goOn() error {
	for _, call := range []func() error{l.observe, l.observe, l.submit, l.observe} {
		if err := call(); err != nil {
			return err
		}
		if err := l.check(); err != nil {
			return err
		}
	}
	if _, ok := l.said.Terminal(); !ok {
		return fmt.Errorf("it does not settle: %v", l.said)
	}
	return nil
}
