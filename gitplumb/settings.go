package gitplumb

import (
	"slices"
	"strings"
)

// decidingSettings is the list of contract section 5: the settings that bear
// on status, conversion or object reading and that are honoured rather than
// overridden, each with the reason. A setting that is not listed is overridden
// (see neutral in git.go, and frozen.go for the two files), or changes no
// answer that this package relies on.
//
// Settings of filter drivers are recorded too; see isFilterSetting.
var decidingSettings = [...]struct {
	key    string // a final dot stands for the whole section
	kind   settingKind
	reason string
}{
	{"core.autocrlf", triState, "it converts line ends on the way into git"},
	{"core.eol", text, "it chooses the line ends of text files"},
	{"core.checkroundtripencoding", text, "it refuses encodings that lose characters"},
	{"core.symlinks", boolean, "without it a symlink is a file that holds the target"},
	{"core.ignorecase", boolean, "it hides names that differ in case alone"},
	{"core.precomposeunicode", boolean, "it renames what a directory lists"},
	{"core.worktree", text, "it moves the checkout elsewhere"},
	{"core.bare", boolean, "it takes the checkout away"},
	{"core.sparsecheckout", boolean, "it decides which files need not exist"},
	{"core.sparsecheckoutcone", boolean, "it decides how info/sparse-checkout is read"},
	{"index.sparse", boolean, "it lets the index leave out directories"},
	{"core.usereplacerefs", boolean, "it lets refs/replace/ stand in for objects"},
	{"core.repositoryformatversion", text, "it decides which extensions count"},
	{"extensions.", text, "it changes how the repository is stored"},
}

// A settingKind says which texts of a setting mean the same.
type settingKind int

const (
	text settingKind = iota
	boolean
	triState // a boolean, or a word such as "input"
)

// normal returns the form in which settings of the kind are compared.
func (k settingKind) normal(s setting) string {
	if k == text {
		return s.value
	}
	if value, ok := s.boolean(); ok {
		if value {
			return "true"
		}
		return "false"
	}
	return strings.ToLower(s.value)
}

// reasonFor returns why the setting is deciding, empty where it is not.
func reasonFor(key string) (settingKind, string) {
	for _, d := range decidingSettings {
		if key == d.key || strings.HasSuffix(d.key, ".") && strings.HasPrefix(key, d.key) {
			return d.kind, d.reason
		}
	}
	return text, ""
}

// filterVariables are the settings that define a filter driver.
var filterVariables = [...]string{"clean", "smudge", "process", "required"}

// lfsDriver is the name that git-lfs gives its filter. Its own settings name
// further programs (lfs.extension.*), which run whenever the filter runs, and
// the place it writes to.
const lfsDriver = "lfs"

// filterOf returns the driver that a setting defines.
func filterOf(key string) (name string, ok bool) {
	if name, variable, found := driver(key, "filter"); found && slices.Contains(filterVariables[:], variable) {
		return name, true
	}
	if strings.HasPrefix(key, "lfs.extension.") || key == "lfs.storage" {
		return lfsDriver, true
	}
	return "", false
}

// recorded returns the settings that a control record keeps, as
// [scope, key, value] in git's order. A setting without a value, which only
// booleans may be, is recorded as "true".
func (c config) recorded() [][3]string {
	lines := [][3]string{}
	for _, s := range c.settings {
		_, reason := reasonFor(s.key)
		if _, filter := filterOf(s.key); reason == "" && !filter {
			continue
		}
		value := s.value
		if s.valueless {
			value = "true"
		}
		lines = append(lines, [3]string{s.scope, s.key, strings.ToValidUTF8(value, "\ufffd")})
	}
	return lines
}
