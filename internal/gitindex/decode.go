package gitindex

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"math"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// The layout of gitformat-index(5), in bytes.
const (
	signature       = "DIRC"
	headerLen       = 12
	statLen         = 40                             // ten 32-bit fields
	fixedLen        = statLen + sha1.Size + flagsLen // what every entry begins with
	flagsLen        = 2
	minEntryLen     = fixedLen + 2 // in version 4 a length and a NUL, before that padding
	padding         = 8            // entries of version 2 and 3 end at multiples of it
	extensionHeader = 8
)

// The flags of an entry, and the second word that an extended entry has.
const (
	flagAssumeValid = 0x8000
	flagExtended    = 0x4000
	stageShift      = 12
	stageMask       = 0x3
	nameLenMask     = 0x0fff // this value itself means "or more"

	extSkipWorktree = 0x4000
	extIntentToAdd  = 0x2000
)

// Decode returns the index that data holds. Its memory is bounded by the
// length of data and by MaxListing, and it keeps no reference to data.
//
// It refuses with [fault.OverBound] a listing over MaxListing, with
// [fault.FlaggedIndex] more than MaxEntries entries, with [fault.UnsafePath] a
// name that cannot travel, and with [fault.GitFailed] whatever else the format
// forbids (contract sections 5 and 8). An index over both bounds is refused
// for its listing.
//
// A file that isn't there is an empty index to git; that is for the caller to
// know, since empty data is a damaged file.
func Decode(data []byte) (*Index, error) {
	d, err := newDecoder(data)
	if err != nil {
		return nil, err
	}
	extensions, err := d.extensions()
	if err != nil {
		return nil, err
	}
	index := &Index{
		Version:    d.version,
		Extensions: extensions,
		Trailer:    judgeTrailer(d.data, data[len(d.data):]),
	}
	if len(index.Mandatory()) > 0 {
		return index, nil
	}
	index.Entries = d.named()
	if err := validate(index.Entries); err != nil {
		return nil, err
	}
	return index, nil
}

func judgeTrailer(content, trailer []byte) Trailer {
	if sum := sha1.Sum(content); bytes.Equal(trailer, sum[:]) {
		return TrailerValid
	}
	if [sha1.Size]byte(trailer) == ([sha1.Size]byte{}) {
		return TrailerZero
	}
	return TrailerBad
}

// A decoder reads entries, then extensions. The names of all entries lie in
// one arena, so that a name costs no allocation of its own and version 4 finds
// the name before.
type decoder struct {
	data    []byte // without the trailer
	offset  int
	version int

	read  []Entry // without names
	names []byte
	ends  []int // where in names the name of each entry ends
}

// newDecoder returns a decoder that has read header and entries.
func newDecoder(data []byte) (*decoder, error) {
	if len(data) < headerLen+sha1.Size {
		return nil, broken("it has %d bytes", len(data))
	}
	if string(data[:4]) != signature {
		return nil, broken("it begins with %q", data[:4])
	}
	version := binary.BigEndian.Uint32(data[4:])
	if version < 2 || version > 4 {
		return nil, broken("version %d is unknown", version)
	}
	d := &decoder{
		data:    data[:len(data)-sha1.Size],
		offset:  headerLen,
		version: int(version),
	}
	if err := d.entries(binary.BigEndian.Uint32(data[8:])); err != nil {
		return nil, err
	}
	return d, nil
}

// entries reads count entries. Beyond MaxEntries they are read without being
// kept, because a listing over its bound is the more particular refusal.
func (d *decoder) entries(count uint32) error {
	if int64(count) > int64(len(d.data)-d.offset)/minEntryLen {
		return broken("it is too short for %d entries", count)
	}
	kept := min(int(count), MaxEntries)
	d.read = make([]Entry, 0, kept)
	d.ends = make([]int, 0, kept)
	d.names = make([]byte, 0, min(len(d.data)-d.offset-int(count)*fixedLen, MaxListing))

	var unkept Entry
	listing, previous := 0, 0
	for i := range int(count) {
		begin, entry := len(d.names), &unkept
		if i < MaxEntries {
			d.read = d.read[:i+1]
			entry = &d.read[i]
		}
		if err := d.entry(entry, i, d.names[previous:begin]); err != nil {
			return err
		}
		listing += len(d.names) - begin + listingOverhead
		if listing > MaxListing {
			return fault.New(fault.OverBound, "the index listing exceeds %d bytes at entry %d of %d", MaxListing, i, count)
		}
		if i < MaxEntries {
			d.ends = append(d.ends, len(d.names))
		}
		previous = begin
	}
	if count > MaxEntries {
		return fault.New(fault.FlaggedIndex, "the index has %d entries, more than %d", count, MaxEntries)
	}
	return nil
}

// entry reads one entry into e and appends its name to d.names. previous is
// the name of the entry before, or empty.
func (d *decoder) entry(e *Entry, number int, previous []byte) error {
	begin := d.offset
	if len(d.data)-begin < fixedLen {
		return broken("entry %d is cut off", number)
	}
	field := func(i int) uint32 { return binary.BigEndian.Uint32(d.data[begin+4*i:]) }
	*e = Entry{
		CTime: Time{field(0), field(1)},
		MTime: Time{field(2), field(3)},
		Dev:   field(4),
		Ino:   field(5),
		Mode:  field(6),
		UID:   field(7),
		GID:   field(8),
		Size:  field(9),
		ID:    [sha1.Size]byte(d.data[begin+statLen:]),
	}
	flags := binary.BigEndian.Uint16(d.data[begin+statLen+sha1.Size:])
	d.offset += fixedLen
	e.AssumeValid = flags&flagAssumeValid != 0
	e.Stage = uint8(flags >> stageShift & stageMask)

	if flags&flagExtended != 0 {
		if d.version == 2 {
			return broken("entry %d has extended flags in version 2", number)
		}
		if len(d.data)-d.offset < flagsLen {
			return broken("entry %d is cut off", number)
		}
		extended := binary.BigEndian.Uint16(d.data[d.offset:])
		if extended&^(extSkipWorktree|extIntentToAdd) != 0 {
			return broken("entry %d has unknown flags %#04x", number, extended)
		}
		d.offset += flagsLen
		e.SkipWorktree = extended&extSkipWorktree != 0
		e.IntentToAdd = extended&extIntentToAdd != 0
	}

	var shared []byte
	if d.version == 4 {
		removed, ok := d.varint()
		if !ok || removed > len(previous) {
			return broken("entry %d shortens the name before it by too much", number)
		}
		shared = previous[:len(previous)-removed]
	}
	own := bytes.IndexByte(d.data[d.offset:], 0)
	if own < 0 {
		return broken("the name of entry %d has no end", number)
	}
	length := len(shared) + own
	if length > MaxPath {
		return fault.New(fault.UnsafePath, "the name of index entry %d is longer than %d bytes", number, MaxPath)
	}
	if int(flags&nameLenMask) != min(length, nameLenMask) {
		return broken("the name of entry %d is not as long as its flags say", number)
	}
	d.names = append(d.names, shared...)
	d.names = append(d.names, d.data[d.offset:d.offset+own]...)
	d.offset += own

	nuls := 1
	if d.version < 4 {
		nuls = padding - (d.offset-begin)%padding
	}
	if len(d.data)-d.offset < nuls {
		return broken("entry %d is cut off", number)
	}
	for _, c := range d.data[d.offset : d.offset+nuls] {
		if c != 0 {
			return broken("entry %d is padded with something else than NUL", number)
		}
	}
	d.offset += nuls
	return nil
}

// varint reads a length in the encoding of pack offsets: seven bits a byte,
// the high bit says that another follows, and each further byte adds one to
// what stands before it, so that no length has two encodings. It refuses
// lengths that no name can have.
func (d *decoder) varint() (int, bool) {
	value := -1
	for d.offset < len(d.data) && value < math.MaxInt32>>7 {
		c := d.data[d.offset]
		d.offset++
		value = (value+1)<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, true
		}
	}
	return 0, false
}

// named returns the entries with their names, which share one string.
func (d *decoder) named() []Entry {
	names, begin := string(d.names), 0
	for i, end := range d.ends {
		d.read[i].Path = names[begin:end]
		begin = end
	}
	return d.read
}

// extensions reads the signatures to the end of the data and skips what the
// extensions hold.
func (d *decoder) extensions() ([]string, error) {
	var names []string
	for d.offset < len(d.data) {
		rest := d.data[d.offset:]
		if len(rest) < extensionHeader {
			return nil, broken("%d bytes follow the last extension", len(rest))
		}
		name, size := string(rest[:4]), binary.BigEndian.Uint32(rest[4:])
		if int64(size) > int64(len(rest)-extensionHeader) {
			return nil, broken("extension %q is cut off", name)
		}
		names = append(names, name)
		d.offset += extensionHeader + int(size)
	}
	return names, nil
}

// validate holds the entries of a full index to the format: modes, names and
// order.
func validate(entries []Entry) error {
	before := &Entry{}
	for i := range entries {
		e := &entries[i]
		shared := commonPrefix(before.Path, e.Path)
		if err := checkPath(e.Path, shared); err != nil {
			return err
		}
		switch e.Mode {
		case ModeFile, ModeExecutable, ModeSymlink, ModeGitlink:
		default:
			return broken("%q has the mode %06o", e.Path, e.Mode)
		}
		switch {
		case shared == len(before.Path) && shared == len(e.Path):
			if before.Stage == 0 || before.Stage >= e.Stage {
				return broken("%q stands twice, in stages %d and %d", e.Path, before.Stage, e.Stage)
			}
		case shared == len(e.Path), shared < len(before.Path) && before.Path[shared] > e.Path[shared]:
			return broken("%q stands before %q", before.Path, e.Path)
		}
		before = e
	}
	return nil
}

// checkPath refuses a name that leads out of the checkout or into a git
// directory. ".git" is refused in every letter case, as git does, because a
// file system may not tell them apart. The first checked bytes are those of a
// path that passed.
func checkPath(path string, checked int) error {
	begin := strings.LastIndexByte(path[:checked], '/') + 1
	for i := checked; i <= len(path); i++ {
		if i < len(path) && path[i] != '/' {
			continue
		}
		switch component := path[begin:i]; len(component) {
		case 0, 1, 2, len(".git"):
			if component == "" || component == "." || component == ".." || strings.EqualFold(component, ".git") {
				return fault.New(fault.UnsafePath, "the index holds the unsafe path %q", path)
			}
		}
		begin = i + 1
	}
	return nil
}

func broken(format string, args ...any) error {
	return fault.New(fault.GitFailed, "the index is broken: "+format, args...).
		WithNext("%q makes it anew from HEAD and forgets what was staged", "git read-tree HEAD")
}
