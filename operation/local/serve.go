package local

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

// Serve answers one request of the protocol (contract section 7): arguments
// are those behind "adapter serve", --ledger DIR --definition DIGEST and the
// action. It reads the request from stdin to its end and writes one outcome to
// stdout, or nothing where it returns an error, which the host then learns
// nothing from but the exit status.
//
// fault.Malformed and fault.BindingMismatch say that the request is not one
// for this ledger and definition, or that the operation is admitted for another
// request; nothing was started then. fault.StoreInconsistent: the ledger is
// another authority's, another machine's or a copy. The other errors are those
// of custody.Probe, of reading and of publishing.
func Serve(ctx context.Context, env Environment, arguments []string, stdin io.Reader, stdout io.Writer) error {
	begun := env.Now()
	c, err := parseCall(arguments)
	if err != nil {
		return err
	}
	request, err := readRequest(stdin, c.action)
	if err != nil {
		return err
	}
	machine, err := env.machine()
	if err != nil {
		return err
	}
	ledger, err := state.OpenLedger(env.FS, c.ledger)
	if err != nil {
		return err
	}
	w := env.world(disk{ledger}, request.Binding.AuthorityID, machine)
	var answer operation.Outcome
	if c.action == operation.Submit {
		answer, err = c.submit(ctx, w, request, begun)
	} else {
		answer, err = observe(ctx, w, request.Binding)
	}
	if err != nil {
		return err
	}
	if _, err := stdout.Write(answer.Canonical()); err != nil {
		return fault.New(fault.HostFailed, "cannot write the outcome: %w", err)
	}
	return nil
}

// A call is what the arguments of one call say.
type call struct {
	prefix     []string // the whole argvPrefix of the adapter
	ledger     string
	definition canon.Digest
	action     operation.Action
}

func parseCall(arguments []string) (call, error) {
	if len(arguments) == 0 {
		return call{}, malformed("the call has no action")
	}
	last := len(arguments) - 1
	prefix := append([]string{definition.AdapterWord, definition.ServeWord}, arguments[:last]...)
	ledger, digest, ok := definition.Embedded(operation.Adapter{ArgvPrefix: prefix})
	action := operation.Action(arguments[last])
	if !ok || action != operation.Submit && action != operation.Observe {
		return call{}, malformed("the arguments are not %s DIR %s DIGEST and %s or %s",
			definition.LedgerFlag, definition.DefinitionFlag, operation.Submit, operation.Observe)
	}
	return call{prefix, ledger, digest, action}, nil
}

func readRequest(stdin io.Reader, action operation.Action) (operation.Request, error) {
	text, err := io.ReadAll(io.LimitReader(stdin, operation.MaxRequestBytes+1))
	if err != nil {
		return operation.Request{}, fault.New(fault.HostFailed, "cannot read the request: %w", err)
	}
	if len(text) > operation.MaxRequestBytes {
		return operation.Request{}, malformed("the request has more than %d bytes", operation.MaxRequestBytes)
	}
	request, err := operation.ParseRequest(text)
	if err != nil {
		return operation.Request{}, err
	}
	if request.Action != action {
		return operation.Request{}, malformed("the request asks to %q and the adapter was called to %q", request.Action, action)
	}
	return request, nil
}

func observe(ctx context.Context, w *world, binding operation.Binding) (operation.Outcome, error) {
	l, err := newLookup(binding, nil)
	if err != nil {
		return operation.Outcome{}, err
	}
	err = perform(ctx, w, l)
	return l.answer, err
}

func (c call) submit(ctx context.Context, w *world, request operation.Request, begun time.Time) (operation.Outcome, error) {
	task, err := readPayload(request.Payload, request.Binding, c.prefix)
	if err != nil {
		return operation.Outcome{}, err
	}
	if err := w.sound(); err != nil {
		return operation.Outcome{}, err
	}
	agent, err := definitionOf(w.book, c.definition)
	if err != nil {
		return operation.Outcome{}, err
	}
	key, err := keyOf(request.Binding)
	if err != nil {
		return operation.Outcome{}, err
	}
	s := &submit{
		binding: request.Binding, key: key, task: task, definition: agent, digest: c.definition,
		limit: begun.Add(replyAfter(task.call)), next: lookUp,
	}
	err = perform(ctx, w, s)
	return s.answer, err
}

// Supervise is the life of the process that a submit starts: arguments are
// those behind "adapter supervise". It takes over the lease on descriptor 3,
// launches the operation, and returns when the outcome is published, or when
// nothing is left to do about it.
func Supervise(ctx context.Context, env Environment, arguments []string) error {
	const words = 3
	if len(arguments) != words || arguments[0] != definition.LedgerFlag {
		return malformed("the arguments are not %s DIR KEY", definition.LedgerFlag)
	}
	key, err := canon.ParseDigest(arguments[2])
	if err != nil {
		return malformed("the operation is not named by its key")
	}
	ledger, err := state.OpenLedger(env.FS, arguments[1])
	if err != nil {
		return err
	}
	held, err := ledger.Adopt(key, os.NewFile(leaseDescriptor, "lease"))
	if err != nil {
		return err
	}
	id, err := identityOf(ledger)
	if err != nil {
		return err
	}
	s := newSupervision(key, held)
	defer s.drop()
	return s.see(ctx, env.world(disk{ledger}, id.Authority, id.Machine), func() (book, error) {
		again, err := state.OpenLedger(env.FS, arguments[1])
		return disk{again}, err
	})
}

// A disk may be full, or fail, just when a finished run is to be recorded:
// then its supervisor tries again, for as long as an operator may need to make
// room, before the result counts as lost.
const (
	recordPause = 2 * time.Second
	recordTries = 300
)

// see takes all steps. Once the tree is gone, a step that failed is taken again
// on the ledger as reopen finds it.
func (s *supervision) see(ctx context.Context, w *world, reopen func() (book, error)) error {
	for tries := 1; ; {
		done, err := s.step(ctx, w)
		switch {
		case err == nil && done:
			return nil
		case err == nil:
			continue
		case !s.joined || tries >= recordTries:
			return err
		}
		tries++
		if err := w.pause(ctx, recordPause); err != nil {
			return err
		}
		if again, err := reopen(); err == nil {
			w.book = again
		}
	}
}

// Init is the life of a tree's init, which "adapter init" calls; see
// custody.Init. It returns the exit status.
func Init() int { return custody.Init() }
