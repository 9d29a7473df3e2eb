// Package definition is the closed record of one agent as the embedded adapter
// runs it, and what can be said of a command before it runs.
//
//	definition.go   the record: Parse, Format, Validate, Digest, Adapter
//	bounds.go       the bounds of its members
//	recipe.go       commands of known agents as data
//	handover.go     commands that hand their work to a server that lives on
//	stable.go       the path of git-algal that outlives its upgrade
//
// An operator adds an agent once; the definition is kept in the ledger under
// its digest, and the digest stands in the adapter's argvPrefix. So whatever
// decides how the agent is run is part of what a job admits, and no later
// change of the definition can reach a job that was admitted before.
//
// The package reads no file and starts no process.
package definition

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

// Contract names the record.
const Contract = "algal.local-agent.v1"

// PromptFile stands in an argument for the path of the file that holds the
// prompt. A prompt itself is never an argument: everybody can read those.
const PromptFile = "{prompt-file}"

// A Delivery is how the prompt reaches the agent.
type Delivery string

// The ways of delivering a prompt.
const (
	Stdin Delivery = "stdin" // on standard input, read from a file
	File  Delivery = "file"  // as a file of mode 0600 where PromptFile stands
)

// A Definition is everything that decides how an agent is run. A Definition
// from outside comes through [Parse]; one that was put together is checked by
// Validate. Version and Recipe tell people where it came from and change
// nothing.
type Definition struct {
	Contract    string            `json:"contract"`
	Executable  string            `json:"executable"` // absolute, as it was found when added
	Arguments   []string          `json:"arguments"`  // behind the executable, which is also argv[0]
	Version     string            `json:"version"`    // one line that the agent said of itself when added; may be empty
	Environment map[string]string `json:"environment"`
	RuntimeMs   int64             `json:"runtimeMs,omitzero"` // 0: as long as the job admits
	GraceMs     int64             `json:"graceMs"`            // for what the agent's main process leaves behind
	Prompt      Delivery          `json:"prompt"`
	// GitWritable leaves the git directory as it is. Otherwise it is
	// read-only for the agent, less what Writable names below the directory
	// that the worktrees share.
	GitWritable bool     `json:"gitWritable"`
	Writable    []string `json:"writable"`
	PTY         bool     `json:"pty"` // a terminal of its own instead of plain files
	// ForeignServer says that the agent hands work to a process outside its
	// own tree: settlement is then never asserted from the tree.
	ForeignServer bool   `json:"foreignServer"`
	Recipe        string `json:"recipe,omitzero"`
}

// Parse reads a definition, or returns a fault.Malformed error.
func Parse(text []byte) (Definition, error) {
	if len(text) > MaxBytes {
		return Definition{}, malformed("a definition has at most %d bytes, not %d", MaxBytes, len(text))
	}
	d, err := canon.Decode[Definition](text)
	if err != nil {
		return Definition{}, malformed("record %q: %w", Contract, err)
	}
	if err := d.Validate(); err != nil {
		return Definition{}, err
	}
	return d, nil
}

// Format returns the canonical bytes, or a fault.Malformed error as Validate.
func (d Definition) Format() ([]byte, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return d.encode()
}

// Digest returns the digest of the canonical bytes, by which the ledger and
// the adapter's argvPrefix name the definition, or a fault.Malformed error.
func (d Definition) Digest() (canon.Digest, error) {
	text, err := d.Format()
	if err != nil {
		return "", err
	}
	return canon.DigestText(text), nil
}

func (d Definition) encode() ([]byte, error) {
	d = d.Clone()
	text, err := canon.Encode(d)
	if err != nil {
		return nil, malformed("record %q: %w", Contract, err)
	}
	return text, nil
}

// Clone returns a copy that shares nothing with d and has no nil member.
func (d Definition) Clone() Definition {
	d.Arguments = append([]string{}, d.Arguments...)
	d.Writable = append([]string{}, d.Writable...)
	environment := map[string]string{}
	maps.Copy(environment, d.Environment)
	d.Environment = environment
	return d
}

// Runtime returns how long the agent may run, zero where the job decides.
func (d Definition) Runtime() time.Duration { return time.Duration(d.RuntimeMs) * time.Millisecond }

// Grace returns how long the descendants of the agent may go on once its main
// process has ended.
func (d Definition) Grace() time.Duration { return time.Duration(d.GraceMs) * time.Millisecond }

// Argv returns the agent's command with the path of the prompt's file in its
// place. The path is of no use, and may be empty, where the prompt goes to
// standard input.
func (d Definition) Argv(promptFile string) []string {
	argv := []string{d.Executable}
	for _, argument := range d.Arguments {
		if d.Prompt == File {
			argument = strings.ReplaceAll(argument, PromptFile, promptFile)
		}
		argv = append(argv, argument)
	}
	return argv
}

// Env returns environment with the definition's own variables in it, in the
// order of their names.
func (d Definition) Env(environment []string) []string {
	kept := slices.DeleteFunc(slices.Clone(environment), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		_, replaced := d.Environment[name]
		return replaced
	})
	for _, name := range slices.Sorted(maps.Keys(d.Environment)) {
		kept = append(kept, name+"="+d.Environment[name])
	}
	return kept
}

// DeliveryOf returns how a command with these arguments takes its prompt.
func DeliveryOf(arguments []string) Delivery {
	if slices.ContainsFunc(arguments, func(a string) bool { return strings.Contains(a, PromptFile) }) {
		return File
	}
	return Stdin
}

// The words of the command that serves a ledger; Adapter puts them together
// and the program's arguments are read by them.
const (
	AdapterWord    = "adapter"
	ServeWord      = "serve"
	LedgerFlag     = "--ledger"
	DefinitionFlag = "--definition"
)

// Adapter returns the configuration of the adapter that is git-algal itself:
// the program at the path executable serves the ledger, an absolute directory
// whose incarnation is authority, and runs the agent that the digest names. A
// configuration outside the bounds of contract section 2 is a fault.Malformed
// error.
func Adapter(executable, ledger string, authority operation.Identity, digest canon.Digest) (operation.Adapter, error) {
	adapter := operation.Adapter{
		Protocol: operation.Protocol, AuthorityID: authority, Executable: executable,
		ArgvPrefix: []string{AdapterWord, ServeWord, LedgerFlag, ledger, DefinitionFlag, string(digest)},
	}
	if err := adapter.Validate(); err != nil {
		return operation.Adapter{}, err
	}
	if _, _, err := parsePrefix(adapter.ArgvPrefix); err != nil {
		return operation.Adapter{}, err
	}
	return adapter, nil
}

// Embedded returns the ledger and the definition that an adapter's
// configuration names, and false where it is not git-algal serving a ledger.
// The name of the executable does not matter: it may have been installed under
// any.
func Embedded(adapter operation.Adapter) (ledger string, digest canon.Digest, ok bool) {
	ledger, digest, err := parsePrefix(adapter.ArgvPrefix)
	return ledger, digest, err == nil
}

func parsePrefix(prefix []string) (ledger string, digest canon.Digest, err error) {
	const words = 6
	if len(prefix) != words || prefix[0] != AdapterWord || prefix[1] != ServeWord || prefix[2] != LedgerFlag || prefix[4] != DefinitionFlag {
		return "", "", malformed("the arguments are not %q", strings.Join([]string{AdapterWord, ServeWord, LedgerFlag, "DIR", DefinitionFlag, "DIGEST"}, " "))
	}
	if ledger = prefix[3]; !cleanAbsolute(ledger) {
		return "", "", malformed("the ledger %q is no absolute path in plain form", ledger)
	}
	digest, err = canon.ParseDigest(prefix[5])
	if err != nil {
		return "", "", malformed("the definition is not named by its digest")
	}
	return ledger, digest, nil
}

func malformed(format string, args ...any) error {
	return fault.New(fault.Malformed, format, args...)
}
