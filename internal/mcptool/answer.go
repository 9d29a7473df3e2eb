package mcptool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// revisions are those of the protocol in which what is said here means the
// same, newest first. 2025-03-26 is missing: it alone demands batches.
// A client of a later one begins with server/discover, is told that there is no
// such method, and goes on with initialize.
func revisions() []string { return []string{"2025-11-25", "2025-06-18", "2024-11-05"} }

// notified obeys a message that is not to be answered.
func (s *session) notified(request *jsonrpc.Request) {
	if request.Method != "notifications/cancelled" {
		return // initialized, progress, roots: nothing here depends on them
	}
	var params struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(request.Params, &params) != nil {
		return
	}
	id, err := jsonrpc.MakeID(params.RequestID)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel, due := s.due[id]; due {
		cancel()
	}
}

// answer returns the response to a call.
func (s *session) answer(ctx context.Context, request *jsonrpc.Request) *jsonrpc.Response {
	result, err := s.result(ctx, request)
	response := &jsonrpc.Response{ID: request.ID, Error: err}
	if err == nil {
		response.Result, response.Error = json.Marshal(result)
	}
	return response
}

func (s *session) result(ctx context.Context, request *jsonrpc.Request) (any, error) {
	switch request.Method {
	case "initialize":
		return s.initialize(request.Params)
	case "ping":
		return struct{}{}, nil
	case "tools/list":
		return s.list(request.Params)
	case "tools/call":
		return s.call(ctx, request.Params)
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("there is no method %q", request.Method)}
}

// implementation is how the two sides describe themselves.
type implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type initialized struct {
	ProtocolVersion string         `json:"protocolVersion"`
	Capabilities    map[string]any `json:"capabilities"`
	ServerInfo      implementation `json:"serverInfo"`
}

// initialize agrees on the client's revision, or offers the newest.
func (s *session) initialize(params json.RawMessage) (any, error) {
	var asked struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	if err := parse(params, &asked); err != nil {
		return nil, err
	}
	agreed := revisions()[0]
	if slices.Contains(revisions(), asked.ProtocolVersion) {
		agreed = asked.ProtocolVersion
	}
	return initialized{
		ProtocolVersion: agreed,
		Capabilities:    map[string]any{"tools": struct{}{}}, // the list of tools never changes
		ServerInfo:      implementation{"git-algal", s.version},
	}, nil
}

type annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

type description struct {
	Name        string         `json:"name"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	InputSchema map[string]any `json:"inputSchema"`
	Annotations annotations    `json:"annotations"`
	Meta        map[string]any `json:"_meta,omitempty"`
}

type toolList struct {
	Tools []description `json:"tools"`
}

func (s *session) list(params json.RawMessage) (any, error) {
	var asked struct {
		Cursor string `json:"cursor"`
	}
	if err := parse(params, &asked); err != nil {
		return nil, err
	}
	if asked.Cursor != "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no list has a second page"}
	}
	return toolList{[]description{{
		Name: s.tool.Name, Title: s.tool.Title, Description: s.tool.Description, Meta: s.tool.Meta,
		InputSchema: map[string]any{"type": "object", "additionalProperties": false},
		Annotations: annotations{ReadOnly: true, Idempotent: true},
	}}}, nil
}

type textContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type called struct {
	Content []textContent `json:"content"`
	IsError bool          `json:"isError"`
}

// call calls the tool. That it failed, or was given inputs, is an answer of
// the tool, which the client's model sees; an unknown tool is an error of the
// protocol.
func (s *session) call(ctx context.Context, params json.RawMessage) (any, error) {
	var asked struct {
		Name      string                     `json:"name"`
		Arguments map[string]json.RawMessage `json:"arguments"`
	}
	if err := parse(params, &asked); err != nil {
		return nil, err
	}
	if asked.Name != s.tool.Name {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("there is no tool %q", asked.Name)}
	}
	text, err := s.tool.bounded(ctx, len(asked.Arguments))
	if err != nil {
		text = err.Error()
	}
	return called{[]textContent{{"text", text}}, err != nil}, nil
}

// bounded calls the tool and bounds what it says.
func (t Tool) bounded(ctx context.Context, inputs int) (string, error) {
	if inputs > 0 {
		return "", fmt.Errorf("the tool takes no inputs")
	}
	text, err := t.Call(ctx)
	if err != nil && len(err.Error()) > t.MaxBytes {
		return "", fmt.Errorf("the tool failed, and the reason has more than %d bytes", t.MaxBytes)
	}
	if err == nil && len(text) > t.MaxBytes {
		return "", fmt.Errorf("the answer has %d bytes, more than %d", len(text), t.MaxBytes)
	}
	return text, err
}

// parse reads params, which may be absent; members that are not known belong
// to a revision or an extension that this is not about.
func parse(params json.RawMessage, into any) error {
	if len(params) == 0 {
		return nil
	}
	if err := json.Unmarshal(params, into); err != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the parameters are not those of the method"}
	}
	return nil
}
