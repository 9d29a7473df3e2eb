package capture

import (
	"slices"

	"github.com/git-algal/git-algal/capture/internal/linediff"
)

// maxRewritten bounds the unchanged lines that are written again between an
// added line and the one below it that makes it safe.
const maxRewritten = 20

// showingLineEnds makes hunks safe that are not because git apply sees too
// late, or never, that the old text has lines that end in CRLF: an insertion
// above the first of them, or a change far from the only ones. It returns a
// comparison in which one such line is deleted and added again, which changes
// nothing and shows it in time; false if that does not make x safe.
func (x comparison) showingLineEnds() (comparison, bool) {
	if !anyCRLF(x.before) {
		return comparison{}, false
	}
	pairs, doubtful := x.keptPairs()
	isShown := func(p pair) bool { return x.showsLineEnds(p.before) }
	try := func(again []pair) (comparison, bool) {
		y := comparison{x.before, x.after, linediff.Script{
			Deleted: slices.Clone(x.Deleted), Inserted: slices.Clone(x.Inserted),
		}}
		for _, p := range again {
			y.Deleted[p.before], y.Inserted[p.after] = true, true
		}
		return y, y.safe()
	}
	// The nearest line above.
	for k := doubtful - 1; k >= 0; k-- {
		if isShown(pairs[k]) {
			if y, ok := try(pairs[k : k+1]); ok {
				return y, true
			}
			break
		}
	}
	below := slices.IndexFunc(pairs[doubtful:], isShown)
	if below < 0 {
		return comparison{}, false
	}
	// The nearest below, with all that lies between; its deletion then stands
	// above the added line. Without what lies between it stands too late for
	// that line, but not for the file as a whole.
	if below < maxRewritten {
		if y, ok := try(pairs[doubtful : doubtful+below+1]); ok {
			return y, true
		}
	}
	return try(pairs[doubtful+below : doubtful+below+1])
}

// A pair is an unmarked line, by its place in both texts.
type pair struct{ before, after int }

// keptPairs returns the unmarked lines in order, and how many of them stand
// above the first added line that is safe only below a CRLF; above the first
// change where there is no such line.
func (x comparison) keptPairs() (pairs []pair, doubtful int) {
	doubtful, first := -1, -1
	for i, j := 0, 0; i < len(x.before) || j < len(x.after); {
		switch {
		case i < len(x.before) && x.Deleted[i]:
			if first < 0 {
				first = len(pairs)
			}
			i++
		case j < len(x.after) && x.Inserted[j]:
			if first < 0 {
				first = len(pairs)
			}
			if doubtful < 0 && !cleanLine(x.after[j], false) {
				doubtful = len(pairs)
			}
			j++
		default:
			pairs = append(pairs, pair{i, j})
			i++
			j++
		}
	}
	if doubtful < 0 {
		doubtful = first
	}
	return pairs, doubtful
}

// showsLineEnds reports whether a line of the old text ends in CRLF and may be
// added again below itself.
func (x comparison) showsLineEnds(i int) bool {
	return endsInCRLF(x.before[i]) && cleanLine(x.before[i], true)
}
