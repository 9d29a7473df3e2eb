// Package linediff finds which lines differ between two texts, the way a
// reviewer of Git patches expects it: a smallest set of changes, with blocks
// that could stand in several places put where git diff puts them.
//
// The search itself is github.com/sergi/go-diff over one rune a line (search.go).
// Around it stand the numbering of lines (numbering.go), what keeps the cost
// bounded on hostile input (divide.go), and the choice among equally small
// answers (slide.go, indent.go). Nothing depends on clocks, map order or hash
// seeds: the same texts give the same answer on every machine, because the
// patch's digest is compared later.
package linediff

import "context"

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
	numbers := newNumbering(len(before) + len(after) - 2*(head+tail))
	middleBefore, err := numbers.of(ctx, before[head:len(before)-tail])
	if err != nil {
		return Script{}, err
	}
	middleAfter, err := numbers.of(ctx, after[head:len(after)-tail])
	if err != nil {
		return Script{}, err
	}
	d := differ{
		ctx:    ctx,
		script: Script{script.Deleted[head:], script.Inserted[head:]},
		work:   maxWork,
		counts: make([]occurrences, len(numbers.texts)),
		runes:  make([]rune, len(numbers.texts)),
	}
	if err := d.compare(middleBefore, middleAfter); err != nil {
		return Script{}, err
	}
	slide(before, script.Deleted, script.Inserted)
	slide(after, script.Inserted, script.Deleted)
	return script, nil
}

type differ struct {
	ctx    context.Context
	script Script
	work   int // steps that searches may still take

	// By a line's number, zero between uses.
	counts []occurrences
	runes  []rune
}

// compare marks the differing lines of two stretches of the texts.
func (d *differ) compare(before, after []line) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	before, after = trim(before, after)
	// A line that one side lacks can be part of no match. Leaving such lines
	// out changes no answer and makes the rewrite of a whole file cheap.
	forget := d.tally(before, after)
	sharedBefore := d.keepShared(d.script.Deleted, before)
	sharedAfter := d.keepShared(d.script.Inserted, after)
	forget()
	before, after = trim(sharedBefore, sharedAfter)
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
	return d.divide(before, after)
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

// tally counts the lines of both sides; what it returns takes the counts back.
// It must be called before the stretches are changed.
func (d *differ) tally(before, after []line) (forget func()) {
	for _, l := range before {
		d.counts[l.id].before++
	}
	for _, l := range after {
		d.counts[l.id].after++
	}
	return func() {
		for _, l := range before {
			d.counts[l.id] = occurrences{}
		}
		for _, l := range after {
			d.counts[l.id] = occurrences{}
		}
	}
}

// keepShared returns the lines that occur on both sides, and marks the others.
func (d *differ) keepShared(marks []bool, lines []line) []line {
	shared := make([]line, 0, len(lines))
	for _, l := range lines {
		if c := d.counts[l.id]; c.before > 0 && c.after > 0 {
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
