package runner

import (
	"crypto/sha256"
	"hash"
	"io"
	"os"

	"github.com/git-algal/git-algal/internal/canon"
)

// A Stream is what a command wrote to one output.
type Stream struct {
	Kept   []byte       // its beginning, up to the command's MaxOutput
	Bytes  int64        // how many bytes it wrote
	Digest canon.Digest // over all of them
}

// EmptyStream is the output of a command that wrote nothing.
func EmptyStream() Stream { return Stream{Digest: canon.DigestText("")} }

// A tap is a pipe whose reader keeps the beginning, and counts and hashes
// all. It never stops reading for what is written, so that nobody who writes
// is held up by the bound.
type tap struct {
	from, write *os.File
	limit       int
	kept        []byte
	bytes       int64
	hash        hash.Hash
}

func newTap(limit int) (*tap, error) {
	from, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &tap{from: from, write: write, limit: limit, hash: sha256.New()}, nil
}

// read returns when every writing end is closed, or the reading one.
func (t *tap) read() { _, _ = io.Copy(tapWriter{t}, t.from) }

func (t *tap) closeWrite() { _ = t.write.Close() }

// close closes both ends, which ends read; again does nothing.
func (t *tap) close() {
	t.closeWrite()
	_ = t.from.Close()
}

// stream returns what was read; read has returned.
func (t *tap) stream() Stream {
	return Stream{Kept: t.kept, Bytes: t.bytes, Digest: canon.FromSum([sha256.Size]byte(t.hash.Sum(nil)))}
}

type tapWriter struct{ t *tap }

func (w tapWriter) Write(p []byte) (int, error) {
	t := w.t
	t.bytes += int64(len(p))
	t.hash.Write(p)
	t.kept = append(t.kept, p[:min(len(p), t.limit-len(t.kept))]...)
	return len(p), nil
}
