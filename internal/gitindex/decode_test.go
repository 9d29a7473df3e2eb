package gitindex_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
)

func TestDecodeReadsWhatTheFormatSays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		for version := 2; version <= 4; version++ {
			want := randomIndex(r, version)
			got, err := gitindex.Decode(encode(want))
			if err != nil {
				t.Fatalf("version %d: %v", version, err)
			}
			if !sameIndex(got, want) {
				t.Fatalf("version %d: got %+v, want %+v", version, got, want)
			}
		}
	}
}

func sameIndex(a, b *gitindex.Index) bool {
	return a.Version == b.Version && a.Trailer == b.Trailer &&
		slices.Equal(a.Extensions, b.Extensions) && slices.Equal(a.Entries, b.Entries)
}

func TestDecodeKeepsNoReferenceToTheData(t *testing.T) {
	data := encode(&gitindex.Index{Version: 4, Entries: entries("a/b", "a/c"), Extensions: []string{"TREE"}})
	x, err := gitindex.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	clear(data)
	if x.Entries[1].Path != "a/c" || x.Extensions[0] != "TREE" {
		t.Errorf("got %+v", x)
	}
}

func TestDecodeJudgesTheTrailer(t *testing.T) {
	for _, trailer := range []gitindex.Trailer{gitindex.TrailerValid, gitindex.TrailerZero, gitindex.TrailerBad} {
		x, err := gitindex.Decode(encode(&gitindex.Index{Version: 2, Entries: entries("a"), Trailer: trailer}))
		if err != nil {
			t.Fatal(err)
		}
		if x.Trailer != trailer {
			t.Errorf("trailer %v reported as %v", trailer, x.Trailer)
		}
	}
}

func TestDecodeShowsNoEntriesUnderMandatoryExtensions(t *testing.T) {
	for _, name := range []string{"link", "sdir", "zzzz", "\xffABC", "0000"} {
		x, err := gitindex.Decode(encode(&gitindex.Index{
			Version:    2,
			Entries:    entries("", "a//b"), // a split index has entries without names
			Extensions: []string{"TREE", name},
		}))
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if x.Entries != nil || !slices.Equal(x.Mandatory(), []string{name}) || !x.Has(name) || x.Has("REUC") {
			t.Errorf("%q: got %+v", name, x)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	valid := encode(&gitindex.Index{Version: 2, Entries: entries("a", "b")})
	body := valid[:len(valid)-20]
	patched := func(offset int, b ...byte) []byte {
		p := slices.Clone(body)
		copy(p[offset:], b)
		return seal(p, gitindex.TrailerValid)
	}
	with := func(version int, es ...gitindex.Entry) []byte {
		return encode(&gitindex.Index{Version: version, Entries: es})
	}
	staged := func(path string, stage uint8) gitindex.Entry {
		e := entries(path)[0]
		e.Stage = stage
		return e
	}
	moded := func(mode uint32) gitindex.Entry {
		e := entries("a")[0]
		e.Mode = mode
		return e
	}
	v4 := encode(&gitindex.Index{Version: 4, Entries: entries("a")})
	extended := moded(gitindex.ModeFile)
	extended.SkipWorktree = true
	v3 := encode(&gitindex.Index{Version: 3, Entries: []gitindex.Entry{extended}})

	for name, data := range map[string][]byte{
		"nothing":                         nil,
		"a header without a trailer":      valid[:12],
		"another signature":               patched(0, []byte("dirc")...),
		"version 1":                       patched(4, u32(1)...),
		"version 5":                       patched(4, u32(5)...),
		"version 2^32-1":                  patched(4, u32(1<<32-1)...),
		"one entry more than there are":   patched(8, u32(3)...),
		"2^32-1 entries":                  patched(8, u32(1<<32-1)...),
		"one entry less than there are":   patched(8, u32(1)...),
		"half an entry":                   seal(slices.Clone(body[:len(body)-20]), gitindex.TrailerValid),
		"padding that is not NUL":         patched(len(body)-1, 'x'),
		"padding cut off":                 seal(slices.Clone(body[:len(body)-3]), gitindex.TrailerValid),
		"a name shorter than its flags":   patched(12+61, 2),
		"a name longer than its flags":    patched(12+61, 0),
		"a name with NUL":                 with(2, entries("a\x00b")...),
		"extended flags in version 2":     patched(12+60, 0x40),
		"the reserved extended flag":      seal(slices.Replace(slices.Clone(v3[:len(v3)-20]), 12+62, 12+63, 0xc0), gitindex.TrailerValid),
		"an unused extended flag":         seal(slices.Replace(slices.Clone(v3[:len(v3)-20]), 12+63, 12+64, 0x01), gitindex.TrailerValid),
		"version 4 removing from nothing": seal(slices.Replace(slices.Clone(v4[:len(v4)-20]), 12+62, 12+63, 1), gitindex.TrailerValid),
		"version 4 without end of name":   seal(slices.Clone(v4[:len(v4)-21]), gitindex.TrailerValid),
		"version 4 with an endless length": seal(append(slices.Clone(v4[:12+62]),
			0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f), gitindex.TrailerValid),
		"descending names":                 with(2, entries("b", "a")...),
		"a name twice":                     with(2, entries("a", "a")...),
		"a stage twice":                    with(2, staged("a", 1), staged("a", 1)),
		"descending stages":                with(2, staged("a", 2), staged("a", 1)),
		"stage 0 beside another":           with(2, staged("a", 0), staged("a", 1)),
		"mode 100664":                      with(2, moded(0o100664)),
		"mode 100600":                      with(2, moded(0o100600)),
		"mode 120777":                      with(2, moded(0o120777)),
		"mode 040000 in a full index":      with(2, moded(0o040000)),
		"mode 0":                           with(2, moded(0)),
		"mode with high bits":              with(2, moded(1<<16|gitindex.ModeFile)),
		"bytes behind the entries":         seal(append(slices.Clone(body), "TREE"...), gitindex.TrailerValid),
		"an extension longer than its due": seal(append(slices.Clone(body), "TREE\x00\x00\x00\x01"...), gitindex.TrailerValid),
		"an extension of 2^32-1 bytes":     seal(append(slices.Clone(body), "TREE\xff\xff\xff\xff"...), gitindex.TrailerValid),
	} {
		if x, err := gitindex.Decode(data); !fault.Is(err, fault.GitFailed) || x != nil {
			t.Errorf("%s: got %+v, %v", name, x, err)
		}
	}
}

func TestDecodeRefusesUnsafePaths(t *testing.T) {
	for _, path := range []string{
		"", "/a", "a/", "a//b", ".", "..", "./a", "a/.", "a/../b", "../a",
		".git", ".git/config", "a/.git", "a/.git/b", ".GIT/config", "a/.Git",
	} {
		if x, err := gitindex.Decode(encode(&gitindex.Index{Version: 2, Entries: entries(path)})); !fault.Is(err, fault.UnsafePath) || x != nil {
			t.Errorf("%q: got %+v, %v", path, x, err)
		}
	}
	for _, path := range []string{"...", ".gitx", "git", ".gi/t", "a/.gitignore", "git~1", ".git ", `.git\x`, "..a", " "} {
		if _, err := gitindex.Decode(encode(&gitindex.Index{Version: 2, Entries: entries(path)})); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestDecodeHoldsItsBounds(t *testing.T) {
	numbered := func(n, length int) []gitindex.Entry {
		paths := make([]string, n)
		for i := range paths {
			paths[i] = fmt.Sprintf("%0*d", length, i)
		}
		return entries(paths...)
	}
	// 4,096 names of 253 bytes and the 3 that each costs are the bound exactly.
	exact := numbered(4096, gitindex.MaxListing/4096-3)
	over := slices.Clone(exact)
	over[4095].Path += "0"
	for name, test := range map[string]struct {
		entries []gitindex.Entry
		want    fault.Condition
	}{
		"entries":               {numbered(gitindex.MaxEntries, 5), 0},
		"entries and one":       {numbered(gitindex.MaxEntries+1, 5), fault.FlaggedIndex},
		"listing":               {exact, 0},
		"listing and one":       {over, fault.OverBound},
		"both bounds":           {numbered(gitindex.MaxEntries+1, 100), fault.OverBound},
		"a path":                {entries(strings.Repeat("p", gitindex.MaxPath)), 0},
		"a path and one":        {entries(strings.Repeat("p", gitindex.MaxPath+1)), fault.UnsafePath},
		"prefixes shared often": {sharing(gitindex.MaxPath-8, 100), fault.OverBound},
	} {
		for version := 2; version <= 4; version++ {
			x, err := gitindex.Decode(encode(&gitindex.Index{Version: version, Entries: test.entries}))
			if test.want != 0 {
				if !fault.Is(err, test.want) || x != nil {
					t.Errorf("%s, version %d: %v", name, version, err)
				}
			} else if err != nil || len(x.Entries) != len(test.entries) {
				t.Errorf("%s, version %d: %v", name, version, err)
			}
		}
	}
}

// sharing returns entries that version 4 compresses a hundredfold.
func sharing(prefix, n int) []gitindex.Entry {
	paths := make([]string, n)
	for i := range paths {
		paths[i] = strings.Repeat("p", prefix) + fmt.Sprintf("%04d", i)
	}
	return entries(paths...)
}

func TestDecodeAllocatesInProportion(t *testing.T) {
	bomb := encode(&gitindex.Index{Version: 4, Entries: sharing(gitindex.MaxPath-8, 100)})
	claims := encode(&gitindex.Index{Version: 2, Entries: entries("a")})
	copy(claims[8:], u32(1<<32-1))
	for name, data := range map[string][]byte{"prefix bomb": bomb, "entry count": claims} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := gitindex.Decode(data)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: decoded", name)
		}
		if got, bound := after.TotalAlloc-before.TotalAlloc, uint64(8*gitindex.MaxListing+4*len(data)); got > bound {
			t.Errorf("%s: %d bytes allocated for %d, bound %d", name, got, len(data), bound)
		}
	}
}

func TestErrorsNameWhatIsWrong(t *testing.T) {
	_, err := gitindex.Decode(encode(&gitindex.Index{Version: 2, Entries: entries("a/.git")}))
	if want := `the index holds the unsafe path "a/.git"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = gitindex.Decode([]byte("DIRC"))
	var f *fault.Error
	if !errors.As(err, &f) || f.Next == "" {
		t.Errorf("%v leaves the reader without a next step", err)
	}
}

func entries(paths ...string) []gitindex.Entry {
	es := make([]gitindex.Entry, len(paths))
	for i, path := range paths {
		es[i] = gitindex.Entry{Path: path, Mode: gitindex.ModeFile}
	}
	return es
}

// FuzzDecode holds that no data makes the decoder panic, and that what it
// takes for an index can be written and read again without a difference.
func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for version := 2; version <= 4; version++ {
		for range 4 {
			f.Add(encode(randomIndex(r, version)))
		}
		f.Add(encode(&gitindex.Index{Version: version, Trailer: gitindex.TrailerBad}))
		f.Add(encode(&gitindex.Index{Version: version, Entries: entries("", ""), Extensions: []string{"link", "sdir"}}))
	}
	f.Add([]byte("DIRC\x00\x00\x00\x02\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		given := bytes.Clone(data)
		x, err := gitindex.Decode(data)
		if !bytes.Equal(data, given) {
			t.Fatal("the data was changed")
		}
		if err != nil {
			if x != nil || fault.CodeOf(err) == "" {
				t.Fatalf("got %+v beside the error %v", x, err)
			}
			return
		}
		if x.Trailer == gitindex.TrailerBad {
			// Make the checksum right, so that mutations get past it.
			x, err = gitindex.Decode(seal(data[:len(data)-20:len(data)-20], gitindex.TrailerValid))
			if err != nil || x.Trailer != gitindex.TrailerValid {
				t.Fatalf("another checksum makes %v", err)
			}
		}
		if len(x.Mandatory()) > 0 {
			if x.Entries != nil {
				t.Fatal("a mandatory extension and entries")
			}
			return
		}
		again, err := gitindex.Decode(encode(x))
		if err != nil || !sameIndex(x, again) {
			t.Fatalf("written and read again: %v\n%+v\n%+v", err, x, again)
		}
		// Decoded entries make a tree, or the error says why not.
		if _, err := gitindex.RootTree(x.Entries, nil); err != nil && !fault.Is(err, fault.FlaggedIndex) && !fault.Is(err, fault.GitFailed) {
			t.Fatal(err)
		}
	})
}

func TestEntryZeroValueOfErrors(t *testing.T) {
	tree, err := gitindex.RootTree(entries("b", "a"), nil)
	if err == nil || !reflect.ValueOf(tree).IsZero() {
		t.Errorf("got %x, %v", tree, err)
	}
}

func BenchmarkDecode(b *testing.B) {
	paths := make([]string, gitindex.MaxEntries)
	for i := range paths {
		paths[i] = fmt.Sprintf("directory-%04d/file-%06d.go", i/16, i)
	}
	for version := 2; version <= 4; version++ {
		data := encode(&gitindex.Index{Version: version, Entries: entries(paths...), Trailer: gitindex.TrailerValid})
		b.Run(fmt.Sprintf("v%d", version), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := gitindex.Decode(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
