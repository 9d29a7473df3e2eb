package gitplumb

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/gitindex"
)

// parseCanonicalRaw reads a document that is exactly what formatRaw writes, in
// a fraction of the time that the general decoder takes. That it was read
// right shows in that its entries make the same document again.
func parseCanonicalRaw(document []byte) (Raw, bool) {
	entries, ok := readCanonicalRaw(string(document))
	if !ok || slices.ContainsFunc(entries, func(e RawEntry) bool { return CheckPath(e.Path) != nil }) {
		return Raw{}, false
	}
	raw, err := newRaw(entries)
	return raw, err == nil && bytes.Equal(raw.Document, document)
}

// readCanonicalRaw reads the entries. What it makes of a document that is not
// canonical, and of a path with an escape, is nothing or wrong.
func readCanonicalRaw(document string) ([]RawEntry, bool) {
	rest, ok := strings.CutPrefix(document, rawHead)
	if !ok {
		return nil, false
	}
	c := canonicalRaw{rest: rest}
	entries := make([]RawEntry, 0, min(len(rest)/rawEntryOverhead+1, gitindex.MaxEntries))
	for !c.skip(rawTail) {
		if len(entries) == gitindex.MaxEntries || len(entries) > 0 && !c.skip(",") {
			return nil, false
		}
		entry, ok := c.entry()
		if !ok {
			return nil, false
		}
		entries = append(entries, entry)
	}
	return entries, c.rest == ""
}

// A canonicalRaw is what is left of a document.
type canonicalRaw struct{ rest string }

func (c *canonicalRaw) skip(text string) (found bool) {
	c.rest, found = strings.CutPrefix(c.rest, text)
	return found
}

// through returns what comes before text, and goes on behind it.
func (c *canonicalRaw) through(text string) string {
	before, rest, _ := strings.Cut(c.rest, text)
	c.rest = rest
	return before
}

func (c *canonicalRaw) entry() (RawEntry, bool) {
	if !c.skip("{") {
		return RawEntry{}, false
	}
	var entry rawDocEntry
	if c.skip(`"bytes":`) {
		bytes, err := strconv.ParseInt(c.through(","), 10, 64)
		if err != nil {
			return RawEntry{}, false
		}
		entry.Bytes = &bytes
	}
	if c.skip(`"digest":"`) {
		digest := canon.Digest(c.through(`",`))
		entry.Digest = &digest
	}
	if !c.skip(`"kind":"`) {
		return RawEntry{}, false
	}
	entry.Kind = RawKind(c.through(`"`))
	if c.skip(`,"mode":"`) {
		mode := c.through(`"`)
		entry.Mode = &mode
	}
	if !c.skip(`,"path":"`) {
		return RawEntry{}, false
	}
	entry.Path = c.through(`"}`)
	return entry.parse()
}
