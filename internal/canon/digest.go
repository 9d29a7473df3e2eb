package canon

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const (
	digestPrefix = "sha256:"
	digestHexLen = 2 * sha256.Size
)

// A Digest is "sha256:" and 64 lower-case hexadecimal digits. A Digest from
// outside comes through [ParseDigest]; the others are computed.
type Digest string

// ParseDigest returns s as a Digest, or an error that wraps [ErrMalformed].
func ParseDigest(s string) (Digest, error) {
	hexDigits, found := strings.CutPrefix(s, digestPrefix)
	if !found || len(hexDigits) != digestHexLen {
		return "", malformed("not a sha256 digest")
	}
	for _, c := range []byte(hexDigits) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", malformed("not a sha256 digest")
		}
	}
	return Digest(s), nil
}

// Hex returns the digest's 64 hexadecimal digits, which name files.
func (d Digest) Hex() string { return strings.TrimPrefix(string(d), digestPrefix) }

// Valid reports whether d has the form of a digest.
func (d Digest) Valid() bool {
	_, err := ParseDigest(string(d))
	return err == nil
}

// DigestText returns the digest over the UTF-8 bytes of text.
func DigestText[T string | []byte](text T) Digest {
	return FromSum(sha256.Sum256([]byte(text)))
}

// FromSum returns the digest of a SHA-256 that was computed elsewhere, for
// instance while a file was read.
func FromSum(sum [sha256.Size]byte) Digest {
	return Digest(digestPrefix + hex.EncodeToString(sum[:]))
}

// DigestCanonical returns the digest over the canonical form of text and that
// form. The error wraps [ErrMalformed].
func DigestCanonical(text []byte) (Digest, []byte, error) {
	canonical, err := Canonicalize(text)
	if err != nil {
		return "", nil, err
	}
	return DigestText(canonical), canonical, nil
}

// DigestOf returns the digest over the canonical form of the record v, and
// that form; see [Encode].
func DigestOf(v any) (Digest, []byte, error) {
	text, err := Encode(v)
	if err != nil {
		return "", nil, err
	}
	return DigestText(text), text, nil
}
