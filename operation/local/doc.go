// Package local is the embedded adapter: an authority that keeps a ledger of
// attempts, runs any command of this machine as an agent, and says that an
// attempt is settled only when the kernel has proven that nobody of its process
// tree is left. Package custody asks the kernel, package definition says what
// is run; this package says in which order things become durable, and what
// follows from what is found.
//
// This comment is the specification of the ledger.
//
// # Entry points
//
// The program starts itself again under three names that people never type:
//
//	git-algal adapter serve --ledger DIR --definition DIGEST submit|observe   [Serve]
//	git-algal adapter supervise --ledger DIR KEY                              [Supervise]
//	git-algal adapter init                                                    [Init]
//
// Serve is the adapter of the protocol: exit status 0 exactly if it returns nil.
// What Supervise returns goes to its standard error, which is a file of the
// ledger; no error of this package quotes a prompt or an agent's output. The
// operator's commands use a [Ledger]: [Create], [Open], Define, Attempts, Wait,
// Stop, Settle, Stream. [Probe] says what the machine gives.
//
// # The ledger
//
// A ledger is one absolute directory of package state, which says how records
// are published, read and refused. HEX is the operation's key, the digest
// over its authority and operation ids.
//
//	ledger.json                     [Identity]: authority, machine, the inodes of the ledger's directories
//	values/HEX.json                 definitions, by their digests
//	operations/HEX/admitted.json    [Admission]: binding, and how the agent is run
//	operations/HEX/start.json       [Start]: the tree that was let go, or that there is none, ever
//	operations/HEX/stopping.json    [Mark]: the operator's order
//	operations/HEX/unresolved.json  [Mark]: the kernel could not prove the end, once
//	operations/HEX/terminal.json    [Conclusion]: the outcome, the same bytes for ever
//	operations/HEX/prompt           the prompt, until the end of the tree
//	operations/HEX/stdout, stderr   what the agent said, to 64 MiB each
//	operations/HEX/supervisor       what went wrong around it
//	leases/HEX.lock                 the operation's lease
//
// A record is closed, canonical and immutable. A conclusion names the digests of
// the streams and says whether they were cut. A ledger that was carried to
// another machine, or of which a copy took the place, answers nothing but
// outcomes that are concluded: its inodes or its machine are others. A backup
// that is written over the files of the same directories can't be told from
// the ledger itself; nobody may do that.
//
// # The order
//
//	submit      custody is probed, by doing it
//	            the operation's lease is taken
//	            the prompt is written, and admitted.json published
//	            the supervisor is started, in a session of its own, and handed the lease
//	supervisor  the tree is made: cgroup, namespaces, an init that waits at its gate
//	            start.json is published: launching, and what the tree is
//	            an order to stop is looked for
//	            the gate is opened, once: only now can anything of the agent run
//	            the tree is watched, and ended when its runtime is over or an order comes
//	            init is gone and the cgroup empty: the kernel's proof
//	            the streams are synced, terminal.json is published, the cgroup removed
//
// Every record is durable before the next step is taken. "Launching" and "not
// started" are two contents of one name that is published without replacing, so
// one wins: who publishes "not started" knows that no gate was opened, and none
// will be. Who stops an operation competes for it too, and if it loses, it knows
// what to end.
//
// The lease belongs to whoever may start or conclude the operation: submit until
// the supervisor has it, then the supervisor until its end, then whoever looks.
// It proves only that the supervisor's own code is gone. Whoever takes it free
// asks the kernel, and concludes what that proves ([Serve], observe).
//
// # Answers
//
//	revision 0  unknown, missing     no admission is in a sound ledger
//	revision 1  accepted             admitted, and its lease is held
//	revision 2  unknown, unresolved  once nothing could be proven, until the outcome
//	revision 3  terminal             the kernel's proof, or the operator's word, recorded as such
//
// There are no others, and a lookup raises none. An agent that hands work to
// servers outside of its tree is never concluded from the tree, and a machine
// that proves nothing leaves that to its operator.
//
// # Time
//
// The agent is ended max(10 s, 10 %), and at most half, before the host's
// deadline, unless its definition has a runtime of its own. A submit answers
// what it knows half of that before the deadline: terminal if the work has
// ended, else accepted, and the supervisor goes on. The clock excludes the time
// for which the machine sleeps.
//
// # Acts
//
// Everything that a process does with an operation is an act: a series of named
// steps on a world that is passed in (world.go). The model test takes the same
// steps in every order, with a death after each.
package local
