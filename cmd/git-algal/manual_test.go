//go:build linux || darwin

package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/man"
)

// A manualPage is a page of the manual, as far as the tests read mdoc: its
// sections, and the macros in them.
type manualPage struct {
	name     string
	sections map[string][]string // title to lines
}

func openManualPage(tb testing.TB, name string) manualPage {
	tb.Helper()
	source, ok := man.Page(name)
	if !ok {
		tb.Fatalf("the manual has no page %s", name)
	}
	p := manualPage{name: name, sections: map[string][]string{}}
	section := ""
	for line := range strings.Lines(string(source)) {
		line = strings.TrimSuffix(line, "\n")
		if title, ok := strings.CutPrefix(line, ".Sh "); ok {
			section = title
			continue
		}
		p.sections[section] = append(p.sections[section], line)
	}
	return p
}

func manualPages(tb testing.TB) []manualPage {
	var pages []manualPage
	for _, name := range man.Names() {
		pages = append(pages, openManualPage(tb, name))
	}
	return pages
}

// lines returns those of the whole page.
func (p manualPage) lines() []string {
	var all []string
	for _, lines := range p.sections {
		all = append(all, lines...)
	}
	return all
}

var mdocWord = regexp.MustCompile(`"[^"]*"|\S+`)

// A macroUse is one macro and its arguments, punctuation left out.
type macroUse struct {
	macro string
	args  []string
}

// macroUses returns the macros of a line in their order; none of a line of
// text or a comment.
func macroUses(line string) []macroUse {
	if !strings.HasPrefix(line, ".") || strings.HasPrefix(line, `.\"`) {
		return nil
	}
	var uses []macroUse
	for i, word := range mdocWord.FindAllString(line[1:], -1) {
		switch {
		case i == 0 || isMacro(word):
			uses = append(uses, macroUse{macro: word})
		case strings.Trim(word, ",.;:|()[]?!") == "":
		default:
			last := &uses[len(uses)-1]
			last.args = append(last.args, strings.Trim(word, `"`))
		}
	}
	return uses
}

// isMacro reports whether a word in a line is one of the macros that mdoc
// calls there and that the manual uses.
func isMacro(word string) bool {
	return slices.Contains([]string{
		"Ar", "Brc", "Bro", "Cm", "Em", "Ev", "Fa", "Fl", "Ic", "Nm", "Ns", "Oc", "Oo", "Op", "Pa", "Ql", "Sx", "Va", "Xr",
	}, word)
}

// argsOf returns the arguments of every use of a macro in the lines.
func argsOf(macro string, lines []string) []string {
	var args []string
	for _, line := range lines {
		for _, use := range macroUses(line) {
			if use.macro == macro {
				args = append(args, use.args...)
			}
		}
	}
	return args
}

// A manualItem is one entry of a list.
type manualItem struct {
	head string // its line, as ".It Fl -json"
	body []string
}

// items returns the entries of the lists in the lines; those of inner lists
// are entries too.
func items(lines []string) []manualItem {
	var all []manualItem
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, ".It"):
			all = append(all, manualItem{head: line})
		case strings.HasPrefix(line, ".El"):
			all = append(all, manualItem{}) // what follows belongs to none
		case len(all) > 0:
			all[len(all)-1].body = append(all[len(all)-1].body, line)
		}
	}
	return slices.DeleteFunc(all, func(i manualItem) bool { return i.head == "" })
}

// itemArgs returns the arguments of a macro in the heads of the entries.
func itemArgs(macro string, lines []string) []string {
	var args []string
	for _, item := range items(lines) {
		args = append(args, argsOf(macro, []string{item.head})...)
	}
	return args
}

// flagUses returns the flags of a line with their dashes, and the words for
// their values, empty where a flag takes none.
func flagUses(line string) (names, values []string) {
	for _, use := range macroUses(line) {
		switch {
		case use.macro == "Fl" && len(use.args) > 0:
			names, values = append(names, "-"+use.args[0]), append(values, "")
		case use.macro == "Ar" && len(values) > 0 && len(use.args) > 0:
			values[len(values)-1] = use.args[0]
		}
	}
	return names, values
}

// compareSets reports what is in one of the two and not in the other.
func compareSets(tb testing.TB, what string, program, page []string) {
	tb.Helper()
	for _, name := range sortedSet(program) {
		if !slices.Contains(page, name) {
			tb.Errorf("%s: the manual lacks %q", what, name)
		}
	}
	for _, name := range sortedSet(page) {
		if !slices.Contains(program, name) {
			tb.Errorf("%s: the manual has %q, which does not exist", what, name)
		}
	}
}

func sortedSet(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

func TestMacroUses(t *testing.T) {
	for line, want := range map[string]string{
		`.It Fl F Ar FILE , Fl -file Ar FILE`: "It[] Fl[F] Ar[FILE] Fl[-file] Ar[FILE]",
		`.Nm "git algal run"`:                 "Nm[git algal run]",
		`.Op Fl q | Fl -quiet`:                "Op[] Fl[q] Fl[-quiet]",
		`.It Ev GIT_EDITOR , VISUAL`:          "It[] Ev[GIT_EDITOR VISUAL]",
		`.Xr git-algal 1 .`:                   "Xr[git-algal 1]",
		`.\" walk: run`:                       "",
		`plain text`:                          "",
	} {
		var got []string
		for _, use := range macroUses(line) {
			got = append(got, use.macro+"["+strings.Join(use.args, " ")+"]")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %s, want %s", line, strings.Join(got, " "), want)
		}
	}
}
