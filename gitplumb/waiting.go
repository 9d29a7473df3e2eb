package gitplumb

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-algal/git-algal/internal/fault"
)

// awaited are the files of a git directory that git opens whenever it is asked
// anything. It waits for ever where one of them is a FIFO.
var awaited = [...]string{"HEAD", "config", "config.worktree", "commondir", "packed-refs", "shallow", "index"}

// refuseWaiting refuses a checkout about which git would never answer. It
// looks at a repository before git does, so it finds fault with nothing else:
// whether there is a repository is for git to say.
func refuseWaiting(root string) error {
	gitDir := filepath.Join(root, dotGitName)
	info, err := os.Stat(gitDir)
	if err != nil {
		return nil
	}
	if !info.IsDir() {
		if err := refuseSpecial(gitDir, info); err != nil {
			return err
		}
		if gitDir, err = readPointer(gitDir, "gitdir: "); err != nil {
			return nil
		}
	}
	common := commonDirectory(gitDir)
	directories := []string{gitDir}
	if common != gitDir {
		directories = append(directories, common)
	}
	for _, directory := range directories {
		for _, name := range awaited {
			path := filepath.Join(directory, name)
			if info, err := os.Stat(path); err == nil {
				if err := refuseSpecial(path, info); err != nil {
					return err
				}
			}
		}
	}
	if _, _, err := (refStore{gitDir: gitDir, commonDir: common}).resolve("HEAD"); errors.Is(err, errNotRegular) {
		return err
	}
	return nil
}

func refuseSpecial(path string, info fs.FileInfo) error {
	if info.IsDir() || info.Mode().IsRegular() {
		return nil
	}
	return fault.New(fault.GitFailed, "%q is a special file, and git would wait for it", path)
}
