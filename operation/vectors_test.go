package operation_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

// readVectors decodes a file of recorded vectors into target.
func readVectors(t testing.TB, name string, target any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, target); err != nil {
		t.Fatal(err)
	}
}

// verdict is how a vector says whether a text is accepted.
type verdict struct {
	Name            string
	Accept          bool
	CanonicalDigest canon.Digest
	CanonicalBytes  int
	Error           struct{ Code fault.Code }
}

// holds compares a Parse's result with the verdict. canonical is nil unless it
// accepted.
func (v verdict) holds(t *testing.T, canonical []byte, err error) {
	t.Helper()
	switch {
	case !v.Accept && err == nil:
		t.Errorf("accepted, want %s", v.Error.Code)
	case !v.Accept && fault.CodeOf(err) != v.Error.Code:
		t.Errorf("refused with %q (%v), want %s", fault.CodeOf(err), err, v.Error.Code)
	case v.Accept && err != nil:
		t.Errorf("refused: %v", err)
	case v.Accept && canon.DigestText(canonical) != v.CanonicalDigest:
		t.Errorf("canonical bytes have digest %s, want %s", canon.DigestText(canonical), v.CanonicalDigest)
	case v.Accept && len(canonical) != v.CanonicalBytes:
		t.Errorf("%d canonical bytes, want %d", len(canonical), v.CanonicalBytes)
	}
}

var repeated = regexp.MustCompile(`^(?:"(.)"|'(.)'|(newline)) repeated (\d+) times`)

// repeatedText interprets the vectors' descriptions of long texts.
func repeatedText(t testing.TB, description string) string {
	t.Helper()
	m := repeated.FindStringSubmatch(description)
	if m == nil {
		t.Fatalf("description %q is not understood", description)
	}
	unit := m[1] + m[2]
	if m[3] != "" {
		unit = "\n"
	}
	return strings.Repeat(unit, number(t, m[4]))
}

func number(t testing.TB, digits string) int {
	t.Helper()
	n, err := strconv.Atoi(digits)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var (
	nulls  = regexp.MustCompile(`^array of (\d+) nulls$`)
	keys   = regexp.MustCompile(`^object with keys k000\.\.k\d+ mapped to 0\.\.(\d+)$`)
	oneKey = regexp.MustCompile(`^object with one key: (.+), value 1$`)
	count  = regexp.MustCompile(`^(?:array whose entries are arrays of 256 nulls, .* is|same construction, count) (\d+)$`)
)

// generatedPayload interprets the request vectors' descriptions.
func generatedPayload(t testing.TB, description string) string {
	t.Helper()
	if m := nulls.FindStringSubmatch(description); m != nil {
		return arrayOfNulls(number(t, m[1]))
	}
	if m := keys.FindStringSubmatch(description); m != nil {
		var members []string
		for i := range number(t, m[1]) + 1 {
			members = append(members, fmt.Sprintf(`"k%03d":%d`, i, i))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	if m := oneKey.FindStringSubmatch(description); m != nil {
		return `{"` + repeatedText(t, m[1]) + `":1}`
	}
	if m := count.FindStringSubmatch(description); m != nil {
		return nestedNulls(number(t, m[1]))
	}
	if text, found := strings.CutPrefix(description, "string: "); found {
		quoted, err := json.Marshal(repeatedText(t, text))
		if err != nil {
			t.Fatal(err)
		}
		return string(quoted)
	}
	t.Fatalf("description %q is not understood", description)
	return ""
}

func arrayOfNulls(n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat("null,", n), ",") + "]"
}

// nestedNulls returns an array of arrays with n values in all, itself and the
// inner arrays included.
func nestedNulls(n int) string {
	const perEntry = 1 + 256
	var entries []string
	for n--; n >= perEntry; n -= perEntry {
		entries = append(entries, arrayOfNulls(256))
	}
	switch n {
	case 0:
	case 1:
		entries = append(entries, "null")
	default:
		entries = append(entries, arrayOfNulls(n-1))
	}
	return "[" + strings.Join(entries, ",") + "]"
}

// testBinding is the binding of every sample in this package.
func testBinding() operation.Binding {
	return operation.Binding{
		OperationID:   "repair-001",
		AuthorityID:   "ledger-001",
		RequestDigest: canon.DigestText(`{"prompt":"Repair"}`),
	}
}

var (
	acceptance = canon.DigestText("acceptance")
	otherRef   = canon.DigestText("another acceptance")
	job        = canon.DigestText("job")
)

// must returns v, or ends the program: samples are valid by construction.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
