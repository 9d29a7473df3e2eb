// Package command is the transport to an adapter that is an executable
// (contract section 7).
//
// One call is one process: exactly [executable, argvPrefix…, action], no shell,
// the canonical request on its standard input, one outcome on its standard
// output. Nothing is retried. Standard error is counted and withheld: it may
// hold anything, and no error of this package quotes a byte that an adapter
// wrote.
//
// The three streams and the exit are served concurrently, so an adapter may
// leave its input unread or write before it reads. One that says too much is
// read to its end and then refused, not killed: ending it could end admitted
// work that its ledger would otherwise settle. Only the deadline and the
// caller end it, with its process group.
//
// Ending and joining the adapter proves nothing about the work it started; a
// descendant can leave the process group. Nor does the end of a stream: a
// descendant that keeps one open delays a call by [LingerDelay] at most, and
// loses it then.
//
// [Process] is such a call without the protocol; package xcb makes its own of
// it.
package command

import (
	"context"
	"slices"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

// MaxStderrBytes bounds what an adapter may write to standard error (contract
// section 2).
const MaxStderrBytes = 65_536

// Options are what an adapter inherits from the host.
type Options struct {
	// Env is the whole environment, as "NAME=value". Variables that begin with
	// GIT_ are left out; nil is an empty environment.
	Env []string

	// Dir is the working directory; empty is the host's own.
	Dir string
}

// A Transport calls one adapter. It implements [operation.Transport] and may be
// used concurrently.
type Transport struct {
	adapter operation.Adapter
	env     []string
	dir     string
}

// New returns the transport to adapter. It keeps copies of its arguments and
// touches nothing; whether the adapter can be called shows at the call.
func New(adapter operation.Adapter, options Options) *Transport {
	return &Transport{adapter: adapter.Clone(), env: slices.Clone(options.Env), dir: options.Dir}
}

// Submit starts the adapter with the action submit, once, and returns the
// canonical bytes of the outcome of call's binding that it wrote.
//
// No process is started if the adapter's configuration or the call is out of
// bounds (fault.Malformed), if the binding is another authority's or not the
// payload's (fault.BindingMismatch), or if ctx is done. fault.Cancelled and
// fault.Deadline say that the process was ended, with its group, and joined.
// Whatever else goes wrong is fault.AdapterFailed: the start, an exit status
// other than 0, a signal, a broken input, more output than
// call.MaxOutputBytes or [MaxStderrBytes], and output that is not a valid
// outcome, of another binding included (contract section 8).
func (t *Transport) Submit(ctx context.Context, call operation.Call) ([]byte, error) {
	return t.call(ctx, operation.Submit, call)
}

// Observe starts the adapter with the action observe; otherwise it is as
// [Transport.Submit].
func (t *Transport) Observe(ctx context.Context, call operation.Call) ([]byte, error) {
	return t.call(ctx, operation.Observe, call)
}

func (t *Transport) call(ctx context.Context, action operation.Action, call operation.Call) ([]byte, error) {
	if err := t.adapter.Validate(); err != nil {
		return nil, err
	}
	request, err := call.Request(action)
	if err != nil {
		return nil, err
	}
	if call.Binding.AuthorityID != t.adapter.AuthorityID {
		return nil, fault.New(fault.BindingMismatch, "the call is for authority %q, adapter %q serves %q",
			call.Binding.AuthorityID, t.adapter.Executable, t.adapter.AuthorityID)
	}
	stdin, err := request.Format()
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, operation.Stopped(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, call.Deadline)
	defer cancel()
	stdout, err := t.run(ctx, action, stdin, call.MaxOutputBytes)
	if err != nil {
		return nil, err
	}
	outcome, err := operation.ParseOutcome(stdout, call.Binding, call.MaxOutputBytes)
	if err != nil {
		return nil, t.failed("did not write a valid outcome: %w", err)
	}
	return outcome.Canonical(), nil
}

// run executes the adapter once and returns its standard output.
func (t *Transport) run(ctx context.Context, action operation.Action, stdin []byte, maxOutputBytes int) ([]byte, error) {
	exit, err := Process{
		Executable: t.adapter.Executable,
		Args:       append(slices.Clone(t.adapter.ArgvPrefix), string(action)),
		Stdin:      stdin,
		Env:        t.env,
		Dir:        t.dir,
		MaxStdout:  maxOutputBytes,
		MaxStderr:  MaxStderrBytes,
	}.Run(ctx)
	switch {
	case err != nil:
		return nil, err
	case exit.Status != 0:
		return nil, t.failed("failed: exit status %d", exit.Status)
	case exit.StdoutOver:
		return nil, t.failed("wrote more than %d bytes to standard output", maxOutputBytes)
	case exit.StderrOver:
		return nil, t.failed("wrote more than %d bytes to standard error", MaxStderrBytes)
	}
	return exit.Stdout, nil
}

func (t *Transport) failed(format string, args ...any) error {
	return fault.New(fault.AdapterFailed, "adapter %q "+format, append([]any{t.adapter.Executable}, args...)...)
}
