// Package man is the manual of git-algal: pages in mdoc(7), as they are
// installed and as the program carries them.
//
//	git-algal.1              the program, and what all commands share
//	git-algal-COMMAND.1      one page for each command
//	git-algal-store.5        the store and every record in it
//	git-algal-adapter.7      the protocol, for people who write an adapter
//	git-algal-workflow.7     whole jobs, from the first one to their recovery
//	schema/                  a JSON Schema for each document that is printed
//
// A page's OPTIONS, EXIT STATUS, ENVIRONMENT and JSON OUTPUT are held to the
// program by the tests of cmd/git-algal, in both directions. Comments that
// begin with "walk:" mark the examples which those tests carry out.
package man

import (
	"embed"
	"io/fs"
)

//go:embed *.1 *.5 *.7
var pages embed.FS

// Page returns the source of a page, named as its file is, for instance
// "git-algal-run.1"; ok is false where there is none. The caller owns the
// bytes.
func Page(name string) (source []byte, ok bool) {
	source, err := pages.ReadFile(name)
	return source, err == nil
}

// Names returns the names of all pages in ascending order.
func Names() []string {
	entries, err := fs.ReadDir(pages, ".")
	if err != nil {
		return nil // an embedded directory can be read
	}
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// Find returns the name of the page about a topic, which is what stands behind
// "git-algal-" in it: "run" or "store". A command precedes a format and a
// protocol of the same name, which "adapter.7" names.
func Find(topic string) (name string, ok bool) {
	if _, ok := Page("git-algal-" + topic); ok {
		return "git-algal-" + topic, true
	}
	for _, section := range [...]string{"1", "5", "7"} {
		name := "git-algal-" + topic + "." + section
		if _, ok := Page(name); ok {
			return name, true
		}
	}
	return "", false
}
