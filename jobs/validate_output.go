package jobs

import (
	"encoding/base64"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

const (
	outputContract = "git-algal.output.v1"

	// outputFrameBytes is more than an output value's members take beside the
	// content's base64.
	outputFrameBytes = 256

	// MinValidationOutputBytes is the least that is kept of an output, as of an
	// adapter's.
	MinValidationOutputBytes = 1_024
	// MaxValidationOutputBytes is the most: what a value holds in base64, four
	// characters for three bytes.
	MaxValidationOutputBytes = (state.MaxValueBytes - outputFrameBytes) / 4 * 3
	// DefaultValidationOutputBytes is the command line's default (product.md).
	DefaultValidationOutputBytes = 65_536

	// maxWrittenBytes bounds how much a command can be said to have written:
	// the largest integer that every reader of JSON holds. At a terabyte a
	// second it takes hours beyond the longest timeout.
	maxWrittenBytes = 1<<53 - 1
)

// An Output is a value: what a validation's command wrote to standard output
// or standard error. Output beyond the bound is dropped, and the digest says
// of what.
type Output struct {
	Content []byte       // its beginning, at most MaxValidationOutputBytes
	Bytes   int64        // how many bytes were written
	Digest  canon.Digest // over all of them
}

// Truncated reports whether Content is not the whole.
func (o Output) Truncated() bool { return o.Bytes > int64(len(o.Content)) }

type outputText struct {
	Contract      string       `json:"contract"`
	ContentBase64 string       `json:"contentBase64"`
	Bytes         int64        `json:"bytes"`
	Digest        canon.Digest `json:"digest"`
	Truncated     bool         `json:"truncated"`
}

// ParseOutput reads an output value. The error is fault.Malformed, also where
// content, bytes, digest and truncation contradict each other.
func ParseOutput(text []byte) (Output, error) {
	t, err := canon.Decode[outputText](text)
	if err != nil {
		return Output{}, fault.New(fault.Malformed, "the output value is malformed: %w", err)
	}
	content, err := base64.StdEncoding.DecodeString(t.ContentBase64)
	// The decoder passes over line ends and stray bits.
	if err != nil || base64.StdEncoding.EncodeToString(content) != t.ContentBase64 {
		return Output{}, fault.New(fault.Malformed, "the output value's content is not in base64")
	}
	o := Output{Content: content, Bytes: t.Bytes, Digest: t.Digest}
	switch {
	case t.Contract != outputContract:
		return Output{}, fault.New(fault.Malformed, "output contract %q is not %q", t.Contract, outputContract)
	case len(content) > MaxValidationOutputBytes:
		return Output{}, fault.New(fault.Malformed, "the output value holds %d bytes, more than %d", len(content), MaxValidationOutputBytes)
	case t.Bytes < int64(len(content)) || t.Bytes > maxWrittenBytes || t.Truncated != o.Truncated():
		return Output{}, fault.New(fault.Malformed, "the output value holds %d bytes and says %d, truncated %v", len(content), t.Bytes, t.Truncated)
	case !t.Digest.Valid() || !t.Truncated && t.Digest != canon.DigestText(content):
		return Output{}, fault.New(fault.Malformed, "the output value's digest is not its content's")
	}
	return o, nil
}

// Format returns the canonical bytes of the value.
func (o Output) Format() ([]byte, error) {
	return canon.Encode(outputText{
		outputContract, base64.StdEncoding.EncodeToString(o.Content), o.Bytes, o.Digest, o.Truncated(),
	})
}
