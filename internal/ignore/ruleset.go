package ignore

import "strings"

// A verdict is what a pattern file says about an entry.
type verdict int

const (
	silent verdict = iota // no pattern matches
	ignored
	included // the pattern that decides is negated
)

// A ruleSet holds the rules of one pattern file. The last one that matches
// decides. Literal rules, which a long file mostly consists of, are found by
// lookup, the others are tried one by one.
type ruleSet struct {
	rules []rule
	globs []int           // indexes of the rules that are no literals, ascending
	names map[string]last // literal rules for names
	paths map[string]last // literal, anchored rules for paths
	fold  bool

	disputed string // the first such pattern; "" for none
}

// last holds the indexes of the last rule for a literal that matches every
// kind of entry, and of the last that matches directories only; -1 for none.
type last struct {
	entry, dir int
}

func compile(data []byte, fold bool) ruleSet {
	s := ruleSet{fold: fold}
	for p := range patterns(string(data)) {
		r, ok := compileRule(p, fold)
		if !ok {
			continue
		}
		if r.disputed && s.disputed == "" {
			s.disputed = p.glob
		}
		index := len(s.rules)
		s.rules = append(s.rules, r)
		switch {
		case !r.literal():
			s.globs = append(s.globs, index)
		case r.anchored:
			s.paths = remember(s.paths, r, index)
		default:
			s.names = remember(s.names, r, index)
		}
	}
	return s
}

func remember(m map[string]last, r rule, index int) map[string]last {
	if m == nil {
		m = make(map[string]last)
	}
	l, ok := m[r.prefix]
	if !ok {
		l = last{entry: -1, dir: -1}
	}
	if r.dirOnly {
		l.dir = index
	} else {
		l.entry = index
	}
	m[r.prefix] = l
	return m
}

// match returns what the file says about the entry whose path, from the
// file's directory on, is given.
func (s *ruleSet) match(path string, isDir bool) verdict {
	name := path[strings.LastIndexByte(path, '/')+1:]
	decisive := max(s.lookup(s.names, name, isDir), s.lookup(s.paths, path, isDir))
	for i := len(s.globs) - 1; i >= 0 && s.globs[i] > decisive; i-- {
		r := &s.rules[s.globs[i]]
		if r.dirOnly && !isDir {
			continue
		}
		text := name
		if r.anchored {
			text = path
		}
		if r.match(text) {
			decisive = s.globs[i]
		}
	}
	switch {
	case decisive < 0:
		return silent
	case s.rules[decisive].negated:
		return included
	}
	return ignored
}

// lookup returns the index of the last literal rule for the text, or -1.
func (s *ruleSet) lookup(m map[string]last, text string, isDir bool) int {
	if len(m) == 0 {
		return -1
	}
	l, ok := m[text]
	if s.fold {
		var buf [256]byte // longer than a name can be; a path may need more
		l, ok = m[string(appendLower(buf[:0], text))]
	}
	switch {
	case !ok:
		return -1
	case isDir:
		return max(l.entry, l.dir)
	}
	return l.entry
}
