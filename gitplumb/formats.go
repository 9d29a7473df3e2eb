package gitplumb

import (
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// maxRepositoryFormat is the newest repository format that is understood.
const maxRepositoryFormat = 1

// extensions lists the repository extensions under which a checkout can be
// judged, with the values that are allowed; no values means any value.
var extensions = map[string][]string{
	"extensions.noop":              nil,
	"extensions.noop-v1":           nil,
	"extensions.preciousobjects":   nil, // forbids deleting objects
	"extensions.worktreeconfig":    nil, // git lists the scope with the others
	"extensions.relativeworktrees": nil, // git resolves the links
	"extensions.partialclone":      nil, // objects may be missing: git's way
	"extensions.objectformat":      {"sha1"},
	"extensions.refstorage":        {"files"},
}

// checkFormat refuses a repository whose format or extensions this package
// does not understand. Git itself refuses those that git does not understand.
//
// Format 0 knows no extensions: git ignores all but a few of them there, and
// the ones that change how objects or references are stored are refused here
// in either format.
func checkFormat(c config) error {
	version, ok := int64(0), true
	if text := c.text("core.repositoryformatversion"); text != "" {
		version, ok = parseNumber(text)
	}
	if !ok || version < 0 || version > maxRepositoryFormat {
		return fault.New(fault.UnsupportedRepo, "repository format %q is not supported", c.text("core.repositoryformatversion"))
	}
	for _, s := range c.settings {
		if !strings.HasPrefix(s.key, "extensions.") || s.scope != "local" && s.scope != "worktree" {
			continue
		}
		values, known := extensions[s.key]
		switch {
		case s.key == "extensions.objectformat" && strings.EqualFold(s.value, "sha256"):
			return sha256Refused()
		case !known && version == 0 && s.key != "extensions.compatobjectformat":
			continue
		case !known:
			return fault.New(fault.UnsupportedRepo, "repository extension %q is not supported", s.key)
		case values != nil && !strings.EqualFold(s.value, values[0]):
			return fault.New(fault.UnsupportedRepo, "repository extension %q is %q", s.key, s.value)
		}
	}
	return nil
}

func sha256Refused() error {
	return fault.New(fault.SHA256Repository, "the repository names its objects by SHA-256").
		WithNext("use a SHA-1 repository")
}
