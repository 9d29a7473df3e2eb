package qualify

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/git-algal/git-algal/operation"
)

// CountStarts returns how often the harmless agent was started for an
// operation in the workspace.
func CountStarts(workspace string, id operation.Identity) (int, error) {
	text, err := os.ReadFile(markPath(workspace, startsPrefix, markOf(id)))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	return strings.Count(string(text), "\n"), err
}

// starts returns how often the agent was started for the operation.
func (e *examination) starts(id operation.Identity) (int, error) {
	if e.options.Starts != nil {
		return e.options.Starts(id)
	}
	return CountStarts(e.options.Workspace, id)
}

// started waits until the agent of the operation has started, and reports
// whether it did within the deadline of a call.
func (e *examination) started(ctx context.Context, id operation.Identity) (bool, error) {
	for end := e.options.Now().Add(e.options.Deadline); e.options.Now().Before(end); {
		n, err := e.starts(id)
		if err != nil || n > 0 {
			return n > 0, err
		}
		if err := pause(ctx, markPause); err != nil {
			return false, err
		}
	}
	return false, nil
}

// quietly waits for a start that must not come, and counts.
func (e *examination) quietly(ctx context.Context, id operation.Identity) (int, error) {
	if err := pause(ctx, e.options.Quiet); err != nil {
		return 0, err
	}
	return e.starts(id)
}

// release lets the held agent of the operation go on.
func (e *examination) release(id operation.Identity) error {
	return os.WriteFile(markPath(e.options.Workspace, releasePrefix, markOf(id)), nil, 0o600)
}

// written returns how many bytes the descendant of the operation's agent has
// written so far.
func (e *examination) written(id operation.Identity) (int64, error) {
	info, err := os.Lstat(markPath(e.options.Workspace, writesPrefix, markOf(id)))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// linger is how long the descendant of an agent writes: longer than an adapter
// takes to answer after the agent's own end, on a busy machine too.
const linger = 800 * time.Millisecond
