package gitbinary

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
)

const unlimited = math.MaxInt32

func encode(t testing.TB, before, after []byte) string {
	t.Helper()
	section, err := Encode(context.Background(), before, after, unlimited)
	if err != nil {
		t.Fatal(err)
	}
	return section
}

// checkBothWays fails unless the section leads from before to after and back.
func checkBothWays(t testing.TB, section string, before, after []byte) {
	t.Helper()
	forward, reverse, rest, err := Parse(section + "diff")
	if err != nil || rest != "diff" {
		t.Fatalf("rest %q, %v", rest, err)
	}
	for _, way := range []struct {
		half       Half
		base, want []byte
	}{{forward, before, after}, {reverse, after, before}} {
		got, err := way.half.Apply(way.base, len(way.want))
		if err != nil || !bytes.Equal(got, way.want) {
			t.Fatalf("got %d bytes, want %d, %v", len(got), len(way.want), err)
		}
		if size, err := way.half.TargetSize(); err != nil || size != len(way.want) {
			t.Fatalf("size %d, want %d, %v", size, len(way.want), err)
		}
		if len(way.want) > 0 {
			if _, err := way.half.Apply(way.base, len(way.want)-1); !errors.Is(err, ErrMalformed) {
				t.Fatalf("a result over the limit is accepted: %v", err)
			}
		}
	}
}

func noise(r *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

func TestEncodeGoesBothWays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	big := noise(r, 1<<20)
	moved := append(bytes.Clone(big[1<<18:]), big[:1<<18]...)
	for name, c := range map[string]struct {
		before, after []byte
		atMost        int
	}{
		"nothing to something":    {nil, []byte("\x00a"), 200},
		"something to nothing":    {[]byte("\x00a"), nil, 200},
		"one byte":                {[]byte{0}, []byte{1}, 200},
		"unrelated":               {noise(r, 1000), noise(r, 1000), 3000},
		"a byte in the middle":    {big, append(append(bytes.Clone(big[:1<<18]), 'x'), big[1<<18+1:]...), 2000},
		"a byte in front":         {big, append([]byte{'x'}, big...), 2000},
		"blocks moved":            {big, moved, 3000},
		"repeated bytes":          {bytes.Repeat([]byte{0}, 1<<20), bytes.Repeat([]byte{0}, 1<<20+77), 4000},
		"a copy of maxCopy bytes": {big[:maxCopy], append([]byte("new"), big[:maxCopy]...), 500},
		"one byte more":           {big[:maxCopy+1], append([]byte("new"), big[:maxCopy+1]...), 500},
		"an insert of maxInsert":  {big[:100], append(noise(r, maxInsert), big[:100]...), 600},
		"one byte more inserted":  {big[:100], append(noise(r, maxInsert+1), big[:100]...), 600},
	} {
		t.Run(name, func(t *testing.T) {
			section := encode(t, c.before, c.after)
			checkBothWays(t, section, c.before, c.after)
			if len(section) > c.atMost {
				t.Errorf("takes %d bytes, expected at most %d", len(section), c.atMost)
			}
		})
	}
}

func TestEncodeOfRandomEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 80 {
		before := noise(r, r.IntN(5000))
		after := bytes.Clone(before)
		for range r.IntN(6) {
			at, n := r.IntN(len(after)+1), r.IntN(300)
			piece := noise(r, n)
			if len(before) > 0 && r.IntN(2) == 0 {
				from := r.IntN(len(before))
				piece = before[from:min(len(before), from+n)]
			}
			cut := min(len(after), at+r.IntN(300))
			after = append(append(bytes.Clone(after[:at]), piece...), after[cut:]...)
		}
		checkBothWays(t, encode(t, before, after), before, after)
	}
}

func TestEncodeLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	before, after := noise(r, 4000), noise(r, 4000)
	section := encode(t, before, after)
	for limit, want := range map[int]error{len(section): nil, len(section) - 1: ErrTooLong, len(section) / 2: ErrTooLong, 0: ErrTooLong, -5: ErrTooLong} {
		if got, err := Encode(context.Background(), before, after, limit); !errors.Is(err, want) || err != nil && got != "" {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Encode(ctx, before, after, unlimited); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}

// TestOutputIsPinned fails when a toolchain or a change here makes other bytes
// of the same content. Those would be as good for git apply, but captures
// would no longer equal the ones that were published before.
func TestOutputIsPinned(t *testing.T) {
	var text bytes.Buffer
	for i := range 3000 {
		fmt.Fprintf(&text, "%d: %x\n", i, i*i*7919)
	}
	edited := bytes.Replace(text.Bytes(), []byte("1500: "), []byte("\x001500: "), 1)
	for name, c := range map[string]struct {
		before, after []byte
		want          canon.Digest
	}{
		"literal": {nil, text.Bytes(), "sha256:4be64d48969f1357d32c710599c0d73805e1b4cfdd164cae48848c68ed077a41"},
		"delta":   {text.Bytes(), edited, "sha256:95bdca93bd70beb635d907904fd375fe0878b650976b9befbcb617e14a1d70fd"},
	} {
		if got := canon.DigestText(encode(t, c.before, c.after)); got != c.want {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// TestParseReadsGit reads a section that git diff wrote.
func TestParseReadsGit(t *testing.T) {
	checkBothWays(t, gitSection, []byte("\x00\x01\x02\x03binary\xff"), []byte("\x00\x01\x02\x04binary\xfechanged"))
}

const gitSection = "GIT binary patch\nliteral 18\nZcmZQzWMWCm%u6h){Fj`On3tZK0st^g22}t6\n\nliteral 11\nScmZQzWMWRr%u6h){0{&OR0E3u\n\n"

func TestParseRefuses(t *testing.T) {
	good := gitSection
	for name, section := range map[string]string{
		"no header":             strings.TrimPrefix(good, Header),
		"no reverse direction":  good[:strings.Index(good, "\n\n")+2],
		"cut short":             good[:len(good)-1],
		"unknown method":        strings.Replace(good, "literal", "figural", 1),
		"size with a sign":      strings.Replace(good, "literal ", "literal +", 1),
		"size with a zero":      strings.Replace(good, "literal ", "literal 0", 1),
		"no size":               strings.Replace(good, "literal 18", "literal", 1),
		"size over 31 bits":     strings.Replace(good, "literal 18", "literal 2147483648", 1),
		"line of other length":  strings.Replace(good, "\n", "\nz", 2),
		"digit outside base 85": strings.Replace(good, "cmZ", "cm\"", 1),
		"word over 32 bits":     Header + "literal 4\nD~~~~~\n\nliteral 0\n\n",
	} {
		if section == good {
			t.Fatalf("%s: the case changes nothing", name)
		}
		forward, _, _, err := Parse(section)
		if !errors.Is(err, ErrMalformed) || forward.deflated != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := strings.Replace(good, "literal 18", "literal 19", 1)
	forward, _, _, err := Parse(other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := forward.Apply(nil, 100); !errors.Is(err, ErrMalformed) {
		t.Errorf("a literal of another size than stated: %v", err)
	}
}

func TestApplyDeltaRefuses(t *testing.T) {
	base := []byte("0123456789")
	for name, delta := range map[string]string{
		"empty":                  "",
		"base of another size":   "\x09\x01\x01a",
		"makes more":             "\x0a\x01\x02ab",
		"makes less":             "\x0a\x02\x01a",
		"over the limit":         "\x0a\x7f\x01a",
		"instruction zero":       "\x0a\x01\x00",
		"insert cut short":       "\x0a\x05\x05abc",
		"copy cut short":         "\x0a\x05\x91",
		"copy beyond the base":   "\x0a\x05\x91\x08\x05",
		"copy from far beyond":   "\x0a\x05\x9f\xff\xff\xff\xff\x05",
		"size that never ends":   "\x80\x80\x80\x80\x80\x01",
		"size of over 31 bits":   "\xff\xff\xff\xff\x7f\x01",
		"copy of length 0x10000": "\x0a\x05\x80",
	} {
		if got, err := applyDelta(base, []byte(delta), 100); !errors.Is(err, ErrMalformed) || got != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if got, err := applyDelta(base, []byte("\x0a\x07\x93\x03\x00\x05\x02xy"), 100); err != nil || string(got) != "34567xy" {
		t.Errorf("got %q, %v", got, err)
	}
}

func FuzzEncode(f *testing.F) {
	f.Add([]byte("\x00some binary content that repeats, some binary content"), []byte("\x00some binary content that repeats"))
	f.Add([]byte(nil), []byte{0})
	f.Fuzz(func(t *testing.T, before, after []byte) {
		checkBothWays(t, encode(t, before, after), before, after)
	})
}

func FuzzParse(f *testing.F) {
	f.Add(encode(f, []byte("\x00before"), []byte("\x00after")))
	f.Add(Header + "delta 4\nEcmZQzXHa\n\nliteral 0\n\n")
	f.Fuzz(func(t *testing.T, section string) {
		forward, reverse, rest, err := Parse(section)
		if err != nil {
			if forward.deflated != nil || reverse.deflated != nil || rest != "" {
				t.Fatal("an error comes with a value")
			}
			return
		}
		if !strings.HasSuffix(section, rest) {
			t.Fatalf("rest %q", rest)
		}
		for _, half := range []Half{forward, reverse} {
			if got, err := half.Apply([]byte("base"), 1<<16); err == nil {
				if size, err := half.TargetSize(); err != nil || size != len(got) {
					t.Fatalf("size %d, %v, but %d bytes", size, err, len(got))
				}
			}
		}
	})
}
