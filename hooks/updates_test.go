package hooks_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/hooks"
	"github.com/git-algal/git-algal/internal/fault"
)

func TestParseUpdates(t *testing.T) {
	sha256 := strings.Repeat("c", 64)
	text := zero + " " + idA + " refs/heads/ä\n" + idA + " " + zero + " HEAD\n" +
		"ref:refs/heads/main ref:refs/heads/side HEAD\n" + sha256 + " " + sha256 + " refs/x\n"
	got, err := hooks.ParseUpdates(strings.NewReader(text))
	want := []hooks.Update{
		{Ref: "refs/heads/ä", Old: zero, New: idA}, {Ref: "HEAD", Old: idA, New: zero},
		{Ref: "HEAD", Old: "ref:refs/heads/main", New: "ref:refs/heads/side"}, {Ref: "refs/x", Old: sha256, New: sha256},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := hooks.ParseUpdates(strings.NewReader("")); got != nil || err != nil {
		t.Errorf("nothing: %v, %v", got, err)
	}
	for _, text := range []string{
		"\n", zero + " " + idA + " refs/x", zero + " " + idA + "\n", zero + " " + idA + " \n", zero + " " + idA + " a b\n",
		zero + "  " + idA + " x\n", "0 0 x\n", strings.ToUpper(idA) + " " + idA + " x\n", zero + " ref: x\n", zero + " " + idA + " x\x00\n",
	} {
		got, err := hooks.ParseUpdates(strings.NewReader(text))
		fails(t, text, err, fault.Malformed)
		if got != nil {
			t.Errorf("%q: %v", text, got)
		}
	}
	_, err = hooks.ParseUpdates(io.MultiReader(strings.NewReader(idA), brokenReader{}))
	fails(t, "a broken pipe", err, fault.HostFailed)
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("broken") }

// TestInputBound holds the bound and one byte more.
func TestInputBound(t *testing.T) {
	line := zero + " " + idA + " refs/heads/" + strings.Repeat("x", 64<<10-2*41-len("refs/heads/\n")) + "\n"
	const lineBytes = 64 << 10
	if len(line) != lineBytes {
		t.Fatalf("a line has %d bytes", len(line))
	}
	const lines = 1 << 10
	got, err := hooks.ParseUpdates(repeated(line, lines))
	if err != nil || len(got) != lines {
		t.Errorf("%d updates, %v", len(got), err)
	}
	_, err = hooks.ParseUpdates(io.MultiReader(repeated(line, lines), strings.NewReader("\n")))
	fails(t, "one byte more", err, fault.OverBound)
}

// repeated reads as n lines.
func repeated(line string, n int) io.Reader {
	var readers []io.Reader
	for range n {
		readers = append(readers, strings.NewReader(line))
	}
	return io.MultiReader(readers...)
}

func TestParsePushes(t *testing.T) {
	text := "refs/heads/main " + idA + " refs/heads/main " + zero + "\n" +
		"(delete) " + zero + " refs/heads/x " + idB + "\n" + ":/a few words " + idA + " refs/heads/y " + idB + "\n"
	got, err := hooks.ParsePushes(strings.NewReader(text))
	want := []hooks.Push{
		{LocalRef: "refs/heads/main", LocalID: idA, RemoteRef: "refs/heads/main", RemoteID: zero},
		{LocalRef: "(delete)", LocalID: zero, RemoteRef: "refs/heads/x", RemoteID: idB},
		{LocalRef: ":/a few words", LocalID: idA, RemoteRef: "refs/heads/y", RemoteID: idB},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, text := range []string{"\n", "x\n", " " + idA + " r " + idB + "\n", "l " + idA + " r\n", "l 1 r " + idA + "\n", "l " + idA + " r " + idB} {
		_, err := hooks.ParsePushes(strings.NewReader(text))
		fails(t, text, err, fault.Malformed)
	}
}

func FuzzParseUpdates(f *testing.F) {
	f.Add(zero + " " + idA + " refs/heads/main\n")
	f.Add("ref:refs/heads/main " + idA + " HEAD\n" + idA + " " + zero + " refs/tags/t\n")
	f.Add("\n")
	f.Fuzz(func(t *testing.T, text string) {
		updates, err := hooks.ParseUpdates(strings.NewReader(text))
		if err != nil {
			if updates != nil || !fault.Is(err, fault.Malformed) {
				t.Errorf("%v, %v", updates, err)
			}
			return
		}
		var again strings.Builder
		for _, u := range updates {
			again.WriteString(u.Old + " " + u.New + " " + u.Ref + "\n")
		}
		if again.String() != text {
			t.Errorf("%q is read as %q", text, again.String())
		}
	})
}

func FuzzParsePushes(f *testing.F) {
	f.Add("refs/heads/main " + idA + " refs/heads/main " + zero + "\n")
	f.Add(":/a b " + idA + " refs/x " + idB + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		pushes, err := hooks.ParsePushes(strings.NewReader(text))
		if err != nil {
			if pushes != nil || !fault.Is(err, fault.Malformed) {
				t.Errorf("%v, %v", pushes, err)
			}
			return
		}
		var again strings.Builder
		for _, p := range pushes {
			again.WriteString(p.LocalRef + " " + p.LocalID + " " + p.RemoteRef + " " + p.RemoteID + "\n")
		}
		if again.String() != text {
			t.Errorf("%q is read as %q", text, again.String())
		}
	})
}
