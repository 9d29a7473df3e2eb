//go:build linux || darwin

package main

import (
	"os"
	"path/filepath"
	"strings"
)

// maxPointerBytes bounds a ".git" or "commondir" file: a path and a few
// letters.
const maxPointerBytes = 8_192

// surroundingCheckout returns the root of the checkout around the working
// directory and what its worktrees share, as gitplumb would have them, both
// empty where there is none. It takes git's files at their word: good enough
// to propose a word, never to act on.
func (e environment) surroundingCheckout() (root, common string) {
	dir, err := filepath.EvalSymlinks(e.dir)
	if err != nil {
		return "", ""
	}
	for ; ; dir = filepath.Dir(dir) {
		gitDirectory, ok := gitDirectoryOf(dir)
		if ok {
			return dir, commonDirectoryOf(gitDirectory)
		}
		if dir == filepath.Dir(dir) {
			return "", ""
		}
	}
}

// gitDirectoryOf returns the git directory of a checkout's root.
func gitDirectoryOf(root string) (dir string, ok bool) {
	name := filepath.Join(root, ".git")
	info, err := os.Lstat(name)
	if err != nil {
		return "", false
	}
	if !info.IsDir() {
		return pointedAt(name, "gitdir: ")
	}
	return name, true
}

func commonDirectoryOf(gitDirectory string) string {
	if dir, ok := pointedAt(filepath.Join(gitDirectory, "commondir"), ""); ok {
		return dir
	}
	return gitDirectory
}

// pointedAt returns the canonical path that a file of git names behind lead.
func pointedAt(name, lead string) (path string, ok bool) {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return "", false // and no named pipe is waited for
	}
	text, err := readBounded(name, maxPointerBytes)
	if err != nil {
		return "", false
	}
	path, ok = strings.CutPrefix(strings.TrimRight(string(text), "\n"), lead)
	if !ok || path == "" {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(name), path)
	}
	path, err = filepath.EvalSymlinks(path)
	return path, err == nil
}
