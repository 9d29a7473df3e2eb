package gitplumb

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
)

const (
	// MaxPathUnits bounds every path, in UTF-16 code units (contract section 2).
	MaxPathUnits = 4096

	// maxIndexFileBytes bounds the index file, in bytes: 16,384 entries and the
	// longest listing take less than 3 MiB, the extensions get the rest.
	maxIndexFileBytes = 64 << 20
)

// Index is what the index of a checkout says, once it is admitted.
type Index struct {
	Version int
	Paths   []string // in index order, intent-to-add entries included
	Tree    string   // the tree that the entries make, by our own computation
}

// Index returns the index, of which every entry is plain (contract section 5).
//
// It fails with fault.FlaggedIndex for skip-worktree, assume-unchanged and
// unmerged entries, a sparse index and more than 16,384 entries; with
// fault.OverBound for a listing over 1,048,576 bytes; with
// fault.UnsupportedRepo for submodules; with
// fault.UnsupportedChange for a path that is not UTF-8; with fault.UnsafePath
// for one that cannot travel; with fault.GitFailed for a damaged file.
func (r *Repo) Index(ctx context.Context) (Index, error) {
	index, err := r.decodedIndex()
	if err != nil {
		return Index{}, err
	}
	if err := admitIndex(index); err != nil {
		return Index{}, err
	}
	tree, err := r.indexTree()
	if err != nil {
		return Index{}, err
	}
	admitted := Index{Version: index.Version, Paths: make([]string, len(index.Entries)), Tree: hex.EncodeToString(tree[:])}
	for i, entry := range index.Entries {
		admitted.Paths[i] = entry.Path
	}
	return admitted, nil
}

// decodedIndex returns the index as it stands, flags and stages included. A
// missing file is an empty index.
func (r *Repo) decodedIndex() (*gitindex.Index, error) {
	return once(&r.memo.index, func() (*gitindex.Index, error) {
		data, err := r.indexFile("index")
		if errors.Is(err, fs.ErrNotExist) {
			return &gitindex.Index{Version: 2, Trailer: gitindex.TrailerValid}, nil
		}
		if err != nil {
			return nil, err
		}
		index, err := gitindex.Decode(data)
		if err == nil && slices.Contains(index.Mandatory(), splitExtension) {
			r.memo.split = true
			index, err = r.joinedIndex(data)
		}
		if err == nil && index.Trailer == gitindex.TrailerBad {
			return nil, fault.New(fault.GitFailed, "the index does not match its checksum").
				WithNext("make it anew: git read-tree HEAD")
		}
		return index, err
	})
}

const (
	splitExtension  = "link" // the index leaves entries to a second file
	sparseExtension = "sdir" // the index leaves out whole directories
)

// joinedIndex returns the full index that a split one stands for. Git is not
// asked: it touches the shared file whenever it reads it.
func (r *Repo) joinedIndex(data []byte) (*gitindex.Index, error) {
	name, err := gitindex.SharedIndex(data)
	if err != nil {
		return nil, err
	}
	var shared []byte
	if name != "" {
		shared, err = r.indexFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fault.New(fault.GitFailed, "the shared index %q is missing", name)
		}
		if err != nil {
			return nil, err
		}
	}
	return gitindex.Join(data, shared)
}

// indexFile returns the content of an index file in the git directory.
func (r *Repo) indexFile(name string) ([]byte, error) {
	data, err := readRegular(filepath.Join(r.identity.GitDirectory, name), maxIndexFileBytes)
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return data, err
	case errors.Is(err, errTooLong):
		return nil, fault.New(fault.OverBound, "the index is over %d bytes", maxIndexFileBytes)
	}
	return nil, fault.New(fault.GitFailed, "the index cannot be read: %w", err)
}

// indexTree returns the tree that the index entries make.
func (r *Repo) indexTree() ([20]byte, error) {
	return once(&r.memo.indexTree, func() ([20]byte, error) {
		index, err := r.decodedIndex()
		if err != nil {
			return [20]byte{}, err
		}
		return gitindex.RootTree(index.Entries, nil)
	})
}

// admitIndex holds a decoded index to the rules of Index.
func admitIndex(index *gitindex.Index) error {
	if extensions := index.Mandatory(); slices.Contains(extensions, sparseExtension) {
		return fault.New(fault.FlaggedIndex, "the index is sparse").
			WithNext("check everything out: git sparse-checkout disable")
	} else if len(extensions) > 0 {
		return fault.New(fault.UnsupportedRepo, "the index has the unknown extension %q", extensions[0])
	}
	for _, entry := range index.Entries {
		switch {
		case entry.Stage != 0:
			return fault.New(fault.FlaggedIndex, "%q is unmerged", entry.Path).
				WithNext("finish or abort the merge")
		case entry.SkipWorktree:
			return fault.New(fault.FlaggedIndex, "%q is marked skip-worktree", entry.Path).
				WithNext("git update-index --no-skip-worktree, or git sparse-checkout disable")
		case entry.AssumeValid:
			return fault.New(fault.FlaggedIndex, "%q is marked assume-unchanged", entry.Path).
				WithNext("git update-index --no-assume-unchanged")
		case entry.Mode == gitindex.ModeGitlink:
			return submoduleRefused(entry.Path)
		}
		if err := CheckPath(entry.Path); err != nil {
			return err
		}
	}
	return nil
}

func submoduleRefused(path string) error {
	return fault.New(fault.UnsupportedRepo, "%q is a submodule", path).
		WithNext("use the submodule's own checkout, or a clone without it")
}

// CheckPath refuses a path that cannot be recorded (contract section 5): one
// that is not relative, has an empty, ".", ".." or ".git" component or ends in
// a slash as a nested repository does (fault.UnsafePath); one that is not
// UTF-8 (fault.UnsupportedChange); one over MaxPathUnits (fault.OverBound).
func CheckPath(path string) error {
	if !utf8.ValidString(path) {
		return fault.New(fault.UnsupportedChange, "the name %q is not UTF-8", path)
	}
	if canon.UTF16Len(path) > MaxPathUnits {
		return fault.New(fault.OverBound, "a path has more than %d characters", MaxPathUnits)
	}
	if strings.HasSuffix(path, "/") {
		return fault.New(fault.UnsafePath, "%q is a repository of its own", path).
			WithNext("move it out of the checkout, or ignore it")
	}
	for component := range strings.SplitSeq(path, "/") {
		switch {
		case component == "", component == ".", component == "..", strings.EqualFold(component, ".git"):
			return fault.New(fault.UnsafePath, "the path %q is not safe", path)
		}
	}
	if strings.ContainsRune(path, 0) {
		return fault.New(fault.UnsafePath, "a path holds NUL")
	}
	return nil
}
