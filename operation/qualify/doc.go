// Package qualify holds an adapter to the obligations of the protocol, as far
// as they show from outside: it calls the adapter as a host would, and as no
// host should, and gives one verdict per obligation.
//
//	obligation.go    what an obligation is, and what a report says of it
//	obligations.go   the table of all of them, in the order in which they are tested
//	qualify.go       [Adapter]: one examination from beginning to end
//	attempt.go       one operation of an examination, and its calls
//	call.go          one call, and what was wrong with its answer
//	answering.go     trials: is there an answer at all
//	refusing.go      trials: what must be refused
//	starting.go      trials: what starts the agent, and how often
//	ending.go        trials: bounds, lookups, the end of the work
//	losing.go        trials: the adapter is killed, the reply lost
//	judging.go       verdicts over every answer of the examination
//	agent.go         the harmless agent, which leaves marks that can be counted
//	marks.go         those marks, read by the examination
//
// # How faults are told apart
//
// Each obligation is tested on operations of its own, so that a fault shows
// where it belongs. Answers of wrong form, or that contradict earlier ones,
// are judged together at the end, and a trial that needed a sound answer and
// got none is "not tested". So is an obligation that rests on another one that
// failed: an adapter that starts the same operation twice one call after the
// other says nothing new when it does so with two calls at once.
//
// # What it cannot do
//
// A verdict says what was observed, never that an adapter is sound: every
// obligation states what passing it does not prove. Nothing here can look into
// a ledger, pull a machine's plug, or see work that was handed to a server.
//
// Reports quote no payload, no result text and nothing that an adapter wrote to
// standard error.
package qualify
