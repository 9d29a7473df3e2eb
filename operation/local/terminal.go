package local

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/git-algal/git-algal/state"
)

// drainDelay is how long what is left in a terminal is waited for once the
// tree is gone. It is in the kernel's buffer by then; only a process outside of
// the tree that was handed the terminal could keep it open.
const drainDelay = time.Second

// A pseudoTerminal is for an agent that asks whether it speaks to
// one. Standard output and standard error are the same then, and somebody has
// to read what the agent writes: the supervisor, into the stream, up to its
// bound. Nobody waits for the terminal's end but for a moment.
type pseudoTerminal struct {
	agent  *os.File // the agent's end
	reader *os.File
	ended  chan struct{}
	over   atomic.Bool // more was written than is kept
}

// newTerminal makes a terminal whose output goes to the stream.
func newTerminal(into state.File) (*pseudoTerminal, error) {
	reader, agent, err := openTerminal()
	if err != nil {
		return nil, err
	}
	t := &pseudoTerminal{agent: agent, reader: reader, ended: make(chan struct{})}
	go func() {
		defer close(t.ended)
		// The end of a terminal is an error of the reader. One of the stream is
		// found again when it is made durable.
		_, _ = io.CopyN(into, reader, MaxStreamBytes)
		n, _ := io.Copy(io.Discard, reader)
		t.over.Store(n > 0)
	}()
	return t, nil
}

// handed closes this process's copy of the agent's end: the agent has its own.
func (t *pseudoTerminal) handed() { _ = t.agent.Close() }

// drain waits until everything that was written has been read.
func (t *pseudoTerminal) drain() {
	select {
	case <-t.ended:
	case <-time.After(drainDelay):
	}
}

// close ends the reading.
func (t *pseudoTerminal) close() {
	_ = errors.Join(t.agent.Close(), t.reader.Close())
	<-t.ended
}
