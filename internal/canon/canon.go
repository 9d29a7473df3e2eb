// Package canon is the one place where JSON is read and written: canonical
// texts (RFC 8785), digests over them, and strict, closed decoding of records
// (contract section 1).
//
// Reading is strict. Invalid UTF-8, a byte order mark, duplicate member names,
// unpaired surrogates, trailing data and numbers that overflow a double are
// refused by [Canonicalize]; unknown, missing and null members are refused by
// [Decode]. Writing gives canonical bytes without a newline.
//
// The tokenizer, the canonical form and the struct mapping are those of
// github.com/go-json-experiment/json, whose strictness is the default rather
// than an option one can forget.
package canon

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrMalformed is wrapped by every error of this package that a text caused.
var ErrMalformed = errors.New("malformed JSON")

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMalformed, fmt.Sprintf(format, args...))
}

// Canonicalize returns the RFC 8785 form of the single JSON value in text.
// The error wraps [ErrMalformed]; it never quotes the text, which may be a
// prompt or an adapter's output.
func Canonicalize(text []byte) ([]byte, error) {
	if err := checkNumbers(text); err != nil {
		return nil, err
	}
	v := jsontext.Value(bytes.Clone(text))
	if err := v.Canonicalize(); err != nil {
		return nil, malformed("%s", withoutText(err))
	}
	return v, nil
}

// checkNumbers walks the tokens for what Value.Canonicalize lets pass: it
// turns a number beyond the doubles, such as 1e400, into the largest double.
func checkNumbers(text []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		token, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return malformed("%s", withoutText(err))
		}
		if token.Kind() != '0' {
			continue
		}
		f, err := strconv.ParseFloat(token.String(), 64)
		if err != nil || math.IsInf(f, 0) {
			return malformed("a number is out of range")
		}
	}
}

// withoutText reduces an error of the json packages to its position: their
// messages quote what they read.
func withoutText(err error) string {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return fmt.Sprintf("invalid at byte %d", syntactic.ByteOffset)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "the text ends early"
	}
	return "the text is not of the expected form"
}

// Encode returns the canonical bytes of v, a record type of this program.
// Strings must be valid UTF-8; that is the only error a record can cause.
func Encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, malformed("%s", withoutText(err))
	}
	return Canonicalize(text)
}

// Decode reads text as the closed record T: exactly the members that T's json
// tags name, each present and none null. A member tagged omitzero may be
// absent; a pointer member without omitzero may be null. Integers may be
// written as any JSON number of integral value in range (1.0, 1e3, -0).
//
// On error the zero T is returned and the error wraps [ErrMalformed]. Bounds
// and patterns of members are the caller's to check.
func Decode[T any](text []byte) (T, error) {
	var record, zero T
	canonical, err := Canonicalize(text)
	if err != nil {
		return zero, err
	}
	if err := checkMembers(canonical, reflect.TypeFor[T](), "record"); err != nil {
		return zero, err
	}
	if err := json.Unmarshal(canonical, &record, json.RejectUnknownMembers(true)); err != nil {
		return zero, malformed("%s", semantic(err))
	}
	return record, nil
}

// semantic names the member that does not fit its type, without its value.
func semantic(err error) string {
	var wrong *json.SemanticError
	if errors.As(err, &wrong) && wrong.JSONPointer != "" {
		return fmt.Sprintf("member %q has a wrong type, range or name", string(wrong.JSONPointer))
	}
	return withoutText(err)
}

// checkMembers refuses missing members and nulls at every depth of t, which
// json.Unmarshal takes for zero values.
func checkMembers(text jsontext.Value, t reflect.Type, subject string) error {
	if t == reflect.TypeFor[jsontext.Value]() {
		return nil
	}
	if text.Kind() == 'n' {
		if t.Kind() == reflect.Pointer {
			return nil
		}
		return malformed("%s is null", subject)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return checkMembers(text, t.Elem(), subject)
	case reflect.Slice, reflect.Array:
		if text.Kind() != '[' {
			return malformed("%s is not an array", subject)
		}
		var elements []jsontext.Value
		if err := json.Unmarshal(text, &elements); err != nil {
			return malformed("%s", semantic(err))
		}
		for i, element := range elements {
			if err := checkMembers(element, t.Elem(), fmt.Sprintf("%s[%d]", subject, i)); err != nil {
				return err
			}
		}
	case reflect.Map, reflect.Struct:
		if text.Kind() != '{' {
			return malformed("%s is not an object", subject)
		}
		var members map[string]jsontext.Value
		if err := json.Unmarshal(text, &members); err != nil {
			return malformed("%s", semantic(err))
		}
		if t.Kind() == reflect.Map {
			for _, member := range members {
				if err := checkMembers(member, t.Elem(), "a member of "+subject); err != nil {
					return err
				}
			}
			return nil
		}
		return checkFields(members, t, subject)
	}
	return nil
}

func checkFields(members map[string]jsontext.Value, t reflect.Type, subject string) error {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous { // its members stand among those of the record
			if err := checkFields(members, field.Type, subject); err != nil {
				return err
			}
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		member, present := members[name]
		optional := options == "omitzero"
		switch {
		case !present && optional:
			continue
		case !present:
			return malformed("member %q is missing", name)
		case member.Kind() == 'n' && optional:
			return malformed("member %q is null", name)
		}
		if err := checkMembers(member, field.Type, fmt.Sprintf("member %q", name)); err != nil {
			return err
		}
	}
	return nil
}

// UTF16Len returns the length of s in UTF-16 code units, the unit of every
// bound in "characters" (contract section 1).
func UTF16Len(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
