package local

import (
	"github.com/git-algal/git-algal/operation"
)

// The revisions of a ledger's outcomes, and no others: a lookup never raises
// one, a host retains few different outcomes, and one of equal revision and
// other content would be a conflict.
const (
	revisionMissing    = 0 // unknown: the key is in no sound record of the ledger
	revisionAccepted   = 1
	revisionUnresolved = 2 // unknown, from the first time that nothing could be proven, until the outcome
	revisionTerminal   = 3
)

func missing(binding operation.Binding) (operation.Outcome, error) {
	return operation.NewUnknown(binding, revisionMissing, operation.Missing)
}

func accepted(a Admission) (operation.Outcome, error) {
	ref, err := a.Ref()
	if err != nil {
		return operation.Outcome{}, err
	}
	return operation.NewAccepted(a.Binding, revisionAccepted, ref)
}

func unresolved(a Admission) (operation.Outcome, error) {
	return operation.NewUnknown(a.Binding, revisionUnresolved, operation.Unresolved)
}

// terminal returns the outcome with as much of the text as fits the bound that
// the operation was admitted with; whole says that the text is all there was
// to say.
func terminal(a Admission, ending operation.Ending, text string, whole bool) (operation.Outcome, error) {
	ref, err := a.Ref()
	if err != nil {
		return operation.Outcome{}, err
	}
	empty, err := operation.NewTerminal(a.Binding, revisionTerminal, ref, ending, "")
	if err != nil {
		return operation.Outcome{}, err
	}
	// The length grows from one digit to seven at most.
	const lengthDigits = 6
	room := a.maxOutputBytes() - len(empty.Canonical()) - lengthDigits
	return operation.NewTerminal(a.Binding, revisionTerminal, ref, ending, fit(text, whole, room))
}

// cutMarker ends a text that was cut. It is ASCII and needs one escape.
const cutMarker = "\n[git-algal: cut here; the ledger keeps more of it]"

// fit returns text, or its longest beginning that ends with a whole rune,
// with the marker behind it, so that its canonical JSON has at most room bytes
// between the quotes. Where not even the marker has room nothing is left.
func fit(text string, whole bool, room int) string {
	if whole && escapedLen(text) <= room {
		return text
	}
	room -= escapedLen(cutMarker)
	if room < 0 {
		return ""
	}
	used := 0
	for i, r := range text {
		n := escapedRune(r)
		if used+n > room {
			return text[:i] + cutMarker
		}
		used += n
	}
	return text + cutMarker
}

// escapedLen returns how many bytes valid UTF-8 text has in canonical JSON,
// without the quotes.
func escapedLen(text string) int {
	n := 0
	for _, r := range text {
		n += escapedRune(r)
	}
	return n
}

// escapedRune counts by RFC 8785: the short escapes, \u00XX for the other
// control characters, and everything else as it is.
func escapedRune(r rune) int {
	const short, long = 2, 6
	switch {
	case r == '"', r == '\\', r == '\b', r == '\t', r == '\n', r == '\f', r == '\r':
		return short
	case r < ' ':
		return long
	}
	return len(string(r))
}
