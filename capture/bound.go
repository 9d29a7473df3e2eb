package capture

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// maxSumBits bounds the table of leastText: 2^20 sums, 4 MiB.
const maxSumBits = 20

// leastText returns a number of bytes that no text patch from before to after
// goes below, by what the lines of both amount to: whatever order they stand
// in, a line that one side has more often takes a line of the patch for each
// time. It reads both once and compares nothing.
//
// Lines are told apart by a hash. Lines that share one can only make the
// number smaller, so which they are, different in every process, never
// refuses what fits; it can make the refusal come later.
func leastText(before, after []byte) int {
	seed := maphash.MakeSeed()
	sumBits := min(bits.Len(uint(len(before)+len(after))), maxSumBits)
	sums := make([]int32, 1<<sumBits)
	add := func(text []byte, sign int32) {
		for len(text) > 0 {
			line := text
			if end := bytes.IndexByte(text, '\n'); end >= 0 {
				line = text[:end+1]
			}
			text = text[len(line):]
			sums[maphash.Bytes(seed, line)>>(64-sumBits)] += sign * int32(len(line)+1) // and its "+" or "-"
		}
	}
	add(before, -1)
	add(after, 1)
	total := 0
	for _, sum := range sums {
		total += int(max(sum, -sum))
	}
	return total
}
