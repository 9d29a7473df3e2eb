package local

import (
	"crypto/sha256"
	"hash"
	"io"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

// A stream is a file that an agent writes to. The agent has the file itself
// and no pipe: a descendant that keeps it open hinders nobody. It is held to
// its bound by cutting it, again and again; the agent appends, so the
// beginning stays.
type stream struct {
	state.File
	truncated bool
}

// file returns the open file, or nothing to close.
func (s *stream) file() io.Closer {
	if s == nil || s.File == nil {
		return nil
	}
	return s.File
}

func (s *stream) trim(t tree) error {
	cut, err := t.trim(s.File, MaxStreamBytes)
	if err != nil {
		return fault.New(fault.HostFailed, "cannot hold the agent's output to %d bytes: %w", MaxStreamBytes, err)
	}
	s.truncated = s.truncated || cut
	return nil
}

// keep makes the stream durable and returns what there is of it. Nobody writes
// to it any more.
func (s *stream) keep(b book, key canon.Digest, name state.Stream) (Kept, error) {
	if err := s.Sync(); err != nil {
		return Kept{}, fault.New(fault.HostFailed, "cannot make the agent's output durable: %w", err)
	}
	file, err := b.Open(key, name)
	if err != nil {
		return Kept{}, err
	}
	defer file.Close()
	digest := sha256.New()
	n, err := io.Copy(digest, io.LimitReader(file, MaxStreamBytes))
	if err != nil {
		return Kept{}, fault.New(fault.HostFailed, "cannot read the agent's output: %w", err)
	}
	return Kept{Bytes: n, Digest: sumOf(digest), Truncated: s.truncated}, nil
}

func sumOf(h hash.Hash) canon.Digest { return canon.FromSum([sha256.Size]byte(h.Sum(nil))) }

// readAnswer returns the beginning of what the agent said, as far as an
// outcome of maxBytes could hold it, with U+FFFD for what is not UTF-8; whole
// says that nothing is missing.
func readAnswer(b book, key canon.Digest, maxBytes int) (text string, whole bool, err error) {
	file, err := b.Open(key, state.Stdout)
	if err != nil {
		return "", false, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, int64(maxBytes)+1))
	if err != nil {
		return "", false, fault.New(fault.HostFailed, "cannot read the agent's output: %w", err)
	}
	whole = len(data) <= maxBytes
	return strings.ToValidUTF8(string(data), "\uFFFD"), whole, nil
}

// checkPrompt refuses a prompt other than the admitted one: whoever wrote it
// may have died half-way.
func checkPrompt(b book, key canon.Digest, want canon.Digest) error {
	file, err := b.Open(key, state.Prompt)
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxPromptBytes+1))
	if err != nil {
		return fault.New(fault.HostFailed, "cannot read the prompt's file: %w", err)
	}
	if canon.DigestText(data) != want {
		return fault.New(fault.StoreInconsistent, "the prompt's file is not the prompt that was admitted")
	}
	return nil
}
