package hooks

import (
	"bytes"
	_ "embed"
	"path/filepath"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// A Name is the name of a hook, as githooks(5) has it.
type Name string

// The hooks that are installed.
const (
	ReferenceTransaction Name = "reference-transaction"
	PrePush              Name = "pre-push"
)

// Names returns the hooks that are installed, in the order of installation.
func Names() []Name { return []Name{ReferenceTransaction, PrePush} }

// maxScriptBytes bounds what is read of a hook to tell whose it is: the
// script and its paths, quoted at worst.
const maxScriptBytes = 131_072

//go:embed scripts/guard.sh
var guardScript string

// A Script is one installed hook.
type Script struct {
	Hook      Name
	Program   string // absolute path of git-algal
	Registry  string // absolute path of the registry of claimed workspaces
	AllClears string // absolute path of the directory of all-clears, see allclear.go
	// MadeDirectory says that installing made the hooks directory.
	MadeDirectory bool
}

const (
	directorySetting = "directory"
	madeDirectory    = "made"
	foundDirectory   = "found"
)

// settings are the lines of the script that differ, in their order.
func (s *Script) settings() []scriptSetting {
	return []scriptSetting{
		{"hook", (*string)(&s.Hook)}, {"program", &s.Program}, {"registry", &s.Registry}, {"allclears", &s.AllClears},
	}
}

type scriptSetting struct {
	name  string
	value *string
}

// Format returns the text of the hook. Paths are bytes, and any may stand in
// it but those with a NUL or the end of a line, which are fault.UnsafePath.
func (s Script) Format() ([]byte, error) {
	var replacements []string
	add := func(name, value string) error {
		if strings.ContainsAny(value, "\x00\n\r") {
			return fault.New(fault.UnsafePath, "the path %q cannot stand in a hook", value)
		}
		replacements = append(replacements, "'@"+name+"@'", quoted(value))
		return nil
	}
	for _, setting := range s.settings() {
		if err := add(setting.name, *setting.value); err != nil {
			return nil, err
		}
	}
	directory := foundDirectory
	if s.MadeDirectory {
		directory = madeDirectory
	}
	if err := add(directorySetting, directory); err != nil {
		return nil, err
	}
	return []byte(strings.NewReplacer(replacements...).Replace(guardScript)), nil
}

// ParseScript reads a hook that Format wrote. For any other text, a hook of
// another version among them, it is fault.Malformed.
func ParseScript(text []byte) (Script, error) {
	s := settingsIn(text)
	known := s.Hook == ReferenceTransaction || s.Hook == PrePush
	absolute := filepath.IsAbs(s.Program) && filepath.IsAbs(s.Registry) && filepath.IsAbs(s.AllClears)
	again, err := s.Format()
	if err != nil || !bytes.Equal(again, text) || !known || !absolute {
		return Script{}, fault.New(fault.Malformed, "the hook is not as this version of git-algal writes it")
	}
	return s, nil
}

// settingsIn returns what the lines of a guard set, also one of another
// version; what is missing is empty.
func settingsIn(text []byte) Script {
	var s Script
	for _, setting := range s.settings() {
		*setting.value = settingIn(text, setting.name)
	}
	s.MadeDirectory = settingIn(text, directorySetting) == madeDirectory
	return s
}

// isGuard reports whether text is a guard hook of this or another version.
func isGuard(text []byte) bool {
	head := strings.SplitAfterN(guardScript, "\n", 3)
	mark, _, _ := strings.Cut(head[1], ":")
	return bytes.HasPrefix(text, []byte(head[0]+mark+":"))
}

// settingIn returns the value of the first line of text that sets name, empty
// where none does.
func settingIn(text []byte, name string) string {
	for line := range strings.Lines(string(text)) {
		if word, found := strings.CutPrefix(strings.TrimSuffix(line, "\n"), name+"="); found {
			return unquoted(word)
		}
	}
	return ""
}

const escapedQuote = `'\''`

// quoted returns value as one word of the shell.
func quoted(value string) string { return "'" + strings.ReplaceAll(value, "'", escapedQuote) + "'" }

// unquoted returns the value of a word that quoted made.
func unquoted(word string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(word, "'"), "'")
	return strings.ReplaceAll(inner, escapedQuote, "'")
}
