//go:build linux || darwin

package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// maxConfigurationBytes bounds the files that a person names: an adapter's
// configuration, the options and the source evidence. A prompt of 65,536 bytes
// whose characters are all escaped fits.
const maxConfigurationBytes = 1 << 20

// adapterNamed returns the adapter of --adapter: NAME is a file of the person's
// own configuration, and whatever has a slash is a path. A bare name is never
// looked for in the working directory, and no file of the checkout is taken:
// whoever works there could decide what is executed. c is nil where the command
// works in none.
func (in *invocation) adapterNamed(word string, c *checkout) (operation.Adapter, error) {
	path := in.path(word)
	if !strings.Contains(word, "/") {
		dir, err := in.adapterDirectory()
		if err != nil {
			return operation.Adapter{}, err
		}
		path = filepath.Join(dir, word+".json")
	}
	if c != nil {
		if err := outsideCheckout("configuration", path, c); err != nil {
			return operation.Adapter{}, err
		}
	}
	text, err := readConfiguration("adapter", path)
	if fault.Is(err, fault.Missing) && !strings.Contains(word, "/") {
		return operation.Adapter{}, fault.New(fault.Missing, "no adapter is called %q: there is no %q", word, path).
			WithNext("write that file, or name one with a slash in its path: --adapter ./FILE")
	}
	if err != nil {
		return operation.Adapter{}, err
	}
	adapter, err := operation.ParseAdapter(text)
	if err != nil {
		return operation.Adapter{}, err
	}
	if ledger, _, served := definition.Embedded(adapter); served && c != nil {
		if err := outsideCheckout("ledger", ledger, c); err != nil {
			return operation.Adapter{}, err
		}
	}
	return adapter, nil
}

// outsideCheckout refuses a file that whoever works in the checkout can write.
func outsideCheckout(what, path string, c *checkout) error {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		resolved = path
	}
	for _, p := range []string{path, resolved} {
		for _, dir := range []string{c.Workspace, c.GitDirectory, c.CommonDirectory} {
			if within(dir, p) {
				return fault.New(fault.AdapterPlacement, "the adapter's %s %q lies inside the checkout, where whoever works there can change it", what, path).
					WithNext("keep it elsewhere, among what is your own")
			}
		}
	}
	return nil
}

// readConfiguration reads a file that a person named. Errors are fault.Missing,
// fault.OverBound and fault.HostFailed.
func readConfiguration(what, path string) ([]byte, error) {
	text, err := readBounded(path, maxConfigurationBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.Missing, "there is no %s file %q", what, path)
	case errors.Is(err, errTooLong):
		return nil, fault.New(fault.OverBound, "%s file %q has more than %d bytes", what, path, maxConfigurationBytes)
	case err != nil:
		return nil, fault.New(fault.HostFailed, "%s file %q cannot be read: %w", what, path, err)
	}
	return text, nil
}

var errTooLong = errors.New("the file is over its bound")

func readBounded(path string, max int) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readAtMost(file, max)
}

func readAtMost(r io.Reader, max int) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(max)+1))
	if err == nil && len(text) > max {
		return nil, errTooLong
	}
	return text, err
}
