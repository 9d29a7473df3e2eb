package definition

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/git-algal/git-algal/operation"
)

// Bounds of a definition. Lengths are UTF-8 bytes.
const (
	MaxBytes = 262_144 // of the canonical record: its members, escaped

	MaxArguments     = 255    // behind the executable
	MaxArgumentBytes = 16_384 // a system prompt or a list of tools fits
	MaxCommandBytes  = 65_536 // executable and arguments together; Linux takes 131,072 at least

	MaxVersionBytes = 256 // one line

	MaxVariables     = 64
	MaxNameBytes     = 128
	MaxValueBytes    = 8_192
	MaxVariableBytes = 65_536 // all names and values together

	MaxWritable      = 16
	MaxWritableBytes = 256

	MaxRecipeBytes = 32
)

// Bounds of the durations, which are whole milliseconds.
const (
	MinRuntime   = time.Second
	MaxRuntime   = 24 * time.Hour // an agent that works for a day is one that hangs
	MaxGrace     = 10 * time.Minute
	DefaultGrace = 10 * time.Second
)

// decisive are the names below a git directory that git's answers, its history
// or its own safety rest on: no exception reaches them.
var decisive = []string{
	"HEAD", "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "commondir", "config", "config.worktree", "gitdir", "hooks", "index",
	"info", "logs", "modules", "objects", "packed-refs", "refs", "reftable", "shallow", "worktrees",
}

// Validate returns a fault.Malformed error for a definition outside its form
// and bounds. That a command hands its work to a server is not looked at here:
// what is known of such commands grows, and a definition that was kept must be
// readable as long as its jobs are; see [HandsOver].
func (d Definition) Validate() error {
	if d.Contract != Contract {
		return malformed("the definition is of contract %q, not %q", d.Contract, Contract)
	}
	for _, check := range []func() error{d.checkCommand, d.checkTexts, d.checkEnvironment, d.checkDurations, d.checkWritable} {
		if err := check(); err != nil {
			return err
		}
	}
	text, err := d.encode()
	if err != nil {
		return err
	}
	if len(text) > MaxBytes {
		return malformed("the definition has %d bytes, more than %d", len(text), MaxBytes)
	}
	return nil
}

func (d Definition) checkCommand() error {
	if err := operation.ValidateExecutable(d.Executable); err != nil {
		return malformed("agent %q is not an absolute path of at most %d bytes without line breaks", d.Executable, operation.MaxExecutableBytes)
	}
	if len(d.Arguments) > MaxArguments {
		return malformed("the agent has %d arguments, more than %d", len(d.Arguments), MaxArguments)
	}
	total := len(d.Executable)
	for i, argument := range d.Arguments {
		if len(argument) > MaxArgumentBytes {
			return malformed("argument %d of the agent has %d bytes, more than %d", i+1, len(argument), MaxArgumentBytes)
		}
		if !passable(argument) {
			return malformed("argument %d of the agent holds a NUL or invalid UTF-8", i+1)
		}
		total += len(argument)
	}
	if total > MaxCommandBytes {
		return malformed("the agent's command has %d bytes, more than %d", total, MaxCommandBytes)
	}
	if d.Prompt != DeliveryOf(d.Arguments) {
		return malformed("prompt delivery %q does not fit the arguments: %q takes %q in one of them", d.Prompt, File, PromptFile)
	}
	return nil
}

func (d Definition) checkTexts() error {
	if len(d.Version) > MaxVersionBytes {
		return malformed("the agent's version has %d bytes, more than %d", len(d.Version), MaxVersionBytes)
	}
	if !utf8.ValidString(d.Version) || strings.ContainsFunc(d.Version, unicode.IsControl) {
		return malformed("the agent's version is not one plain line")
	}
	if len(d.Recipe) > MaxRecipeBytes {
		return malformed("the recipe's name has %d bytes, more than %d", len(d.Recipe), MaxRecipeBytes)
	}
	if strings.ContainsFunc(d.Recipe, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }) {
		return malformed("the recipe's name %q has more than lower-case letters, digits and %q", d.Recipe, "-")
	}
	return nil
}

func (d Definition) checkEnvironment() error {
	if len(d.Environment) > MaxVariables {
		return malformed("the agent gets %d variables, more than %d", len(d.Environment), MaxVariables)
	}
	total := 0
	for name, value := range d.Environment {
		if err := ValidateVariable(name, value); err != nil {
			return err
		}
		total += len(name) + len(value)
	}
	if total > MaxVariableBytes {
		return malformed("the agent's variables have %d bytes, more than %d", total, MaxVariableBytes)
	}
	return nil
}

// ValidateVariable returns a fault.Malformed error for a variable that a
// definition cannot add: a name outside [A-Za-z_][A-Za-z0-9_]*, one of git's
// own, which no adapter is given (contract section 7), or a bound. The error
// never holds the value, which may be a secret.
func ValidateVariable(name, value string) error {
	switch {
	case len(name) == 0 || len(name) > MaxNameBytes:
		return malformed("a variable's name has 1 to %d bytes, not %d", MaxNameBytes, len(name))
	case !variableName(name):
		return malformed("variable %q is not named by letters, digits and %q", name, "_")
	case strings.HasPrefix(name, "GIT_"):
		return malformed("variable %q is one of git's own, which an agent is never given", name)
	case len(value) > MaxValueBytes:
		return malformed("variable %q has %d bytes, more than %d", name, len(value), MaxValueBytes)
	case !passable(value):
		return malformed("variable %q holds a NUL or invalid UTF-8", name)
	}
	return nil
}

func variableName(name string) bool {
	for i, c := range []byte(name) {
		switch {
		case c == '_', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z':
		case i > 0 && '0' <= c && c <= '9':
		default:
			return false
		}
	}
	return true
}

func (d Definition) checkDurations() error {
	if d.RuntimeMs != 0 && (d.RuntimeMs < MinRuntime.Milliseconds() || d.RuntimeMs > MaxRuntime.Milliseconds()) {
		return malformed("a runtime is %v to %v, not %d ms", MinRuntime, MaxRuntime, d.RuntimeMs)
	}
	if d.GraceMs < 0 || d.GraceMs > MaxGrace.Milliseconds() {
		return malformed("a grace is 0s to %v, not %d ms", MaxGrace, d.GraceMs)
	}
	return nil
}

func (d Definition) checkWritable() error {
	if len(d.Writable) > MaxWritable {
		return malformed("there are %d exceptions below the git directory, more than %d", len(d.Writable), MaxWritable)
	}
	if d.GitWritable && len(d.Writable) > 0 {
		return malformed("where the git directory is writable there are no exceptions")
	}
	for i, name := range d.Writable {
		if i > 0 && d.Writable[i-1] >= name {
			return malformed("the exceptions below the git directory are not sorted, or one is there twice")
		}
		if len(name) > MaxWritableBytes {
			return malformed("an exception below the git directory has %d bytes, more than %d", len(name), MaxWritableBytes)
		}
		if name == "" || !passable(name) || path.Clean("/"+name) != "/"+name {
			return malformed("exception %q is no path below the git directory", name)
		}
		first, _, _ := strings.Cut(name, "/")
		if slices.ContainsFunc(decisive, func(d string) bool { return strings.EqualFold(d, first) }) {
			return malformed("exception %q is part of what git decides by", name)
		}
	}
	return nil
}

// passable reports whether s can be given to a process and kept as JSON.
func passable(s string) bool { return !strings.Contains(s, "\x00") && utf8.ValidString(s) }

func cleanAbsolute(p string) bool { return filepath.IsAbs(p) && filepath.Clean(p) == p && passable(p) }
