// Package mcptool serves one read-only tool without inputs to a client of the
// Model Context Protocol. It alone imports the protocol's SDK: nothing else of
// the protocol is offered, and every link to what the SDK carries along, its
// HTTP transports for instance, starts here.
package mcptool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MaxMessageBytes bounds a message of the client. The tool takes no inputs, so
// what remains is the client's description of itself.
const MaxMessageBytes = 1 << 20

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
// connection. Nothing but messages of the protocol is written to w. A read of r
// that does not return outlives Serve.
func Serve(ctx context.Context, r io.Reader, w io.Writer, version string, tool Tool) error {
	server := mcp.NewServer(&mcp.Implementation{Name: "git-algal", Version: version}, &mcp.ServerOptions{
		Logger:       slog.New(slog.DiscardHandler),
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}, // the list of tools never changes
	})
	within := false
	mcp.AddTool(server, &mcp.Tool{
		Name: tool.Name, Title: tool.Title, Description: tool.Description, Meta: tool.Meta,
		InputSchema: map[string]any{"type": "object", "additionalProperties": false},
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &within, OpenWorldHint: &within},
	}, func(asked context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		asked, end := context.WithCancel(asked)
		defer end()
		defer context.AfterFunc(ctx, end)() // the SDK waits for its calls and does not end them
		text, err := tool.call(asked)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
	err := server.Run(ctx, parting{&mcp.IOTransport{Reader: io.NopCloser(r), Writer: unclosed{w}, MaxLineLength: MaxMessageBytes}})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// call bounds what the tool says.
func (t Tool) call(ctx context.Context) (string, error) {
	text, err := t.Call(ctx)
	if err != nil && len(err.Error()) > t.MaxBytes {
		return "", fmt.Errorf("the tool failed, and the reason has more than %d bytes", t.MaxBytes)
	}
	if err == nil && len(text) > t.MaxBytes {
		return "", fmt.Errorf("the answer has %d bytes, more than %d", len(text), t.MaxBytes)
	}
	return text, err
}

// unclosed keeps the SDK from closing what it was lent.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
