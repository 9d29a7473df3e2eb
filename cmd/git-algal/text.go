//go:build linux || darwin

package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// textPrinter prints for people: documents to stdout, refusals to stderr. Names
// with control characters are quoted everywhere; the texts of agents and files
// are escaped on a terminal only, and exact elsewhere.
type textPrinter struct {
	stdout   io.Writer
	stderr   io.Writer
	terminal bool // stdout is one
	colour   bool
	page     func(write func(io.Writer) error) error // through the person's pager
}

func (p textPrinter) print(d document) error {
	write := func(w io.Writer) error {
		out := &page{w: w, terminal: p.terminal, colour: p.colour}
		d.writeText(out)
		return out.err
	}
	if s, ok := d.(shownDocument); ok && p.terminal && s.shown() {
		return nil
	}
	if _, ok := d.(pagedDocument); ok && p.terminal {
		return p.page(write)
	}
	return write(p.stdout)
}

func (p textPrinter) fail(f failure) error {
	out := &page{w: p.stderr}
	f.writeText(out)
	return out.err
}

// A page takes the lines of a document and keeps the first error of writing.
type page struct {
	w        io.Writer
	terminal bool
	colour   bool
	err      error
}

func (p *page) write(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, text)
	}
}

// line writes one line.
func (p *page) line(format string, args ...any) { p.write(fmt.Sprintf(format, args...) + "\n") }

// content writes the text of an agent or a file.
func (p *page) content(text string) {
	if p.terminal {
		text = forTerminal(text)
	}
	p.write(text)
}

// table writes rows in aligned columns.
func (p *page) table(rows ...[]string) {
	for _, line := range aligned(rows...) {
		p.line("%s", line)
	}
}

// aligned returns rows as lines in aligned columns, two blanks apart; the last
// column is not padded.
func aligned(rows ...[]string) []string {
	var lines []string
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], visible(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-visible(cell)+2))
			}
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

// visible returns how many characters of a cell a terminal shows.
func visible(cell string) int {
	shown := 0
	for i, part := range strings.Split(cell, "\x1b[") {
		if i > 0 {
			_, part, _ = strings.Cut(part, "m")
		}
		shown += utf8.RuneCountInString(part)
	}
	return shown
}

// The colours of a word, as the terminal's own palette has them.
const (
	green  = "32"
	yellow = "33"
	red    = "31"
	cyan   = "36"
)

// tinted returns word in a colour, where colours are wanted.
func (p *page) tinted(colour, word string) string {
	if !p.colour {
		return word
	}
	return "\x1b[" + colour + "m" + word + "\x1b[m"
}
