// Package linediff finds which lines differ between two texts, the way a
// reviewer of Git patches expects it: a smallest set of changes, with blocks
// that could stand in several places put where git diff puts them.
//
// The search itself is github.com/sergi/go-diff over one rune a line. Around it
// stand what keeps its cost bounded on hostile input ([Diff]), and the choice
// among equally small answers (slide.go, indent.go). Nothing here depends on
// clocks or map order: the same texts give the same answer on every machine,
// because the patch's digest is compared later.
package linediff

import (
	"context"
	"sort"
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

// A Script says which lines of two texts differ. The lines that are not
// marked are equal in pairs, in order.
type Script struct {
	Deleted  []bool // by line of the old text
	Inserted []bool // by line of the new text
}

// Diff compares two texts given as lines, each with its line end. It returns
// ctx's error as soon as ctx is done; a search then still running ends by
// itself within the time of maxSearch.
func Diff(ctx context.Context, before, after []string) (Script, error) {
	script := Script{make([]bool, len(before)), make([]bool, len(after))}
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	d := differ{ctx: ctx, script: script, work: maxWork}
	ids := map[string]int32{}
	beforeLines, err := d.intern(ids, before, head, tail)
	if err != nil {
		return Script{}, err
	}
	afterLines, err := d.intern(ids, after, head, tail)
	if err != nil {
		return Script{}, err
	}
	if err := d.compare(beforeLines, afterLines); err != nil {
		return Script{}, err
	}
	slide(before, script.Deleted, script.Inserted)
	slide(after, script.Inserted, script.Deleted)
	return script, nil
}

// A line is one line of a text in a search: its place, and the number that
// equal lines share.
type line struct {
	at int32
	id int32
}

type differ struct {
	ctx    context.Context
	script Script
	work   int // steps that searches may still take
}

// internStep is how many lines are numbered between two looks at the context.
const internStep = 1 << 14

// intern numbers the lines of text between its first head and last tail lines.
func (d *differ) intern(ids map[string]int32, text []string, head, tail int) ([]line, error) {
	lines := make([]line, 0, len(text)-head-tail)
	for i, s := range text[head : len(text)-tail] {
		if i%internStep == 0 && d.ctx.Err() != nil {
			return nil, d.ctx.Err()
		}
		id, known := ids[s]
		if !known {
			id = int32(len(ids))
			ids[s] = id
		}
		lines = append(lines, line{int32(head + i), id})
	}
	return lines, nil
}

// compare marks the differing lines of two stretches of the texts.
func (d *differ) compare(before, after []line) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	before, after = trim(before, after)
	// A line that one side lacks can be part of no match. Leaving such lines
	// out changes no answer and makes the rewrite of a whole file cheap.
	counts := tally(before, after)
	before = d.keepShared(d.script.Deleted, before, counts)
	after = d.keepShared(d.script.Inserted, after, counts)
	before, after = trim(before, after)
	switch {
	case len(before) == 0 || len(after) == 0:
		mark(d.script.Deleted, before)
		mark(d.script.Inserted, after)
		return nil
	case d.affords(before, after):
		return d.search(before, after)
	}
	if err := d.ctx.Err(); err != nil {
		return err
	}
	return d.divide(before, after, counts)
}

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

// trim drops the common head and the common tail.
func trim(before, after []line) ([]line, []line) {
	n := 0
	for n < len(before) && n < len(after) && before[n].id == after[n].id {
		n++
	}
	before, after = before[n:], after[n:]
	for len(before) > 0 && len(after) > 0 && before[len(before)-1].id == after[len(after)-1].id {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	return before, after
}

// occurrences counts a line on both sides.
type occurrences struct{ before, after int32 }

func tally(before, after []line) map[int32]occurrences {
	counts := make(map[int32]occurrences, min(len(before), len(after)))
	for _, l := range before {
		c := counts[l.id]
		c.before++
		counts[l.id] = c
	}
	for _, l := range after {
		c := counts[l.id]
		c.after++
		counts[l.id] = c
	}
	return counts
}

// keepShared returns the lines that occur on both sides and marks the others.
func (d *differ) keepShared(marks []bool, lines []line, counts map[int32]occurrences) []line {
	shared := make([]line, 0, len(lines))
	for _, l := range lines {
		if c := counts[l.id]; c.before > 0 && c.after > 0 {
			shared = append(shared, l)
		} else {
			marks[l.at] = true
		}
	}
	return shared
}

func mark(marks []bool, lines []line) {
	for _, l := range lines {
		marks[l.at] = true
	}
}

// search lets go-diff find a smallest set of changes.
//
// A rune stands for a line; go-diff's own numbering, which panics at its
// 1,112,060th distinct line, is not used: see runeOf.
func (d *differ) search(before, after []line) error {
	runes := map[int32]rune{}
	number := func(lines []line) []rune {
		text := make([]rune, len(lines))
		for i, l := range lines {
			r, known := runes[l.id]
			if !known {
				r = runeOf(len(runes))
				runes[l.id] = r
			}
			text[i] = r
		}
		return text
	}
	a, b := number(before), number(after)
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

// divide splits a search that is too big at lines that occur once on both
// sides, and compares the stretches between them.
func (d *differ) divide(before, after []line, counts map[int32]occurrences) error {
	anchors := commonOrder(before, after, counts)
	if len(anchors) == 0 {
		mark(d.script.Deleted, before)
		mark(d.script.Inserted, after)
		return nil
	}
	i, j := 0, 0
	for _, anchor := range append(anchors, pair{len(before), len(after)}) {
		if err := d.compare(before[i:anchor.before], after[j:anchor.after]); err != nil {
			return err
		}
		i, j = anchor.before+1, anchor.after+1
	}
	return nil
}

// A pair is one line on both sides, by its index in each.
type pair struct{ before, after int }

// commonOrder returns the longest sequence of lines that occur once on each
// side and stand in the same order on both.
func commonOrder(before, after []line, counts map[int32]occurrences) []pair {
	unique := occurrences{1, 1}
	place := map[int32]int{}
	for j, l := range after {
		if counts[l.id] == unique {
			place[l.id] = j
		}
	}
	var pairs []pair
	for i, l := range before {
		if counts[l.id] == unique {
			pairs = append(pairs, pair{i, place[l.id]})
		}
	}
	// The pairs are sorted by before; the longest run rising in after is found
	// by piles: ends[n] is the pair on which the best run of n+1 pairs ends.
	var ends []int
	previous := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(ends), func(n int) bool { return pairs[ends[n]].after >= p.after })
		previous[i] = -1
		if n > 0 {
			previous[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	run := make([]pair, len(ends))
	if len(ends) == 0 {
		return run
	}
	for i, n := ends[len(ends)-1], len(ends)-1; n >= 0; i, n = previous[i], n-1 {
		run[n] = pairs[i]
	}
	return run
}
