package local

import (
	"context"
	"os"
	"path"
	"slices"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/state"
)

// modelBook is the ledger's records.
type modelBook struct{ m *machine }

func recordIndex(name state.Name) int {
	return slices.Index(recordFiles[:], path.Base(name.String()))
}

func (b modelBook) Read(name state.Name) ([]byte, error) {
	n := b.m.records[recordIndex(name)]
	if n == 0 {
		return nil, fault.New(fault.Missing, "%q is not there", name)
	}
	return []byte(b.m.shared.texts[n]), nil
}

func (b modelBook) Create(name state.Name, data []byte) error {
	m, i := b.m, recordIndex(name)
	n := m.shared.numberOf(string(data))
	if m.records[i] == n {
		return nil
	}
	if m.records[i] != 0 {
		if i == terminalRecord || i == admittedRecord {
			m.broken = "a second " + recordFiles[i] + " was published"
		}
		return fault.New(fault.RecordConflict, "%q says something else", name)
	}
	m.records[i] = n
	switch i {
	case startRecord:
		m.ordered = m.records[stoppingRecord] != 0
	case terminalRecord:
		if m.holders != 1<<m.now {
			m.broken = "terminal.json was published without the lease"
		}
	}
	return nil
}

func (b modelBook) MakeDurable(...state.Name) error { return nil }

func (b modelBook) Get(canon.Digest, int) ([]byte, error) { return b.m.shared.text, nil }

func (b modelBook) Lease(canon.Digest) (lease, error) {
	if b.m.holders != 0 {
		return nil, fault.New(fault.LeaseHeld, "held")
	}
	b.m.holders = 1 << b.m.now
	return modelLease{b.m, b.m.now}, nil
}

func (b modelBook) Path(canon.Digest, state.Stream) (string, error) { return "/prompt", nil }

func (b modelBook) Write(canon.Digest, state.Stream) (state.File, error) { return modelFile{}, nil }

func (b modelBook) Open(_ canon.Digest, s state.Stream) (state.File, error) {
	if s == state.Prompt {
		return &textFile{text: b.m.shared.task.prompt}, nil
	}
	return &textFile{}, nil
}

func (b modelBook) Discard(canon.Digest, state.Stream) error { return nil }

type modelLease struct {
	m   *machine
	who int
}

func (l modelLease) File() *os.File { return nil }

func (l modelLease) Close() error {
	l.m.holders &^= 1 << l.who
	return nil
}

// modelStarter makes the supervisor a process of the model.
type modelStarter struct{ m *machine }

func (s modelStarter) supervise(key canon.Digest, held lease, _ state.File) (supervisor, error) {
	m := s.m
	m.holders |= 1 << supervising
	_ = held.Close()
	m.acts[supervising] = newSupervision(key, modelLease{m, supervising})
	m.phase[supervising] = running
	return modelSupervisor{m}, nil
}

type modelSupervisor struct{ m *machine }

func (s modelSupervisor) wait(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.m.phase[supervising] != ended {
		return errBlocked
	}
	return nil
}

// modelKernel is what the acts ask about the tree.
type modelKernel struct{ m *machine }

func (k modelKernel) probe(context.Context) (custody.Found, error) {
	return custody.Found{Mechanisms: k.m.shared.tree.Mechanisms, Proof: k.m.means != bySubreaper}, nil
}

func (k modelKernel) prepare(context.Context, work) (tree, error) {
	if k.m.tree.prepared {
		k.m.broken = "a second tree was prepared"
	}
	k.m.tree = modelTree{prepared: true, init: true}
	return treeHandle(k), nil
}

func (k modelKernel) look(custody.Identity) (custody.Evidence, error) {
	switch {
	case k.m.booted:
		return custody.OtherBoot, nil
	case k.m.means == bySubreaper:
		return custody.Unprovable, nil
	case k.m.tree.gone():
		return custody.Gone, nil
	}
	return custody.Alive, nil
}

func (k modelKernel) end(context.Context, custody.Identity) error {
	t := &k.m.tree
	switch {
	case k.m.means == bySubreaper:
		t.killed = true
		return fault.New(fault.UnsupportedSystem, "nothing proves it")
	case t.gone():
		return nil
	case !t.killed:
		t.killed = true
		return errAgain
	}
	return errBlocked
}

func (k modelKernel) remove(custody.Identity) error {
	if !k.m.booted && k.m.tree.agent {
		k.m.broken = "the cgroup of a living tree was removed"
	}
	return nil
}

// treeHandle is what the supervisor has of the tree.
type treeHandle struct{ m *machine }

func (t treeHandle) identity() custody.Identity { return t.m.shared.tree }

func (t treeHandle) open() error {
	if t.m.tree.opened {
		t.m.broken = "the gate was opened twice"
	}
	t.m.tree.opened = true
	return nil
}

func (t treeHandle) wait(ctx context.Context) (custody.Ending, error) {
	tree := t.m.tree
	zero := 0
	switch {
	case t.m.clock == impatient:
		return custody.Ending{}, context.DeadlineExceeded
	case t.m.means == bySubreaper && !tree.init:
		return custody.Ending{Started: tree.started, ExitStatus: &zero, Proven: tree.sawAll || !tree.started}, nil
	case tree.gone():
		return custody.Ending{Started: tree.started, ExitStatus: &zero, Proven: true}, nil
	}
	return custody.Ending{}, errBlocked
}

func (t treeHandle) kill() error {
	t.m.tree.killed = true
	return nil
}

func (t treeHandle) close() error {
	t.m.tree.closed = true
	return nil
}

func (t treeHandle) trim(state.File, int64) (bool, error) { return false, nil }
