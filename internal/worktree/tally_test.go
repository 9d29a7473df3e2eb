package worktree_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-algal/git-algal/internal/worktree"
)

// TestTally counts over two ways of reading, and what cannot be read.
func TestTally(t *testing.T) {
	dir := t.TempDir()
	for name, bytes := range map[string]int{"empty": 0, "small": 3, "large": 300_000} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, bytes), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := worktree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	requests := []worktree.Request{{Path: "empty"}, {Path: "large"}, {Path: "missing"}, {Path: "small"}}
	scan := func() {
		if _, err := root.Scan(t.Context(), requests, worktree.Limits{Bytes: worktree.MaxContent}); err != nil {
			t.Fatal(err)
		}
	}
	scan() // counted by nobody
	var tally worktree.Tally
	root.Count(&tally)
	scan()
	if files, bytes := tally.Read(); files != 3 || bytes != 300_003 {
		t.Errorf("after a scan: %d files, %d bytes", files, bytes)
	}
	if _, _, err := root.ReadFile(t.Context(), "small", 3); err != nil {
		t.Fatal(err)
	}
	if files, bytes := tally.Read(); files != 4 || bytes != 300_006 {
		t.Errorf("after a file: %d files, %d bytes", files, bytes)
	}
}
