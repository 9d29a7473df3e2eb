//go:build linux || darwin

package main

import (
	"fmt"
	"strings"

	"github.com/git-algal/git-algal/capture"
)

// An excerpt is the beginning of what differs at one path.
type excerpt struct {
	Path     string           `json:"path"`
	Text     string           `json:"text"`
	Cut      bool             `json:"cut"`      // more differs
	Omission capture.Omission `json:"omission"` // why there is no text, else empty

	path string
}

func newExcerpts(found []capture.Excerpt) []excerpt {
	excerpts := []excerpt{}
	for _, e := range found {
		path, _ := jsonPath(e.Path)
		excerpts = append(excerpts, excerpt{path, e.Text, e.Cut, e.Omission, e.Path})
	}
	return excerpts
}

const excerptIndent = "      "

// writeText writes the hunks, escaped wherever they are printed: they are for
// people, and no patch.
func (e excerpt) writeText(p *page) {
	for line := range strings.Lines(e.Text) {
		text := forTerminal(strings.TrimSuffix(line, "\n"))
		p.line("%s%s", excerptIndent, p.tintedHunkLine(text))
	}
	if e.Cut {
		p.line("%s...", excerptIndent)
	}
	if e.Omission != "" {
		p.line("%s(%s)", excerptIndent, omissionText(e.Omission))
	}
}

// tintedHunkLine returns a line of a patch in git's own colours for it.
func (p *page) tintedHunkLine(line string) string {
	switch {
	case strings.HasPrefix(line, "+"):
		return p.tinted(green, line)
	case strings.HasPrefix(line, "-"):
		return p.tinted(red, line)
	case strings.HasPrefix(line, "@@"):
		return p.tinted(cyan, line)
	}
	return line
}

func omissionText(o capture.Omission) string {
	switch o {
	case capture.OmittedBinary:
		return "binary"
	case capture.OmittedForm:
		return "not UTF-8"
	case capture.OmittedLarge:
		return fmt.Sprintf("over %s, not compared", size(capture.MaxExcerptFileBytes))
	}
	return "what git stores is the same, or was not kept"
}
