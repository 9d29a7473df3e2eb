//go:build linux || darwin

package main

import (
	"os"
	"path/filepath"
)

// agents leaves documents about adapters that are served here, and of a job of
// one.
func (r *recorder) agents() {
	agent := filepath.Join(filepath.Dir(r.home), "claude")
	r.write(r, agent, "#!/bin/sh\n[ \"$1\" = --version ] && echo claude 1 && exit\ncat >/dev/null\necho it is done\n")
	if err := os.Chmod(agent, 0o700); err != nil {
		r.Fatal(err)
	}
	r.says(exitDone, "adapter", "add", "served", "--recipe", "claude", "--runtime", "20s", "--grace", "0s", "--env", "KEY=value", "--", agent)
	r.says(exitDone, "adapter", "list")
	r.says(exitDone, "adapter", "show", "served")
	r.in("served")
	r.says(exitDone, "run", "--adapter", "served", "-m", "a wish", "--operation-id", "wish")
	r.says(exitDone, "wait")
	r.says(exitDone, "stop")
	r.says(exitDone, "log")
	r.says(exitDone, "adapter", "wait", "served", "wish")
	r.says(exitDone, "adapter", "log", "served", "wish")
	r.says(exitDone, "where")

	// A program that is no init finds nothing, and a file that is no adapter
	// is none.
	honest := r.env.executable
	r.env.executable = func() (string, error) { return "/bin/false", nil }
	r.says(exitDone, "adapter", "show", "served")
	r.env.executable = honest
	broken := filepath.Join(r.home, ".config", ownDirectory, "adapters", "broken.json")
	r.write(r, broken, "{}")
	r.says(exitDone, "adapter", "list")
	if err := os.Remove(broken); err != nil {
		r.Fatal(err)
	}
	r.says(exitDone, "adapter", "remove", "served", "--quiet")
}
