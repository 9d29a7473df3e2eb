package ignore

import "strings"

// A rule is a compiled pattern. What it is held against, the text, is the
// name of an entry, or for an anchored rule the path from the directory of
// the pattern file on.
type rule struct {
	negated, dirOnly, anchored bool

	prefix string    // the bytes before the first special one, lowered when fold
	rest   []segment // for the text after the prefix; nil when that must be empty
	fold   bool

	// disputed marks that a "**" follows a prefix within a component. By the
	// manual it is a regular asterisk; git matches what follows the prefix as
	// if it were a path of its own, which "**" at its start may cross.
	disputed bool
}

// compileRule is not ok when the pattern can match nothing.
func compileRule(p pattern, fold bool) (r rule, ok bool) {
	r = rule{negated: p.negated, dirOnly: p.dirOnly, anchored: p.anchored, fold: fold}
	r.prefix = p.glob
	if special := strings.IndexAny(p.glob, `*?[\`); special >= 0 {
		r.prefix = p.glob[:special]
		r.rest, ok = parseSegments(p.glob[special:], fold)
		if !ok {
			return rule{}, false
		}
		r.disputed = p.anchored && r.prefix != "" && !strings.HasSuffix(r.prefix, "/") && r.rest[0].doubleStar
	}
	if fold {
		r.prefix = lowerString(r.prefix)
	}
	return r, true
}

func parseSegments(glob string, fold bool) (segs []segment, ok bool) {
	for {
		seg, length, slash, ok := parseSegment(glob, fold)
		if !ok {
			return nil, false
		}
		segs = append(segs, seg)
		if slash == 0 {
			return segs, true
		}
		glob = glob[length+slash:]
	}
}

// literal reports whether the rule matches one text only, its prefix.
func (r *rule) literal() bool { return r.rest == nil }

func (r *rule) match(text string) bool {
	n := len(r.prefix)
	if len(text) < n || !equal(text[:n], r.prefix, r.fold) {
		return false
	}
	if r.rest == nil {
		return len(text) == n
	}
	return matchSegments(r.rest, text[n:])
}

// matchSegments matches the components of a path one by one. On a mismatch
// the last doubleStar, and only that one, takes one component more: what comes
// before it needs the same components however they are chosen, so the leftmost
// choice leaves most to the rest.
func matchSegments(segs []segment, path string) bool {
	// A position is the start of a component; beyond len(path) there is none
	// left. An empty path has one component, which is empty.
	at, i := 0, 0
	retry, retryAt := -1, 0
	for {
		switch {
		case i < len(segs) && segs[i].doubleStar:
			for range segs[i].least {
				if at > len(path) {
					return false
				}
				at = endOfComponent(path, at) + 1
			}
			i++
			if i == len(segs) {
				return true
			}
			retry, retryAt = i, at
			continue
		case i == len(segs) && at > len(path):
			return true
		case i < len(segs) && at <= len(path):
			end := endOfComponent(path, at)
			if segs[i].match(path[at:end]) {
				i++
				at = end + 1
				continue
			}
		}
		if retry < 0 || retryAt > len(path) {
			return false
		}
		retryAt = endOfComponent(path, retryAt) + 1
		i, at = retry, retryAt
	}
}

func endOfComponent(path string, at int) int {
	if n := strings.IndexByte(path[at:], '/'); n >= 0 {
		return at + n
	}
	return len(path)
}

func lowerString(s string) string {
	return string(appendLower(nil, s))
}

func appendLower(dst []byte, s string) []byte {
	for i := range len(s) {
		dst = append(dst, lower(s[i]))
	}
	return dst
}
