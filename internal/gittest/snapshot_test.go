package gittest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/gittest"
)

// TestSnapshotDiff makes each kind of write once, in a tree that it restores as
// well as a writer could.
func TestSnapshotDiff(t *testing.T) {
	past := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, test := range []struct {
		name  string
		write func(dir string) error
		want  []string // parts of the lines, in order
	}{
		{"nothing", func(dir string) error { _, err := os.ReadFile(dir + "/d/f"); return err }, nil},
		{"content in place, time restored", func(dir string) error {
			if err := os.WriteFile(dir+"/d/f", []byte("two"), 0o644); err != nil {
				return err
			}
			return os.Chtimes(dir+"/d/f", past, past)
		}, []string{`"./d/f" changed: change time, content`}},
		{"replaced by an equal file", func(dir string) error {
			if err := os.WriteFile(dir+"/g", []byte("one"), 0o644); err != nil {
				return err
			}
			if err := os.Chtimes(dir+"/g", past, past); err != nil {
				return err
			}
			return os.Rename(dir+"/g", dir+"/d/f")
		}, []string{`"." changed: modification time`, `"./d" changed: modification time`, `"./d/f" changed: inode`}},
		{"a lock that came and went", func(dir string) error {
			if err := os.WriteFile(dir+"/d/f.lock", nil, 0o644); err != nil {
				return err
			}
			return os.Remove(dir + "/d/f.lock")
		}, []string{`"./d" changed: modification time`}},
		{"mode", func(dir string) error { return os.Chmod(dir+"/d/f", 0o600) }, []string{`"./d/f" changed: mode, change time`}},
		{"link", func(dir string) error {
			if err := os.Remove(dir + "/l"); err != nil {
				return err
			}
			return os.Symlink("else", dir+"/l")
		}, []string{`"." changed`, `"./l" changed:`}},
		{"new", func(dir string) error { return os.Mkdir(dir+"/n", 0o755) }, []string{`"." changed: links`, `"./n" is new`}},
		{"gone", func(dir string) error { return os.Remove(dir + "/fifo") }, []string{`"." changed`, `"./fifo" is gone`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "d"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "d/f"), []byte("one"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("nowhere", filepath.Join(dir, "l")); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{"d/f", "d", "."} {
				if err := os.Chtimes(filepath.Join(dir, path), past, past); err != nil {
					t.Fatal(err)
				}
			}
			before := gittest.Take(t, dir)
			// Longer than the file system's clock needs to move on.
			time.Sleep(20 * time.Millisecond)
			if err := test.write(dir); err != nil {
				t.Fatal(err)
			}
			got := before.Diff(gittest.Take(t, dir))
			if !slices.EqualFunc(got, test.want, strings.HasPrefix) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestSnapshotGoesBelowPathMax(t *testing.T) {
	c := gittest.Find(t, reposDir, "names-longpath-overmax").Build(t)
	found := false
	for path, state := range c.Snapshot(t) {
		if strings.HasSuffix(path, strings.Repeat("q", 70)) {
			found = len(state.Content) == 64
		}
	}
	if !found {
		t.Error("the deepest file was not read")
	}
}
