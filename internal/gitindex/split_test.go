package gitindex_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
)

func TestFormatIsReadAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		want := randomIndex(r, 3).Entries
		x, err := gitindex.Decode(gitindex.Format(want, false))
		if err != nil || !slices.Equal(x.Entries, want) || x.Version != 3 || x.Trailer != gitindex.TrailerValid || x.Extensions != nil {
			t.Fatalf("got %+v, %v, want %+v", x, err, want)
		}
		blank, err := gitindex.Decode(gitindex.Format(want, true))
		if err != nil || len(blank.Entries) != len(want) {
			t.Fatalf("blank: %v", err)
		}
		for i, got := range blank.Entries {
			if kept := (gitindex.Entry{Path: want[i].Path, Mode: want[i].Mode, ID: want[i].ID, Stage: want[i].Stage}); got != kept {
				t.Fatalf("blank: got %+v, want %+v", got, kept)
			}
		}
	}
}

func TestGitReadsWhatFormatWrites(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	repo := newRepository(t)
	for range 5 {
		es := randomIndex(r, 3).Entries
		if err := os.WriteFile(filepath.Join(repo.dir, ".git", "index"), gitindex.Format(es, false), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, want := repo.git("", "ls-files", "-z", "-s", "--debug"), debugListing(es); got != want {
			t.Fatal(firstDifference(want, got))
		}
	}
}

// TestJoinAgreesWithGit splits random indexes, changes them in every way that
// a split index records, and compares with what git makes of both files.
func TestJoinAgreesWithGit(t *testing.T) {
	for seed := range uint64(3) {
		for version := 2; version <= 4; version += 2 {
			t.Run(fmt.Sprintf("seed%d-v%d", seed, version), func(t *testing.T) {
				t.Parallel()
				testJoinAgrees(t, rand.New(rand.NewPCG(seed, uint64(version))), version)
			})
		}
	}
}

func testJoinAgrees(t *testing.T, r *rand.Rand, version int) {
	repo := newRepository(t)
	repo.git("", "config", "splitIndex.maxPercentChange", "100") // never join by itself
	var info strings.Builder
	paths := randomPaths(r, 200)
	for i, path := range paths {
		fmt.Fprintf(&info, "100644 %040x 0\t%s\x00", i+1, path)
	}
	repo.git(info.String(), "update-index", "-z", "--index-info")
	repo.git("", "update-index", "--index-version", fmt.Sprint(version))
	repo.git("", "update-index", "--split-index")
	for round := range 4 {
		// A split index is compared before it was ever changed, too.
		data := repo.indexFile()
		name, err := gitindex.SharedIndex(data)
		if err != nil || name == "" {
			t.Fatalf("round %d: shared index %q, %v", round, name, err)
		}
		shared, err := os.ReadFile(filepath.Join(repo.dir, ".git", name))
		if err != nil {
			t.Fatal(err)
		}
		x, err := gitindex.Join(data, shared)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		var got strings.Builder
		for _, e := range x.Entries {
			fmt.Fprintf(&got, "%06o %x %d\t%s\x00", e.Mode, e.ID, e.Stage, e.Path)
		}
		if want := repo.git("", "ls-files", "-z", "-s"); got.String() != want {
			t.Fatalf("round %d: %s", round, firstDifference(got.String(), want))
		}
		if x.Has("link") || x.Trailer != gitindex.TrailerValid {
			t.Errorf("round %d: extensions %q, trailer %v", round, x.Extensions, x.Trailer)
		}
		other := bytes.Clone(shared)
		other[len(other)-1] ^= 1
		if x, err := gitindex.Join(data, other); !fault.Is(err, fault.GitFailed) || x != nil {
			t.Errorf("round %d: another shared index: %v", round, err)
		}
		damaged := bytes.Clone(shared)
		damaged[12] ^= 1
		if x, err := gitindex.Join(data, damaged); !fault.Is(err, fault.GitFailed) || x != nil {
			t.Errorf("round %d: a damaged shared index: %v", round, err)
		}

		info.Reset()
		for i, path := range paths {
			switch r.IntN(12) {
			case 0:
				fmt.Fprintf(&info, "0 %040d 0\t%s\x00", 0, path)
			case 1, 2:
				fmt.Fprintf(&info, "100755 %040x 0\t%s\x00", 1000*round+i+1, path)
			}
		}
		fmt.Fprintf(&info, "100644 %040x 0\tnew/%d\x00", round+1, round)
		repo.git(info.String(), "update-index", "-z", "--index-info")
	}
}

func TestSharedIndexOfPlainIndexes(t *testing.T) {
	plain := encode(&gitindex.Index{Version: 2, Entries: entries("a"), Trailer: gitindex.TrailerValid})
	if name, err := gitindex.SharedIndex(plain); name != "" || err != nil {
		t.Errorf("got %q, %v", name, err)
	}
	if x, err := gitindex.Join(plain, nil); !fault.Is(err, fault.GitFailed) || x != nil {
		t.Errorf("joined %+v, %v", x, err)
	}
	// A split index that stands alone names no shared index.
	alone := splitIndex(entries("a", "b"), [20]byte{}, nil, nil)
	if name, err := gitindex.SharedIndex(alone); name != "" || err != nil {
		t.Errorf("got %q, %v", name, err)
	}
	x, err := gitindex.Join(alone, nil)
	if err != nil || len(x.Entries) != 2 {
		t.Errorf("joined %+v, %v", x, err)
	}
}

func TestJoinRefuses(t *testing.T) {
	shared := encode(&gitindex.Index{Version: 2, Entries: entries("a", "b", "c"), Trailer: gitindex.TrailerValid})
	sum := [20]byte(shared[len(shared)-20:])
	if x, err := gitindex.Join(splitIndex(entries("", "d"), sum, []int{2}, []int{0}), shared); err != nil || len(x.Entries) != 3 {
		t.Fatalf("got %+v, %v", x, err)
	}
	for name, data := range map[string][]byte{
		"a deletion behind the end":       splitIndex(nil, sum, []int{3}, nil),
		"a replacement behind the end":    splitIndex(entries(""), sum, nil, []int{3}),
		"a replacement without its entry": splitIndex(nil, sum, nil, []int{0}),
		"an entry without a name":         splitIndex(entries(""), sum, nil, nil),
		"an addition of what is there":    splitIndex(entries("b"), sum, nil, nil),
		"a bit far behind the end":        splitIndex(nil, sum, []int{gitindex.MaxEntries + 1}, nil),
		"half a checksum":                 linked(nil, make([]byte, 19)),
		"half a bitmap":                   linked(nil, append(bytes.Clone(sum[:]), 0, 0, 0, 1)),
		"more words than there are":       linked(nil, append(bytes.Clone(sum[:]), bitmap(64, []uint64{1 << 33})...)),
		"an endless run":                  linked(nil, append(bytes.Clone(sum[:]), bitmap(64, []uint64{1<<33 - 1})...)),
		"bytes behind the bitmaps":        linked(nil, append(append(append(bytes.Clone(sum[:]), bitmap(0, nil)...), bitmap(0, nil)...), 0)),
	} {
		if x, err := gitindex.Join(data, shared); !fault.Is(err, fault.GitFailed) || x != nil {
			t.Errorf("%s: got %+v, %v", name, x, err)
		}
	}
}

// splitIndex writes a split index over a shared one.
func splitIndex(es []gitindex.Entry, shared [20]byte, deleted, replaced []int) []byte {
	link := bytes.Clone(shared[:])
	for _, positions := range [][]int{deleted, replaced} {
		words := []uint64{0}
		bits := 0
		for _, at := range positions {
			for len(words) < 2+at/64 {
				words = append(words, 0)
			}
			words[1+at/64] |= 1 << (at % 64)
			bits = at + 1
		}
		words[0] = uint64(len(words)-1) << 33
		link = append(link, bitmap(bits, words)...)
	}
	return linked(es, link)
}

// bitmap writes an EWAH bitmap of words that are given with their markers.
func bitmap(bits int, words []uint64) []byte {
	b := append(u32(uint32(bits)), u32(uint32(len(words)))...)
	for _, word := range words {
		b = binary.BigEndian.AppendUint64(b, word)
	}
	return append(b, u32(0)...)
}

func linked(es []gitindex.Entry, link []byte) []byte {
	b := encode(&gitindex.Index{Version: 2, Entries: es})
	b = append(b[:len(b)-sha1.Size], "link"...)
	b = append(append(b, u32(uint32(len(link)))...), link...)
	return seal(b, gitindex.TrailerValid)
}

// FuzzJoin holds that no split index makes Join panic, and that what it joins
// is a full index.
func FuzzJoin(f *testing.F) {
	shared := encode(&gitindex.Index{Version: 2, Entries: entries("a", "b", "c", "d/e"), Trailer: gitindex.TrailerValid})
	sum := [20]byte(shared[len(shared)-20:])
	f.Add(splitIndex(nil, sum, nil, nil))
	f.Add(splitIndex(entries("", "", "d/f"), sum, []int{1}, []int{0, 3}))
	f.Add(splitIndex(entries("z"), [20]byte{}, nil, nil))
	f.Add(linked(entries(""), append(append(bytes.Clone(sum[:]), bitmap(4, []uint64{1 | 1<<1})...), bitmap(0, nil)...)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := gitindex.SharedIndex(data); err != nil && fault.CodeOf(err) == "" {
			t.Fatal(err)
		}
		x, err := gitindex.Join(data, shared)
		if err != nil {
			if x != nil || fault.CodeOf(err) == "" {
				t.Fatalf("got %+v beside %v", x, err)
			}
			return
		}
		if len(x.Mandatory()) > 0 {
			return
		}
		again, err := gitindex.Decode(gitindex.Format(x.Entries, false))
		if err != nil || !slices.Equal(again.Entries, x.Entries) {
			t.Fatalf("no full index: %v, %+v", err, x)
		}
	})
}
