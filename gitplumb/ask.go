package gitplumb

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
)

// ask runs git in the checkout with the frozen excludes and attributes in
// place of the user's own files, and with whatever a filter writes for itself
// outside the checkout. The copies are removed afterwards.
func (r *Repo) ask(ctx context.Context, in invocation) (out []byte, err error) {
	directory, err := r.privateDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, hostFailed(os.RemoveAll(directory))) }()
	return r.askFrom(ctx, directory, in)
}

// privateDir makes a directory outside the checkout; the caller removes it.
func (r *Repo) privateDir() (string, error) {
	return r.git.privateDir(r.identity.Workspace, r.identity.GitDirectory, r.identity.CommonDirectory)
}

// askFrom is ask with a private directory that the caller keeps.
func (r *Repo) askFrom(ctx context.Context, directory string, in invocation) ([]byte, error) {
	frozen, err := r.freeze(ctx)
	if err != nil {
		return nil, err
	}
	excludes, err := frozen.excludes()
	if err != nil {
		return nil, err
	}
	attributes, err := frozen.attributes()
	if err != nil {
		return nil, err
	}
	settings := []string{"-c", "lfs.storage=" + filepath.Join(directory, "lfs")}
	for _, file := range []struct {
		key     string
		content []byte
	}{
		{"core.excludesFile", excludes},
		{"core.attributesFile", attributes},
	} {
		path := filepath.Join(directory, file.key)
		if err := os.WriteFile(path, file.content, 0o600); err != nil {
			return nil, hostFailed(err)
		}
		settings = append(settings, "-c", file.key+"="+path)
	}
	if r.memo.split && !slices.ContainsFunc(in.env, isIndexVariable) {
		file, err := r.writeJoinedIndex(directory)
		if err != nil {
			return nil, err
		}
		in.env = append(in.env, indexVariable+file)
	}
	in.dir = r.identity.Workspace
	in.args = append(settings, in.args...)
	return r.git.run(ctx, in)
}

// indexVariable tells git where its index is.
const indexVariable = "GIT_INDEX_FILE="

func isIndexVariable(entry string) bool { return strings.HasPrefix(entry, indexVariable) }

// writeJoinedIndex writes what a split index stands for as one file. It is as
// old as the split one, because git trusts no entry that is not older than
// the index.
func (r *Repo) writeJoinedIndex(directory string) (string, error) {
	index, err := r.decodedIndex()
	if err != nil {
		return "", err
	}
	info, err := os.Stat(filepath.Join(r.identity.GitDirectory, "index"))
	if err != nil {
		return "", fault.New(fault.SourceMoved, "the index is gone: %w", err)
	}
	file := filepath.Join(directory, "joined-index")
	if err := os.WriteFile(file, gitindex.Format(index.Entries, false), 0o600); err != nil {
		return "", hostFailed(err)
	}
	return file, hostFailed(os.Chtimes(file, info.ModTime(), info.ModTime()))
}
