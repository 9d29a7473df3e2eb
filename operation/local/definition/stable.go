package definition

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// A Rule says how a path of this program was found, and so why it is taken.
type Rule string

// The rules, in the order in which their paths are preferred.
const (
	AsCalled Rule = "as it was called"  // the word that started it, made absolute
	OnPath   Rule = "found on PATH"     // what the shell finds under the program's name
	AsItLies Rule = "where it lies now" // what the system says
)

// A Candidate is one absolute path of the running program. All candidates are
// the same file; whoever makes them compares.
type Candidate struct {
	Rule   Rule
	Path   string
	Target string // Path with every symlink resolved
}

// Surroundings are the places in which a program does not stay, or in which an
// agent can replace it.
type Surroundings struct {
	Temporary   []string // directories whose files come and go
	BuildCaches []string // beside those that are recognised by their name
	Checkouts   []string // roots of checkouts around the candidates and the caller
}

// StableExecutable returns the first candidate that an upgrade of the program
// leaves where it is. It is stored in an adapter and in every job that the
// adapter is admitted with, so a path that goes away would orphan them.
//
// A candidate that itself or whose target lies in a build cache, a temporary
// directory or a checkout is no choice; of the others, one below a package
// manager's directory of one version (Homebrew's Cellar, the stores of Nix and
// Guix) is none either, while a symlink into it that the package manager keeps
// is. Where there is no choice the error is fault.AdapterPlacement and says
// what is wrong with the first candidate.
func StableExecutable(candidates []Candidate, around Surroundings) (Candidate, error) {
	var first error
	for _, c := range candidates {
		err := around.check(c)
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = fault.New(fault.AdapterPlacement, "no path of the program is known")
	}
	return Candidate{}, first
}

func (s Surroundings) check(c Candidate) error {
	const next = "install git-algal where programs stay, and repeat the command with that one"
	refuse := func(format string, args ...any) error {
		return fault.New(fault.AdapterPlacement, format, args...).WithNext(next)
	}
	for _, path := range []string{c.Path, c.Target} {
		switch {
		case !filepath.IsAbs(path):
			return refuse("the program's path %q is not absolute", path)
		case inBuildCache(path) || liesWithin(s.BuildCaches, path):
			return refuse("the program %q lies in a build cache, from which it will go", path)
		case liesWithin(s.Temporary, path):
			return refuse("the program %q lies in a temporary directory, from which it will go", path)
		case liesWithin(s.Checkouts, path):
			return refuse("the program %q lies in a checkout, where an agent that works there can replace it", path)
		}
	}
	if OneVersion(c.Path) {
		return refuse("the program %q is one version of its package, which an upgrade takes away", c.Path)
	}
	return nil
}

// inBuildCache recognises the directories in which the go command builds.
func inBuildCache(path string) bool {
	return slices.ContainsFunc(strings.Split(filepath.Dir(path), "/"), func(name string) bool { return strings.HasPrefix(name, "go-build") })
}

// OneVersion reports whether a package manager keeps one version of a program at
// path, which an upgrade takes away.
func OneVersion(path string) bool {
	for _, mark := range []string{"/Cellar/", "/nix/store/", "/gnu/store/"} {
		if strings.Contains(path, mark) {
			return true
		}
	}
	return false
}

func liesWithin(directories []string, path string) bool {
	return slices.ContainsFunc(directories, func(dir string) bool {
		return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
	})
}
