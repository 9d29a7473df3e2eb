//go:build linux || darwin

package main

import (
	"os"
	"os/exec"
	"path/filepath"

	"github.com/git-algal/git-algal/man"
)

// readPage shows a page of the manual to a person, through man(1) and the
// pager that it chooses, and reports whether that was done. The page is the
// program's own, whatever is installed.
func (in *invocation) readPage(name string) bool {
	source, ok := man.Page(name)
	if !ok {
		return false
	}
	reader, err := in.lookPath("man")
	if err != nil {
		return false
	}
	dir, err := os.MkdirTemp(in.variable("TMPDIR"), "git-algal-man-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return false
	}
	// A name with a slash is a file for every man(1) in use; the flag -l is not
	// known to all of them.
	cmd := exec.Command(reader, file)
	cmd.Env = in.withoutGit()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in.stdin, in.stdout, in.stderr
	return cmd.Run() == nil
}
