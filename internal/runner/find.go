package runner

import (
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// Find returns the absolute path of the executable that name stands for in
// dir: the file itself where name has a slash, relative to dir, else the first
// in the PATH of env. Relative entries of PATH are passed over: in a checkout
// they would name what its worker put there. The error is fault.Usage.
func Find(name, dir string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		path := name
		if !filepath.IsAbs(name) {
			path = dir + "/" + name // Join would resolve .. without its symlinks
		}
		if _, err := exec.LookPath(path); err != nil {
			return "", fault.New(fault.Usage, "command %q cannot be executed: %w", name, err)
		}
		return path, nil
	}
	for _, entry := range filepath.SplitList(variable(env, "PATH")) {
		if !filepath.IsAbs(entry) {
			continue
		}
		// LookPath of a path with a slash looks at that file alone.
		if path, err := exec.LookPath(filepath.Join(entry, name)); err == nil {
			return path, nil
		}
	}
	return "", fault.New(fault.Usage, "command %q is not in the PATH", name).
		WithNext("name the executable by its path; aliases and words of a shell need: sh -c 'WORDS'")
}

// variable returns the value of an environment variable; as in a process that
// gets env, the last one counts.
func variable(env []string, name string) string {
	var value string
	for _, v := range env {
		if rest, ok := strings.CutPrefix(v, name+"="); ok {
			value = rest
		}
	}
	return value
}
