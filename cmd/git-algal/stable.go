//go:build linux || darwin

package main

import (
	"path/filepath"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// programName is what people install this program as.
const programName = "git-algal"

// lastingProgram returns the path of this program that an adapter can hold on
// to, and why it is that one; see [definition.StableExecutable].
func (e environment) lastingProgram() (definition.Candidate, error) {
	own, err := e.executable()
	if err != nil {
		return definition.Candidate{}, fault.New(fault.HostFailed, "the program does not know where it lies: %w", err)
	}
	var candidates []definition.Candidate
	add := func(rule definition.Rule, path string) {
		target, err := filepath.EvalSymlinks(path)
		if err == nil && sameFile(path, own) {
			candidates = append(candidates, definition.Candidate{Rule: rule, Path: filepath.Clean(path), Target: target})
		}
	}
	switch {
	case filepath.Base(e.program) != e.program:
		add(definition.AsCalled, e.path(e.program))
	case e.program != "":
		if found, err := e.lookPath(e.program); err == nil && filepath.IsAbs(found) {
			add(definition.AsCalled, found)
		}
	}
	if found, err := e.lookPath(programName); err == nil && filepath.IsAbs(found) {
		add(definition.OnPath, found)
	}
	add(definition.AsItLies, own)
	around := definition.Surroundings{Temporary: resolvedToo(e.temporaries), Checkouts: e.checkoutsAround(candidates)}
	if cache := e.variable("GOCACHE"); filepath.IsAbs(cache) {
		around.BuildCaches = resolvedToo([]string{cache})
	}
	return definition.StableExecutable(candidates, around)
}

// checkoutsAround returns the roots of the checkouts around the candidates and
// around the working directory.
func (e environment) checkoutsAround(candidates []definition.Candidate) []string {
	dirs := []string{e.dir}
	for _, c := range candidates {
		dirs = append(dirs, filepath.Dir(c.Path), filepath.Dir(c.Target))
	}
	var roots []string
	for _, dir := range dirs {
		e.dir = dir
		if root, _ := e.surroundingCheckout(); root != "" {
			roots = append(roots, root)
		}
	}
	return roots
}

// resolvedToo returns directories as they are named and as they are: /tmp is a
// symbolic link on some systems.
func resolvedToo(dirs []string) []string {
	var all []string
	for _, dir := range dirs {
		all = append(all, filepath.Clean(dir))
		if resolved, err := filepath.EvalSymlinks(dir); err == nil && resolved != filepath.Clean(dir) {
			all = append(all, resolved)
		}
	}
	return all
}
