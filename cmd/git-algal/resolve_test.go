//go:build linux || darwin

package main

import (
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

func TestParseReference(t *testing.T) {
	digits := strings.Repeat("0123456789abcdef", 4)
	for _, test := range []struct {
		word string
		want reference
	}{
		{digestPrefix + digits, reference{job: canon.Digest(digestPrefix + digits)}},
		{digits, reference{job: canon.Digest(digestPrefix + digits)}},
		{digits[:63], reference{prefix: digits[:63]}},
		{"abcdef", reference{prefix: "abcdef"}},
		{"sha256:abcdef", reference{prefix: "abcdef"}},
		{"abcde", reference{operation: "abcde"}},
		{"ABCDEF", reference{operation: "ABCDEF"}},
		{digits + "0", reference{operation: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0"}},
		{"op:abcdef", reference{operation: "abcdef"}},
		{"op:" + digits, reference{operation: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}},
		{"a1-0123456789abcdef0123456789abcdef", reference{operation: "a1-0123456789abcdef0123456789abcdef"}},
	} {
		got, err := parseReference(test.word)
		if err != nil || got != test.want {
			t.Errorf("%q gives %+v, %v", test.word, got, err)
		}
	}
	for _, word := range []string{"", "op:", "-x", "sha256:abcde", "sha256:ABCDEF", "sha256:" + digits + "0", "a b", "op:ä", strings.Repeat("x", 161)} {
		if got, err := parseReference(word); !fault.Is(err, fault.Usage) || got != (reference{}) {
			t.Errorf("%q gives %+v, %v; want an error of usage", word, got, err)
		}
	}
}

func TestChoose(t *testing.T) {
	one := candidate{canon.DigestText("one"), "first"}
	two := candidate{canon.DigestText("two"), ""}
	if job, err := choose("x", []candidate{one}); err != nil || job != one.job {
		t.Errorf("the only candidate: %q, %v", job, err)
	}
	_, err := choose("x", []candidate{one, two})
	e, ok := fault.Of(err)
	if !ok || e.Condition != fault.Usage {
		t.Fatalf("two candidates: %v", err)
	}
	for _, want := range []string{shortID(one.job), "op:first", shortID(two.job)} {
		if !strings.Contains(e.Next, want) {
			t.Errorf("the candidates are %q, without %q", e.Next, want)
		}
	}
}
