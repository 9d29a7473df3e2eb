//go:build linux || darwin

package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/man"
)

// The manual is held to the program in both directions: what the program has
// stands in its page, and a page has nothing that the program lacks.

func pageOf(v verb) string { return "git-algal-" + v.name + ".1" }

// programPage is the page about what all commands share.
const programPage = "git-algal.1"

func TestManualHasEveryCommand(t *testing.T) {
	want := []string{programPage, "git-algal-store.5", "git-algal-adapter.7", "git-algal-workflow.7"}
	var listed []string
	for _, v := range verbs() {
		want = append(want, pageOf(v))
		listed = append(listed, strings.TrimSuffix(pageOf(v), ".1"))
	}
	compareSets(t, "pages", want, man.Names())
	names := itemArgs("Xr", openManualPage(t, programPage).sections["COMMANDS"])
	names = slices.DeleteFunc(names, func(word string) bool { return word == "1" })
	compareSets(t, "list of commands", listed, names)
}

func TestManualHasEveryFlag(t *testing.T) {
	shared := helpCommand{Flags: describe(verb{}).Flags}
	compareOptions(t, openManualPage(t, programPage), shared.Flags)
	for _, v := range verbs() {
		if _, ok := man.Page(pageOf(v)); ok {
			compareOptions(t, openManualPage(t, pageOf(v)), describe(v).Flags[:len(v.flags)])
		}
	}
}

// compareOptions holds the OPTIONS of a page to flags, their values and their
// defaults.
func compareOptions(t *testing.T, page manualPage, flags []helpFlag) {
	var program, documented []string
	bodies := map[string]string{}
	for _, item := range items(page.sections["OPTIONS"]) {
		names, values := flagUses(item.head)
		for i, name := range names {
			documented = append(documented, strings.TrimSpace(name+" "+values[i]))
			bodies[name] = strings.Join(item.body, "\n")
		}
	}
	for _, flag := range flags {
		for _, name := range flag.Names {
			program = append(program, strings.TrimSpace(name+" "+flag.Value))
			if !strings.Contains(bodies[name], flag.Fixed) {
				t.Errorf("%s: %s does not say its default %q", page.name, name, flag.Fixed)
			}
		}
	}
	compareSets(t, page.name+": options", program, documented)
}

func TestManualSynopsis(t *testing.T) {
	for _, v := range verbs() {
		if _, ok := man.Page(pageOf(v)); !ok {
			continue // TestManualHasEveryCommand says so
		}
		synopsis := openManualPage(t, pageOf(v)).sections["SYNOPSIS"]
		var used, words []string
		for _, line := range synopsis {
			names, _ := flagUses(line)
			used = append(used, names...)
		}
		for _, arg := range argsOf("Ar", synopsis) {
			words = append(words, strings.Split(arg, "|")...)
		}
		compareSets(t, pageOf(v)+": words for themselves", literalOperands(v.operands), argsOf("Cm", synopsis))
		known := operandWords(v.operands)
		for _, flag := range v.flags {
			if !slices.ContainsFunc(flag.Names(), func(name string) bool { return slices.Contains(used, dashed(name)) }) {
				t.Errorf("%s: the synopsis lacks %s", pageOf(v), dashed(flag.Names()[0]))
			}
		}
		for _, word := range known {
			if !slices.Contains(words, word) {
				t.Errorf("%s: the synopsis lacks %s", pageOf(v), word)
			}
		}
		for _, flag := range v.allFlags() {
			value, _ := placeholder(flag.(cli.DocGenerationFlag).GetUsage())
			known = append(known, strings.Split(value, "|")...)
		}
		for _, word := range words {
			if word != "" && !slices.Contains(known, word) {
				t.Errorf("%s: the synopsis has %s, which the command does not take", pageOf(v), word)
			}
		}
	}
}

// operandWords returns the words of a verb's operands that stand for something.
func operandWords(operands string) []string {
	return regexp.MustCompile(`\b[A-Z]{2,}\b`).FindAllString(operands, -1)
}

// literalOperands returns those that stand for themselves.
func literalOperands(operands string) []string {
	var words []string
	for _, alternative := range strings.FieldsFunc(operands, func(r rune) bool { return strings.ContainsRune("|[] ", r) }) {
		if regexp.MustCompile(`^[a-z]+$`).MatchString(alternative) {
			words = append(words, alternative)
		}
	}
	return words
}

// Whatever a page mentions in passing exists as well.
func TestManualMentions(t *testing.T) {
	variables := programVariables(t)
	var every []string
	for _, v := range verbs() {
		every = append(every, flagsOf(v.allFlags())...)
	}
	for _, page := range manualPages(t) {
		flags := every
		if i := slices.IndexFunc(verbs(), func(v verb) bool { return pageOf(v) == page.name }); i >= 0 {
			flags = append(flagsOf(verbs()[i].allFlags()), "--version")
		} else if page.name == programPage {
			flags = append(flagsOf(sharedFlags()), "--version")
		}
		for _, line := range page.lines() {
			names, _ := flagUses(line)
			for _, name := range names {
				if !slices.Contains(flags, name) {
					t.Errorf("%s: %s is no flag of it", page.name, name)
				}
			}
			for _, name := range argsOf("Ev", []string{line}) {
				if name != "GIT_" && !slices.Contains(variables, name) {
					t.Errorf("%s: the program does not read %s", page.name, name)
				}
			}
		}
	}
}

func flagsOf(flags []cli.Flag) []string {
	var names []string
	for _, flag := range flags {
		for _, name := range flag.Names() {
			names = append(names, dashed(name))
		}
	}
	return names
}
