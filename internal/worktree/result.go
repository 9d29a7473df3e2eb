package worktree

import (
	"crypto/sha1"
	"crypto/sha256"

	"github.com/git-algal/git-algal/internal/canon"
)

const (
	// MaxContent bounds, in bytes, the content of one scan: contract section 2,
	// tracked content per raw capture. Files and targets of symlinks count.
	MaxContent = 134_217_728

	// MaxTarget bounds the target of a symlink in bytes: contract section 2.
	// Linux and macOS make none that is longer; a foreign file system may hold
	// one.
	MaxTarget = 4_096
)

// A Request asks for the raw digest of one path and, with Blob, for the name
// of the blob that git makes of the same bytes where it converts nothing.
type Request struct {
	Path string
	Blob bool
}

// Limits bound a scan.
type Limits struct {
	// Bytes bounds the content that is read, usually MaxContent.
	Bytes int64
}

// A Kind is what a path was found to be. The zero Kind is none of them.
type Kind uint8

// The kinds of paths.
const (
	_ Kind = iota

	File
	Symlink
	Directory

	// Special is a FIFO, a socket or a device. It was not opened.
	Special

	// Missing is a path that doesn't exist, in directories that may not either.
	Missing

	// BehindSymlink is a path of which a directory is a symlink, a file or
	// something else that is none. To git it is missing.
	BehindSymlink

	// Unreadable is a path that permissions hide, whatever it is. It has no
	// Mode where a directory hides it.
	Unreadable
)

// String returns the kind in lower case.
func (k Kind) String() string {
	switch k {
	case File:
		return "file"
	case Symlink:
		return "symlink"
	case Directory:
		return "directory"
	case Special:
		return "special file"
	case Missing:
		return "missing"
	case BehindSymlink:
		return "behind a symlink"
	case Unreadable:
		return "unreadable"
	}
	return "none"
}

// A Result is what one scan found at one path.
type Result struct {
	Kind Kind

	// Mode is st_mode & 07777.
	Mode uint32

	// Size is the length of the content in bytes: of a file by its status, of
	// a symlink the length of its target.
	Size int64

	// Hashed says that the content was read, so that SHA256 and, where asked
	// for, Blob mean something. It is unset for what has no content and for
	// files and symlinks beyond a bound.
	Hashed bool

	SHA256 [sha256.Size]byte // of the raw bytes
	Blob   [sha1.Size]byte   // of the blob
}

// Digest returns the digest of the raw bytes, or the empty digest, which is
// not valid, where they were not read.
func (r *Result) Digest() canon.Digest {
	if !r.Hashed {
		return ""
	}
	return canon.FromSum(r.SHA256)
}

// A Report is the outcome of a scan.
type Report struct {
	// Results has one result for each request, in their order.
	Results []Result

	// Incomplete is nil where everything there was read. Otherwise it says why
	// not, and which results have Hashed unset: [fault.OverBound] for content
	// beyond Limits.Bytes or a target beyond MaxTarget, else
	// [fault.UnsupportedChange] for the first unreadable path. It is apart from
	// the error of Scan because a status comes before the bounds of the content
	// (contract section 5), and much of it follows from what was read.
	Incomplete error
}
