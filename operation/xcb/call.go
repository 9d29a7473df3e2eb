package xcb

import (
	"context"
	"path/filepath"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
)

// MaxStderrBytes bounds what a worker may write to standard error. It is
// counted and withheld (contract section 2).
const MaxStderrBytes = command.MaxStderrBytes

// A Call is the one use that a job makes of its worker.
type Call struct {
	Workspace      string   // absolute path, argument and working directory
	Prompt         string   // written to standard input, nothing else is
	Env            []string // the host's, as "NAME=value"; GIT_* is left out
	MaxOutputBytes int      // operation.MinOutputBytes to operation.MaxOutputBytes, of standard output
}

// Call starts the worker once, in a process group of its own, and returns its
// envelope and the exit status of its process, 0 to 255. Whatever the status
// is, it is no error beside a valid envelope. The arguments are exactly
//
//	--json --cwd WORKSPACE run [--account ACCOUNT] [--model MODEL]
//
// and nothing is retried. The deadline is that of ctx.
//
// No process is started if worker or call are out of bounds (fault.Malformed)
// or ctx is done. fault.Cancelled and fault.Deadline say that the process, if
// any, was ended, with its group, and joined, which says nothing about the
// work that it started. fault.OverBound is standard output over its bound,
// whatever it holds; fault.AdapterFailed a failed start, a signal, a broken
// input or more than [MaxStderrBytes] bytes of standard error; and
// fault.AdapterUnparsed an output that is no envelope (contract section 8).
// Output that is too long is read to its end before it is refused: ending the
// worker could end work that is about to settle.
func (w Worker) Call(ctx context.Context, call Call) (Envelope, int, error) {
	if err := w.Validate(); err != nil {
		return Envelope{}, 0, err
	}
	if !filepath.IsAbs(call.Workspace) {
		return Envelope{}, 0, malformed("workspace %q is no absolute path", call.Workspace)
	}
	if err := validateBound(call.MaxOutputBytes); err != nil {
		return Envelope{}, 0, err
	}
	exit, err := command.Process{
		Executable: w.Executable,
		Args:       w.arguments(call.Workspace),
		Stdin:      []byte(call.Prompt),
		Env:        call.Env,
		Dir:        call.Workspace,
		MaxStdout:  call.MaxOutputBytes,
		MaxStderr:  MaxStderrBytes,
	}.Run(ctx)
	switch {
	case err != nil:
		return Envelope{}, 0, err
	case exit.StdoutOver:
		return Envelope{}, 0, fault.New(fault.OverBound, "worker %q wrote more than %d bytes to standard output", w.Executable, call.MaxOutputBytes)
	case exit.StderrOver:
		return Envelope{}, 0, fault.New(fault.AdapterFailed, "worker %q wrote more than %d bytes to standard error", w.Executable, MaxStderrBytes)
	}
	envelope, err := ParseEnvelope(exit.Stdout, call.MaxOutputBytes)
	if err != nil {
		return Envelope{}, 0, unparsed("worker %q exited with status %d and wrote no envelope: %w", w.Executable, exit.Status, err)
	}
	return envelope, exit.Status, nil
}

// validateBound holds a job's output bound to the range that jobs admit.
func validateBound(maxOutputBytes int) error {
	if maxOutputBytes < operation.MinOutputBytes || maxOutputBytes > operation.MaxOutputBytes {
		return malformed("output bound %d is not within %d..%d bytes", maxOutputBytes, operation.MinOutputBytes, operation.MaxOutputBytes)
	}
	return nil
}
