package canon_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
)

// stricter names the canonical vectors that are refused here (contract
// section 9) and why.
var stricter = map[string]string{
	"escaped lone high surrogate":   "unpaired surrogates are refused",
	"escaped lone low surrogate":    "unpaired surrogates are refused",
	"surrogates in wrong order":     "unpaired surrogates are refused",
	"lone surrogate key":            "unpaired surrogates are refused",
	"duplicate keys: last one wins": "duplicate member names are refused",
	"duplicate keys nested":         "duplicate member names are refused",
}

func TestCanonicalVectors(t *testing.T) {
	text, err := os.ReadFile("../../testdata/vectors/canonical.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Cases []struct {
			Name, Input, Canonical string
			Digest                 canon.Digest
			RFC8785                string       `json:"rfc8785"`
			RFC8785Digest          canon.Digest `json:"rfc8785Digest"`
		}
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range vectors.Cases {
		t.Run(c.Name, func(t *testing.T) {
			digest, canonical, err := canon.DigestCanonical([]byte(c.Input))
			if reason, refused := stricter[c.Name]; refused {
				if !errors.Is(err, canon.ErrMalformed) {
					t.Fatalf("accepted, although %s", reason)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want, wantDigest := c.Canonical, c.Digest
			if c.RFC8785 != "same" {
				want, wantDigest = c.RFC8785, c.RFC8785Digest
			}
			if string(canonical) != want || digest != wantDigest {
				t.Errorf("got %s %s, want %s %s", canonical, digest, want, wantDigest)
			}
		})
	}
}

func TestCanonicalizeRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"empty":             "",
		"blank":             " ",
		"byte order mark":   "\ufeff{}",
		"trailing data":     "{} {}",
		"trailing comma":    "[1,]",
		"invalid UTF-8":     "\"\xff\"",
		"overflow":          "1e400",
		"negative overflow": "[-1e400]",
		"nested overflow":   `{"a":{"b":[1E+309]}}`,
		"leading zero":      "01",
		"comment":           "{}//",
		"single quotes":     "{'a':1}",
		"cut short":         `{"a":`,
		"NaN":               "NaN",
	} {
		if got, err := canon.Canonicalize([]byte(text)); !errors.Is(err, canon.ErrMalformed) || got != nil {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

func TestErrorsQuoteNothing(t *testing.T) {
	for _, text := range []string{`{"secret":secret}`, `{"secret":1,"secret":2}`, `{"n":"secret"}`, `{"secret":"secret`} {
		_, err := canon.Decode[struct {
			N int `json:"n"`
		}]([]byte(text))
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: error is %v", text, err)
		}
	}
}

type inner struct {
	Name string `json:"name"`
}

type counted struct {
	Count int `json:"count"`
}

type sample struct {
	counted
	Items    []inner  `json:"items"`
	Nullable *string  `json:"nullable"`
	Optional *inner   `json:"optional,omitzero"`
	Words    []string `json:"words"`
}

func TestDecode(t *testing.T) {
	const good = `{"count":1e3,"items":[{"name":"a"}],"nullable":null,"words":[]}`
	got, err := canon.Decode[sample]([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if got.Count != 1000 || got.Items[0].Name != "a" || got.Nullable != nil || got.Optional != nil {
		t.Errorf("got %+v", got)
	}
	text, err := canon.Encode(got)
	if err != nil || string(text) != strings.Replace(good, "1e3", "1000", 1) {
		t.Errorf("encoded as %s, %v", text, err)
	}
	for name, text := range map[string]string{
		"missing member":          `{"items":[],"nullable":null,"words":[]}`,
		"missing nullable member": `{"count":1,"items":[],"words":[]}`,
		"unknown member":          `{"count":1,"items":[],"nullable":null,"words":[],"x":1}`,
		"other letter case":       `{"Count":1,"items":[],"nullable":null,"words":[]}`,
		"null member":             `{"count":null,"items":[],"nullable":null,"words":[]}`,
		"null optional member":    `{"count":1,"items":[],"nullable":null,"optional":null,"words":[]}`,
		"null element":            `{"count":1,"items":[null],"nullable":null,"words":[]}`,
		"null string":             `{"count":1,"items":[],"nullable":null,"words":[null]}`,
		"missing nested member":   `{"count":1,"items":[{}],"nullable":null,"words":[]}`,
		"unknown nested member":   `{"count":1,"items":[{"name":"","x":1}],"nullable":null,"words":[]}`,
		"fraction":                `{"count":1.5,"items":[],"nullable":null,"words":[]}`,
		"integer out of range":    `{"count":1e30,"items":[],"nullable":null,"words":[]}`,
		"string for a number":     `{"count":"1","items":[],"nullable":null,"words":[]}`,
		"array for the record":    `[]`,
		"null for the record":     `null`,
		"object for an array":     `{"count":1,"items":{},"nullable":null,"words":[]}`,
		"array for an object":     `{"count":1,"items":[[]],"nullable":null,"words":[]}`,
	} {
		got, err := canon.Decode[sample]([]byte(text))
		if !errors.Is(err, canon.ErrMalformed) {
			t.Errorf("%s: accepted as %+v (%v)", name, got, err)
		}
	}
}

func TestParseDigest(t *testing.T) {
	good := canon.DigestText("x")
	if got, err := canon.ParseDigest(string(good)); err != nil || got != good || len(got.Hex()) != 64 {
		t.Errorf("got %q, %v", got, err)
	}
	for _, s := range []string{"", good.Hex(), "sha1:" + good.Hex(), string(good) + "0", string(good[:70]), strings.ToUpper(string(good)), "sha256:" + strings.Repeat("g", 64), string(good) + "\n"} {
		if _, err := canon.ParseDigest(s); !errors.Is(err, canon.ErrMalformed) {
			t.Errorf("%q accepted", s)
		}
	}
}

func TestUTF16Len(t *testing.T) {
	for s, want := range map[string]int{"": 0, "a": 1, "é": 1, "€": 1, "\uffff": 1, "😀": 2, "a😀": 3} {
		if got := canon.UTF16Len(s); got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	}
}

func FuzzCanonicalize(f *testing.F) {
	for _, seed := range []string{`{"b":1,"a":[true,null,-0,1e21]}`, `"😀"`, `1e400`, `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		once, err := canon.Canonicalize(text)
		if err != nil {
			return
		}
		twice, err := canon.Canonicalize(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%q becomes %q, then %q (%v)", text, once, twice, err)
		}
	})
}
