package mcptool_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-algal/git-algal/internal/mcptool"
)

const maxBytes = 64

func testTool(text string, err error) mcptool.Tool {
	return mcptool.Tool{
		Name: "test.tool.v1", Title: "A tool", Description: "Says what it is told to.",
		Meta: map[string]any{"example/digest": "d"}, MaxBytes: maxBytes,
		Call: func(context.Context) (string, error) { return text, err },
	}
}

// connect returns a client of a served tool, and what Serve will return.
func connect(t *testing.T, tool mcptool.Tool) (*mcp.ClientSession, <-chan error) {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- mcptool.Serve(t.Context(), fromClient, toClient, "v1", tool) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return session, served
}

func TestTheOneTool(t *testing.T) {
	session, served := connect(t, testTool("the answer", nil))
	if offered, err := json.Marshal(session.InitializeResult().Capabilities); err != nil || string(offered) != `{"tools":{}}` {
		t.Errorf("capabilities %s, %v", offered, err)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	tool := list.Tools[0]
	if tool.Name != "test.tool.v1" || tool.Meta["example/digest"] != "d" || !tool.Annotations.ReadOnlyHint || *tool.Annotations.OpenWorldHint || tool.OutputSchema != nil {
		t.Errorf("%+v", tool)
	}
	schema, err := json.Marshal(tool.InputSchema)
	if err != nil || string(schema) != `{"additionalProperties":false,"type":"object"}` {
		t.Errorf("%s, %v", schema, err)
	}
	for _, arguments := range []any{nil, map[string]any{}} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: arguments})
		if err != nil || result.IsError || len(result.Content) != 1 || result.StructuredContent != nil || result.Content[0].(*mcp.TextContent).Text != "the answer" {
			t.Errorf("%v: %+v, %v", arguments, result, err)
		}
	}
	if result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: map[string]any{"job": "another"}}); err != nil || !result.IsError {
		t.Errorf("an input is taken: %+v, %v", result, err)
	}
	if result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "another"}); err == nil {
		t.Errorf("another tool answers: %+v", result)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Errorf("a client that leaves is an error: %v", err)
	}
}

func TestBounds(t *testing.T) {
	long := strings.Repeat("x", maxBytes)
	for _, test := range []struct {
		tool    mcptool.Tool
		want    string
		isError bool
	}{
		{testTool(long, nil), long, false},
		{testTool(long+"x", nil), "the answer has 65 bytes, more than 64", true},
		{testTool("", errors.New(long)), long, true},
		{testTool("", errors.New(long+"x")), "the tool failed, and the reason has more than 64 bytes", true},
	} {
		session, _ := connect(t, test.tool)
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: test.tool.Name})
		if err != nil || result.IsError != test.isError || result.Content[0].(*mcp.TextContent).Text != test.want {
			t.Errorf("%+v, %v, not %q", result, err, test.want)
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestMessageBound feeds a message of the bound and one more byte.
func TestMessageBound(t *testing.T) {
	for extra, answers := range map[int]bool{0: true, 1: false} {
		head, tail := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":"`, `"}}}`
		message := head + strings.Repeat("x", mcptool.MaxMessageBytes-len(head)-len(tail)+extra) + tail
		var said strings.Builder
		err := mcptool.Serve(t.Context(), strings.NewReader(message+"\n"), &said, "v1", testTool("", nil))
		if (err == nil) != answers {
			t.Errorf("%d bytes: %v", len(message), err)
		}
		if strings.Contains(said.String(), `"id":1`) != answers {
			t.Errorf("%d bytes are answered %q", len(message), &said)
		}
	}
}

// TestOlderClient speaks an older revision of the protocol, line by line.
func TestOlderClient(t *testing.T) {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- mcptool.Serve(t.Context(), fromClient, toClient, "v1", testTool("the answer", nil)) }()
	answers := bufio.NewScanner(fromServer)
	for _, exchange := range [][2]string{
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"old","version":"0"}}}`, `"protocolVersion":"2024-11-05"`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, ""},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test.tool.v1","arguments":{}}}`, `"text":"the answer"`},
		{`{"jsonrpc":"2.0","id":3,"method":"resources/list"}`, `"id":3`},
	} {
		if _, err := io.WriteString(toServer, exchange[0]+"\n"); err != nil {
			t.Fatal(err)
		}
		if exchange[1] == "" {
			continue
		}
		if !answers.Scan() || !strings.Contains(answers.Text(), exchange[1]) {
			t.Errorf("%s is answered %s", exchange[0], answers.Text())
		}
	}
	if err := toServer.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	silent, never := io.Pipe()
	defer never.Close()
	if err := mcptool.Serve(ctx, silent, io.Discard, "v1", testTool("", nil)); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestLastAnswers holds that whoever asks and leaves gets the answers.
func TestLastAnswers(t *testing.T) {
	const asked = 20
	slow := testTool("the answer", nil)
	slow.Call = func(context.Context) (string, error) {
		time.Sleep(5 * time.Millisecond)
		return "the answer", nil
	}
	requests := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"brief","version":"0"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	for id := range asked {
		requests += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"test.tool.v1"}}`, id+1) + "\n"
	}
	var said strings.Builder
	if err := mcptool.Serve(t.Context(), strings.NewReader(requests), &said, "v1", slow); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(said.String(), `"text":"the answer"`); n != asked || strings.Count(said.String(), "\n") != asked+1 {
		t.Errorf("%d of %d answers:\n%s", n, asked, &said)
	}
}

// TestCancelledWhileACallIsDue holds that an end is not waited for in vain,
// whether the client left or is silent.
func TestCancelledWhileACallIsDue(t *testing.T) {
	silent, never := io.Pipe()
	defer never.Close()
	requests := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"brief","version":"0"}}}` + "\n" +
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test.tool.v1"}}` + "\n"
	for _, r := range []io.Reader{strings.NewReader(requests), io.MultiReader(strings.NewReader(requests), silent)} {
		ctx, cancel := context.WithCancel(t.Context())
		endless := testTool("", nil)
		endless.Call = func(asked context.Context) (string, error) {
			cancel()
			<-asked.Done()
			return "", asked.Err()
		}
		begin := time.Now()
		if err := mcptool.Serve(ctx, r, io.Discard, "v1", endless); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if elapsed := time.Since(begin); elapsed > 4*time.Second {
			t.Errorf("it took %v", elapsed)
		}
	}
}

func TestNoProtocol(t *testing.T) {
	var said strings.Builder
	if err := mcptool.Serve(t.Context(), strings.NewReader("hello\n"), &said, "v1", testTool("", nil)); err == nil {
		t.Error("a client that speaks something else is served")
	}
	if said.Len() > 0 {
		t.Errorf("it is answered %q", &said)
	}
}
