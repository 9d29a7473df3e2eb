// Package gitbinary writes and reads the "GIT binary patch" section of a
// patch: both directions of a change, each as the whole content ("literal") or
// as copies out of the other side ("delta"), deflated, in base 85.
//
//	GIT binary patch
//	literal 18            size of the content, inflated
//	ZcmZQzWMWCm%u6h){Fj…  a letter for the line's length, then its base 85
//	                      an empty line ends a direction
//	delta 11              the reverse direction; size of the delta, inflated
//	ScmZQzWMWRr%u6h){0{&OR0E3u
//
// The delta is that of gitformat-pack(5), "Deltified representation". What the
// deflate library writes is part of a patch's digest, so a test pins it.
package gitbinary

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Header is the line that starts the section.
const Header = "GIT binary patch\n"

// ErrTooLong is returned by [Encode] when the section exceeds its limit.
var ErrTooLong = errors.New("binary patch exceeds its limit")

// ErrMalformed is wrapped by every error that a text or a delta caused.
var ErrMalformed = errors.New("malformed binary patch")

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMalformed, fmt.Sprintf(format, args...))
}

// Encode returns the section for a change from before to after, header
// included, if it is at most limit bytes; else [ErrTooLong]. It stops with
// ctx's error soon after ctx is done.
func Encode(ctx context.Context, before, after []byte, limit int) (string, error) {
	forward, err := encodeHalf(ctx, before, after, limit)
	if err != nil {
		return "", err
	}
	reverse, err := encodeHalf(ctx, after, before, limit-len(forward))
	if err != nil {
		return "", err
	}
	section := Header + forward + reverse
	if len(section) > limit {
		return "", ErrTooLong
	}
	return section, nil
}

// encodeHalf writes the direction that makes target of base, by whichever of
// literal and delta deflates to less.
func encodeHalf(ctx context.Context, base, target []byte, limit int) (string, error) {
	method, size := "literal", len(target)
	var deflated []byte
	enough := max(0, limit)
	if len(base) > 0 && len(target) > 0 {
		delta, err := makeDelta(ctx, base, target)
		if err != nil {
			return "", err
		}
		deflated, err = deflate(ctx, delta, enough)
		switch {
		case err == nil:
			method, size = "delta", len(delta)
			enough = len(deflated) // a literal must not be longer
		case !errors.Is(err, ErrTooLong):
			return "", err
		}
	}
	literal, err := deflate(ctx, target, enough)
	switch {
	case err == nil:
		method, size, deflated = "literal", len(target), literal
	case !errors.Is(err, ErrTooLong):
		return "", err
	case deflated == nil:
		return "", ErrTooLong
	}
	return fmt.Sprintf("%s %d\n%s\n", method, size, encodeLines(deflated)), nil
}

// deflateStep is how much is deflated between two looks at the context: a
// millisecond or two.
const deflateStep = 64 << 10

func deflate(ctx context.Context, data []byte, limit int) ([]byte, error) {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	for len(data) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := min(len(data), deflateStep)
		if _, err := w.Write(data[:n]); err != nil {
			return nil, err
		}
		data = data[n:]
		if out.Len() > limit {
			return nil, ErrTooLong
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if out.Len() > limit {
		return nil, ErrTooLong
	}
	return out.Bytes(), nil
}

// A Half is one direction of a section.
type Half struct {
	delta    bool
	size     int // inflated bytes of the literal or the delta
	deflated []byte
}

// Parse reads a section that stands, header included, at the start of text. It
// returns the forward and the reverse direction and what follows the section.
// A section without a reverse direction, which Git accepts, is refused: no
// patch made by git diff or by this package lacks it.
func Parse(text string) (forward, reverse Half, rest string, err error) {
	text, found := strings.CutPrefix(text, Header)
	if !found {
		return Half{}, Half{}, "", malformed("no header")
	}
	forward, text, err = parseHalf(text)
	if err != nil {
		return Half{}, Half{}, "", err
	}
	reverse, text, err = parseHalf(text)
	if err != nil {
		return Half{}, Half{}, "", err
	}
	return forward, reverse, text, nil
}

func parseHalf(text string) (Half, string, error) {
	head, text, found := strings.Cut(text, "\n")
	if !found {
		return Half{}, "", malformed("cut short")
	}
	method, number, _ := strings.Cut(head, " ")
	size, err := strconv.ParseUint(number, 10, 31)
	if err != nil || number != strconv.FormatUint(size, 10) || method != "literal" && method != "delta" {
		return Half{}, "", malformed("neither literal nor delta of some size")
	}
	deflated, text, err := decodeLines(text)
	if err != nil {
		return Half{}, "", err
	}
	return Half{method == "delta", int(size), deflated}, text, nil
}

// TargetSize returns the size in bytes of what the direction leads to.
func (h Half) TargetSize() (int, error) {
	if !h.delta {
		return h.size, nil
	}
	head, err := h.inflate(min(h.size, 2*maxVarint))
	if err != nil {
		return 0, err
	}
	_, target, _, err := deltaSizes(head)
	return target, err
}

// Apply returns what the direction makes of base, at most limit bytes.
func (h Half) Apply(base []byte, limit int) ([]byte, error) {
	if h.size > limit {
		return nil, malformed("%d bytes, over the limit", h.size)
	}
	data, err := h.inflate(h.size + 1)
	if err != nil {
		return nil, err
	}
	if len(data) != h.size {
		return nil, malformed("not of the stated size")
	}
	if !h.delta {
		return data, nil
	}
	return applyDelta(base, data, limit)
}

// inflate returns up to n bytes.
func (h Half) inflate(n int) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(h.deflated))
	if err != nil {
		return nil, malformed("not deflated")
	}
	data, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err != nil {
		return nil, malformed("does not inflate")
	}
	return data, nil
}
