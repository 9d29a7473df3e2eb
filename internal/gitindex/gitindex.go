// Package gitindex decodes git's index, and computes the tree that its entries
// make, from the bytes alone: no process, no file, no object store.
//
// The format is the one of gitformat-index(5), versions 2, 3 and 4:
//
//	"DIRC" version(4) count(4)
//	entry × count      fixed fields, flags, name; strictly ascending by name, then stage
//	extension × n      signature(4) size(4) data
//	checksum(20)       SHA-1 over all before it, or zero under index.skipHash
//
// Everything is untrusted: a worker may have written the file. So the decoder
// is stricter than git, which reads entries that are out of order, modes that
// no version of git writes, and a checksum that doesn't match:
//
//   - [Decode] refuses what the format forbids, and checks the bounds of
//     contract section 2 before it allocates;
//   - a bad checksum, flags, stages and extensions are reported in [Index] and
//     refused by the caller, which knows what else to tell;
//   - an extension that git itself must understand (split and sparse index)
//     changes what the entries mean, so an index that has one shows no entries;
//     [Join] makes the full index of a split one and its shared one;
//   - the cached tree of the TREE extension is never read. [RootTree] hashes
//     every tree anew.
//
// Names are bytes here. Whether they are UTF-8 is the caller's question.
package gitindex

import "crypto/sha1"

const (
	// MaxEntries bounds the entries: contract section 2, tracked entries.
	MaxEntries = 16_384

	// MaxListing bounds the listing in bytes, an entry counting its name's
	// length and listingOverhead: contract section 2, index listing. It also
	// bounds what the prefix compression of version 4 can expand to.
	MaxListing = 1_048_576

	// MaxPath bounds one name in bytes: the 4,096 characters of contract
	// section 2 are UTF-16 units, and a unit takes at most 3 bytes of UTF-8.
	// The bound in characters is the caller's, who knows the encoding.
	MaxPath = 3 * 4_096

	// listingOverhead is what an entry costs beside its name: a tag letter, a
	// blank and a NUL.
	listingOverhead = 3
)

// An Index is a decoded index file.
type Index struct {
	// Version is 2, 3 or 4.
	Version int

	// Entries are strictly ascending by path, then stage. They are nil where
	// Mandatory names an extension, because then they don't say what the index
	// holds.
	Entries []Entry

	// Extensions are the four-byte signatures in file order, whatever bytes
	// they are: TREE, REUC, UNTR, FSMN, EOIE, IEOT, link, sdir or unknown ones.
	Extensions []string

	// Trailer says what the checksum is worth.
	Trailer Trailer
}

// An Entry is one entry of the index.
type Entry struct {
	// Path is relative and has no empty, ".", ".." or ".git" component, the
	// last in any letter case. It is at most MaxPath bytes long.
	Path string

	// Mode is ModeFile, ModeExecutable, ModeSymlink or ModeGitlink.
	Mode uint32

	// ID is the object's name.
	ID [sha1.Size]byte

	// Stage is 0, or 1 to 3 where the path is unmerged.
	Stage uint8

	AssumeValid  bool // git update-index --assume-unchanged
	SkipWorktree bool // sparse checkout, git update-index --skip-worktree
	IntentToAdd  bool // git add -N

	// What stat(2) said when git last looked, each cut to 32 bits. None of it
	// is evidence: whoever can write the index can write these.
	Size         uint32 // bytes
	CTime, MTime Time
	Dev, Ino     uint32
	UID, GID     uint32
}

// Time is a time of stat(2) as the index keeps it.
type Time struct{ Sec, Nsec uint32 }

// The modes of index entries.
const (
	ModeFile       uint32 = 0o100644
	ModeExecutable uint32 = 0o100755
	ModeSymlink    uint32 = 0o120000
	ModeGitlink    uint32 = 0o160000

	// ModeTree is the mode of a subtree in a tree. No entry of a full index
	// has it.
	ModeTree uint32 = 0o040000
)

const (
	modeType    uint32 = 0o170000
	modeRegular uint32 = 0o100000
	modeOwnerX  uint32 = 0o000100
)

// CanonicalMode returns the mode that git takes a tree entry's mode for.
// Trees of the first years hold modes like 100664; git reads them as 100644,
// so whoever compares a tree with an index compares canonical modes. What is
// neither a file, a symlink nor a tree counts as a gitlink.
func CanonicalMode(mode uint32) uint32 {
	switch mode & modeType {
	case modeRegular:
		if mode&modeOwnerX != 0 {
			return ModeExecutable
		}
		return ModeFile
	case ModeSymlink:
		return ModeSymlink
	case ModeTree:
		return ModeTree
	}
	return ModeGitlink
}

// A Trailer says what the checksum at the end of an index is worth.
type Trailer int

// The trailers. The zero Trailer is none of them.
const (
	_            Trailer = iota
	TrailerValid         // the SHA-1 of what stands before it
	TrailerZero          // all zero: written under index.skipHash
	TrailerBad           // anything else: the file is damaged, and git would not notice
)

// String returns "valid", "zero" or "bad".
func (t Trailer) String() string {
	switch t {
	case TrailerValid:
		return "valid"
	case TrailerZero:
		return "zero"
	case TrailerBad:
		return "bad"
	}
	return "none"
}

// Mandatory returns the extensions that a reader must understand to know what
// the index holds: those whose first byte is not 'A' to 'Z', among them link
// (split index) and sdir (sparse index). Only git can be asked then.
func (x *Index) Mandatory() []string {
	var names []string
	for _, name := range x.Extensions {
		if !optional(name) {
			names = append(names, name)
		}
	}
	return names
}

// Has reports whether the index has the extension.
func (x *Index) Has(extension string) bool {
	for _, name := range x.Extensions {
		if name == extension {
			return true
		}
	}
	return false
}

func optional(extension string) bool {
	return 'A' <= extension[0] && extension[0] <= 'Z'
}
