package mcptool

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// partingTime bounds how long the end of the input is held back for answers
// that are due. A look into the store takes milliseconds; what is due for
// longer, a subscription to changes for instance, has no end of its own.
const partingTime = 5 * time.Second

// A parting transport still answers what a client asked before it closed its
// end: the SDK takes the end of the input for the end of all interest, and
// "printf REQUESTS | git algal mcp …" would get its answers only by luck.
type parting struct{ mcp.Transport }

// Connect wraps the connection.
func (t parting) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &partingConnection{Connection: c, answered: make(chan struct{}, 1), interrupted: ctx.Done()}, nil
}

type partingConnection struct {
	mcp.Connection

	mu  sync.Mutex
	due int // calls that were read and not answered

	answered    chan struct{} // holds one token once something was answered
	interrupted <-chan struct{}
}

// Read returns the next message; the end of the input once nothing is due.
func (c *partingConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if request, ok := message.(*jsonrpc.Request); ok && err == nil && request.IsCall() {
		c.add(1)
	}
	if errors.Is(err, io.EOF) {
		c.awaitAnswers()
	}
	return message, err
}

// Write sends a message.
func (c *partingConnection) Write(ctx context.Context, message jsonrpc.Message) error {
	err := c.Connection.Write(ctx, message)
	if _, ok := message.(*jsonrpc.Response); ok {
		c.add(-1)
		select {
		case c.answered <- struct{}{}:
		default: // the token is there already
		}
	}
	return err
}

func (c *partingConnection) add(n int) (due int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due += n
	return c.due
}

func (c *partingConnection) awaitAnswers() {
	patience := time.NewTimer(partingTime)
	defer patience.Stop()
	for c.add(0) > 0 {
		select {
		case <-c.answered:
		case <-patience.C:
			return
		case <-c.interrupted:
			return
		}
	}
}
