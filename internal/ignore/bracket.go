package ignore

import "strings"

// A byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }
func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }

// addIf adds every byte that the predicate holds for.
func (s *byteSet) addIf(holds func(c byte) bool) {
	for c := range 256 {
		if holds(byte(c)) {
			s.add(byte(c))
		}
	}
}

func (s *byteSet) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

// anyByte is what "?" matches. It is read-only.
var anyByte = byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

// bracket parses the bracket expression whose text follows the "[". It
// returns the bytes that the expression matches and the length of its text
// with the "]". It is not ok when the expression is open, or names a class
// that does not exist: the whole pattern then matches nothing.
//
// Git was observed to hold a name's letter, lowered when case is ignored,
// against a single byte as it stands, so that "[A]" matches neither case,
// and against a range in both cases.
func bracket(text string, fold bool) (set byteSet, length int, ok bool) {
	i := 0
	negated := text != "" && (text[0] == '!' || text[0] == '^')
	if negated {
		i++
	}
	first := i
	low := -1 // the byte that a "-" now makes the low end of a range
	for i < len(text) {
		c := text[i]
		switch {
		case c == ']' && i > first:
			if negated {
				set.invert()
			}
			return set, i + 1, true
		case c == '-' && low >= 0 && i+1 < len(text) && text[i+1] != ']':
			high, n := unescape(text[i+1:])
			set.addRange(byte(low), high, fold)
			low = -1
			i += 1 + n
		case c == '[' && strings.HasPrefix(text[i+1:], ":"):
			name, n := className(text[i+2:])
			switch {
			case n == 0: // no class, but a "[" like other bytes
				set.addByte('[', fold)
				low = '['
				i++
			case set.addClass(name, fold):
				low = -1
				i += 2 + n
			default:
				return byteSet{}, 0, false
			}
		default:
			single, n := unescape(text[i:])
			set.addByte(single, fold)
			low = int(single)
			i += n
		}
	}
	return byteSet{}, 0, false
}

// unescape returns the first byte of text, or the one that a backslash there
// quotes, and the number of bytes taken. A backslash that ends the text runs
// over it by one byte, so the expression is open.
func unescape(text string) (c byte, n int) {
	if text[0] != '\\' {
		return text[0], 1
	}
	if len(text) == 1 {
		return 0, 2
	}
	return text[1], 2
}

// className returns the name of the class whose text follows "[:", and the
// number of bytes up to and with "]". The number is 0 when the next "]" does
// not follow a ":", so that this is no class.
func className(text string) (name string, n int) {
	end := strings.IndexByte(text, ']')
	if end < 1 || text[end-1] != ':' {
		return "", 0
	}
	return text[:end-1], end + 1
}

func (s *byteSet) addByte(c byte, fold bool) {
	if !fold {
		s.add(c)
		return
	}
	s.addIf(func(b byte) bool { return lower(b) == c })
}

// addRange adds the bytes from low to high, none when low is above high: low
// itself was added as a single byte before.
func (s *byteSet) addRange(low, high byte, fold bool) {
	s.addIf(func(c byte) bool {
		if !fold {
			return low <= c && c <= high
		}
		c = lower(c)
		return low <= c && c <= high || isLower(c) && low <= upper(c) && upper(c) <= high
	})
}

// addClass adds the bytes of the POSIX class in the C locale, and reports
// whether there is such a class. Git's [:space:] has neither VT nor FF.
func (s *byteSet) addClass(name string, fold bool) bool {
	var holds func(c byte) bool
	switch name {
	case "alnum":
		holds = func(c byte) bool { return isLetter(c) || isDigit(c) }
	case "alpha":
		holds = isLetter
	case "blank":
		holds = func(c byte) bool { return c == ' ' || c == '\t' }
	case "cntrl":
		holds = func(c byte) bool { return c < ' ' || c == 0x7f }
	case "digit":
		holds = isDigit
	case "graph":
		holds = isGraph
	case "lower":
		holds = isLower
	case "print":
		holds = func(c byte) bool { return c == ' ' || isGraph(c) }
	case "punct":
		holds = func(c byte) bool { return isGraph(c) && !isLetter(c) && !isDigit(c) }
	case "space":
		holds = func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	case "upper":
		holds = func(c byte) bool { return isLetter(c) && (fold || !isLower(c)) }
	case "xdigit":
		holds = func(c byte) bool { return isDigit(c) || 'a' <= lower(c) && lower(c) <= 'f' }
	default:
		return false
	}
	s.addIf(func(c byte) bool {
		if fold {
			c = lower(c)
		}
		return holds(c)
	})
	return true
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isGraph(c byte) bool  { return ' ' < c && c < 0x7f }
func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool { return isLower(c) || isUpper(c) }

func lower(c byte) byte {
	if isUpper(c) {
		return c + ('a' - 'A')
	}
	return c
}

// upper raises a byte that isLower.
func upper(c byte) byte { return c - ('a' - 'A') }
