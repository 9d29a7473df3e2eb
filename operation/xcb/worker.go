package xcb

import (
	"strings"
	"unicode/utf8"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
)

// Bounds of a worker's routing, in UTF-16 code units (contract section 4).
const (
	MaxAccountChars = 160
	MaxModelChars   = 256
)

// A Worker is the admitted configuration of a v1 job's worker: the adapter
// member of its intent. Its executable's bytes are not pinned; the host
// protects them.
type Worker struct {
	Executable string  `json:"executable"`
	Account    *string `json:"account,omitzero"` // nil leaves the choice to the worker
	Model      *string `json:"model,omitzero"`   // likewise
}

// Validate returns a fault.Malformed error, which never quotes account or
// model, unless the executable is as [operation.ValidateExecutable] wants it
// and the routing is text within its bounds, not empty and without NUL.
func (w Worker) Validate() error {
	if err := operation.ValidateExecutable(w.Executable); err != nil {
		return err
	}
	for _, routing := range []struct {
		name string
		text *string
		max  int
	}{{"account", w.Account, MaxAccountChars}, {"model", w.Model, MaxModelChars}} {
		if routing.text == nil {
			continue
		}
		text := *routing.text
		chars := canon.UTF16Len(text)
		if chars < 1 || chars > routing.max || strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
			return malformed("the worker's %s is not 1..%d characters without NUL", routing.name, routing.max)
		}
	}
	return nil
}

// arguments returns what follows the executable in the call for workspace.
func (w Worker) arguments(workspace string) []string {
	args := []string{"--json", "--cwd", workspace, "run"}
	if w.Account != nil {
		args = append(args, "--account", *w.Account)
	}
	if w.Model != nil {
		args = append(args, "--model", *w.Model)
	}
	return args
}
