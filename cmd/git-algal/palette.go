//go:build linux || darwin

package main

import (
	"context"
	"strings"

	"github.com/git-algal/git-algal/capture"
)

// A palette is the colours of a patch: what the terminal is told in front of a
// text, as git would. A nil palette colours nothing.
type palette struct {
	meta, place, heading, inserted, deleted, whitespace, kept string
}

// patchPalette returns the person's colours for a patch on a terminal, nil
// where they want none: color.diff counts before color.ui, as for git, and
// through a pager color.pager must not be off.
func (in *invocation) patchPalette(ctx context.Context) (*palette, error) {
	if !in.isTerminal(in.stdout) || !in.couldColour() {
		return nil, nil
	}
	for _, key := range []string{"color.diff", "color.ui"} {
		setting, err := in.personal(ctx, key)
		switch {
		case err != nil, isOff(setting):
			return nil, err
		case setting == "":
			continue
		}
		break
	}
	if paged, err := in.personal(ctx, "color.pager"); err != nil || isOff(paged) && !notPaged(in.pager(ctx)) {
		return nil, err
	}
	p := &palette{}
	for _, slot := range []struct {
		colour *string
		key    string
		usual  gitColour
	}{
		{&p.meta, "color.diff.meta", "bold"},
		{&p.place, "color.diff.frag", "cyan"},
		{&p.heading, "color.diff.func", "normal"},
		{&p.inserted, "color.diff.new", "green"},
		{&p.deleted, "color.diff.old", "red"},
		{&p.whitespace, "color.diff.whitespace", "normal red"},
		{&p.kept, "color.diff.context", "normal"},
	} {
		var err error
		if *slot.colour, err = in.personalColour(ctx, slot.key, slot.usual); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// patch returns a patch with its colours. What could steer a terminal is
// escaped before anything is coloured.
func (c *palette) patch(patch string) string {
	var b strings.Builder
	for line, kind := range capture.Lines(patch) {
		text, end := strings.TrimSuffix(line, "\n"), ""
		if text != line {
			end = "\n"
		}
		switch kind {
		case capture.LineHeader:
			b.WriteString(coloured(c.meta, forTerminal(text)))
		case capture.LinePlace:
			numbers, heading, _ := strings.Cut(text[2:], "@@")
			b.WriteString(coloured(c.place, "@@"+numbers+"@@"))
			if heading != "" {
				b.WriteString(" " + coloured(c.heading, forTerminal(strings.TrimPrefix(heading, " "))))
			}
		case capture.LineInserted:
			kept := strings.TrimRight(text, " \t\r")
			b.WriteString(coloured(c.inserted, forTerminal(kept)) + coloured(c.whitespace, forTerminal(text[len(kept):])))
		case capture.LineDeleted:
			b.WriteString(coloured(c.deleted, forTerminal(text)))
		case capture.LineKept:
			b.WriteString(coloured(c.kept, forTerminal(text)))
		default:
			colour := ""
			if strings.HasPrefix(text, `\`) { // a word about the line above it
				colour = c.kept
			}
			b.WriteString(coloured(colour, forTerminal(text)))
		}
		b.WriteString(end)
	}
	return b.String()
}

// coloured returns text behind what the terminal is told, which is taken back
// at the end of the line.
func coloured(colour, text string) string {
	if colour == "" || text == "" {
		return text
	}
	return colour + text + "\x1b[m"
}

// bar returns a bar of so many marks in the colours of a patch.
func (c *palette) bar(added, removed int) string {
	plus, minus := strings.Repeat("+", added), strings.Repeat("-", removed)
	if c == nil {
		return plus + minus
	}
	return coloured(c.inserted, plus) + coloured(c.deleted, minus)
}
