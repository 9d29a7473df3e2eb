package linediff

import "sort"

// divide splits a search that is too big at lines that occur once on both
// sides, and compares the stretches between them.
func (d *differ) divide(before, after []line) error {
	anchors := d.commonOrder(before, after)
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
func (d *differ) commonOrder(before, after []line) []pair {
	forget := d.tally(before, after)
	defer forget()
	unique := occurrences{1, 1}
	place := map[int32]int{}
	for j, l := range after {
		if d.counts[l.id] == unique {
			place[l.id] = j
		}
	}
	var pairs []pair
	for i, l := range before {
		if d.counts[l.id] == unique {
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
