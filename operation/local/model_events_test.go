package local

import ()

// finish ends a process in order.
func (m *machine) finish(who int) {
	m.acts[who].drop()
	m.acts[who], m.phase[who] = nil, ended
}

// die ends a process at once: its descriptors are closed, and that is all.
func (m *machine) die(who int) {
	m.holders &^= 1 << who
	if s, ok := m.acts[who].(*supervision); ok && s.tree != nil {
		m.tree.closed = true
	}
	m.acts[who], m.phase[who] = nil, ended
}

// restart is that of the machine.
func (m *machine) restart() {
	for who := range processes {
		m.acts[who], m.phase[who] = nil, ended
	}
	m.holders, m.booted = 0, true
	m.tree.init, m.tree.agent = false, false
}

// events are what the kernel, the tree's init and the agent can do next.
func (m *machine) events() (events []func(*machine)) {
	t := m.tree
	add := func(can bool, event func(*machine)) {
		if can {
			events = append(events, event)
		}
	}
	reachable := t.init || m.means == byCgroup
	add(t.init && t.opened && !t.started, func(m *machine) { // init reads the gate's byte
		m.tree.started, m.tree.agent = true, true
		m.starts++
		if m.ordered {
			m.broken = "the agent was started after the order to stop"
		}
		if m.records[terminalRecord] != 0 && m.proofDue() {
			m.broken = "the agent was started after the outcome"
		}
	})
	add(t.init && !t.opened && t.closed, func(m *machine) { m.tree.init, m.tree.sawAll = false, true }) // it reads the end of the pipe
	add(t.agent, func(m *machine) { m.tree.agent = false })                                             // everybody has ended
	add(t.init && t.started && !t.agent, func(m *machine) { m.tree.init, m.tree.sawAll = false, true })
	add(t.killed && reachable && !t.gone(), func(m *machine) { m.tree.init, m.tree.agent = false, false })
	// Init is killed, by somebody or because its supervisor has died.
	add(t.init, func(m *machine) {
		m.tree.init = false
		if m.means == byNamespace {
			m.tree.agent = false
		}
	})
	return events
}
