//go:build linux || darwin

package main

import (
	"path/filepath"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

const (
	ownDirectory = "git-algal" // below each of the XDG directories

	storeVariable = "GIT_ALGAL_STORE"
	storeSetting  = "algal.store" // in the global or system git configuration

	// storeHashDigits of a repository's digest tell stores of equal names
	// apart.
	storeHashDigits = 16
)

// stateHome returns where the program keeps what must survive: the store and
// the registry of claimed workspaces.
func (e environment) stateHome() (string, error) {
	return e.baseDirectory("XDG_STATE_HOME", ".local/state")
}

// configHome returns where a person keeps adapters.
func (e environment) configHome() (string, error) {
	return e.baseDirectory("XDG_CONFIG_HOME", ".config")
}

// baseDirectory returns one of the XDG base directories. A relative one counts
// as unset, as their specification says.
func (e environment) baseDirectory(variable, belowHome string) (string, error) {
	if dir := e.variable(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, ownDirectory), nil
	}
	if home := e.variable("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, belowHome, ownDirectory), nil
	}
	return "", fault.New(fault.Usage, "neither HOME nor %s is set to an absolute path", variable).
		WithNext("set HOME; the store and the registry have to lie somewhere that lasts")
}

func (e environment) registryDirectory() (string, error) {
	dir, err := e.stateHome()
	return filepath.Join(dir, "workspaces"), err
}

func (e environment) adapterDirectory() (string, error) {
	dir, err := e.configHome()
	return filepath.Join(dir, "adapters"), err
}

// ledgerDirectory returns where the ledgers of the embedded adapter lie, each
// under the adapter's name.
func (e environment) ledgerDirectory() (string, error) {
	dir, err := e.stateHome()
	return filepath.Join(dir, "ledgers"), err
}

// defaultStore returns the store of the repository whose worktrees share
// commonDirectory.
func (e environment) defaultStore(commonDirectory string) (string, error) {
	dir, err := e.stateHome()
	if err != nil {
		return "", err
	}
	hash := canon.DigestText(commonDirectory).Hex()[:storeHashDigits]
	return filepath.Join(dir, "stores", repositoryName(commonDirectory)+"-"+hash), nil
}

// repositoryName returns what a person calls the repository, for the eye only:
// /src/tool/.git and /src/tool.git are both "tool".
func repositoryName(commonDirectory string) string {
	base := filepath.Base(commonDirectory)
	if base == ".git" {
		base = filepath.Base(filepath.Dir(commonDirectory))
	}
	plain := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '_'
	}, strings.TrimSuffix(base, ".git"))
	const longest = 64 // bytes; a file name has room for 255
	plain = strings.Trim(plain[:min(len(plain), longest)], "._-")
	if plain == "" {
		return "repository"
	}
	return plain
}

// within reports whether path is dir or lies below it; both are clean.
func within(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
