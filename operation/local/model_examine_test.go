package local

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/git-algal/git-algal/operation"
)

// examine holds one state against what must be true in each.
func (x *explorer) examine(m *machine) error {
	if m.starts > 1 {
		return errors.New("the agent was started twice")
	}
	if m.records[terminalRecord] == 0 {
		return x.lookFresh(m)
	}
	if m.proofDue() && (m.tree.agent || m.tree.opened && !m.tree.gone()) {
		return errors.New("there is an outcome before the kernel's proof")
	}
	if !m.byWord() && m.foreign && m.starts > 0 {
		return errors.New("there is an outcome of work on a foreign server")
	}
	if !m.byWord() && m.says(terminalRecord, "not started") && m.starts > 0 {
		return errors.New("the outcome says that what was started was not")
	}
	return x.lookFresh(m)
}

// byWord reports whether the outcome is the operator's word.
func (m *machine) byWord() bool { return m.says(terminalRecord, `"by":"operator"`) }

// proofDue reports whether the outcome rests on the kernel: not where the
// operator's word stands for a proof that nobody can give.
func (m *machine) proofDue() bool { return !m.byWord() || m.means != bySubreaper }

// lookFresh asks in this state, at once and alone: whatever was answered until
// now, a host's history admits it.
func (x *explorer) lookFresh(m *machine) error {
	key := x.sharedKey(m)
	if x.looked[key] {
		return nil
	}
	x.looked[key] = true
	answer, after, err := lookOnce(m)
	if err != nil {
		return fmt.Errorf("a lookup: %w", err)
	}
	if err := after.admits(m.witness, answer); err != nil {
		return fmt.Errorf("a lookup answered %s %d: %w", answer.State(), answer.Revision(), err)
	}
	launched := m.says(startRecord, `"tree"`)
	provable := !launched || !m.foreign && (m.booted || m.means != bySubreaper)
	if m.records[admittedRecord] != 0 && m.holders == 0 && m.tree.gone() && provable && answer.State() != operation.Terminal {
		return fmt.Errorf("nothing is left, and it does not settle: %s %s", answer.State(), answer.Reason())
	}
	return nil
}

// lookOnce returns the answer to a lookup, and the state after it.
func lookOnce(m *machine) (operation.Outcome, *machine, error) {
	c := m.clone()
	c.phase[observing], c.now = idle, observing
	l, err := newLookup(m.shared.binding, nil)
	if err != nil {
		return operation.Outcome{}, nil, err
	}
	if err := perform(context.Background(), c.world(), l); err != nil {
		return operation.Outcome{}, nil, err
	}
	if c.broken != "" {
		return operation.Outcome{}, nil, errors.New(c.broken)
	}
	return l.answer, c, nil
}

// sharedKey names what a lookup that begins now depends on.
func (x *explorer) sharedKey(m *machine) string {
	key := make([]byte, 0, 32)
	key = append(key, m.records[:]...)
	t := m.tree
	key = append(key, flags(m.holders != 0, t.prepared, t.init, t.opened, t.closed, t.started, t.agent, t.killed),
		flags(t.sawAll, m.booted, m.ordered), byte(m.witness), byte(m.starts))
	return string(key)
}

// A stateKey is a hash of what a state consists of: too long to meet another.
type stateKey [16]byte

// key names the whole state. What an act holds beside its step follows from
// the records that it has read, which never change.
func (x *explorer) key(m *machine) (hash stateKey) {
	key := append([]byte(x.sharedKey(m)), byte(m.holders))
	lookups := [2]string{}
	for who := range processes {
		part := []byte{byte(m.phase[who])}
		if m.phase[who] == running {
			part = append(part, flags(m.later[who]))
			part = append(part, x.actKey(m.acts[who])...)
		}
		if who == observing || who == observingToo {
			part = append(part, byte(m.holders>>who&1))
			lookups[who-observing] = string(part)
			continue
		}
		key = append(key, part...)
	}
	// The two lookups are alike.
	if lookups[1] < lookups[0] {
		lookups[0], lookups[1] = lookups[1], lookups[0]
		key[len(x.sharedKey(m))] = byte(m.holders&^(1<<observing|1<<observingToo) | m.holders>>observing&1<<observingToo | m.holders>>observingToo&1<<observing)
	}
	key = append(append(append(key, lookups[0]...), '|'), lookups[1]...)
	sum := sha256.Sum256(key)
	copy(hash[:], sum[:])
	return hash
}

func (x *explorer) actKey(a act) []byte {
	m := x.first.shared
	name := func(s step) byte { return m.numberOf(string(s)) }
	switch a := a.(type) {
	case *lookup:
		return []byte{name(a.next), flags(a.lease != nil, a.admission.Contract != "")}
	case *submit:
		key := []byte{name(a.next), flags(a.lease != nil, a.lookup != nil)}
		if a.lookup != nil {
			key = append(key, x.actKey(a.lookup)...)
		}
		return key
	case *supervision:
		return []byte{name(a.next), flags(a.tree != nil, a.stopping, a.overtime, a.joined, a.ending.Proven)}
	case *stop:
		key := []byte{name(a.next), flags(a.lease != nil, a.lookup != nil)}
		if a.lookup != nil {
			key = append(key, x.actKey(a.lookup)...)
		}
		return key
	case *settlement:
		return []byte{name(a.next), flags(a.lease != nil)}
	}
	return nil
}

func flags(bits ...bool) (b byte) {
	for i, bit := range bits {
		if bit {
			b |= 1 << i
		}
	}
	return b
}
