package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-algal/git-algal/jobs"
)

// TestFullDisk runs each command on a store whose disk is full, or nearly so: a
// small file system in memory. The command says so, the store stays whole, and
// once there is space the same command goes on.
func TestFullDisk(t *testing.T) {
	disk := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m,mode=0700"); err != nil {
		t.Skipf("nothing may be mounted here (%v); TestDiskFull of package jobs fills a disk in memory everywhere", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	refused := 0
	for free := 0; free <= 20; free += 4 { // pages, of which a record takes one
		c := newCrowd(t, "submit accepted\nobserve completes\nwrite a.txt changed\n")
		c.variables = append(c.variables, storeVariable+"="+filepath.Join(disk, fmt.Sprintf("store-%d", free)))
		const operation = "full"
		job := "op:" + operation
		for _, step := range []struct {
			words []string
			after jobs.Status
		}{
			{[]string{"prepare", "--adapter", "agent", "-m", "x", "--operation-id", operation}, jobs.Prepared},
			{[]string{"run", job}, jobs.Uncertain},
			{[]string{"reconcile", job}, jobs.Completed},
		} {
			story := fmt.Sprintf("%s with %d pages left", step.words[0], free)
			release := fill(t, disk, free)
			stdout, exit := c.asks(c.workspace, step.words...)
			release()
			switch {
			case exit == exitDone && step.after != jobs.Uncertain, exit == exitUncertain && step.after == jobs.Uncertain:
			case (exit == exitRefused || exit == exitUncertain) && strings.Contains(stdout, `"code":"IO_FAILED"`) && strings.Contains(stdout, "no space left"):
				refused++
			default:
				t.Errorf("%s: it ends with %d: %s", story, exit, stdout)
			}
			c.whole(c.workspace, operation, story)
			if c.status(c.workspace, operation) == step.after {
				continue
			}
			if stdout, exit := c.asks(c.workspace, step.words...); exit != exitDone && exit != exitUncertain {
				t.Errorf("%s, after space was made: it ends with %d: %s", story, exit, stdout)
			}
		}
		if status := c.status(c.workspace, operation); status != jobs.Completed || c.submissions(operation) != 1 {
			t.Errorf("with %d pages left at each step the job ends as %s after %d submissions", free, status, c.submissions(operation))
		}
	}
	if refused < 3 {
		t.Errorf("only %d commands met a full disk", refused)
	}
}

// fill takes the space of a file system away but for so many pages, and returns
// the function that gives it back.
func fill(t *testing.T, disk string, pages int) (release func()) {
	t.Helper()
	var stat syscall.Statfs_t
	if err := syscall.Statfs(disk, &stat); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(disk, "filler")
	if taken := (int64(stat.Bavail) - int64(pages)) * stat.Bsize; taken > 0 {
		err := os.WriteFile(filler, make([]byte, taken), 0o600)
		if err != nil && !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	return func() {
		if err := os.Remove(filler); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
}
