// Package operation is the protocol between the host and the authority that
// owns the ledger of attempts: its closed records, the rules that new evidence
// must obey, and the seam through which calls are made. It starts no process
// and touches no file.
//
// The records, one file each, with Parse and Format:
//
//   - [Identity] and [Binding]: which attempt, of which ledger, for which request
//   - [Adapter]: the admitted configuration of a command adapter
//   - [Request]: what the host writes to the adapter
//   - [Outcome]: what the authority answers, in one of three states
//   - [Reservation]: the store's immutable pair of operation and job
//   - [Observation]: an outcome as a link of a job's evidence
//
// [History] holds every outcome that was retained and decides whether another
// one may follow. [Transport] is the seam, implemented by package command for
// executables and by anyone for Go values; [Dispatch] is the host's side of
// one call: whatever a transport returns is untrusted until Dispatch, or
// [ParseOutcome], has accepted it.
//
// An outcome is the authority's word. Parsing and digests establish form,
// integrity and binding, never that the word is true.
//
// # Evidence
//
// An operation is unknown, accepted or terminal:
//
//	state     revision           further members, all required
//	unknown   0..2,147,483,647   reason
//	accepted  1..2,147,483,647   acceptanceRef
//	terminal  1..2,147,483,647   acceptanceRef, outcome, settlement, result
//
// Only terminal says that work has ended. Unknown has no such authority, not
// even with the reason missing: an earlier submission may still arrive. A
// failed call is no outcome at all and proves nothing either way.
//
// Records are closed: exactly the members listed, read strictly and written as
// canonical JSON without a newline (contract sections 1 and 4). Every Parse
// returns the zero value on error. Errors carry a [fault.Condition]; their
// texts never quote a payload or an answer.
package operation
