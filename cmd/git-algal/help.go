//go:build linux || darwin

package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/man"
)

const helpSchema = "git-algal.help/1"

func helpVerb() verb {
	return verb{
		name: "help", usage: "say what the commands are, or what one does",
		operands: "[COMMAND|TOPIC]", maxOperands: 1, run: help,
		details: "On a terminal it is the page of the manual. The topics are workflow, store and\n" +
			"adapter.7, the protocol.",
	}
}

// A helpDocument describes one command, or all of them, or a topic of the
// manual, which has no command.
type helpDocument struct {
	Schema   string        `json:"schema"`
	Commands []helpCommand `json:"commands"`
	Page     string        `json:"page,omitzero"` // of the manual

	details string      // of the only command
	read    func() bool // shows the page to a person; nil where it is not asked for
}

type helpCommand struct {
	Name     string     `json:"name"`
	Operands string     `json:"operands"`
	Usage    string     `json:"usage"`
	Flags    []helpFlag `json:"flags"`
}

type helpFlag struct {
	Names []string `json:"names"` // with their dashes
	Value string   `json:"value"` // what stands for the value, empty where there is none
	Usage string   `json:"usage"`
	Fixed string   `json:"default"` // empty where there is none
}

func help(_ context.Context, in *invocation) (answer, error) {
	if in.flags.NArg() == 0 {
		d := &helpDocument{Schema: helpSchema}
		for _, v := range verbs() {
			d.Commands = append(d.Commands, describe(v))
		}
		return answer{document: d}, nil
	}
	topic := in.flags.Args().First()
	d := &helpDocument{Schema: helpSchema, Commands: []helpCommand{}}
	if v, err := verbNamed(topic); err == nil {
		d = helpOf(v)
	} else if d.Page, _ = man.Find(topic); d.Page == "" {
		return answer{}, err
	}
	d.read = func() bool { return in.readPage(d.Page) }
	return answer{document: d}, nil
}

func helpOf(v verb) *helpDocument {
	d := &helpDocument{Schema: helpSchema, Commands: []helpCommand{describe(v)}, details: v.details}
	d.Page, _ = man.Find(v.name)
	return d
}

func describe(v verb) helpCommand {
	c := helpCommand{Name: v.name, Operands: v.operands, Usage: v.usage}
	for _, flag := range v.allFlags() {
		documented, ok := flag.(cli.DocGenerationFlag)
		if !ok {
			continue
		}
		f := helpFlag{Fixed: ""}
		for _, name := range flag.Names() {
			f.Names = append(f.Names, dashed(name))
		}
		f.Value, f.Usage = placeholder(documented.GetUsage())
		if documented.TakesValue() {
			f.Fixed = strings.Trim(documented.GetDefaultText(), `"`)
		}
		c.Flags = append(c.Flags, f)
	}
	return c
}

// placeholder returns the word in back quotes, which stands for a flag's value,
// and the usage without the quotes.
func placeholder(usage string) (value, plain string) {
	if parts := strings.SplitN(usage, "`", 3); len(parts) == 3 {
		value = parts[1]
	}
	return value, strings.ReplaceAll(usage, "`", "")
}

func (d *helpDocument) shown() bool { return d.read != nil && d.read() }

func (d *helpDocument) writeText(p *page) {
	switch len(d.Commands) {
	case 0:
		source, _ := man.Page(d.Page)
		p.write(string(source)) // for a formatter; only the manual has topics
		return
	case 1:
		d.Commands[0].writeText(p, d.details)
		return
	}
	p.line("git algal: exactly one attempt of a coding agent, from exactly this source,")
	p.line("and its whole change.\n")
	var rows [][]string
	for _, c := range d.Commands {
		rows = append(rows, []string{"  " + c.Name, c.Usage})
	}
	p.table(rows...)
	p.line("\nMore about one of them: git algal help COMMAND")
}

func (c helpCommand) writeText(p *page, details string) {
	p.line("git algal %s\n", strings.TrimSpace(c.Name+" "+c.Operands))
	p.line("%s", c.Usage)
	if details != "" {
		p.line("\n%s", details)
	}
	p.line("")
	for _, f := range c.Flags {
		p.line("  %s", strings.TrimSpace(strings.Join(f.Names, ", ")+" "+f.Value))
		usage := f.Usage
		if f.Fixed != "" {
			usage += " (" + f.Fixed + ")"
		}
		p.line("        %s", usage)
	}
}
