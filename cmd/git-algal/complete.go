//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/google/shlex"
	"github.com/urfave/cli/v2"
)

// completeWord is the first argument of the shells' completion scripts. It is
// no verb: people do not type it, and it answers before any flag is parsed.
const completeWord = "complete"

// asksCompletion reports whether a shell asks what a word can become.
func (e environment) asksCompletion() bool { return len(e.args) > 0 && e.args[0] == completeWord }

// answerCompletion answers "complete SHELL WORDS…". WORDS are the words of the
// line from the name of the program to the cursor; the last one is to be
// completed. The first line of the answer says what the shell may offer beside
// the rest, each of which is a word, a tab and what it means:
//
//	words, files or directories
//	WORD	MEANING
//
// Nothing is said of what goes wrong: whoever is typing is not disturbed.
func (e environment) answerCompletion() int {
	const shell, line = 1, 2
	if len(e.args) <= line {
		return exitUsage
	}
	typed := slices.Clone(e.args[line:])
	if e.args[shell] == bash {
		unquote(typed)
	}
	ctx, stop := e.interruptible(context.Background())
	defer stop()
	offered := e.complete(ctx, typed)
	var b strings.Builder
	fmt.Fprintln(&b, offered.beside)
	for _, w := range offered.words {
		if !strings.ContainsFunc(w.text+w.meaning, unicode.IsControl) {
			fmt.Fprintf(&b, "%s\t%s\n", w.text, w.meaning)
		}
	}
	if _, err := e.stdout.Write([]byte(b.String())); err != nil {
		return exitRefused
	}
	return exitDone
}

// unquote takes the quotes from words, which bash hands over as they were
// typed. A word whose quote is still open stays as it is.
func unquote(words []string) {
	for i, word := range words {
		if plain, err := shlex.Split(word); err == nil && len(plain) == 1 {
			words[i] = plain[0]
		}
	}
}

// An offer is what a word can become.
type offer struct {
	beside beside
	words  []offeredWord
}

type offeredWord struct{ text, meaning string }

// beside says which files a shell offers by itself.
type beside string

const (
	noFiles     beside = "words"
	files       beside = "files"
	directories beside = "directories"
)

// matching returns the offer less the words that do not start with prefix.
func (o offer) matching(prefix string) offer {
	o.words = slices.DeleteFunc(o.words, func(w offeredWord) bool { return !strings.HasPrefix(w.text, prefix) })
	return o
}

// complete returns what the last word of a line can become.
func (e environment) complete(ctx context.Context, line []string) offer {
	nothing := offer{beside: noFiles}
	args, dir, ok := behindProgram(line)
	if !ok {
		return nothing
	}
	for _, d := range dir {
		e.dir = e.typedPath(d)
	}
	last := args[len(args)-1]
	t := scanTyped(args[:len(args)-1])
	if d, ok := t.values[flagDir]; ok {
		e.dir = e.typedPath(d)
	}
	v, err := verbNamed(t.verb)
	switch {
	case t.verb != "" && err != nil:
		return nothing
	case t.awaiting != "":
		return e.flagValues(ctx, v, t, t.awaiting, last).matching(last)
	case !t.ended && strings.HasPrefix(last, "-"):
		return e.flagsOffered(ctx, v, t, last).matching(last)
	case t.verb == "":
		return verbsOffered().matching(last)
	}
	return e.operandsOffered(ctx, v, t, last).matching(last)
}

// behindProgram returns the words behind the program's name, at least one, and
// the directories into which git itself changes first. As a command of git the
// name is the first word that is no flag of git's.
func behindProgram(line []string) (args, dirs []string, ok bool) {
	if filepath.Base(line[0]) != "git" {
		return line[1:], nil, len(line) > 1
	}
	separate := []string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--attr-source"}
	for i := 1; i < len(line); i++ {
		switch word := line[i]; {
		case slices.Contains(separate, word):
			i++
			if word == "-C" && i < len(line) {
				dirs = append(dirs, line[i])
			}
		case !strings.HasPrefix(word, "-"):
			return line[i+1:], dirs, word == "algal" && i+1 < len(line)
		}
	}
	return nil, nil, false
}

// typedPath returns a path as the shell will hand it over.
func (e environment) typedPath(word string) string {
	if below, ok := strings.CutPrefix(word, "~/"); ok {
		word = filepath.Join(e.variable("HOME"), below)
	}
	return e.path(word)
}

// A typed line is what stands before the word to be completed. Unlike
// takesValue.arrange, which refuses, it takes the words as far as they go.
type typed struct {
	verb     string
	operands []string
	given    []string          // names of flags
	values   map[string]string // by names of flags
	awaiting string            // the flag whose value comes next
	ended    bool              // "--" was typed: no flags any more
}

func scanTyped(words []string) typed {
	t := typed{values: map[string]string{}}
	known := flagNames(sharedFlags())
	for _, word := range words {
		switch {
		case t.awaiting != "":
			t.values[t.awaiting], t.awaiting = word, ""
		case word == "--" && !t.ended:
			t.ended = true
		case !t.ended && word != "-" && strings.HasPrefix(word, "-"):
			name, value, attached, err := known.flag(word)
			if err != nil {
				continue
			}
			t.given = append(t.given, name)
			if attached {
				t.values[name] = value
			} else if known[name] {
				t.awaiting = name
			}
		case t.verb == "":
			t.verb = word
			if v, err := verbNamed(word); err == nil {
				known = flagNames(v.allFlags())
			}
		default:
			t.operands = append(t.operands, word)
		}
	}
	return t
}

func verbsOffered() offer {
	o := offer{beside: noFiles}
	for _, v := range verbs() {
		o.words = append(o.words, offeredWord{v.name, v.usage})
	}
	return o
}

// flagsOffered returns the flags that may still be given, or the values that
// are attached to one.
func (e environment) flagsOffered(ctx context.Context, v verb, t typed, last string) offer {
	if name, value, attached := strings.Cut(last, "="); attached {
		o := e.flagValues(ctx, v, t, strings.TrimLeft(name, "-"), value)
		for i := range o.words {
			o.words[i].text = name + "=" + o.words[i].text
		}
		return o
	}
	o := offer{beside: noFiles}
	for _, flag := range v.allFlags() {
		if slices.ContainsFunc(flag.Names(), func(name string) bool { return slices.Contains(t.given, name) }) {
			continue
		}
		_, usage := placeholderOf(flag)
		for _, name := range flag.Names() {
			o.words = append(o.words, offeredWord{dashed(name), usage})
		}
	}
	return o
}

// placeholderOf returns the word that stands for a flag's value, and its usage.
func placeholderOf(flag cli.Flag) (value, usage string) {
	documented, ok := flag.(cli.DocGenerationFlag)
	if !ok {
		return "", ""
	}
	return placeholder(documented.GetUsage())
}

// flagValues returns what may stand for the value of a flag. The words that
// the help shows for values decide, so that there is no second table.
func (e environment) flagValues(ctx context.Context, v verb, t typed, name, typed string) offer {
	for _, flag := range v.allFlags() {
		if slices.Contains(flag.Names(), name) {
			value, _ := placeholderOf(flag)
			return e.valuesOf(ctx, value, "", t, typed)
		}
	}
	return offer{beside: noFiles}
}

// operandsOffered returns what the help shows for the operands of a verb.
func (e environment) operandsOffered(ctx context.Context, v verb, t typed, last string) offer {
	switch {
	case t.ended && (v.takesCommand || len(t.operands) >= v.maxOperands):
		return offer{beside: files} // a command of the person's own
	case v.maxOperands == 0:
		return e.flagsOffered(ctx, v, t, last)
	case v.name == adapterVerbName:
		return e.adapterOperandsOffered(t, last)
	case len(t.operands) >= v.maxOperands:
		return offer{beside: noFiles}
	}
	o := offer{beside: noFiles}
	for _, word := range operandsOf(v.operands) {
		if word != strings.ToUpper(word) {
			if len(t.operands) == 0 {
				o.words = append(o.words, offeredWord{word, ""})
			}
			continue
		}
		one := e.valuesOf(ctx, word, v.name, t, last)
		o.words = append(o.words, one.words...)
		if one.beside != noFiles {
			o.beside = one.beside
		}
	}
	return o
}

// operandsOf returns the words of a verb's operands as the help shows them,
// less the flags among them: those in capitals stand for something, others
// for themselves.
func operandsOf(shown string) []string {
	for open := strings.Index(shown, "("); open >= 0; open = strings.Index(shown, "(") {
		end := strings.Index(shown[open:], ")")
		if end < 0 {
			break
		}
		shown = shown[:open] + shown[open+end+1:]
	}
	var words []string
	fields := strings.Fields(shown)
	for i := 0; i < len(fields); i++ {
		field := strings.Trim(fields[i], "[]")
		if field == "--" {
			break
		}
		if strings.HasPrefix(field, "-") {
			i++ // its value
			continue
		}
		words = append(words, strings.FieldsFunc(field, func(r rune) bool { return r == '|' })...)
	}
	return words
}
