package mcptool

import (
	"bufio"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A lineReader splits a stream into messages: the protocol's stdio transport
// has one per line and none with a line break in it.
type lineReader struct{ lines *bufio.Scanner }

func newLineReader(r io.Reader) *lineReader {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, MaxMessageBytes+len("\n"))
	return &lineReader{lines}
}

// next returns a line that is not blank, valid until the next one; io.EOF at
// the end of the stream.
func (l *lineReader) next() ([]byte, error) {
	for l.lines.Scan() {
		if line := l.lines.Bytes(); len(line) > MaxMessageBytes {
			break
		} else if len(line) > 0 {
			return line, nil
		}
	}
	switch err := l.lines.Err(); err {
	case nil:
		return nil, io.EOF
	case bufio.ErrTooLong:
		return nil, fmt.Errorf("a message of the client has more than %d bytes", MaxMessageBytes)
	default:
		return nil, fmt.Errorf("read from the client: %w", err)
	}
}

// A lineWriter writes each message as a whole.
type lineWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lineWriter) write(message jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err = l.w.Write(append(line, '\n'))
	return err
}
