package gitplumb

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// The layouts of a pack index (gitformat-pack(5)). Both versions have 256
// running counts and the names in order. Version 1 has each name behind its
// offset; version 2 begins with a header and has tables of names, checksums
// and offsets, the large offsets apart.
const (
	packIndexHeader  = 8
	packIndexFanout  = 256 * 4
	packIndexName    = int64(20)
	packIndexCRC     = int64(4)
	packIndexOffset  = int64(4)
	packIndexTrailer = 40
	// packIndexLarge marks an offset that continues in a table of 8-byte ones.
	packIndexLarge = 1 << 31
)

// namingLimit is how many offsets are resolved to the zero id before all of
// them are named. The names serve only as keys of the cache of delta bases:
// for a few objects going without it is cheaper than reading a whole index.
const namingLimit = 256

var packIndexMagic = [packIndexHeader]byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}

// A packIndex finds objects in a pack by binary search in the open file.
// go-git's own index reads the file whole and keeps it, which costs a fixed
// share of every command in a large repository.
type packIndex struct {
	file   *os.File
	count  int64
	fanout [256]uint32

	// Where the tables begin in the file, and how far their entries are apart.
	names, nameStride     int64
	offsets, offsetStride int64
	checksums, large      int64 // 0 in version 1

	unnamed int      // how often FindHash went without names
	order   []packed // by offset; nil until names are needed
}

// packed says which object, by its position in the order of names, begins at
// an offset of the pack.
type packed struct{ offset, position int64 }

var _ idxfile.Index = (*packIndex)(nil)

func openPackIndex(path string) (*packIndex, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	index := &packIndex{file: file}
	if err := index.readHead(); err != nil {
		return nil, errors.Join(fmt.Errorf("pack index: %w", err), file.Close())
	}
	return index, nil
}

func (x *packIndex) readHead() error {
	var head [packIndexHeader + packIndexFanout]byte
	if _, err := x.file.ReadAt(head[:], 0); err != nil {
		return err
	}
	counts := head[packIndexHeader:]
	switch {
	case bytes.Equal(head[:packIndexHeader], packIndexMagic[:]):
		x.names, x.nameStride = packIndexHeader+packIndexFanout, packIndexName
		x.offsetStride = packIndexOffset
	case bytes.Equal(head[:4], packIndexMagic[:4]):
		return errors.New("unknown version")
	default:
		counts = head[:packIndexFanout]
		x.offsets, x.offsetStride = packIndexFanout, packIndexOffset+packIndexName
		x.names, x.nameStride = packIndexFanout+packIndexOffset, x.offsetStride
	}
	for i := range x.fanout {
		x.fanout[i] = binary.BigEndian.Uint32(counts[4*i:])
		if i > 0 && x.fanout[i] < x.fanout[i-1] {
			return errors.New("counts fall")
		}
	}
	x.count = int64(x.fanout[255])
	end := x.names + x.count*x.nameStride
	if x.offsets == 0 {
		x.checksums = end
		x.offsets = x.checksums + x.count*packIndexCRC
		x.large = x.offsets + x.count*packIndexOffset
		end = x.large
	}
	info, err := x.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < end-packIndexOffset+packIndexTrailer {
		return errors.New("cut short")
	}
	return nil
}

func (x *packIndex) close() error { return x.file.Close() }

func (x *packIndex) name(i int64) (plumbing.Hash, error) {
	var id plumbing.Hash
	_, err := x.file.ReadAt(id[:], x.names+i*x.nameStride)
	return id, err
}

// position returns where the object stands in the order of names, or
// plumbing.ErrObjectNotFound.
func (x *packIndex) position(id plumbing.Hash) (int64, error) {
	low, high := int64(0), int64(x.fanout[id[0]])
	if id[0] > 0 {
		low = int64(x.fanout[id[0]-1])
	}
	for low < high {
		middle := (low + high) / 2
		name, err := x.name(middle)
		if err != nil {
			return 0, err
		}
		switch bytes.Compare(id[:], name[:]) {
		case 0:
			return middle, nil
		case -1:
			high = middle
		default:
			low = middle + 1
		}
	}
	return 0, plumbing.ErrObjectNotFound
}

// Contains implements idxfile.Index.
func (x *packIndex) Contains(id plumbing.Hash) (bool, error) {
	_, err := x.position(id)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return false, nil
	}
	return err == nil, err
}

// FindOffset implements idxfile.Index.
func (x *packIndex) FindOffset(id plumbing.Hash) (int64, error) {
	i, err := x.position(id)
	if err != nil {
		return 0, err
	}
	return x.offsetAt(i)
}

func (x *packIndex) offsetAt(i int64) (int64, error) {
	var small [packIndexOffset]byte
	if _, err := x.file.ReadAt(small[:], x.offsets+i*x.offsetStride); err != nil {
		return 0, err
	}
	offset := int64(binary.BigEndian.Uint32(small[:]))
	if offset < packIndexLarge || x.large == 0 {
		return offset, nil
	}
	var large [8]byte
	if _, err := x.file.ReadAt(large[:], x.large+(offset-packIndexLarge)*8); err != nil {
		return 0, err
	}
	return int64(binary.BigEndian.Uint64(large[:]) &^ (1 << 63)), nil
}

// FindHash implements idxfile.Index. It may answer with the zero id, which is
// nobody's name: the pack reader takes the answer for a cache key alone.
func (x *packIndex) FindHash(offset int64) (plumbing.Hash, error) {
	if x.order == nil {
		if x.unnamed++; x.unnamed <= namingLimit {
			return plumbing.ZeroHash, nil
		}
		if err := x.sortByOffset(); err != nil {
			return plumbing.ZeroHash, err
		}
	}
	i, found := slices.BinarySearchFunc(x.order, offset, func(p packed, offset int64) int {
		return cmp.Compare(p.offset, offset)
	})
	if !found {
		return plumbing.ZeroHash, plumbing.ErrObjectNotFound
	}
	return x.name(x.order[i].position)
}

func (x *packIndex) sortByOffset() error {
	order := make([]packed, x.count)
	if x.count == 0 {
		x.order = order
		return nil
	}
	table := make([]byte, (x.count-1)*x.offsetStride+packIndexOffset)
	if _, err := x.file.ReadAt(table, x.offsets); err != nil {
		return err
	}
	for i := range order {
		offset := int64(binary.BigEndian.Uint32(table[int64(i)*x.offsetStride:]))
		if offset >= packIndexLarge && x.large != 0 {
			var err error
			if offset, err = x.offsetAt(int64(i)); err != nil {
				return err
			}
		}
		order[i] = packed{offset, int64(i)}
	}
	slices.SortFunc(order, func(a, b packed) int { return cmp.Compare(a.offset, b.offset) })
	x.order = order
	return nil
}

// FindCRC32 implements idxfile.Index. Version 1 has no checksums.
func (x *packIndex) FindCRC32(id plumbing.Hash) (uint32, error) {
	i, err := x.position(id)
	if err != nil {
		return 0, err
	}
	if x.checksums == 0 {
		return 0, errNoListing
	}
	var sum [packIndexCRC]byte
	_, err = x.file.ReadAt(sum[:], x.checksums+i*packIndexCRC)
	return binary.BigEndian.Uint32(sum[:]), err
}

// Count implements idxfile.Index.
func (x *packIndex) Count() (int64, error) { return x.count, nil }

// errNoListing is returned for what only walks over a whole pack need: objects
// are found by name here.
var errNoListing = errors.New("this index finds objects by name only")

// Entries implements idxfile.Index; it always fails.
func (x *packIndex) Entries() (idxfile.EntryIter, error) { return nil, errNoListing }

// EntriesByOffset implements idxfile.Index; it always fails.
func (x *packIndex) EntriesByOffset() (idxfile.EntryIter, error) { return nil, errNoListing }
