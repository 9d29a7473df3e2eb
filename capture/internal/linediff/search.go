package linediff

import (
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

const (
	// maxSearch bounds the work of one search in steps, lines(old) times
	// lines(new) when little matches: under half a second.
	maxSearch = 25_000_000

	// maxWork bounds the searches of one comparison together. A part of the
	// texts that is refused a search is divided at lines that occur once on
	// both sides; where there are none, it counts as changed whole.
	maxWork = 4 * maxSearch

	// maxSearchLines bounds the memory of one search: 32 bytes a line.
	maxSearchLines = 1 << 20

	// inlineSearch is the search, a few milliseconds at most, that is not
	// worth a goroutine to make it interruptible.
	inlineSearch = 250_000
)

// affords reports whether the texts can be searched within the bounds, and
// takes the search from the work that is left. A search costs no more than
// the product of the lengths, nor than their sum times the distance.
func (d *differ) affords(before, after []line) bool {
	cost := len(before) * len(after)
	lines := len(before) + len(after)
	if cost > maxSearch {
		if lines > maxSearchLines || d.work < maxSearch {
			return false
		}
		d.work -= maxSearch
		if !d.closer(before, after, maxSearch/lines) {
			return false
		}
		cost = maxSearch
	}
	if cost > d.work {
		return false
	}
	d.work -= cost
	return true
}

// closer reports whether fewer than limit lines must be deleted and inserted
// to make after of before (E. Myers, An O(ND) difference algorithm, 1986). It
// stops without an answer, false, when the context is done.
func (d *differ) closer(before, after []line, limit int) bool {
	reached := make([]int, 2*limit+3) // by diagonal: lines of before consumed
	center := limit + 1
	for distance := range limit {
		if d.ctx.Err() != nil {
			return false
		}
		for diagonal := -distance; diagonal <= distance; diagonal += 2 {
			x := reached[center+diagonal-1] + 1
			if diagonal == -distance || diagonal != distance && x <= reached[center+diagonal+1] {
				x = reached[center+diagonal+1]
			}
			if distance == 0 {
				x = 0
			}
			y := x - diagonal
			for x < len(before) && y < len(after) && before[x].id == after[y].id {
				x++
				y++
			}
			reached[center+diagonal] = x
			if x >= len(before) && y >= len(after) {
				return true
			}
		}
	}
	return false
}

// search lets go-diff find a smallest set of changes.
//
// A rune stands for a line; go-diff's own numbering, which panics at its
// 1,112,060th distinct line, is not used: see runeOf.
func (d *differ) search(before, after []line) error {
	next := 0
	number := func(lines []line) []rune {
		text := make([]rune, len(lines))
		for i, l := range lines {
			r := &d.runes[l.id]
			if *r == 0 {
				next++
				*r = runeOf(next)
			}
			text[i] = *r
		}
		return text
	}
	a, b := number(before), number(after)
	for _, l := range before {
		d.runes[l.id] = 0
	}
	for _, l := range after {
		d.runes[l.id] = 0
	}
	diffs, err := d.interruptible(len(a)*len(b), func() []diffmatchpatch.Diff {
		engine := diffmatchpatch.New()
		engine.DiffTimeout = 0 // no clock: exact and repeatable
		if (len(a)-len(b))%2 == 0 {
			return engine.DiffMainRunes(a, b, false)
		}
		// Among smallest answers go-diff takes the one on which its two
		// searches meet first. At odd differences the mirrored question
		// meets where git diff does more often (measured).
		diffs := engine.DiffMainRunes(b, a, false)
		for i := range diffs {
			diffs[i].Type = -diffs[i].Type
		}
		return diffs
	})
	if err != nil {
		return err
	}
	for _, diff := range diffs {
		n := utf8.RuneCountInString(diff.Text)
		if diff.Type != diffmatchpatch.DiffInsert {
			if diff.Type == diffmatchpatch.DiffDelete {
				mark(d.script.Deleted, before[:n])
			}
			before = before[n:]
		}
		if diff.Type != diffmatchpatch.DiffDelete {
			if diff.Type == diffmatchpatch.DiffInsert {
				mark(d.script.Inserted, after[:n])
			}
			after = after[n:]
		}
	}
	return nil
}

// runeOf returns the n-th rune that survives the way through a string and back:
// surrogates do not, and the replacement character is their stand-in. There
// are more such runes than maxSearchLines.
func runeOf(n int) rune {
	r := rune(n)
	if r >= 0xD800 {
		r += 0xE000 - 0xD800
	}
	if r >= utf8.RuneError {
		r++
	}
	return r
}

// interruptible runs a search that cannot be stopped beside a context that can
// end: the caller goes on at once, and the search's own bound ends it.
func (d *differ) interruptible(product int, search func() []diffmatchpatch.Diff) ([]diffmatchpatch.Diff, error) {
	if product <= inlineSearch || d.ctx.Done() == nil {
		return search(), nil
	}
	found := make(chan []diffmatchpatch.Diff, 1)
	go func() { found <- search() }()
	select {
	case diffs := <-found:
		return diffs, nil
	case <-d.ctx.Done():
		return nil, d.ctx.Err()
	}
}
