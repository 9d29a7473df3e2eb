package operation

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

func malformed(format string, args ...any) error {
	return fault.New(fault.Malformed, format, args...)
}

// decode reads text as the closed record T that contract names. The error may
// name members of text; an authority's answer goes through decodeAnswer.
func decode[T any](contract string, text []byte) (T, error) {
	record, err := canon.Decode[T](text)
	if err != nil {
		return record, malformed("record %q: %w", contract, err)
	}
	return record, nil
}

// decodeAnswer is decode for texts that an authority chose: the error names
// nothing of it, member names included.
func decodeAnswer[T any](subject string, text []byte) (T, error) {
	record, err := canon.Decode[T](text)
	if err != nil {
		return record, malformed("the answer does not have exactly the members of %s, each of its type", subject)
	}
	return record, nil
}

// stringMember returns the string member name of the object text, for the
// member that decides which record text is.
func stringMember(text []byte, name string) (string, error) {
	members, err := canon.Decode[map[string]jsontext.Value](text)
	if err != nil {
		return "", malformed("the text is no JSON object")
	}
	value, err := canon.Decode[string](members[name])
	if err != nil {
		return "", malformed("member %q is missing or no string", name)
	}
	return value, nil
}
