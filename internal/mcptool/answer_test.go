package mcptool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/git-algal/git-algal/internal/mcptool"
)

// TestAnswers asks what the SDK's client never would.
func TestAnswers(t *testing.T) {
	for _, test := range []struct{ asked, want string }{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `"result":{}`},
		{`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2031-01-01"}}`, `"protocolVersion":"2025-11-25"`},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`, `"protocolVersion":"2025-11-25"`},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`, `"protocolVersion":"2025-06-18"`},
		{`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, `"code":-32601`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}`, `"code":-32602`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`, `"code":-32602`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"other"}}`, `"code":-32602`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test.tool.v1","arguments":{"job":"x"}}}`, `"isError":true`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test.tool.v1","arguments":null}}`, `"isError":false`},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, ""},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, ""},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, ""},
		{"", ""},
	} {
		var said strings.Builder
		if err := mcptool.Serve(t.Context(), strings.NewReader(test.asked+"\n"), &said, "v1", testTool("the answer", nil)); err != nil {
			t.Errorf("%s: %v", test.asked, err)
		}
		if !strings.Contains(said.String(), test.want) || (test.want == "") != (said.Len() == 0) {
			t.Errorf("%s is answered %q, not %s", test.asked, &said, test.want)
		}
	}
	for _, refused := range []string{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "{"} {
		if err := mcptool.Serve(t.Context(), strings.NewReader(refused+"\n"), io.Discard, "v1", testTool("", nil)); err == nil {
			t.Errorf("%s is taken", refused)
		}
	}
}

// TestACallIsCancelled holds that it ends, unanswered, and that others go on.
func TestACallIsCancelled(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	endless := testTool("", nil)
	endless.Call = func(asked context.Context) (string, error) {
		close(begun)
		<-asked.Done()
		close(ended)
		return "", asked.Err()
	}
	r, w := io.Pipe()
	var said strings.Builder
	served := make(chan error, 1)
	go func() { served <- mcptool.Serve(t.Context(), r, &said, "v1", endless) }()
	write := func(line string) {
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			t.Error(err)
		}
	}
	write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test.tool.v1"}}`)
	<-begun
	write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	<-ended
	write(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil || strings.Contains(said.String(), `"id":1`) || !strings.Contains(said.String(), `"id":2`) {
		t.Errorf("%q, %v", &said, err)
	}
}

// TestConcurrentCalls asks for as many calls at once as are answered, and one
// more, which has to wait; and for one id twice.
func TestConcurrentCalls(t *testing.T) {
	var running, most atomic.Int32
	release := make(chan struct{})
	goOn := sync.OnceFunc(func() { close(release) }) // the one that waits can be the last again
	slow := testTool("", nil)
	slow.Call = func(context.Context) (string, error) {
		now := running.Add(1)
		defer running.Add(-1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		if now == mcptool.MaxConcurrentCalls {
			goOn()
		}
		<-release
		return "x", nil
	}
	var requests strings.Builder
	for id := range mcptool.MaxConcurrentCalls + 1 {
		fmt.Fprintf(&requests, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"test.tool.v1"}}`+"\n", id)
	}
	var said strings.Builder
	if err := mcptool.Serve(t.Context(), strings.NewReader(requests.String()), &said, "v1", slow); err != nil {
		t.Error(err)
	}
	if n := strings.Count(said.String(), "\n"); most.Load() != mcptool.MaxConcurrentCalls || n != mcptool.MaxConcurrentCalls+1 {
		t.Errorf("%d at once, %d answers", most.Load(), n)
	}

	endless := testTool("", nil)
	endless.Call = func(asked context.Context) (string, error) { <-asked.Done(); return "", asked.Err() }
	twice := strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test.tool.v1"}}`+"\n", 2)
	if err := mcptool.Serve(t.Context(), strings.NewReader(twice), io.Discard, "v1", endless); err == nil {
		t.Error("an id is taken again before it was answered")
	}
}

// FuzzServe holds that whatever a client sends, only messages are written.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"test.tool.v1","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":2.5,"method":"initialize","params":{"protocolVersion":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}`,
		"\n\n[]", "{}", `{"jsonrpc":"2.0","id":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		var said strings.Builder
		_ = mcptool.Serve(t.Context(), strings.NewReader(string(sent)), &said, "v1", testTool("x", nil))
		for line := range strings.Lines(said.String()) {
			var message struct {
				Version string          `json:"jsonrpc"`
				ID      json.RawMessage `json:"id"`
			}
			if err := json.Unmarshal([]byte(line), &message); err != nil || message.Version != "2.0" || message.ID == nil {
				t.Errorf("%q is answered %q, %v", sent, line, err)
			}
		}
	})
}
