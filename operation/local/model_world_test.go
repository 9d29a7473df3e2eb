package local

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// The processes of the model. The tree's init and what it starts are part of
// the machine.
const (
	submitting = iota
	supervising
	observing
	observingToo
	stopping
	settling
	processes
)

var processNames = [processes]string{"submit", "supervisor", "observe", "observe too", "stop", "settle"}

// A means is what the model's kernel keeps a tree by.
type means string

const (
	byNamespace means = "pid namespace" // init's end is everybody's
	byCgroup    means = "cgroup"        // init's end is nobody's, and the kernel counts
	bySubreaper means = "subreaper"     // init counts, as long as it lives
)

// A machine is a state of the model: one ledger, one kernel, one operation. It
// is copied before each step, which is then a step of the real code on the
// copy.
type machine struct {
	means   means
	foreign bool

	records [len(recordFiles)]byte // the number of what each says, 0 for nothing
	holders uint                   // the processes that have the lease's descriptor open
	tree    modelTree
	booted  bool // for a second time

	acts  [processes]act // nil: not begun, ended or dead
	phase [processes]phase
	// Of all answers one is the witness, chosen freely, and later says who began
	// after it was given: those may not contradict it.
	witness int // its revision and one; 0 for none
	later   [processes]bool

	starts  int  // of the agent
	ordered bool // an order to stop was there before the tree was published

	// What is true during one step only.
	now int // the process that takes it
	clock
	broken string // what must not happen, and did

	shared *scenario
}

// A clock is how time goes by during a step.
type clock byte

const (
	onTime    clock = iota
	late            // the limit has passed
	impatient       // a look at other things is due
)

type phase byte

const (
	idle phase = iota
	running
	ended
)

// A modelTree is a process tree as the kernel knows it.
type modelTree struct {
	prepared bool // its init was started
	init     bool // its init lives
	opened   bool // the gate's byte is in the pipe
	closed   bool // the supervisor's end of the pipe is closed
	started  bool
	agent    bool // the agent or a descendant lives
	killed   bool // the kernel was told to end everybody it can reach
	sawAll   bool // init reaped everybody
}

func (t modelTree) gone() bool { return !t.init && !t.agent }

// plain forgets what can make no difference any more.
func (m *machine) plain() {
	t := &m.tree
	t.closed = t.closed && t.init && !t.opened
	t.sawAll = t.sawAll && m.means == bySubreaper
	if t.gone() {
		t.opened, t.killed = false, false
	}
	m.ordered = m.ordered && !t.started
}

var recordFiles = [...]string{"admitted.json", "start.json", "stopping.json", "unresolved.json", "terminal.json"}

const (
	admittedRecord = iota
	startRecord
	stoppingRecord
	unresolvedRecord
	terminalRecord
)

// A scenario is what all states of an exploration have in common.
type scenario struct {
	binding operation.Binding
	key     canon.Digest
	task    task
	agent   definition.Definition
	digest  canon.Digest
	text    []byte // of the definition
	tree    custody.Identity

	texts    []string                      // of records, by their numbers
	numbers  map[string]byte               // of records and steps
	outcomes map[[3]byte]operation.Outcome // by revision, admission and conclusion
}

func (s *scenario) numberOf(text string) byte {
	n, ok := s.numbers[text]
	if !ok {
		n = byte(len(s.texts))
		s.numbers[text] = n
		s.texts = append(s.texts, text)
	}
	return n
}

// says reports whether a record holds a text.
func (m *machine) says(record int, text string) bool {
	return strings.Contains(m.shared.texts[m.records[record]], text)
}

var (
	errBlocked = errors.New("the step has to wait")      // it is no step now
	errAgain   = errors.New("the step has to go on yet") // it took effect and is to be taken again
	modelTime  = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
)

// clone returns a copy. Acts are shared: who takes a step copies its own first.
func (m *machine) clone() *machine {
	c := *m
	return &c
}

// copyAct returns a copy of an act whose handles are those of m.
func (m *machine) copyAct(who int, a act) act {
	release := func(l lease) lease {
		if l == nil {
			return nil
		}
		return modelLease{m, who}
	}
	lookUp := func(l *lookup) *lookup {
		if l == nil {
			return nil
		}
		c := *l
		c.lease = release(l.lease)
		return &c
	}
	switch a := a.(type) {
	case *lookup:
		return lookUp(a)
	case *submit:
		c := *a
		c.lease, c.lookup = release(a.lease), lookUp(a.lookup)
		if a.supervisor != nil {
			c.supervisor = modelSupervisor{m}
		}
		return &c
	case *supervision:
		c := *a
		c.lease = release(a.lease)
		if a.tree != nil {
			c.tree = treeHandle{m}
		}
		return &c
	case *stop:
		c := *a
		c.lease, c.lookup = release(a.lease), lookUp(a.lookup)
		return &c
	case *settlement:
		c := *a
		c.lease = release(a.lease)
		return &c
	}
	return nil
}

// world returns the machine as the acts see it.
func (m *machine) world() *world {
	return &world{
		book: modelBook{m}, kernel: modelKernel{m}, start: modelStarter{m},
		sound: func() error { return nil }, machine: "model",
		now: func() time.Time {
			if m.clock == late {
				return modelTime.Add(24 * time.Hour)
			}
			return modelTime
		},
		pause: func(context.Context, time.Duration) error { return nil },
	}
}

// String tells the state to a person who looks for the fault.
func (m *machine) String() string {
	texts := []string{}
	for _, n := range m.records {
		texts = append(texts, m.shared.texts[n])
	}
	return fmt.Sprintf("%+v records %q holders %b starts %d", m.tree, texts, m.holders, m.starts)
}
