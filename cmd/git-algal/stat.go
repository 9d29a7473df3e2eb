//go:build linux || darwin

package main

import (
	"fmt"

	"github.com/dustin/go-humanize/english"

	"github.com/git-algal/git-algal/capture"
)

// writeStat summarizes a patch: each path with what is added, removed and
// changed about it.
func writeStat(p *page, files []capture.FileStat) {
	if len(files) == 0 {
		return
	}
	var rows [][]string
	added, removed := 0, 0
	for _, f := range files {
		added, removed = added+f.Added, removed+f.Removed
		lines := fmt.Sprintf("+%d -%d", f.Added, f.Removed)
		if f.Binary {
			lines = fmt.Sprintf("%d -> %d bytes", f.OldSize, f.NewSize)
		}
		rows = append(rows, []string{"  " + shown(f.Path), lines, modeChange(f.OldMode, f.NewMode)})
	}
	p.table(rows...)
	p.line("%s changed, %s added, %s removed", english.Plural(len(files), "file", ""),
		english.Plural(added, "line", ""), english.Plural(removed, "line", ""))
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
