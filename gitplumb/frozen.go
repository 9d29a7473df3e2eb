package gitplumb

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/git-algal/git-algal/internal/fault"
)

// MaxFrozenBytes bounds the frozen files of one admission together, in bytes.
// In base64 they take two thirds of a control record's 262,144 bytes.
const MaxFrozenBytes = 131_072

// The files that an admission freezes (contract section 5). The system's
// attributes are among them because git reads them like the user's, and older
// gits cannot be asked where they lie.
const (
	frozenExcludes         = "core.excludesFile"
	frozenAttributes       = "core.attributesFile"
	frozenSystemAttributes = "system gitattributes"
)

// Frozen holds the content of user-wide excludes and attributes as they were
// at admission: the name of the setting, and the content in base64. A file
// that did not exist has the empty content, which means the same to git.
type Frozen map[string]string

func (f Frozen) content(name string) ([]byte, error) {
	content, err := base64.StdEncoding.Strict().DecodeString(f[name])
	if err != nil {
		return nil, fault.New(fault.Malformed, "the frozen copy of %s is not in base64", name)
	}
	return content, nil
}

// excludes returns the user-wide exclude patterns.
func (f Frozen) excludes() ([]byte, error) { return f.content(frozenExcludes) }

// attributes returns the system-wide and the user-wide attributes as one
// file: git lets the later line win, and the user's win over the system's.
func (f Frozen) attributes() ([]byte, error) {
	system, err := f.content(frozenSystemAttributes)
	if err != nil {
		return nil, err
	}
	user, err := f.content(frozenAttributes)
	if err != nil || len(system) == 0 {
		return user, err
	}
	if system[len(system)-1] != '\n' {
		system = append(system, '\n')
	}
	// A byte order mark counts only at the head of a file.
	return slices.Concat(system, bytes.TrimPrefix(user, []byte("\ufeff"))), nil
}

// freeze returns the frozen files of this pass: the admission's, or, where
// there is none, what the files hold now.
func (r *Repo) freeze(ctx context.Context) (Frozen, error) {
	return once(&r.memo.frozen, func() (Frozen, error) {
		if r.frozen != nil {
			return r.frozen, nil
		}
		excludes, err := r.userFile(ctx, "core.excludesfile", "ignore")
		if err != nil {
			return nil, err
		}
		attributes, err := r.userFile(ctx, "core.attributesfile", "attributes")
		if err != nil {
			return nil, err
		}
		frozen, total := Frozen{}, 0
		for name, path := range map[string]string{
			frozenExcludes: excludes, frozenAttributes: attributes, frozenSystemAttributes: r.git.systemAttributes,
		} {
			content, err := readUserFile(path)
			if err != nil {
				return nil, err
			}
			total += len(content)
			frozen[name] = base64.StdEncoding.EncodeToString(content)
		}
		if total > MaxFrozenBytes {
			return nil, fault.New(fault.OverBound, "the user-wide excludes and attributes are over %d bytes", MaxFrozenBytes)
		}
		return frozen, nil
	})
}

// userFile returns the path that a setting of git names, or its default
// beside the user's configuration; empty where there is none.
func (r *Repo) userFile(ctx context.Context, key, standard string) (string, error) {
	s, found := r.config.last(key)
	switch {
	case !found:
		return r.git.userConfigPath(standard), nil
	case s.value == "" || filepath.IsAbs(s.value):
		return s.value, nil
	}
	// "~user/…", "%(prefix)/…" and relative paths are git's to expand.
	out, err := r.git.run(ctx, invocation{
		dir: r.identity.Workspace, args: []string{"config", "-z", "--type=path", "--get", key}, prompt: true,
	})
	if err != nil {
		return "", err
	}
	path := strings.TrimSuffix(string(out), "\x00")
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(r.identity.Workspace, path)
	}
	return path, nil
}

// userConfigPath returns where git looks for a user-wide file by default.
func (g *Git) userConfigPath(name string) string {
	if directory := g.variable("XDG_CONFIG_HOME"); directory != "" {
		return filepath.Join(directory, "git", name)
	}
	if home := g.variable("HOME"); home != "" {
		return filepath.Join(home, ".config", "git", name)
	}
	return ""
}

// readUserFile returns the content of a file that git reads if it can. What
// is missing, unreadable or no regular file counts as empty: git goes on
// without it, and is given the copy in any case.
func readUserFile(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	content, err := readRegular(path, MaxFrozenBytes)
	switch {
	case err == nil:
		return content, nil
	case errors.Is(err, errTooLong):
		return nil, fault.New(fault.OverBound, "%q is over %d bytes", path, MaxFrozenBytes)
	case errors.Is(err, syscall.EIO):
		return nil, fault.New(fault.HostFailed, "%q cannot be read: %w", path, err)
	}
	return nil, nil
}
