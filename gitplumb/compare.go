package gitplumb

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// CompareDeciding returns nil when what decides git's answers is what it was
// at admission, and otherwise a fault.ControlChanged that names the first
// difference (contract section 5, "the judge may not be changed by the
// judged"). The fault's subject is the setting, or the file below the git
// directory.
//
// Settings are equal when the value that counts is: a setting that is repeated
// in another scope changes nothing. A filter driver that is in use now must be
// defined as it was; others may come and go.
func CompareDeciding(admitted Deciding, now Control) error {
	before, after := effective(admitted.Settings), effective(now.Deciding.Settings)
	for _, key := range union(before.settings, after.settings) {
		setting, _ := decidingFor(key)
		was, is := before.value(key, setting), after.value(key, setting)
		if was != is {
			return changed(key, "setting %q is %q and was %q at admission: %s", key, is, was, setting.reason)
		}
	}
	for _, name := range now.FiltersInUse {
		if !maps.Equal(before.filters[name], after.filters[name]) {
			return changed("filter."+name, "filter driver %q, which attributes use, is not defined as it was at admission", name)
		}
	}
	for _, name := range union(admitted.Files, now.Deciding.Files) {
		if admitted.Files[name] != now.Deciding.Files[name] {
			return changed(name, "file %q is not what it was at admission", name)
		}
	}
	for _, name := range union(admitted.Frozen, now.Deciding.Frozen) {
		if admitted.Frozen[name] != now.Deciding.Frozen[name] {
			return changed(name, "the frozen copy of %s is not the admission's", name)
		}
	}
	if admitted.ReplaceRefs != now.Deciding.ReplaceRefs {
		return changed("refs/replace/", "refs/replace/ is not what it was at admission")
	}
	return nil
}

func changed(subject, format string, args ...any) error {
	return fault.New(fault.ControlChanged, format, args...).About(subject).
		WithNext("put it back as it was, or prepare another job")
}

// effects are the settings that count, in their normal form.
type effects struct {
	settings map[string]string
	filters  map[string]map[string]string // driver, variable, value
}

func effective(lines [][3]string) effects {
	e := effects{settings: map[string]string{}, filters: map[string]map[string]string{}}
	for _, line := range lines {
		key, value := line[1], line[2]
		if name, ok := filterOf(key); ok {
			if e.filters[name] == nil {
				e.filters[name] = map[string]string{}
			}
			e.filters[name][key] = value
			continue
		}
		setting, _ := decidingFor(key)
		e.settings[key] = setting.normal(value)
	}
	return e
}

// value returns the setting's value in normal form, also where it is unset.
func (e effects) value(key string, setting decidingSetting) string {
	if value, set := e.settings[key]; set {
		return value
	}
	return setting.unset
}

func union[V any](a, b map[string]V) []string {
	names := maps.Clone(a)
	if names == nil {
		names = map[string]V{}
	}
	maps.Copy(names, b)
	return slices.Sorted(maps.Keys(names))
}

// EvidenceChanges returns one line for each difference in evidence, for
// people: a stash was made, a branch moved, a hook was planted. The lines are
// sorted and quote names; the result is empty when nothing differs.
func EvidenceChanges(admitted, now Evidence) []string {
	changes := refChanges(admitted.Refs, now.Refs)
	if admitted.Hooks != now.Hooks {
		changes = append(changes, "the hooks of the repository changed")
	}
	if admitted.Git != now.Git {
		changes = append(changes, "another git was asked: "+now.Git.Path+" "+now.Git.Version)
	}
	return changes
}

func refChanges(before, after jsontext.Value) []string {
	old, oldErr := canon.Decode[map[string]string](before)
	current, currentErr := canon.Decode[map[string]string](after)
	if oldErr != nil || currentErr != nil {
		// At least one of them is a digest, which fits no list of names.
		if canonicallyEqual(before, after) {
			return nil
		}
		return []string{"the references of the repository changed"}
	}
	var changes []string
	for _, name := range union(old, current) {
		was, existed := old[name]
		is, exists := current[name]
		switch {
		case was == is && existed == exists:
		case name == "refs/stash" && exists:
			changes = append(changes, "a stash was made or dropped")
		case !existed:
			changes = append(changes, "reference "+quote(name)+" was created at "+is)
		case !exists:
			changes = append(changes, "reference "+quote(name)+" was deleted; it was at "+was)
		default:
			changes = append(changes, "reference "+quote(name)+" moved from "+was+" to "+is)
		}
	}
	sort.Strings(changes)
	return changes
}

func canonicallyEqual(a, b jsontext.Value) bool {
	left, leftErr := canon.Canonicalize(a)
	right, rightErr := canon.Canonicalize(b)
	return leftErr == nil && rightErr == nil && string(left) == string(right)
}

func quote(name string) string {
	return "\"" + strings.Map(func(c rune) rune {
		if c < 0x20 || c == 0x7f || c == '"' {
			return '\ufffd'
		}
		return c
	}, name) + "\""
}
