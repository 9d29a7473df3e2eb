package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
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

// calamities are the ways in which everything ends at once, with so many ways
// of losing some.
func calamities(stopped *lab, ways uint64) map[string]*lab {
	found := map[string]*lab{}
	for _, loss := range faultfs.Losses() {
		for seed := range ways {
			c := stopped.clone(seed)
			c.fs.Crash(loss)
			c.boot, c.alive = c.boot+" again", false
			found[fmt.Sprintf("%v (%d)", loss, seed)] = c
			if loss != faultfs.LoseSome {
				break
			}
		}
	}
	killed := stopped.clone(0)
	killed.fs.Kill()
	killed.alive = false
	found["killed"] = killed
	return found
}

// TestCrashLoop stops a submit and its supervisor before each durable
// operation, loses what was not synced in every way, and lets a host go on,
// whose first lookup is stopped at each operation once more.
func TestCrashLoop(t *testing.T) {
	t.Parallel()
	start := newLab(t)
	states := 0
	for k := 1; ; k++ {
		stopped := start.clone(0)
		stopped.fs.CrashAt(k)
		_ = stopped.submit()
		if !stopped.fs.Stopped() {
			if _, ok := stopped.said.Terminal(); !ok {
				t.Fatal("the undisturbed submit did not end")
			}
			break
		}
		for how, l := range calamities(stopped, 3) {
			what := fmt.Sprintf("stopped before operation %d, %s", k, how)
			states++
			for again := 1; !testing.Short(); again++ {
				twice := l.clone(uint64(again))
				twice.fs.CrashAt(again)
				_ = twice.observe()
				if !twice.fs.Stopped() {
					break
				}
				for how, l := range calamities(twice, 1) {
					states++
					if err := l.goOn(); err != nil {
						t.Fatalf("%s; a lookup before operation %d, %s: %v", what, again, how, err)
					}
				}
			}
			if err := l.goOn(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
	}
	t.Logf("%d states explored", states)
}

// TestEveryOperationFails lets each operation of a submit fail, before and
// after it took effect.
func TestEveryOperationFails(t *testing.T) {
	t.Parallel()
	start := newLab(t)
	failures := []faultfs.Fault{
		{Err: syscall.ENOSPC, Effect: faultfs.None}, {Err: syscall.EIO, Effect: faultfs.Half}, {Err: syscall.EIO, Effect: faultfs.Whole},
	}
	every := 1
	if testing.Short() {
		every = 7
	}
	for n := 1; ; n += every {
		reached := false
		for _, failure := range failures {
			l := start.clone(0)
			var failed faultfs.Op
			l.fs.Inject(func(op faultfs.Op) faultfs.Fault {
				if op.N != n {
					return faultfs.Fault{}
				}
				failed, reached = op, true
				return failure
			})
			err := l.submit()
			l.fs.Inject(nil)
			what := fmt.Sprintf("operation %d (%s %s) fails with %v, effect %d", n, failed.Kind, failed.Path, failure.Err, failure.Effect)
			if err != nil && fault.CodeOf(err) == "" {
				t.Fatalf("%s: %v has no code", what, err)
			}
			if err := l.check(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			l.fs.Kill()
			if err := l.goOn(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
		if !reached {
			return
		}
	}
}

// TestRefusedBeforeTheLaunch holds that a ledger which takes no records, or is
// not the one it should be, starts nothing.
func TestRefusedBeforeTheLaunch(t *testing.T) {
	t.Parallel()
	refuse := func(err error) func(faultfs.Op) faultfs.Fault {
		return func(op faultfs.Op) faultfs.Fault {
			if op.Kind.Durable() && op.Kind != faultfs.Sync && op.Kind != faultfs.SyncDir {
				return faultfs.Fault{Err: err}
			}
			return faultfs.Fault{}
		}
	}
	for name, spoil := range map[string]func(*lab){
		"read-only":       func(l *lab) { l.fs.Inject(refuse(syscall.EROFS)) },
		"full":            func(l *lab) { l.fs.Inject(refuse(syscall.ENOSPC)) },
		"gone":            func(l *lab) { l.fs.Delete(crashRoot) },
		"copied":          func(l *lab) { copyLedger(l.fs) },
		"another ledger":  func(l *lab) { l.fs.Delete(crashRoot + "/ledger.json"); anotherLedger(l.fs) },
		"another machine": func(l *lab) { moved(l.fs) },
		"on a network":    func(l *lab) { l.fs.Mount(crashRoot, state.System{Name: "nfs", Shared: true}) },
	} {
		l := newLab(t)
		spoil(l)
		before := fmt.Sprint(l.fs.Files(crashRoot))
		if err := l.submit(); err == nil {
			t.Errorf("%s: it answers %v", name, l.said)
		}
		if name != "read-only" && name != "full" {
			if err := l.observe(); err == nil {
				t.Errorf("%s: a lookup answers %v", name, l.said)
			}
		}
		l.fs.Inject(nil)
		if after := fmt.Sprint(l.fs.Files(crashRoot)); l.starts != 0 || after != before {
			t.Errorf("%s: %d starts; %s", name, l.starts, after)
		}
	}
}

// copyLedger puts a copy of every file in the place of the ledger, as a backup
// that is restored does.
func copyLedger(f *faultfs.FS) {
	files := f.Files(crashRoot)
	f.Delete(crashRoot)
	f.MkdirAll(crashRoot + "/operations")
	for at, data := range files {
		f.WriteFile(crashRoot+"/"+at, data)
	}
}

func anotherLedger(f *faultfs.FS) {
	if _, err := Create(Environment{FS: f, Now: time.Now, Machine: "lab"}, crashRoot); err != nil {
		panic(err)
	}
}

func moved(f *faultfs.FS) {
	text := string(f.Files(crashRoot)["ledger.json"])
	f.WriteFile(crashRoot+"/ledger.json", []byte(strings.Replace(text, `"machine":"lab"`, `"machine":"another"`, 1)))
}

// TestOutcomeOutlivesTheMove answers a concluded operation wherever its ledger
// is, and nothing else.
func TestOutcomeOutlivesTheMove(t *testing.T) {
	l := newLab(t)
	if err := l.submit(); err != nil {
		t.Fatal(err)
	}
	copyLedger(l.fs)
	if err := l.observe(); err != nil {
		t.Fatal(err)
	}
	if o, ok := l.said.Terminal(); !ok || len(l.said) != 1 || o.Ending() != operation.Completed || o.Text() != "done" {
		t.Errorf("it answered %v", l.said)
	}
}

// TestAnotherBoot concludes what was launched before the machine's restart.
func TestAnotherBoot(t *testing.T) {
	l := newLab(t)
	launched := false
	for k := 1; !launched; k++ {
		c := l.clone(0)
		c.fs.CrashAt(k)
		if _ = c.submit(); c.starts == 1 && c.fs.Stopped() {
			launched = true
			c.fs.Crash(faultfs.LoseAll)
			c.boot = "second"
			c.alive = true // whatever has the same number now
			if err := c.observe(); err != nil {
				t.Fatal(err)
			}
			if o, ok := c.said.Terminal(); !ok || o.Ending() != operation.Failed || o.Text() != reasonLost {
				t.Errorf("it answered %v", c.said)
			}
		}
	}
}
