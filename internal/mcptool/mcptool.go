// Package mcptool serves one read-only tool without inputs to a client of the
// Model Context Protocol, over a pair of streams.
//
// Messages are the SDK's (package jsonrpc). Its server is left out: with it come
// HTTP transports, OAuth and JSON Schema, whose initialisation would be paid at
// the start of every command, guard hooks included. What remains of the
// protocol for one tool is written here from its specification, revisions
// 2024-11-05 to 2025-11-25, and held by tests against the SDK's client:
//
//	mcptool.go   the tool, Serve, and the life of a connection
//	answer.go    what each request is answered
//	lines.go     one message per line
package mcptool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// MaxMessageBytes bounds a line of the client, its end left out. The tool
	// takes no inputs, so what remains is the client's description of itself.
	MaxMessageBytes = 1 << 20

	// MaxConcurrentCalls bounds the calls that are answered at once; the next
	// line is read when one of them has ended.
	MaxConcurrentCalls = 16

	// partingTime bounds how long the end of the input is held back for answers
	// that are due: "printf REQUESTS | git algal mcp …" gets them all. A look
	// into the store takes milliseconds.
	partingTime = 5 * time.Second
)

// A Tool is what a client may call.
type Tool struct {
	Name        string // 1..128 characters of [A-Za-z0-9_.-], as the protocol has it
	Title       string // for people
	Description string // for the model that decides on a call
	// Meta is the metadata of the tool; its keys are "PREFIX/NAME".
	Meta map[string]any
	// MaxBytes bounds what a call returns, the text of an error included.
	MaxBytes int
	// Call returns the text of an answer. It changes nothing, and may be
	// called concurrently. The text of its error is shown to the client.
	Call func(context.Context) (string, error)
}

// Serve answers a client that writes to r and reads from w until r ends, which
// is no error, or ctx is done, which is ctx's. Other errors are those of the
// connection: a line that is no message, or longer than MaxMessageBytes, ends
// it. Nothing but messages of the protocol is written to w. A read of r that
// does not return outlives Serve.
func Serve(ctx context.Context, r io.Reader, w io.Writer, version string, tool Tool) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	s := &session{
		tool: tool, version: version, out: lineWriter{w: w}, fail: end,
		places: make(chan struct{}, MaxConcurrentCalls), due: map[jsonrpc.ID]context.CancelFunc{},
	}
	go s.read(ctx, newLineReader(r))
	<-ctx.Done()
	if err := context.Cause(ctx); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// A session is one connection.
type session struct {
	tool    Tool
	version string // of this program
	out     lineWriter
	fail    context.CancelCauseFunc // ends the session; io.EOF in good order
	places  chan struct{}           // holds a token per call that is being answered

	mu  sync.Mutex
	due map[jsonrpc.ID]context.CancelFunc // calls that can be cancelled
}

// read takes every message until the input ends, then waits for what is due.
func (s *session) read(ctx context.Context, lines *lineReader) {
	var calls sync.WaitGroup
	for {
		line, err := lines.next()
		if err == nil && ctx.Err() == nil {
			err = s.take(ctx, &calls, line)
		}
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			continue
		}
		if errors.Is(err, io.EOF) {
			await(&calls, partingTime)
		}
		s.fail(err)
		return
	}
}

// await waits for the calls, and for none longer than patience.
func await(calls *sync.WaitGroup, patience time.Duration) {
	answered := make(chan struct{})
	go func() {
		calls.Wait()
		close(answered)
	}()
	select {
	case <-answered:
	case <-time.After(patience):
	}
}

// take decides on one line: a notification is obeyed at once, a call is
// answered in a goroutine of its own.
func (s *session) take(ctx context.Context, calls *sync.WaitGroup, line []byte) error {
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return fmt.Errorf("the client does not speak the protocol: %w", err)
	}
	request, ok := message.(*jsonrpc.Request)
	if !ok {
		return nil // nothing was asked of the client, so it has nothing to answer
	}
	if !request.IsCall() {
		s.notified(request)
		return nil
	}
	select {
	case s.places <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	asked, cancel := context.WithCancel(ctx)
	if !s.begin(request.ID, cancel) {
		<-s.places
		cancel()
		return fmt.Errorf("the client used an id again before it was answered")
	}
	calls.Go(func() {
		defer func() { <-s.places }()
		defer cancel()
		response := s.answer(asked, request)
		// Whoever cancelled a call waits for no answer to it.
		if s.finish(request.ID); asked.Err() != nil {
			return
		}
		if err := s.out.write(response); err != nil {
			s.fail(fmt.Errorf("write to the client: %w", err))
		}
	})
	return nil
}

func (s *session) begin(id jsonrpc.ID, cancel context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, used := s.due[id]
	if !used {
		s.due[id] = cancel
	}
	return !used
}

func (s *session) finish(id jsonrpc.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.due, id)
}
