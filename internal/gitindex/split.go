package gitindex

import (
	"cmp"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/git-algal/git-algal/internal/fault"
)

// linkExtension is the extension of a split index (gitformat-index(5)): the
// checksum of the shared index, then two bitmaps over its entries.
const linkExtension = "link"

// SharedIndex returns the name of the shared index file that a split index
// builds on, which lies beside it in the git directory. It returns the empty
// name where data is no split index, or one that stands alone.
func SharedIndex(data []byte) (string, error) {
	_, link, err := decodeSplit(data)
	if err != nil || link == nil || link.shared == ([sha1.Size]byte{}) {
		return "", err
	}
	return "sharedindex." + hex.EncodeToString(link.shared[:]), nil
}

// Join returns the full index that a split index and its shared index make.
// Its extensions are those of the split index without link. shared is nil for
// a split index that stands alone.
//
// It refuses as [Decode] does, and with [fault.GitFailed] a shared index that
// is not the one which the split index names by its checksum.
func Join(data, shared []byte) (*Index, error) {
	own, link, err := decodeSplit(data)
	if err != nil {
		return nil, err
	}
	if link == nil {
		return nil, broken("it is not split")
	}
	var base []Entry
	if link.shared != ([sha1.Size]byte{}) {
		if base, err = decodeShared(shared, link.shared); err != nil {
			return nil, err
		}
	}
	entries, err := link.apply(base, own.Entries)
	if err != nil {
		return nil, err
	}
	if err := checkBounds(entries); err != nil {
		return nil, err
	}
	if err := validate(entries); err != nil {
		return nil, err
	}
	own.Entries = entries
	own.Extensions = slices.DeleteFunc(own.Extensions, func(name string) bool { return name == linkExtension })
	if len(own.Mandatory()) > 0 {
		own.Entries = nil
	}
	return own, nil
}

// A link is what the extension says.
type link struct {
	shared            [sha1.Size]byte
	deleted, replaced []int // positions in the shared index, ascending
}

// decodeSplit reads an index without judging its names, which are empty where
// an entry replaces one of the shared index.
func decodeSplit(data []byte) (*Index, *link, error) {
	d, err := newDecoder(data)
	if err != nil {
		return nil, nil, err
	}
	begin := d.offset
	names, err := d.extensions()
	if err != nil {
		return nil, nil, err
	}
	index := &Index{
		Version:    d.version,
		Entries:    d.named(),
		Extensions: names,
		Trailer:    judgeTrailer(d.data, data[len(d.data):]),
	}
	var found *link
	for rest := d.data[begin:]; len(rest) > 0; {
		size := int(binary.BigEndian.Uint32(rest[4:]))
		if string(rest[:4]) == linkExtension {
			if found != nil {
				return nil, nil, broken("it is split twice")
			}
			if found, err = parseLink(rest[extensionHeader : extensionHeader+size]); err != nil {
				return nil, nil, err
			}
		}
		rest = rest[extensionHeader+size:]
	}
	return index, found, nil
}

func decodeShared(data []byte, want [sha1.Size]byte) ([]Entry, error) {
	if len(data) < sha1.Size || [sha1.Size]byte(data[len(data)-sha1.Size:]) != want {
		return nil, broken("its shared index is another one")
	}
	shared, err := Decode(data)
	if err != nil {
		return nil, err
	}
	if shared.Trailer != TrailerValid || len(shared.Mandatory()) > 0 {
		return nil, broken("its shared index is damaged, or split itself")
	}
	return shared.Entries, nil
}

func parseLink(body []byte) (*link, error) {
	if len(body) < sha1.Size {
		return nil, broken("the extension %q is cut off", linkExtension)
	}
	found := &link{shared: [sha1.Size]byte(body)}
	body = body[sha1.Size:]
	if len(body) == 0 {
		return found, nil
	}
	var err error
	if found.deleted, body, err = parseBitmap(body); err != nil {
		return nil, err
	}
	if found.replaced, body, err = parseBitmap(body); err != nil {
		return nil, err
	}
	if len(body) > 0 {
		return nil, broken("%d bytes follow the bitmaps of a split index", len(body))
	}
	return found, nil
}

// The layout of a bitmap (gitformat-pack(5), EWAH): the number of bits, the
// number of 64-bit words, the words, the position of the last marker word. A
// marker says how often a word of equal bits repeats and how many plain words
// follow it.
const (
	bitmapHeader  = 8
	bitmapTrailer = 4
	wordBytes     = 8
	wordBits      = 64
	runLengthBits = 32
	literalShift  = 1 + runLengthBits
)

// parseBitmap returns the positions of the bits that are set, and what follows.
func parseBitmap(data []byte) (positions []int, rest []byte, err error) {
	if len(data) < bitmapHeader+bitmapTrailer {
		return nil, nil, broken("a bitmap is cut off")
	}
	bits := int64(binary.BigEndian.Uint32(data))
	words := int64(binary.BigEndian.Uint32(data[4:]))
	if bits > MaxEntries {
		return nil, nil, broken("a bitmap has %d bits", bits)
	}
	if words*wordBytes > int64(len(data)-bitmapHeader-bitmapTrailer) {
		return nil, nil, broken("a bitmap is cut off")
	}
	content, rest := data[bitmapHeader:bitmapHeader+words*wordBytes], data[bitmapHeader+words*wordBytes+bitmapTrailer:]
	next := func() uint64 {
		word := binary.BigEndian.Uint64(content)
		content = content[wordBytes:]
		return word
	}
	at := int64(0)
	for len(content) > 0 {
		marker := next()
		run, literals := int64(marker>>1&(1<<runLengthBits-1)), int64(marker>>literalShift)
		if run > MaxEntries || literals > int64(len(content)/wordBytes) {
			return nil, nil, broken("a bitmap is longer than it says")
		}
		if marker&1 != 0 {
			for i := range run * wordBits {
				positions = append(positions, int(at+i))
			}
		}
		at += run * wordBits
		for range literals {
			word := next()
			for bit := range int64(wordBits) {
				if word>>bit&1 != 0 {
					positions = append(positions, int(at+bit))
				}
			}
			at += wordBits
		}
		if at > MaxEntries+wordBits {
			return nil, nil, broken("a bitmap is longer than it says")
		}
	}
	if n := len(positions); n > 0 && int64(positions[n-1]) >= bits {
		return nil, nil, broken("a bitmap sets bits behind its end")
	}
	return positions, rest, nil
}

// apply replaces and deletes entries of the shared index, and adds the entries
// that have a name of their own.
func (l *link) apply(base, own []Entry) ([]Entry, error) {
	base = slices.Clone(base)
	for _, at := range l.replaced {
		if at >= len(base) || len(own) == 0 || own[0].Path != "" {
			return nil, broken("it replaces entries that are not there")
		}
		path := base[at].Path
		base[at], own = own[0], own[1:]
		base[at].Path = path
	}
	if len(own) > 0 && own[0].Path == "" {
		return nil, broken("it holds an entry without a name")
	}
	for i := len(l.deleted) - 1; i >= 0; i-- {
		at := l.deleted[i]
		if at >= len(base) {
			return nil, broken("it deletes entries that are not there")
		}
		base[at].Path = ""
	}
	base = slices.DeleteFunc(base, func(e Entry) bool { return e.Path == "" })
	joined := slices.Concat(base, own)
	slices.SortStableFunc(joined, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Stage, b.Stage))
	})
	return joined, nil
}

// checkBounds holds joined entries to the bounds that Decode holds a file to.
func checkBounds(entries []Entry) error {
	listing := 0
	for i := range entries {
		if listing += len(entries[i].Path) + listingOverhead; listing > MaxListing {
			return fault.New(fault.OverBound, "the index listing exceeds %d bytes", MaxListing)
		}
	}
	if len(entries) > MaxEntries {
		return fault.New(fault.FlaggedIndex, "the index has %d entries, more than %d", len(entries), MaxEntries)
	}
	return nil
}
