package gitindex_test

import (
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-algal/git-algal/internal/gitindex"
)

// encode writes an index as gitformat-index(5) says, the extensions empty.
func encode(x *gitindex.Index) []byte {
	b := append([]byte("DIRC"), u32(uint32(x.Version))...)
	b = append(b, u32(uint32(len(x.Entries)))...)
	previous := ""
	for _, e := range x.Entries {
		b = append(b, encodeEntry(x.Version, e, previous)...)
		previous = e.Path
	}
	for _, name := range x.Extensions {
		b = append(append(b, name...), u32(0)...)
	}
	return seal(b, x.Trailer)
}

// seal appends a checksum.
func seal(b []byte, trailer gitindex.Trailer) []byte {
	sum := sha1.Sum(b)
	switch trailer {
	case gitindex.TrailerZero:
		sum = [sha1.Size]byte{}
	case gitindex.TrailerBad:
		sum[7] ^= 0x10
	}
	return append(b, sum[:]...)
}

func encodeEntry(version int, e gitindex.Entry, previous string) []byte {
	var b []byte
	for _, v := range []uint32{
		e.CTime.Sec, e.CTime.Nsec, e.MTime.Sec, e.MTime.Nsec,
		e.Dev, e.Ino, e.Mode, e.UID, e.GID, e.Size,
	} {
		b = append(b, u32(v)...)
	}
	b = append(b, e.ID[:]...)
	flags := uint16(e.Stage)<<12 | uint16(min(len(e.Path), 0xfff))
	if e.AssumeValid {
		flags |= 0x8000
	}
	var extended uint16
	if e.SkipWorktree {
		extended |= 0x4000
	}
	if e.IntentToAdd {
		extended |= 0x2000
	}
	if extended != 0 {
		flags |= 0x4000
	}
	b = binary.BigEndian.AppendUint16(b, flags)
	if extended != 0 {
		b = binary.BigEndian.AppendUint16(b, extended)
	}
	if version == 4 {
		common := 0
		for common < min(len(previous), len(e.Path)) && previous[common] == e.Path[common] {
			common++
		}
		b = append(b, offsetVarint(len(previous)-common)...)
		return append(append(b, e.Path[common:]...), 0)
	}
	b = append(b, e.Path...)
	return append(b, make([]byte, 8-len(b)%8)...)
}

// offsetVarint writes the variable width integer of pack offsets.
func offsetVarint(n int) []byte {
	b := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		b = append(b, byte(n&0x7f)|0x80)
	}
	slices.Reverse(b)
	return b
}

func u32(v uint32) []byte { return binary.BigEndian.AppendUint32(nil, v) }

// randomIndex returns an index that a program could have written, of the
// version, with names that try the order of trees and the prefix compression.
func randomIndex(r *rand.Rand, version int) *gitindex.Index {
	x := &gitindex.Index{Version: version, Trailer: gitindex.TrailerValid}
	if r.IntN(4) == 0 {
		x.Trailer = gitindex.TrailerZero
	}
	for _, name := range []string{"TREE", "REUC", "UNTR", "FSMN", "EOIE", "IEOT", "ZZ\x00\xff"} {
		if r.IntN(4) == 0 {
			x.Extensions = append(x.Extensions, name)
		}
	}
	modes := []uint32{gitindex.ModeFile, gitindex.ModeExecutable, gitindex.ModeSymlink, gitindex.ModeGitlink}
	for _, path := range randomPaths(r, r.IntN(60)) {
		stages := []uint8{0}
		if r.IntN(8) == 0 {
			stages = [][]uint8{{1}, {2, 3}, {1, 2, 3}, {1, 3}}[r.IntN(4)]
		}
		for _, stage := range stages {
			e := gitindex.Entry{
				Path: path, Mode: modes[r.IntN(len(modes))], Stage: stage,
				Size: r.Uint32(), Dev: r.Uint32(), Ino: r.Uint32(), UID: r.Uint32(), GID: r.Uint32(),
				CTime:       gitindex.Time{Sec: r.Uint32(), Nsec: r.Uint32()},
				MTime:       gitindex.Time{Sec: r.Uint32(), Nsec: r.Uint32()},
				AssumeValid: r.IntN(5) == 0,
			}
			if version > 2 {
				e.SkipWorktree, e.IntentToAdd = r.IntN(5) == 0, r.IntN(5) == 0
			}
			for i := range e.ID {
				e.ID[i] = byte(r.Uint32())
			}
			x.Entries = append(x.Entries, e)
		}
	}
	return x
}

// randomPaths returns about n paths in index order, none a directory of
// another.
func randomPaths(r *rand.Rand, n int) []string {
	names := []string{
		"a", "a-", "a.b", "a0", "A", "b", "ab", "abc", "\xff\xfe", "é", "a b", "t\tb", "n\nl", `q"`, `b\s`, "~",
		".gitx", "git", "...", strings.Repeat("l", 130), fmt.Sprint(r.IntN(1000)),
	}
	if n > 0 && r.IntN(10) == 0 {
		names = append(names, strings.Repeat("v", 0xfff+r.IntN(3)-1)) // as long as the flags can say
	}
	var paths []string
	for range n {
		path := names[r.IntN(len(names))]
		for r.IntN(2) == 0 {
			path += "/" + names[r.IntN(len(names))]
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	all := strings.Join(paths, "\x00") + "\x00"
	return slices.DeleteFunc(paths, func(path string) bool {
		return strings.HasPrefix(all, path+"/") || strings.Contains(all, "\x00"+path+"/")
	})
}
