package operation

// MaxIdentityLen bounds an identity in characters, which are bytes: it is
// ASCII (contract section 4).
const MaxIdentityLen = 160

// An Identity names an operation or an authority. It matches
// [A-Za-z0-9][A-Za-z0-9._:-]{0,159}.
//
// An authority's identity belongs to one incarnation of its ledger: a ledger
// that was restored without keys it had accepted must take another one.
type Identity string

// ParseIdentity returns s as an Identity, or a fault.Malformed error.
func ParseIdentity(s string) (Identity, error) {
	if len(s) == 0 || len(s) > MaxIdentityLen {
		return "", malformed("an identity has 1 to %d characters, not %d", MaxIdentityLen, len(s))
	}
	for i, c := range []byte(s) {
		switch {
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case i > 0 && (c == '.' || c == '_' || c == ':' || c == '-'):
		default:
			return "", malformed("an identity consists of ASCII letters, digits and, after the first, %q", "._:-")
		}
	}
	return Identity(s), nil
}
