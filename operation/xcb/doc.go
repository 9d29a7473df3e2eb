// Package xcb calls the worker of a v1 job: one foreground process that is
// given a prompt and answers with an envelope (contract section 6, "v1").
//
//   - [Worker]: the admitted executable and its routing
//   - [Envelope]: what the worker says of its run, a closed record
//   - [Worker.Call]: the one call that a job makes, and its failures
//
// There is no ledger behind a worker. Nothing can be looked up later, so an
// answer that is lost, broken or too long leaves its job uncertain for good.
// An envelope is the worker's word: only [Envelope.Settled] says that work has
// ended, and neither the exit of the process nor its status does.
//
// No error of this package quotes the prompt, account or model, or a byte that
// the worker wrote.
package xcb
