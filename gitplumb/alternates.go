package gitplumb

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

const (
	// maxAlternateDepth is how far alternates of alternates are followed;
	// git's bound.
	maxAlternateDepth = 5
	// maxAlternatesBytes bounds one alternates file, in bytes.
	maxAlternatesBytes = 1 << 20
)

// objectDirectories returns root and every object directory that its
// objects/info/alternates leads to, in git's order (gitrepository-layout(5)).
// Alternates that do not exist are left out, as git does.
func objectDirectories(root string) ([]string, error) {
	directories := []string{root}
	return directories, addAlternates(root, 0, &directories)
}

func addAlternates(directory string, depth int, directories *[]string) error {
	text, err := readRegular(filepath.Join(directory, "info", "alternates"), maxAlternatesBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault.New(fault.GitFailed, "the alternates of %q cannot be read: %w", directory, err)
	}
	if depth > maxAlternateDepth {
		return fault.New(fault.GitFailed, "alternates are nested deeper than %d", maxAlternateDepth)
	}
	for _, path := range parseAlternates(string(text)) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(directory, path)
		}
		resolved, err := filepath.EvalSymlinks(path)
		if err != nil || slices.Contains(*directories, resolved) {
			continue
		}
		if info, err := os.Stat(resolved); err != nil || !info.IsDir() {
			continue
		}
		*directories = append(*directories, resolved)
		if err := addAlternates(resolved, depth+1, directories); err != nil {
			return err
		}
	}
	return nil
}

// parseAlternates returns the paths of an alternates file: one a line, "#" for
// comments, quoted in C's manner where a line begins with a quote.
func parseAlternates(text string) []string {
	var paths []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '"' {
			if unquoted, err := strconv.Unquote(line); err == nil {
				line = unquoted
			}
		}
		paths = append(paths, line)
	}
	return paths
}
