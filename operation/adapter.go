package operation

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-algal/git-algal/internal/canon"
)

// Protocol names the protocol that an adapter speaks, and the contract of its
// outcomes.
const Protocol = "algal.coding-operation.v1"

// Bounds of an adapter's configuration (contract section 2). They are meant in
// bytes and in characters; a text never has fewer UTF-8 bytes than UTF-16 code
// units, so the bytes decide.
const (
	MaxExecutableBytes = 4_096  // longest path that Linux opens
	MaxArgumentBytes   = 4_096  // per argument of the prefix
	MaxArguments       = 31     // of the prefix; the action is one more
	MaxCommandBytes    = 16_384 // executable and prefix together
)

// An Adapter is the admitted configuration of a command adapter: the ledger it
// serves and the exact command, no shell. Its executable's bytes are not
// pinned; the host protects them.
type Adapter struct {
	Protocol    string   `json:"protocol"`
	AuthorityID Identity `json:"authorityId"`
	Executable  string   `json:"executable"`
	ArgvPrefix  []string `json:"argvPrefix"`
}

// ParseAdapter reads a configuration, or returns a fault.Malformed error.
func ParseAdapter(text []byte) (Adapter, error) {
	adapter, err := decode[Adapter](Protocol, text)
	if err != nil {
		return Adapter{}, err
	}
	if err := adapter.Validate(); err != nil {
		return Adapter{}, err
	}
	return adapter, nil
}

// Validate returns a fault.Malformed error for a configuration outside the
// form and bounds of contract section 4. Arguments may be empty and may hold
// anything but NUL.
func (a Adapter) Validate() error {
	if a.Protocol != Protocol {
		return malformed("adapter speaks %q, not %q", a.Protocol, Protocol)
	}
	if _, err := ParseIdentity(string(a.AuthorityID)); err != nil {
		return fmt.Errorf("adapter member %q: %w", "authorityId", err)
	}
	if err := ValidateExecutable(a.Executable); err != nil {
		return err
	}
	if len(a.ArgvPrefix) > MaxArguments {
		return malformed("adapter has %d arguments, more than %d", len(a.ArgvPrefix), MaxArguments)
	}
	total := len(a.Executable)
	for i, argument := range a.ArgvPrefix {
		if len(argument) > MaxArgumentBytes {
			return malformed("adapter argument %d has %d bytes, more than %d", i, len(argument), MaxArgumentBytes)
		}
		if strings.Contains(argument, "\x00") || !utf8.ValidString(argument) {
			return malformed("adapter argument %d holds a NUL or invalid UTF-8", i)
		}
		total += len(argument)
	}
	if total > MaxCommandBytes {
		return malformed("adapter command has %d bytes, more than %d", total, MaxCommandBytes)
	}
	return nil
}

// ValidateExecutable returns a fault.Malformed error unless path is absolute,
// free of NUL and line breaks, and at most MaxExecutableBytes long.
func ValidateExecutable(path string) error {
	if !filepath.IsAbs(path) || strings.ContainsAny(path, "\x00\r\n") || !utf8.ValidString(path) {
		return malformed("adapter executable %q is no absolute path without line breaks", path)
	}
	if len(path) > MaxExecutableBytes {
		return malformed("adapter executable has %d bytes, more than %d", len(path), MaxExecutableBytes)
	}
	return nil
}

// Format returns the canonical bytes, or a fault.Malformed error as Validate.
func (a Adapter) Format() ([]byte, error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	return canon.Encode(a)
}

// Clone returns a copy that shares nothing with a.
func (a Adapter) Clone() Adapter {
	a.ArgvPrefix = slices.Clone(a.ArgvPrefix)
	return a
}
