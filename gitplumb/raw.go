package gitplumb

import (
	"context"
	"strconv"
	"unicode/utf8"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
)

const (
	// MaxRawBytes bounds the content of all tracked files and symlink targets
	// together, in bytes (contract section 2).
	MaxRawBytes = 134_217_728

	// MaxRawDocumentBytes bounds a raw document, in bytes (contract section 2).
	MaxRawDocumentBytes = 8_388_608

	// MaxTargetBytes bounds a symlink's target, in bytes (contract section 2).
	MaxTargetBytes = 4096

	rawContract = "algal.raw-workspace.v1"

	// A canonical document is its entries between these.
	rawHead = `{"contract":"` + rawContract + `","entries":[`
	rawTail = "]}"
)

// RawKind says what lies at a tracked path.
type RawKind string

// The kinds of raw entries.
const (
	RawFile    RawKind = "file"
	RawSymlink RawKind = "symlink"
	RawMissing RawKind = "missing"
)

// A RawEntry is one entry of the raw fingerprint (contract section 4).
type RawEntry struct {
	Path   string
	Kind   RawKind
	Mode   uint32       // permission bits & 07777; 0 when missing
	Bytes  int64        // length of a file's content; 0 otherwise
	Digest canon.Digest // of a file's content or a symlink's target; empty when missing
}

// Raw is a raw fingerprint: what every tracked path holds on disk.
type Raw struct {
	Document []byte // canonical
	Digest   canon.Digest
	Entries  []RawEntry // in index order
}

// Fingerprint returns the raw fingerprint of the checkout. Every tracked file
// is read once in a pass; [Repo.Status] uses the same read.
//
// It fails as [Repo.Index] does; with fault.OverBound when the content is over
// MaxRawBytes or the document over MaxRawDocumentBytes; with
// fault.UnsupportedChange for a tracked path that is a directory or a special
// file, or lies below something that is no directory; with fault.SourceMoved
// when a file changes while it is read.
func (r *Repo) Fingerprint(ctx context.Context) (Raw, error) {
	return once(&r.memo.raw, func() (Raw, error) {
		if _, err := r.Index(ctx); err != nil {
			return Raw{}, err
		}
		report, err := r.scan(ctx)
		if err != nil {
			return Raw{}, err
		}
		if report.Incomplete != nil {
			return Raw{}, report.Incomplete
		}
		index, err := r.decodedIndex()
		if err != nil {
			return Raw{}, err
		}
		entries := make([]RawEntry, len(report.Results))
		for i := range report.Results {
			if entries[i], err = rawEntry(&index.Entries[i], &report.Results[i]); err != nil {
				return Raw{}, err
			}
		}
		return newRaw(entries)
	})
}

func newRaw(entries []RawEntry) (Raw, error) {
	document, err := formatRaw(entries)
	if err != nil {
		return Raw{}, err
	}
	if len(document) > MaxRawDocumentBytes {
		return Raw{}, fault.New(fault.OverBound, "the raw document takes %d bytes, more than %d", len(document), MaxRawDocumentBytes)
	}
	return Raw{Document: document, Digest: canon.DigestText(document), Entries: entries}, nil
}

// rawEntryOverhead is about what an entry takes beside its path, in bytes.
const rawEntryOverhead = 160

// formatRaw returns the canonical document. It writes the form directly: the
// general encoder takes longer than reading the checkout.
func formatRaw(entries []RawEntry) ([]byte, error) {
	size := len(rawHead) + len(rawTail)
	for i := range entries {
		size += len(entries[i].Path) + rawEntryOverhead
	}
	text := make([]byte, 0, size)
	text = append(text, rawHead...)
	for i := range entries {
		e := &entries[i]
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, '{')
		if e.Kind == RawFile {
			text = append(text, `"bytes":`...)
			text = strconv.AppendInt(text, e.Bytes, 10)
			text = append(text, ',')
		}
		if e.Kind != RawMissing {
			text = append(text, `"digest":"`...)
			text = append(text, e.Digest...)
			text = append(text, `",`...)
		}
		text = append(text, `"kind":"`...)
		text = append(text, e.Kind...)
		if e.Kind != RawMissing {
			text = append(text, `","mode":"`...)
			text = strconv.AppendUint(text, uint64(e.Mode), 8)
		}
		text = append(text, `","path":`...)
		var err error
		if text, err = appendString(text, e.Path); err != nil {
			return nil, err
		}
		text = append(text, '}')
	}
	return append(text, rawTail...), nil
}

// appendString appends the canonical form of a string.
func appendString(text []byte, s string) ([]byte, error) {
	for _, c := range []byte(s) {
		if c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, err := canon.Encode(s)
			return append(text, quoted...), err
		}
	}
	text = append(text, '"')
	text = append(text, s...)
	return append(text, '"'), nil
}

// rawDocument is the record behind a document (contract section 4).
type rawDocument struct {
	Contract string        `json:"contract"`
	Entries  []rawDocEntry `json:"entries"`
}

type rawDocEntry struct {
	Path   string        `json:"path"`
	Kind   RawKind       `json:"kind"`
	Mode   *string       `json:"mode,omitzero"`
	Bytes  *int64        `json:"bytes,omitzero"`
	Digest *canon.Digest `json:"digest,omitzero"`
}

// ParseRaw reads a raw document, which need not be canonical. It fails with
// fault.OverBound over MaxRawDocumentBytes, and with fault.Malformed for
// everything that no fingerprint is.
func ParseRaw(document []byte) (Raw, error) {
	if len(document) > MaxRawDocumentBytes {
		return Raw{}, fault.New(fault.OverBound, "a raw document of %d bytes is over %d", len(document), MaxRawDocumentBytes)
	}
	if raw, ok := parseCanonicalRaw(document); ok {
		return raw, nil
	}
	record, err := canon.Decode[rawDocument](document)
	if err != nil {
		return Raw{}, fault.New(fault.Malformed, "raw document: %w", err)
	}
	if record.Contract != rawContract {
		return Raw{}, fault.New(fault.Malformed, "raw document: its contract is %q", record.Contract)
	}
	if len(record.Entries) > gitindex.MaxEntries {
		return Raw{}, fault.New(fault.Malformed, "raw document: more than %d entries", gitindex.MaxEntries)
	}
	entries := make([]RawEntry, len(record.Entries))
	for i, e := range record.Entries {
		var ok bool
		if entries[i], ok = e.parse(); !ok || CheckPath(e.Path) != nil {
			return Raw{}, fault.New(fault.Malformed, "raw document: entry %d is of wrong form", i)
		}
	}
	return newRaw(entries)
}

// parse returns the entry, with exactly the members that its kind has.
func (e rawDocEntry) parse() (RawEntry, bool) {
	entry := RawEntry{Path: e.Path, Kind: e.Kind}
	present := [...]bool{e.Mode != nil, e.Bytes != nil, e.Digest != nil}
	switch {
	case e.Kind == RawMissing && present == [...]bool{false, false, false}:
		return entry, true
	case e.Kind == RawFile && present == [...]bool{true, true, true}:
		entry.Bytes = *e.Bytes
	case e.Kind == RawSymlink && present == [...]bool{true, false, true}:
	default:
		return RawEntry{}, false
	}
	mode, err := strconv.ParseUint(*e.Mode, 8, 32)
	entry.Mode, entry.Digest = uint32(mode), *e.Digest
	ok := err == nil && mode <= 0o7777 && strconv.FormatUint(mode, 8) == *e.Mode &&
		entry.Bytes >= 0 && entry.Digest.Valid()
	return entry, ok
}
