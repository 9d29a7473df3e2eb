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
var decidingSettings = [...]decidingSetting{
	{"core.autocrlf", triState, "false", "it converts line ends on the way into git"},
	{"core.eol", text, "", "it chooses the line ends of text files"},
	{"core.checkroundtripencoding", text, "", "it refuses encodings that lose characters"},
	{"core.symlinks", boolean, "true", "without it a symlink is a file that holds the target"},
	{"core.ignorecase", boolean, "false", "it hides names that differ in case alone"},
	{"core.precomposeunicode", boolean, "false", "it renames what a directory lists"},
	{"core.worktree", text, "", "it moves the checkout elsewhere"},
	{"core.bare", boolean, "false", "it takes the checkout away"},
	{"core.sparsecheckout", boolean, "false", "it decides which files need not exist"},
	{"core.sparsecheckoutcone", boolean, "", "it decides how info/sparse-checkout is read"},
	{"index.sparse", boolean, "false", "it lets the index leave out directories"},
	{"core.usereplacerefs", boolean, "true", "it lets refs/replace/ stand in for objects"},
	{"core.repositoryformatversion", text, "0", "it decides which extensions count"},
	{"extensions.", text, "", "it changes how the repository is stored"},
}

// A decidingSetting is one line of the list.
type decidingSetting struct {
	key    string // a final dot stands for the whole section
	kind   settingKind
	unset  string // the value, in normal form, that git takes where there is none; empty where none means the same
	reason string
}

// A settingKind says which texts of a setting mean the same.
type settingKind int

const (
	text settingKind = iota
	boolean
	triState // a boolean, or a word such as "input"
)

// normal returns the form in which settings are compared.
func (d decidingSetting) normal(value string) string {
	if d.kind == text {
		return value
	}
	if value, ok := (setting{value: value}).boolean(); ok {
		if value {
			return "true"
		}
		return "false"
	}
	return strings.ToLower(value)
}

// decidingFor returns the line of the list that covers a setting.
func decidingFor(key string) (decidingSetting, bool) {
	for _, d := range decidingSettings {
		if key == d.key || strings.HasSuffix(d.key, ".") && strings.HasPrefix(key, d.key) {
			return d, true
		}
	}
	return decidingSetting{}, false
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
		_, deciding := decidingFor(s.key)
		if _, filter := filterOf(s.key); !deciding && !filter {
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
