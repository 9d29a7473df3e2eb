package operation

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
)

// Bounds of a request's payload (contract section 2). They let an adapter
// parse a payload with fixed memory and without deep recursion.
const (
	MaxPayloadBytes       = 1_048_576 // canonical
	MaxPayloadStringBytes = 1_048_576 // UTF-8 bytes of all strings and keys, unescaped
	MaxPayloadDepth       = 16        // the payload itself is at depth 0
	MaxPayloadValues      = 16_384    // the payload, its arrays and objects count; keys don't
	MaxPayloadArray       = 256       // values per array
	MaxPayloadObject      = 64        // members per object
	MaxPayloadKeyBytes    = 256       // UTF-8 bytes per key
)

// canonicalPayload returns the canonical form of a payload within bounds and
// its digest, which is what a binding's request digest must be.
func canonicalPayload(payload jsontext.Value) (jsontext.Value, canon.Digest, error) {
	if err := checkStructure(payload); err != nil {
		return nil, "", err
	}
	digest, canonical, err := canon.DigestCanonical(payload)
	if err != nil {
		return nil, "", malformed("payload: %w", err)
	}
	if len(canonical) > MaxPayloadBytes {
		return nil, "", malformed("payload has %d canonical bytes, more than %d", len(canonical), MaxPayloadBytes)
	}
	return canonical, digest, nil
}

// checkStructure holds every token of payload to the structural bounds. What
// is wrong with the JSON itself is left to canon, whose errors quote nothing.
func checkStructure(payload jsontext.Value) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(payload))
	values, stringBytes := 0, 0
	for {
		depth := decoder.StackDepth()
		container, index := decoder.StackIndex(depth)
		token, err := decoder.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return malformed("payload is not JSON")
		case token.Kind() == jsontext.KindEndArray || token.Kind() == jsontext.KindEndObject:
			continue
		}
		if token.Kind() == jsontext.KindString {
			if stringBytes += len(token.String()); stringBytes > MaxPayloadStringBytes {
				return malformed("payload has more than %d bytes of strings and keys", MaxPayloadStringBytes)
			}
		}
		if isKey := container == jsontext.KindBeginObject && index%2 == 0; isKey {
			if index/2 == MaxPayloadObject {
				return malformed("payload has an object of more than %d members", MaxPayloadObject)
			}
			if len(token.String()) > MaxPayloadKeyBytes {
				return malformed("payload has a key of more than %d bytes", MaxPayloadKeyBytes)
			}
			continue
		}
		if depth > MaxPayloadDepth {
			return malformed("payload is nested deeper than %d", MaxPayloadDepth)
		}
		if container == jsontext.KindBeginArray && index == MaxPayloadArray {
			return malformed("payload has an array of more than %d values", MaxPayloadArray)
		}
		if values++; values > MaxPayloadValues {
			return malformed("payload has more than %d values", MaxPayloadValues)
		}
	}
}
