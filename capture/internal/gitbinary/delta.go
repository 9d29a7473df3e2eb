package gitbinary

import (
	"bytes"
	"context"
	"math/bits"
)

const (
	// minBlock is the length of the shortest copies that are looked for.
	minBlock = 16
	// maxBlocks bounds the index over the base: a bigger base is looked at in
	// longer blocks.
	maxBlocks = 1 << 16
	// slotsPerBlock gives each block a slot of its own, mostly.
	slotsPerBlock = 4

	maxInsert = 127     // bytes of one insert instruction
	maxCopy   = 0x10000 // bytes of one copy instruction in a pack of version 2
	maxVarint = 5       // bytes of a size below 2^31

	// contextStep is how many bytes are scanned between two looks at the
	// context.
	contextStep = 1 << 16
)

// makeDelta returns a delta that makes target of base. Both are non-empty and
// below 2^31 bytes.
func makeDelta(ctx context.Context, base, target []byte) ([]byte, error) {
	block := max(minBlock, (len(base)+maxBlocks-1)/maxBlocks)
	index := indexBlocks(base, block)
	delta := appendVarint(appendVarint(nil, len(base)), len(target))

	// Bytes from done up to at are in no instruction yet.
	done, at := 0, 0
	var window rolling
	filled := -1 // the window holds target[filled:filled+block]
	for next := 0; at+block <= len(target); {
		if at >= next {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			next = at + contextStep
		}
		if filled == at-1 && filled >= 0 {
			window.roll(target[at-1], target[at+block-1])
		} else {
			window.fill(target[at : at+block])
		}
		filled = at
		from := int(*index.slot(window)) - 1
		if from < 0 || !bytes.Equal(base[from:from+block], target[at:at+block]) {
			at++
			continue
		}
		start, length := from, block
		for start > 0 && at > done && base[start-1] == target[at-1] {
			start--
			at--
			length++
		}
		length += commonPrefix(base[start+length:], target[at+length:])
		delta = appendInsert(delta, target[done:at])
		delta = appendCopy(delta, start, length)
		at += length
		done = at
	}
	return appendInsert(delta, target[done:]), nil
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// A blockIndex holds by slot one more than the offset of a block; of blocks
// that share a slot, the first. Its length is a power of two.
type blockIndex []int32

func indexBlocks(base []byte, block int) blockIndex {
	index := make(blockIndex, 1<<bits.Len(uint(slotsPerBlock*(len(base)/block))))
	var window rolling
	for i := 0; i+block <= len(base); i += block {
		window.fill(base[i : i+block])
		if slot := index.slot(window); *slot == 0 {
			*slot = int32(i + 1)
		}
	}
	return index
}

func (x blockIndex) slot(window rolling) *int32 {
	mixed := (window.hash ^ window.hash>>15) * 0x9E3779B1
	return &x[uint64(mixed)*uint64(len(x))>>32]
}

// rolling is a polynomial hash of a window that moves by a byte.
type rolling struct {
	hash uint32
	out  uint32 // factor of the byte that leaves
}

const rollingFactor = 0x01000193

func (w *rolling) fill(window []byte) {
	w.hash, w.out = 0, 1
	for i, c := range window {
		w.hash = w.hash*rollingFactor + uint32(c)
		if i > 0 {
			w.out *= rollingFactor
		}
	}
}

func (w *rolling) roll(leaves, enters byte) {
	w.hash = (w.hash-uint32(leaves)*w.out)*rollingFactor + uint32(enters)
}

func appendVarint(b []byte, n int) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

func appendInsert(delta, data []byte) []byte {
	for len(data) > 0 {
		n := min(len(data), maxInsert)
		delta = append(append(delta, byte(n)), data[:n]...)
		data = data[n:]
	}
	return delta
}

// appendCopy writes copies of length bytes of the base from offset on: a byte
// of flags, then those bytes of offset and length that are not zero, lowest
// first. The length 0x10000 is written as zero.
func appendCopy(delta []byte, offset, length int) []byte {
	for length > 0 {
		n := min(length, maxCopy)
		at := len(delta)
		delta = append(delta, 0x80)
		for i := range 4 {
			if c := byte(offset >> (8 * i)); c != 0 {
				delta = append(delta, c)
				delta[at] |= 1 << i
			}
		}
		for i := range 2 {
			if c := byte(n >> (8 * i)); c != 0 {
				delta = append(delta, c)
				delta[at] |= 0x10 << i
			}
		}
		offset += n
		length -= n
	}
	return delta
}

// deltaSizes reads the sizes of base and target at the start of a delta.
func deltaSizes(delta []byte) (base, target int, rest []byte, err error) {
	if base, delta, err = cutVarint(delta); err == nil {
		target, delta, err = cutVarint(delta)
	}
	if err != nil {
		return 0, 0, nil, err
	}
	return base, target, delta, nil
}

func cutVarint(delta []byte) (int, []byte, error) {
	var n uint64
	for i, c := range delta[:min(len(delta), maxVarint)] {
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if n >= 1<<31 {
				break
			}
			return int(n), delta[i+1:], nil
		}
	}
	return 0, nil, malformed("a delta's sizes")
}

// applyDelta returns what delta makes of base, at most limit bytes.
func applyDelta(base, delta []byte, limit int) ([]byte, error) {
	baseSize, targetSize, delta, err := deltaSizes(delta)
	if err != nil {
		return nil, err
	}
	if baseSize != len(base) || targetSize > limit {
		return nil, malformed("a delta's sizes")
	}
	target := make([]byte, 0, targetSize)
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		piece := delta
		switch {
		case op >= 0x80:
			var offset, length int
			if offset, length, delta, err = cutCopy(op, delta); err != nil {
				return nil, err
			}
			if offset < 0 || offset > len(base) || length > len(base)-offset {
				return nil, malformed("a delta copies from beyond its base")
			}
			piece = base[offset : offset+length]
		case op > 0 && int(op) <= len(delta):
			piece, delta = delta[:op], delta[op:]
		default:
			return nil, malformed("a delta's instruction")
		}
		if len(piece) > targetSize-len(target) {
			return nil, malformed("a delta makes more than it says")
		}
		target = append(target, piece...)
	}
	if len(target) != targetSize {
		return nil, malformed("a delta makes less than it says")
	}
	return target, nil
}

// cutCopy reads the offset and length that follow the copy instruction op.
func cutCopy(op byte, delta []byte) (offset, length int, rest []byte, err error) {
	for i := range 7 {
		if op&(1<<i) == 0 {
			continue
		}
		if len(delta) == 0 {
			return 0, 0, nil, malformed("a delta is cut short")
		}
		if i < 4 {
			offset |= int(delta[0]) << (8 * i)
		} else {
			length |= int(delta[0]) << (8 * (i - 4))
		}
		delta = delta[1:]
	}
	if length == 0 {
		length = maxCopy
	}
	return offset, length, delta, nil
}
