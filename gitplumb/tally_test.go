package gitplumb_test

import (
	"os/exec"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
)

// TestTallyOfPasses holds that the tally goes on from pass to pass, and that a
// pass reads each file once.
func TestTallyOfPasses(t *testing.T) {
	c := plain(t)
	git, err := gitplumb.FindGit(t.Context(), exec.LookPath, c.env)
	if err != nil {
		t.Fatal(err)
	}
	for pass := int64(1); pass <= 2; pass++ {
		repo, err := gitplumb.Open(t.Context(), c.dir, git, gitplumb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := repo.Status(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := repo.Fingerprint(t.Context()); err != nil {
			t.Fatal(err)
		}
		if files, bytes := git.Tally(); files != 2*pass || bytes != 11*pass {
			t.Errorf("after pass %d: %d files, %d bytes", pass, files, bytes)
		}
		if err := repo.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
