package linediff

// slide moves each group of marked lines of one text to the best of the
// places that it can stand in without changing what the script means: a group
// moves up by one where the line above it equals its last line, down where the
// line below it equals its first.
//
// Groups that touch while they move become one. A group that can stand beside
// a change of the other text stands there, as low as possible, so that both
// read as one replacement. Any other goes to the place that reads best
// (indent.go).
func slide(text []string, marked, otherMarked []bool) {
	gaps := occupiedGaps(otherMarked)
	unmarked := 0 // unmarked lines above s
	for s := 0; s < len(text); {
		if !marked[s] {
			unmarked++
			s++
			continue
		}
		g := group{text: text, marked: marked, start: s, end: s, gap: unmarked}
		g.absorbBelow()
		g.settle(gaps)
		s, unmarked = g.end, g.gap
	}
}

// occupiedGaps says for each gap between unmarked lines, the two ends
// included, whether marked lines stand in it. The unmarked lines of both texts
// are the same, so a gap of one text is a gap of the other.
func occupiedGaps(marked []bool) []bool {
	gaps := make([]bool, 1, len(marked)+1)
	for _, m := range marked {
		if m {
			gaps[len(gaps)-1] = true
		} else {
			gaps = append(gaps, false)
		}
	}
	return gaps
}

// A group is a run of marked lines, start up to but without end, with unmarked
// lines or the text's ends around it.
type group struct {
	text       []string
	marked     []bool
	start, end int
	gap        int // unmarked lines above it
}

func (g *group) absorbAbove() {
	for g.start > 0 && g.marked[g.start-1] {
		g.start--
	}
}

func (g *group) absorbBelow() {
	for g.end < len(g.marked) && g.marked[g.end] {
		g.end++
	}
}

func (g *group) up() bool {
	if g.start == 0 || g.text[g.start-1] != g.text[g.end-1] {
		return false
	}
	g.start--
	g.end--
	g.marked[g.start], g.marked[g.end] = true, false
	g.gap--
	g.absorbAbove()
	return true
}

func (g *group) down() bool {
	if g.end == len(g.text) || g.text[g.start] != g.text[g.end] {
		return false
	}
	g.marked[g.start], g.marked[g.end] = false, true
	g.start++
	g.end++
	g.gap++
	g.absorbBelow()
	return true
}

// settle finds the range in which g can stand and puts it in its place.
func (g *group) settle(gaps []bool) {
	highest, beside := g.end, -1
	for size := -1; size != g.end-g.start; {
		size = g.end - g.start
		for g.up() {
		}
		highest, beside = g.end, -1
		if gaps[g.gap] {
			beside = g.end
		}
		for g.down() {
			if gaps[g.gap] {
				beside = g.end
			}
		}
	}
	if highest == g.end {
		return
	}
	target := beside
	if target < 0 {
		target = g.bestEnd(highest)
	}
	for g.end > target && g.up() {
	}
}
