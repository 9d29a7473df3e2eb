//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// A way is one of the three that lead on from a checkout with changes in it.
type way struct {
	name    string
	command string
}

// waysOn returns them for a checkout: its changes are kept, set aside, or left
// where they are.
func waysOn(workspace string) []way {
	return []way{
		{"keep them", "git add -A && git commit"},
		{"set them aside", "git stash -u"},
		{"leave them", "git worktree add ../" + shellWord(freeName(workspace))},
	}
}

// freeName returns a name beside the workspace that nothing has yet.
func freeName(workspace string) string {
	base := filepath.Base(workspace)
	for n := 2; ; n++ {
		candidate := fmt.Sprintf("%s-%d", base, n)
		if _, err := os.Lstat(filepath.Join(filepath.Dir(workspace), candidate)); err != nil {
			return candidate
		}
	}
}

func writeWays(p *page, ways []way) {
	if len(ways) == 0 {
		return
	}
	p.line("the changes in this checkout; three ways on:")
	var rows [][]string
	for _, w := range ways {
		rows = append(rows, []string{"  " + w.name, w.command})
	}
	p.table(rows...)
}
