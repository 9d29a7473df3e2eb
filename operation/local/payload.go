package local

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// payloadContract names the payload of a submit (contract section 4).
const payloadContract = "algal.coding-job-request.v2"

// Bounds of what the adapter takes from a payload (contract section 2).
const (
	maxPromptBytes = 65_536
	minRuntimeMs   = 1_000
	maxRuntimeMs   = 600_000
)

// A task is what the adapter takes from a payload.
type task struct {
	workspace, gitDirectory string
	prompt                  string
	call                    time.Duration // the host's deadline of the call, the capture after it included
	maxOutputBytes          int
}

// payloadRecord has every member of a payload; those that the adapter does not
// need are the host's to check.
type payloadRecord struct {
	Contract          string             `json:"contract"`
	OperationID       operation.Identity `json:"operationId"`
	Workspace         string             `json:"workspace"`
	ExpectedHead      string             `json:"expectedHead"`
	SourceTree        string             `json:"sourceTree"`
	SourceRawDigest   canon.Digest       `json:"sourceRawDigest"`
	GitDirectory      string             `json:"gitDirectory"`
	WorkspaceIdentity jsontext.Value     `json:"workspaceIdentity"`
	Prompt            string             `json:"prompt"`
	Adapter           operation.Adapter  `json:"adapter"`
	Limits            struct {
		MaxRuntimeMs    int `json:"maxRuntimeMs"`
		MaxOutputBytes  int `json:"maxOutputBytes"`
		MaxPatchBytes   int `json:"maxPatchBytes"`
		MaxChangedFiles int `json:"maxChangedFiles"`
	} `json:"limits"`
	Source jsontext.Value `json:"source,omitzero"`
}

// readPayload reads what binding admits, for a call of the adapter with these
// arguments. Whoever calls another ledger or another definition than the
// payload admits is refused: the definition decides what is run.
func readPayload(payload []byte, binding operation.Binding, arguments []string) (task, error) {
	wire, err := decode[payloadRecord](payloadContract, payload)
	if err != nil {
		// The text may hold a prompt, and so may what the error names.
		return task{}, malformed("the payload does not have exactly the members of a %q", payloadContract)
	}
	limits := wire.Limits
	switch {
	case wire.Contract != payloadContract:
		return task{}, malformed("the payload has another contract than %q", payloadContract)
	case wire.OperationID != binding.OperationID || wire.Adapter.AuthorityID != binding.AuthorityID:
		return task{}, malformed("the payload is for another operation or authority than its binding")
	case !slices.Equal(wire.Adapter.ArgvPrefix, arguments):
		return task{}, malformed("the payload admits another adapter than the one that was called")
	case !filepath.IsAbs(wire.Workspace) || !filepath.IsAbs(wire.GitDirectory):
		return task{}, malformed("the payload names no absolute workspace and git directory")
	case wire.Prompt == "" || len(wire.Prompt) > maxPromptBytes || strings.Contains(wire.Prompt, "\x00"):
		return task{}, malformed("the prompt has not 1 to %d bytes without a NUL", maxPromptBytes)
	case limits.MaxRuntimeMs < minRuntimeMs || limits.MaxRuntimeMs > maxRuntimeMs:
		return task{}, malformed("the payload's runtime is not within %d..%d ms", minRuntimeMs, maxRuntimeMs)
	case limits.MaxOutputBytes < operation.MinOutputBytes || limits.MaxOutputBytes > operation.MaxOutputBytes:
		return task{}, malformed("the payload's output bound is not within %d..%d bytes", operation.MinOutputBytes, operation.MaxOutputBytes)
	}
	return task{
		workspace: wire.Workspace, gitDirectory: wire.GitDirectory, prompt: wire.Prompt,
		call: time.Duration(limits.MaxRuntimeMs) * time.Millisecond, maxOutputBytes: limits.MaxOutputBytes,
	}, nil
}

// leastMargin is the least time that the host keeps for the reply and the
// capture after the agent has ended: two passes over a large checkout.
const leastMargin = 10 * time.Second

// margin returns how long before the host's deadline the agent is ended: 10 s
// or a tenth, and at most half, so that short calls have time for both.
func margin(call time.Duration) time.Duration {
	const tenth, half = 10, 2
	return min(max(leastMargin, call/tenth), call/half)
}

// agentRuntime returns how long the agent may run: as its definition says, or
// as long as the host's deadline leaves.
func agentRuntime(d definition.Definition, call time.Duration) time.Duration {
	if own := d.Runtime(); own > 0 {
		return own
	}
	return call - margin(call)
}

// replyAfter returns when a submit answers what is known, from its start: half
// of the margin before the host's deadline. An agent that was ended in time is
// concluded by then.
func replyAfter(call time.Duration) time.Duration {
	const half = 2
	return call - margin(call)/half
}
