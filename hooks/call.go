package hooks

import (
	"path/filepath"

	"github.com/git-algal/git-algal/internal/fault"
)

// The words of the call, which scripts of every version understand each
// other by.
const (
	wordRegistry  = "--registry"
	wordAllClears = "--all-clears"
	wordEnd       = "--"
)

// A Call is what the script asks the program, once per hook that git runs.
type Call struct {
	Hook      Name
	Registry  string   // absolute path
	AllClears string   // absolute path
	Args      []string // those that git gave the hook
}

// ParseCall reads the words behind "git-algal hook": the hook's name, then
// pairs of a word and its value, "--", and git's own arguments. Everything
// else is fault.Usage.
func ParseCall(words []string) (Call, error) {
	if len(words) == 0 {
		return Call{}, fault.New(fault.Usage, "no hook is named")
	}
	c := Call{Hook: Name(words[0])}
	if c.Hook != ReferenceTransaction && c.Hook != PrePush {
		return Call{}, fault.New(fault.Usage, "%q is no hook of git-algal", words[0])
	}
	for rest := words[1:]; len(rest) > 0; rest = rest[2:] {
		if rest[0] == wordEnd {
			c.Args = rest[1:]
			break
		}
		if len(rest) == 1 {
			return Call{}, fault.New(fault.Usage, "%q lacks its value", rest[0])
		}
		switch rest[0] {
		case wordRegistry:
			c.Registry = rest[1]
		case wordAllClears:
			c.AllClears = rest[1]
		default:
			return Call{}, fault.New(fault.Usage, "word %q of a hook is unknown", rest[0])
		}
	}
	for _, path := range []string{c.Registry, c.AllClears} {
		if !filepath.IsAbs(path) {
			return Call{}, fault.New(fault.Usage, "%q is no absolute path", path)
		}
	}
	return c, nil
}
