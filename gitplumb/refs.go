package gitplumb

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-algal/git-algal/internal/fault"
)

const (
	// maxRefBytes bounds a loose reference, in bytes: a name fits a path.
	maxRefBytes = 8192
	// maxPackedRefsBytes bounds packed-refs, in bytes: half a million refs.
	maxPackedRefsBytes = 64 << 20
	// maxSymrefs is how many symbolic references lead to an id; git's bound.
	maxSymrefs = 5
	// maxRefDepth bounds the directories below refs/, against loops of mounts.
	maxRefDepth = 64
)

// errNoRef is returned for a reference that exists neither loose nor packed.
var errNoRef = errors.New("no such reference")

// refStore reads references from files, as gitrepository-layout(5) describes
// them. It never falls back from a broken loose reference to a packed one.
type refStore struct {
	gitDir, commonDir string
}

// resolve follows name to an object id. The second result is the last name
// on the way: the branch that HEAD names, HEAD itself when it is detached.
func (s refStore) resolve(name string) (plumbing.Hash, string, error) {
	for range maxSymrefs + 1 {
		content, err := s.loose(name)
		if errors.Is(err, errNoRef) {
			id, err := s.packed(name)
			return id, name, err
		}
		if err != nil {
			return plumbing.ZeroHash, name, err
		}
		if target, symbolic := strings.CutPrefix(content, "ref:"); symbolic {
			target = strings.Trim(target, " \t\r\n")
			if !validRefName(target) {
				return plumbing.ZeroHash, name, fault.New(fault.GitFailed, "reference %q names %q", name, target)
			}
			name = target
			continue
		}
		id, ok := parseID(content)
		if !ok {
			return plumbing.ZeroHash, name, fault.New(fault.GitFailed, "reference %q is broken", name).
				WithNext("repair it: git fsck")
		}
		return id, name, nil
	}
	return plumbing.ZeroHash, name, fault.New(fault.GitFailed, "symbolic references of %q lead too far", name)
}

// loose returns the text of the file of a reference, in the form "ref: NAME"
// also for the old style in which a symlink is a symbolic reference.
func (s refStore) loose(name string) (string, error) {
	path := filepath.Join(s.directoryOf(name), filepath.FromSlash(name))
	target, err := os.Readlink(path)
	if err == nil && validRefName(target) {
		return "ref: " + target, nil
	}
	content, err := readRegular(path, maxRefBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		return "", errNoRef
	case err != nil:
		return "", fault.New(fault.GitFailed, "reference %q cannot be read: %w", name, err)
	}
	return string(content), nil
}

// directoryOf returns where the file of a reference lies: HEAD and a few
// others belong to the worktree, all others to the repository.
func (s refStore) directoryOf(name string) string {
	if !strings.HasPrefix(name, "refs/") {
		return s.gitDir
	}
	for _, own := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return s.gitDir
		}
	}
	return s.commonDir
}

func (s refStore) packed(name string) (plumbing.Hash, error) {
	text, err := s.packedText()
	if err != nil {
		return plumbing.ZeroHash, err
	}
	at := bytes.Index(text, []byte(" "+name+"\n"))
	if at < 0 {
		return plumbing.ZeroHash, errNoRef
	}
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	id, ok := parseID(string(line))
	if !ok {
		return plumbing.ZeroHash, fault.New(fault.GitFailed, "packed reference %q is broken", name)
	}
	return id, nil
}

// packedText returns packed-refs, empty where there is none, always ending in
// a newline.
func (s refStore) packedText() ([]byte, error) {
	text, err := readRegular(filepath.Join(s.commonDir, "packed-refs"), maxPackedRefsBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.GitFailed, "packed-refs cannot be read: %w", err)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return text, nil
}

// list returns every reference below prefix, which ends in a slash, with its
// id; loose ones hide packed ones. Broken ones are listed with the zero id:
// this is evidence, not a judgement.
func (s refStore) list(ctx context.Context, prefix string) (map[string]plumbing.Hash, error) {
	ids := map[string]plumbing.Hash{}
	text, err := s.packedText()
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		idText, name, found := bytes.Cut(bytes.TrimRight(line, "\n"), []byte(" "))
		if !found || !bytes.HasPrefix(name, []byte(prefix)) {
			continue
		}
		if id, ok := parseID(string(idText)); ok {
			ids[string(name)] = id
		}
	}
	directories := []string{s.commonDir}
	if s.gitDir != s.commonDir {
		directories = append(directories, s.gitDir)
	}
	for _, directory := range directories {
		if err := s.listLoose(ctx, directory, strings.TrimSuffix(prefix, "/"), 0, ids); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func (s refStore) listLoose(ctx context.Context, directory, name string, depth int, ids map[string]plumbing.Hash) error {
	if ctx.Err() != nil {
		return stopped(ctx)
	}
	if depth > maxRefDepth {
		return fault.New(fault.GitFailed, "directory %q of references lies too deep", name)
	}
	entries, err := os.ReadDir(filepath.Join(directory, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	if err != nil {
		return fault.New(fault.GitFailed, "references below %q cannot be listed: %w", name, err)
	}
	for _, entry := range entries {
		child := name + "/" + entry.Name()
		if entry.IsDir() {
			if err := s.listLoose(ctx, directory, child, depth+1, ids); err != nil {
				return err
			}
			continue
		}
		if !validRefName(child) || s.directoryOf(child) != directory {
			continue // a lock or a stray file: git does not list it either
		}
		id, _, err := s.resolve(child)
		if err != nil {
			id = plumbing.ZeroHash
		}
		ids[child] = id
	}
	return nil
}

// parseID reads 40 hexadecimal digits that nothing but white space follows.
func parseID(text string) (plumbing.Hash, bool) {
	var id plumbing.Hash
	digits := hex.EncodedLen(len(id))
	if len(text) < digits {
		return id, false
	}
	if rest := text[digits:]; rest != "" && !strings.ContainsRune(" \t\n\r\v\f", rune(rest[0])) {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(text[:digits]))
	return id, err == nil
}

// validRefName reports whether name is a full reference name by the rules of
// git-check-ref-format(1). Such a name is also a path that leads nowhere else.
func validRefName(name string) bool {
	if !strings.HasPrefix(name, "refs/") || strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.HasSuffix(name, ".") {
		return false
	}
	for _, c := range []byte(name) {
		if c < 0x20 || c == 0x7f || strings.IndexByte(" ~^:?*[\\", c) >= 0 {
			return false
		}
	}
	return !slices.ContainsFunc(strings.Split(name, "/"), func(component string) bool {
		return component == "" || component[0] == '.' || strings.HasSuffix(component, ".lock")
	})
}

// readRegular returns the content of a regular file of at most max bytes. It
// follows symlinks, as git does for its own files, and never waits for the
// other end of a FIFO.
func readRegular(path string, max int64) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
	}
	content, err := io.ReadAll(io.LimitReader(file, max+1))
	if err != nil {
		return nil, err
	}
	if int64(len(content)) > max {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errTooLong}
	}
	return content, nil
}

var (
	errNotRegular = errors.New("not a regular file")
	errTooLong    = errors.New("over its bound")
)
