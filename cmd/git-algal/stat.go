//go:build linux || darwin

package main

import (
	"fmt"

	"github.com/dustin/go-humanize/english"

	"github.com/git-algal/git-algal/capture"
)

// maxBar is the length of the longest bar of a summary, in characters: it
// leaves most of 80 to the path.
const maxBar = 24

// writeStat summarizes a patch: each path with what is added, removed and
// changed about it, and on a terminal a bar in the colours of a patch.
func writeStat(p *page, files []capture.FileStat, colours *palette) {
	if len(files) == 0 {
		return
	}
	var rows [][]string
	added, removed, most := 0, 0, 0
	for _, f := range files {
		most = max(most, f.Added+f.Removed)
	}
	for _, f := range files {
		added, removed = added+f.Added, removed+f.Removed
		lines := fmt.Sprintf("+%d -%d", f.Added, f.Removed)
		if f.Binary {
			lines = fmt.Sprintf("%d -> %d bytes", f.OldSize, f.NewSize)
		}
		row := []string{"  " + shown(f.Path), lines, modeChange(f.OldMode, f.NewMode)}
		if p.terminal {
			row = append(row, colours.bar(marks(f.Added, most), marks(f.Removed, most)))
		}
		rows = append(rows, row)
	}
	p.table(rows...)
	p.line("%s changed, %s added, %s removed", english.Plural(len(files), "file", ""),
		english.Plural(added, "line", ""), english.Plural(removed, "line", ""))
}

// marks returns how many marks of a bar stand for n lines where the most that
// one file changes get maxBar: one for each line where there is room, at least
// one for any.
func marks(n, most int) int {
	if most <= maxBar || n == 0 {
		return n
	}
	return max(1, n*maxBar/most)
}

// modeChange says what became of a file beside its content; modes are git's,
// 0 where there is no file.
func modeChange(before, after uint32) string {
	const executable = 0o111
	switch {
	case after == 0:
		return "deleted"
	case before == 0 && after&executable != 0:
		return "new, executable"
	case before == 0:
		return "new"
	case before == after:
		return ""
	case after&executable != 0:
		return "now executable"
	}
	return "no longer executable"
}
