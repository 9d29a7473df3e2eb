package linediff

import (
	"context"
	"hash/maphash"
	"math/bits"
)

// A line is one line of a text in a search: its place, and the number that
// equal lines share.
type line struct {
	at int32
	id int32
}

// A numbering gives equal lines the same number and others the next one. It
// does what a map of strings would, in a fraction of the memory and time: a
// changed file can have a million different lines. The hash, different in
// every process, decides no number.
type numbering struct {
	seed  maphash.Seed
	slots []int32  // one more than a number, 0 where free; a power of two of them
	texts []string // by number
}

// newNumbering returns a numbering for up to n lines.
func newNumbering(n int) *numbering {
	return &numbering{
		seed:  maphash.MakeSeed(),
		slots: make([]int32, 2<<bits.Len(uint(n))),
	}
}

func (n *numbering) number(text string) int32 {
	mask := uint64(len(n.slots) - 1)
	for i := maphash.String(n.seed, text) & mask; ; i = (i + 1) & mask {
		switch id := n.slots[i] - 1; {
		case id < 0:
			n.texts = append(n.texts, text)
			n.slots[i] = int32(len(n.texts))
			return n.slots[i] - 1
		case n.texts[id] == text:
			return id
		}
	}
}

// contextStep is how many lines are numbered between two looks at the context.
const contextStep = 1 << 14

// of returns the lines of a text, or ctx's error.
func (n *numbering) of(ctx context.Context, text []string) ([]line, error) {
	lines := make([]line, len(text))
	for i, s := range text {
		if i%contextStep == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		lines[i] = line{int32(i), n.number(s)}
	}
	return lines, nil
}
