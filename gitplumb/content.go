package gitplumb

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
)

// Blob returns the content of a blob of at most max bytes, by its 40
// hexadecimal digits, re-hashed. It fails with fault.GitFailed when it is
// missing, with fault.OverBound and with fault.SourceMoved when it does not
// hash to its name.
func (r *Repo) Blob(ctx context.Context, id string, max int64) ([]byte, error) {
	name, ok := parseID(id)
	if !ok || len(id) != 2*len(name) {
		return nil, fault.New(fault.Usage, "%q is no object name", id)
	}
	return r.objects.read(ctx, name, plumbing.BlobObject, max)
}

// cleanIDs returns the names of the blobs that git would store for converted
// paths, all of them regular files. Nothing is stored: git fills a private
// index, and only it knows all the rules, of which one looks at what the real
// index holds.
func (r *Repo) cleanIDs(ctx context.Context, paths []string) (ids map[string][20]byte, err error) {
	if len(paths) == 0 {
		return nil, nil
	}
	directory, err := r.privateDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, hostFailed(os.RemoveAll(directory))) }()
	return r.store(ctx, directory, paths, []string{"--info-only"}, nil)
}

// store runs git update-index over the paths with a private index, and
// returns the names that it gave them.
func (r *Repo) store(ctx context.Context, directory string, paths, flags, env []string) (map[string][20]byte, error) {
	index, err := r.decodedIndex()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(directory, "index")
	if err := os.WriteFile(file, gitindex.Format(index.Entries, true), 0o600); err != nil {
		return nil, hostFailed(err)
	}
	args := append([]string{"update-index"}, flags...)
	if _, err := r.askFrom(ctx, directory, invocation{
		args:  append(args, "-z", "--stdin"),
		env:   append([]string{indexVariable + file}, env...),
		stdin: strings.NewReader(joinNUL(paths)),
	}); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, hostFailed(err)
	}
	filled, err := gitindex.Decode(data)
	if err != nil {
		return nil, err
	}
	// The other entries still say what the real index says: no evidence.
	asked := make(map[string]bool, len(paths))
	for _, path := range paths {
		asked[path] = true
	}
	ids := make(map[string][20]byte, len(paths))
	for i := range filled.Entries {
		if entry := &filled.Entries[i]; asked[entry.Path] {
			ids[entry.Path] = entry.ID
		}
	}
	return ids, nil
}

// RawContent returns the bytes of a regular file of the checkout, tracked or
// not, of at most max bytes. It fails with fault.OverBound, and with
// fault.SourceMoved where there is no such file.
func (r *Repo) RawContent(ctx context.Context, path string, max int64) ([]byte, error) {
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	root, err := r.root()
	if err != nil {
		return nil, err
	}
	content, _, err := root.ReadFile(ctx, path, max)
	return content, err
}

// convertedContent returns the bytes that git would store for a converted
// path. What the repository does not hold yet is stored in a private object
// directory; storing what it holds would touch its files.
func (r *Repo) convertedContent(ctx context.Context, path string, id [20]byte, max int64) (content []byte, err error) {
	known, err := r.objects.has(plumbing.Hash(id))
	if err != nil {
		return nil, err
	}
	if known {
		return r.objects.read(ctx, plumbing.Hash(id), plumbing.BlobObject, max)
	}
	directory, err := r.privateDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, hostFailed(os.RemoveAll(directory))) }()
	objects := filepath.Join(directory, "objects")
	if err := os.Mkdir(objects, 0o700); err != nil {
		return nil, hostFailed(err)
	}
	ids, err := r.store(ctx, directory, []string{path}, nil, []string{
		"GIT_OBJECT_DIRECTORY=" + objects,
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + quoteAlternate(r.objects.root),
	})
	if err != nil {
		return nil, err
	}
	if ids[path] != id {
		return nil, fault.New(fault.SourceMoved, "%q changed while it was read", path)
	}
	private := newObjectStore(objects)
	defer private.close()
	return private.read(ctx, plumbing.Hash(id), plumbing.BlobObject, max)
}

// quoteAlternate quotes a path for GIT_ALTERNATE_OBJECT_DIRECTORIES, in which
// a colon separates paths and a leading quote begins C's quoting.
func quoteAlternate(path string) string {
	var quoted strings.Builder
	quoted.WriteByte('"')
	for _, c := range []byte(path) {
		switch {
		case c == '"' || c == '\\':
			quoted.WriteByte('\\')
			quoted.WriteByte(c)
		case c < 0x20 || c == 0x7f:
			quoted.WriteString(octal(c))
		default:
			quoted.WriteByte(c)
		}
	}
	quoted.WriteByte('"')
	return quoted.String()
}

func octal(c byte) string {
	return string([]byte{'\\', '0' + c>>6, '0' + c>>3&7, '0' + c&7})
}

// hostFailed turns an error of this program's own files into a fault that
// says nothing about the checkout; nil stays nil.
func hostFailed(err error) error {
	if err == nil {
		return nil
	}
	return fault.New(fault.HostFailed, "a temporary file failed: %w", err)
}
