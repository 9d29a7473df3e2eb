package ignore

import "strings"

// A segment is the glob of one component of a path, or a "**" that stands for
// several. The runs between its stars are matched without backtracking: the
// first at the start, the last at the end, each other at the leftmost place,
// which leaves most to those that follow. So a match costs at most the product
// of the two lengths, whatever the number of stars.
type segment struct {
	runs []run // one more than there are stars; none for a doubleStar

	doubleStar bool
	least      int // components that a doubleStar matches at least: 0 or 1
}

// A run is a sequence of globs that match one byte each.
type run struct {
	bytes string     // one byte for each, lowered when case is ignored
	sets  []*byteSet // at the same index, for what is not a literal; nil when all are
	fold  bool
}

// parseSegment parses the glob up to the next slash. It returns the length of
// its text without the slash, and the length of the slash, which a backslash
// may quote and which is 0 at the end. It is not ok when no name matches.
func parseSegment(glob string, fold bool) (seg segment, length, slash int, ok bool) {
	if length, slash, ok = parseDoubleStar(glob); ok {
		seg.doubleStar = true
		if slash != 1 {
			// Only "**" and a plain slash match no component at all.
			seg.least = 1
		}
		return seg, length, slash, true
	}
	b := runBuilder{fold: fold}
	i := 0
	for i < len(glob) {
		switch c := glob[i]; c {
		case '/':
			return b.segment(), i, 1, true
		case '*':
			i++
			b.star()
		case '?':
			i++
			b.set(&anyByte)
		case '[':
			set, n, ok := bracket(glob[i+1:], fold)
			if !ok {
				return segment{}, 0, 0, false
			}
			i += 1 + n
			b.set(&set)
		case '\\':
			switch {
			case i+1 == len(glob):
				return segment{}, 0, 0, false
			case glob[i+1] == '/':
				return b.segment(), i, 2, true
			case fold && isUpper(glob[i+1]):
				// Git lowers the name, but not a quoted letter.
				return segment{}, 0, 0, false
			}
			b.literal(glob[i+1])
			i += 2
		default:
			i++
			b.literal(c)
		}
	}
	return b.segment(), i, 0, true
}

// parseDoubleStar recognizes two or more stars that fill a segment.
func parseDoubleStar(glob string) (length, slash int, ok bool) {
	rest := strings.TrimLeft(glob, "*")
	length = len(glob) - len(rest)
	switch {
	case length < 2:
		return 0, 0, false
	case rest == "":
		return length, 0, true
	case rest[0] == '/':
		return length, 1, true
	case strings.HasPrefix(rest, `\/`):
		return length, 2, true
	}
	return 0, 0, false
}

// match reports whether the segment, no doubleStar, matches the whole name.
func (s *segment) match(name string) bool {
	first := &s.runs[0]
	if len(s.runs) == 1 {
		return len(name) == len(first.bytes) && first.match(name)
	}
	last := &s.runs[len(s.runs)-1]
	if len(name) < len(first.bytes)+len(last.bytes) ||
		!last.match(name[len(name)-len(last.bytes):]) || !first.match(name) {
		return false
	}
	name = name[len(first.bytes) : len(name)-len(last.bytes)]
	for i := 1; i < len(s.runs)-1; i++ {
		at := s.runs[i].index(name)
		if at < 0 {
			return false
		}
		name = name[at+len(s.runs[i].bytes):]
	}
	return true
}

// match reports whether the run matches the start of the name, which must not
// be shorter.
func (r *run) match(name string) bool {
	if r.sets == nil {
		return equal(name[:len(r.bytes)], r.bytes, r.fold)
	}
	for i, set := range r.sets {
		switch {
		case set != nil:
			if !set.has(name[i]) {
				return false
			}
		case r.fold:
			if lower(name[i]) != r.bytes[i] {
				return false
			}
		default:
			if name[i] != r.bytes[i] {
				return false
			}
		}
	}
	return true
}

// index returns the leftmost place where the run matches, or -1.
func (r *run) index(name string) int {
	if r.sets == nil && !r.fold {
		return strings.Index(name, r.bytes)
	}
	for at := 0; at+len(r.bytes) <= len(name); at++ {
		if r.match(name[at:]) {
			return at
		}
	}
	return -1
}

// equal compares a name with a literal of the same length, which is lowered
// when case is to be ignored.
func equal(name, literal string, fold bool) bool {
	if !fold {
		return name == literal
	}
	for i := range len(name) {
		if lower(name[i]) != literal[i] {
			return false
		}
	}
	return true
}

// A runBuilder collects the runs of a segment.
type runBuilder struct {
	fold  bool
	runs  []run
	bytes []byte
	sets  []*byteSet
}

func (b *runBuilder) literal(c byte) {
	if b.fold {
		c = lower(c)
	}
	b.bytes = append(b.bytes, c)
	if b.sets != nil {
		b.sets = append(b.sets, nil)
	}
}

func (b *runBuilder) set(s *byteSet) {
	if b.sets == nil {
		b.sets = make([]*byteSet, len(b.bytes), len(b.bytes)+1)
	}
	b.bytes = append(b.bytes, 0)
	b.sets = append(b.sets, s)
}

// star ends a run; stars in a row are as one.
func (b *runBuilder) star() {
	if len(b.runs) > 0 && len(b.bytes) == 0 {
		return
	}
	b.endRun()
}

func (b *runBuilder) endRun() {
	b.runs = append(b.runs, run{bytes: string(b.bytes), sets: b.sets, fold: b.fold})
	b.bytes, b.sets = b.bytes[:0], nil
}

func (b *runBuilder) segment() segment {
	b.endRun()
	return segment{runs: b.runs}
}
