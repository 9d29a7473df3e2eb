package gitplumb

import (
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"github.com/git-algal/git-algal/internal/fault"
)

// objectCacheBytes bounds the delta bases that are kept, in bytes: enough for
// the trees of a large checkout, little beside the 64 MiB of a whole command.
const objectCacheBytes = 8 << 20

// errNoObject is returned for an object that no object directory holds.
var errNoObject = errors.New("no such object")

// An objectStore reads the objects of one repository through go-git's object
// and pack readers: loose or packed, its own or an alternate's. Replace refs
// do not apply, nothing is fetched, and whatever is returned hashes to the
// name it was asked by.
type objectStore struct {
	root        string // the repository's objects directory
	directories []*objectDirectory
	opened      bool
	cache       cache.Object
}

// An objectDirectory is one objects directory with its packs.
type objectDirectory struct {
	path  string
	packs []*pack
}

// A pack is one pack file with its index. The index is open; the pack itself
// is opened when it is known to hold what is looked for.
type pack struct {
	path  string
	index *packIndex
	bases cache.Object
	file  *packfile.Packfile // nil before the first read
}

func newObjectStore(root string) *objectStore {
	return &objectStore{root: root, cache: cache.NewObjectLRU(objectCacheBytes)}
}

// read returns the content of the object, which is of the given kind and at
// most max bytes long. It fails with fault.GitFailed when the object is
// missing, unreadable or of another kind, with fault.OverBound, and with
// fault.SourceMoved when its content does not hash to its name.
func (s *objectStore) read(ctx context.Context, id plumbing.Hash, kind plumbing.ObjectType, max int64) (content []byte, err error) {
	if ctx.Err() != nil {
		return nil, stopped(ctx)
	}
	// go-git's pack reader is written for packs that git wrote. A pack that
	// somebody forged must not end the program.
	defer func() {
		if cause := recover(); cause != nil {
			content, err = nil, fault.New(fault.GitFailed, "object %s cannot be decoded", id)
		}
	}()
	actual, content, err := s.find(id, max)
	switch {
	case errors.Is(err, errNoObject):
		return nil, fault.New(fault.GitFailed, "object %s is missing", id).
			WithNext("fetch it or repair the repository: git fsck")
	case errors.Is(err, errTooLong):
		return nil, fault.New(fault.OverBound, "object %s is over %d bytes", id, max)
	case err != nil:
		return nil, fault.New(fault.GitFailed, "object %s cannot be read: %w", id, err)
	case actual != kind:
		return nil, fault.New(fault.GitFailed, "object %s is a %s and no %s", id, actual, kind)
	}
	if hashObject(kind, content) != id {
		return nil, fault.New(fault.SourceMoved, "object %s holds something else than its name says", id).
			WithNext("repair the repository: git fsck")
	}
	return content, nil
}

// find looks in every object directory, the repository's own first. An object
// that is broken in one place and whole in another is found, as git finds it.
func (s *objectStore) find(id plumbing.Hash, max int64) (plumbing.ObjectType, []byte, error) {
	if err := s.open(); err != nil {
		return 0, nil, err
	}
	failure := errNoObject
	for _, directory := range s.directories {
		for _, read := range []func(plumbing.Hash, int64) (plumbing.ObjectType, []byte, error){
			s.packed(directory), directory.loose,
		} {
			kind, content, err := read(id, max)
			if err == nil {
				return kind, content, nil
			}
			if !errors.Is(err, errNoObject) {
				failure = err
			}
		}
	}
	return 0, nil, failure
}

// has reports whether any object directory holds the object.
func (s *objectStore) has(id plumbing.Hash) (bool, error) {
	_, _, err := s.find(id, 0)
	switch {
	case err == nil, errors.Is(err, errTooLong):
		return true, nil
	case errors.Is(err, errNoObject):
		return false, nil
	}
	return false, fault.New(fault.GitFailed, "object %s cannot be read: %w", id, err)
}

// open finds the object directories and opens their packs.
func (s *objectStore) open() error {
	if s.opened {
		return nil
	}
	paths, err := objectDirectories(s.root)
	if err != nil {
		return err
	}
	for _, path := range paths {
		directory := &objectDirectory{path: path}
		s.directories = append(s.directories, directory)
		indexes, err := filepath.Glob(filepath.Join(globLiteral(path), "pack", "pack-*.idx"))
		if err != nil {
			return err
		}
		for _, indexPath := range indexes {
			p, err := openPack(indexPath, s.cache)
			if errors.Is(err, fs.ErrNotExist) {
				continue // an index without its pack, or a pack that a repack just removed
			}
			if err != nil {
				return err
			}
			directory.packs = append(directory.packs, p)
		}
	}
	s.opened = true
	return nil
}

// globLiteral quotes what filepath.Glob would take for a pattern.
func globLiteral(path string) string {
	var quoted []byte
	for _, c := range []byte(path) {
		if bytes.IndexByte([]byte(`*?[\`), c) >= 0 {
			quoted = append(quoted, '\\')
		}
		quoted = append(quoted, c)
	}
	return string(quoted)
}

func openPack(indexPath string, bases cache.Object) (*pack, error) {
	path := indexPath[:len(indexPath)-len(".idx")] + ".pack"
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	index, err := openPackIndex(indexPath)
	if err != nil {
		return nil, err
	}
	return &pack{path: path, index: index, bases: bases}, nil
}

func (p *pack) open() error {
	if p.file != nil {
		return nil
	}
	file, err := osfs.New("/", osfs.WithBoundOS()).Open(p.path)
	if err != nil {
		return err
	}
	// Without a file system the reader gives objects in memory.
	p.file = packfile.NewPackfileWithCache(p.index, nil, file, p.bases, 0)
	return nil
}

func (p *pack) close() error {
	if p.file == nil {
		return p.index.close()
	}
	return errors.Join(p.index.close(), p.file.Close())
}

func (s *objectStore) packed(directory *objectDirectory) func(plumbing.Hash, int64) (plumbing.ObjectType, []byte, error) {
	return func(id plumbing.Hash, max int64) (plumbing.ObjectType, []byte, error) {
		failure := errNoObject
		for _, p := range directory.packs {
			offset, err := p.index.FindOffset(id)
			if errors.Is(err, plumbing.ErrObjectNotFound) {
				continue
			}
			if err != nil {
				failure = err
				continue
			}
			kind, content, err := p.read(id, offset, max)
			if err == nil {
				return kind, content, nil
			}
			failure = err
		}
		return 0, nil, failure
	}
}

func (p *pack) read(id plumbing.Hash, offset, max int64) (plumbing.ObjectType, []byte, error) {
	if err := p.open(); err != nil {
		return 0, nil, err
	}
	size, err := p.file.GetSizeByOffset(offset)
	if err != nil {
		return 0, nil, err
	}
	if size > max {
		return 0, nil, errTooLong
	}
	object, err := p.file.Get(id)
	if err != nil {
		return 0, nil, err
	}
	reader, err := object.Reader()
	if err != nil {
		return 0, nil, err
	}
	content, err := io.ReadAll(reader)
	return object.Type(), content, errors.Join(err, reader.Close())
}

// loose reads a loose object.
func (d *objectDirectory) loose(id plumbing.Hash, max int64) (plumbing.ObjectType, []byte, error) {
	name := id.String()
	file, err := os.Open(filepath.Join(d.path, name[:2], name[2:]))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil, errNoObject
	}
	if err != nil {
		return 0, nil, err
	}
	defer file.Close()
	return readLoose(file, max)
}

// readLoose decodes the compressed form of one object of at most max bytes.
func readLoose(compressed io.Reader, max int64) (plumbing.ObjectType, []byte, error) {
	reader, err := objfile.NewReader(compressed)
	if err != nil {
		return 0, nil, err
	}
	defer reader.Close()
	kind, size, err := reader.Header()
	if err != nil {
		return 0, nil, err
	}
	if size > max {
		return 0, nil, errTooLong
	}
	content, err := io.ReadAll(io.LimitReader(reader, size+1))
	if err != nil {
		return 0, nil, err
	}
	if int64(len(content)) != size {
		return 0, nil, fmt.Errorf("its header says %d bytes", size)
	}
	return kind, content, nil
}

func (s *objectStore) close() error {
	var failures []error
	for _, directory := range s.directories {
		for _, p := range directory.packs {
			failures = append(failures, p.close())
		}
	}
	s.directories, s.opened = nil, false
	return errors.Join(failures...)
}

// hashObject returns the name of an object.
func hashObject(kind plumbing.ObjectType, content []byte) plumbing.Hash {
	h := newObjectHash(kind, int64(len(content)))
	h.Write(content)
	return plumbing.Hash(h.Sum(nil))
}

func hashBlob(content []byte) [20]byte { return hashObject(plumbing.BlobObject, content) }

// newObjectHash returns a hash that has the header of an object behind it.
func newObjectHash(kind plumbing.ObjectType, size int64) hash.Hash {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, size)
	return h
}
