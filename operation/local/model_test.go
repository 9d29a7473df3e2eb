package local

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// TestModel takes the steps of a submit, its supervisor, the tree's init, two
// lookups, a stop and a settlement in every order, lets each of them die at
// every step and the machine restart at any moment, on each means of custody,
// and holds in every state that is reached:
//
//   - the agent has been started at most once, and never after an outcome or
//     after an order that was there before the launch
//   - there is at most one outcome, published by the holder of the lease, and
//     none by anybody but the operator before the kernel's proof
//   - no answer is one that a host's history would refuse which has every
//     answer that was given before the question
//   - where the kernel proves, an admitted operation settles as soon as its tree
//     is gone and nobody holds the lease
func TestModel(t *testing.T) {
	t.Parallel()
	others := []int{observing, observingToo, stopping, settling}
	casts := [][]int{append([]int{submitting}, others...)}
	if os.Getenv(wholeVariable) == "" {
		casts = nil
		for i, one := range others {
			for _, another := range others[:i] {
				if one != stopping && one != settling || another != observingToo { // the lookups are alike
					casts = append(casts, []int{submitting, one, another})
				}
			}
		}
	}
	total := 0
	for _, kept := range []means{byNamespace, byCgroup, bySubreaper} {
		for _, foreign := range []bool{false, true} {
			if testing.Short() && (foreign || kept != byNamespace) {
				continue
			}
			states, steps := 0, 0
			for _, cast := range casts {
				x := newExplorer(t, kept, foreign, cast)
				x.explore()
				states, steps = states+len(x.seen), steps+x.steps
			}
			t.Logf("%s, foreign server %v: %d states, %d steps", kept, foreign, states, steps)
			total += states
		}
	}
	t.Logf("%d states explored", total)
}

// wholeVariable has all processes in one exploration, which takes many minutes;
// otherwise a submit and its supervisor meet every two of the others.
const wholeVariable = "GIT_ALGAL_MODEL_WHOLE"

// An explorer visits every state once.
type explorer struct {
	t      *testing.T
	first  *machine
	seen   map[stateKey]bool
	looked map[string]bool // by what a fresh lookup depends on
	queue  []*machine
	did    map[string]*deed
	steps  int
}

func newExplorer(t *testing.T, kept means, foreign bool, cast []int) *explorer {
	t.Helper()
	agent := definition.Definition{
		Contract: definition.Contract, Executable: "/agent", Arguments: []string{}, Environment: map[string]string{},
		Prompt: definition.Stdin, Writable: []string{}, ForeignServer: foreign,
	}
	text, err := agent.Format()
	if err != nil {
		t.Fatal(err)
	}
	binding := operation.Binding{OperationID: "op", AuthorityID: "authority", RequestDigest: canon.DigestText("payload")}
	key, err := keyOf(binding)
	if err != nil {
		t.Fatal(err)
	}
	tree := custody.Identity{Machine: "model", Boot: "first", Mechanisms: []custody.Mechanism{custody.Subreaper}, PIDNamespace: "pid:[1]", InitPID: 1, InitInode: "1"}
	s := &scenario{
		texts: []string{""}, numbers: map[string]byte{"": 0}, outcomes: map[[3]byte]operation.Outcome{}, binding: binding, key: key, agent: agent, digest: canon.DigestText(text), text: text, tree: tree,
		task: task{workspace: "/w", gitDirectory: "/w/.git", prompt: "p", call: time.Minute, maxOutputBytes: operation.MaxOutputBytes},
	}
	first := &machine{means: kept, foreign: foreign, shared: s}
	for who := range processes {
		if who != supervising && !slices.Contains(cast, who) {
			first.phase[who] = ended
		}
	}
	return &explorer{
		t: t, first: first,
		seen: map[stateKey]bool{}, looked: map[string]bool{}, did: map[string]*deed{},
	}
}

func (x *explorer) explore() {
	x.meet(x.first)
	for len(x.queue) > 0 && !x.t.Failed() {
		last := len(x.queue) - 1
		m := x.queue[last]
		x.queue = x.queue[:last]
		x.leave(m)
	}
}

// meet holds a state against what must be true, and queues it if it is new.
func (x *explorer) meet(m *machine) {
	x.steps++
	m.plain()
	if m.broken != "" {
		x.t.Fatalf("%s: %s, %v", m.means, m.broken, m)
	}
	key := x.key(m)
	if x.seen[key] {
		return
	}
	x.seen[key] = true
	if err := x.examine(m); err != nil {
		x.t.Fatalf("%s, foreign %v: %v: %v", m.means, m.foreign, err, m)
	}
	x.queue = append(x.queue, m)
}

// leave takes every step that can be next.
func (x *explorer) leave(m *machine) {
	for who := range processes {
		if m.phase[who] == ended || who == supervising && m.phase[who] == idle || m.booted {
			continue
		}
		x.walk(m, who, onTime)
		switch stepOf(m.acts[who]) {
		case await:
			x.walk(m, who, late)
		case watchTree:
			x.walk(m, who, late)
			x.walk(m, who, impatient)
		}
		// The death of a process that holds nothing is that it takes no step any
		// more, which every state allows.
		if m.phase[who] == running && (m.holders>>who&1 == 1 || who == supervising) {
			died := m.clone()
			died.die(who)
			x.meet(died)
		}
	}
	for _, event := range m.events() {
		next := m.clone()
		event(next)
		x.meet(next)
	}
	if !m.booted {
		next := m.clone()
		next.restart()
		x.meet(next)
	}
}

// walk lets a process take its next step, and the steps behind it that nobody
// else can see or influence.
func (x *explorer) walk(m *machine, who int, c clock) {
	next := m.clone()
	if next.phase[who] == idle {
		next.begin(who)
	}
	for {
		did := x.take(next, who, c)
		if did == nil {
			return
		}
		if c = onTime; !did.again {
			if did.answered && m.witness == 0 {
				witnessed := next.clone()
				witnessed.witness = did.answer.Revision() + 1
				x.meet(witnessed)
			}
			x.meet(next)
			return
		}
	}
}

// take takes one step on m, or repeats what the step did before: it depends on
// nothing but the act's own state and what is shared.
func (x *explorer) take(m *machine, who int, c clock) *deed {
	key := x.stepKey(m, who, c)
	did, known := x.did[key]
	if !known {
		did = x.taken(m, who, c)
		x.did[key] = did
	}
	if did == nil {
		return nil
	}
	after := did.after
	mine := uint(1<<who | 1<<supervising)
	m.records, m.tree, m.starts, m.ordered, m.broken = after.records, after.tree, after.starts, after.ordered, after.broken
	m.holders = m.holders&^mine | after.holders&mine
	m.acts[who], m.phase[who] = after.acts[who], after.phase[who]
	if did.handed {
		m.acts[supervising], m.phase[supervising] = after.acts[supervising], running
	}
	if did.answered {
		m.answer(who, did.answer)
	}
	return did
}

// A deed is what one step did.
type deed struct {
	after    *machine
	again    bool // the next step belongs to it
	handed   bool // it made the supervisor
	answered bool
	answer   operation.Outcome
}

// taken takes one step of the real code on a copy; nil says that it has to
// wait.
func (x *explorer) taken(m *machine, who int, c clock) *deed {
	after := m.clone()
	after.acts[who] = after.copyAct(who, m.acts[who])
	after.now, after.clock = who, c
	done, err := after.acts[who].step(context.Background(), after.world())
	after.clock = onTime
	did := &deed{after: after, handed: m.phase[supervising] == idle && after.phase[supervising] == running}
	switch {
	case errors.Is(err, errBlocked):
		return nil
	case errors.Is(err, errAgain):
		after.acts[who] = m.acts[who]
	case err != nil && who == settling && (fault.Is(err, fault.LeaseHeld) || fault.Is(err, fault.RecordConflict)):
		after.finish(who) // it was refused
	case err != nil:
		x.t.Fatalf("%s, foreign %v: %s: %v: %v", m.means, m.foreign, processNames[who], err, m)
	case done:
		did.answer, did.answered = answerOf(after.acts[who])
		after.finish(who)
	default:
		did.again = after.alone(stepOf(after.acts[who]))
	}
	return did
}

// stepKey names everything that a step depends on.
func (x *explorer) stepKey(m *machine, who int, c clock) string {
	key := append([]byte(x.sharedKey(m)), byte(who), byte(c), byte(m.holders>>who&1), byte(m.phase[supervising]))
	return string(append(key, x.actKey(m.acts[who])...))
}

// begin makes a process of the act.
func (m *machine) begin(who int) {
	s := m.shared
	must := func(a act, err error) act {
		if err != nil {
			panic(err)
		}
		return a
	}
	var a act
	switch who {
	case submitting:
		a = &submit{binding: s.binding, key: s.key, task: s.task, definition: s.agent, digest: s.digest, limit: modelTime.Add(time.Hour), next: lookUp}
	case observing, observingToo:
		a = must(newLookup(s.binding, nil))
	case stopping:
		a = must(newStop(s.binding, ""))
	case settling:
		a = must(newSettlement(s.binding, operation.Failed, "the machine was lost"))
	}
	m.acts[who], m.phase[who], m.later[who] = a, running, m.witness != 0
}

// alone reports whether a step changes nothing shared and finds what it will
// find at any later time, so that no order of it and others' steps matters:
// records that are there never change, and who is gone stays so.
func (m *machine) alone(next step) bool {
	switch next {
	case readAdmission, lookAgain:
		return m.records[admittedRecord] != 0
	case readStart, denyStart:
		return m.records[startRecord] != 0
	case checkStopping:
		return m.records[stoppingRecord] != 0
	case markUnresolved:
		return m.records[unresolvedRecord] != 0
	case askKernel:
		return m.booted || m.means == bySubreaper || m.tree.gone()
	}
	return private[next]
}

// private are the steps that read and change nothing shared.
var private = map[step]bool{
	checkLedger: true, probeCustody: true, writePrompt: true, keepStreams: true,
}

func stepOf(a act) step {
	switch a := a.(type) {
	case *lookup:
		return a.next
	case *submit:
		if a.lookup != nil {
			return a.lookup.next
		}
		return a.next
	case *supervision:
		return a.next
	case *stop:
		if a.lookup != nil {
			return a.lookup.next
		}
		return a.next
	case *settlement:
		return a.next
	}
	return ""
}
