package worktree

import (
	"crypto/sha1"
	"crypto/sha256"
	"hash"
	"strconv"
	"sync"
)

// bufferSize is the length in bytes of a worker's buffer: most files in one
// read, and little enough for a core's cache to hold it for the second hash.
const bufferSize = 128 << 10

// A hasher makes both hashes of one content after the other, in memory that it
// keeps. Of a content that fills the buffer it makes them side by side, so that
// one big file doesn't leave the other processors idle.
type hasher struct {
	buffer []byte
	raw    hash.Hash
	blob   hash.Hash
	named  bool // blob is asked for
	header []byte
}

func newHasher() *hasher {
	return &hasher{
		buffer: make([]byte, bufferSize),
		raw:    sha256.New(),
		blob:   sha1.New(),
		header: make([]byte, 0, sha256.Size),
	}
}

// begin starts a content of the size in bytes, which git hashes before it.
func (h *hasher) begin(blob bool, size int64) {
	h.raw.Reset()
	if h.named = blob; !blob {
		return
	}
	h.header = append(h.header[:0], "blob "...)
	h.header = strconv.AppendInt(h.header, size, 10)
	h.header = append(h.header, 0)
	h.blob.Reset()
	h.blob.Write(h.header)
}

func (h *hasher) add(chunk []byte) {
	if !h.named {
		h.raw.Write(chunk)
		return
	}
	if len(chunk) < bufferSize {
		h.raw.Write(chunk)
		h.blob.Write(chunk)
		return
	}
	var blob sync.WaitGroup
	blob.Go(func() { h.blob.Write(chunk) })
	h.raw.Write(chunk)
	blob.Wait()
}

func (h *hasher) finish(result *Result) {
	result.Hashed = true
	h.header = h.raw.Sum(h.header[:0])
	result.SHA256 = [sha256.Size]byte(h.header)
	if h.named {
		h.header = h.blob.Sum(h.header[:0])
		result.Blob = [sha1.Size]byte(h.header)
	}
}
