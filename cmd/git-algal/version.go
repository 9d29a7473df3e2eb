//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

const versionSchema = "git-algal.version/1"

func versionVerb() verb {
	return verb{name: "version", usage: "print the program's version", run: version}
}

// A versionDocument names the program that answers.
type versionDocument struct {
	Schema  string `json:"schema"`
	Version string `json:"version"` // of the module, "(devel)" where it was built from a checkout
	Commit  string `json:"commit,omitzero"`
	Go      string `json:"go"`
	System  string `json:"system"`
}

func version(context.Context, *invocation) (answer, error) {
	return answer{document: thisVersion()}, nil
}

// sayVersion is the command without flags.
func (e environment) sayVersion() int {
	p := &page{w: e.stdout}
	if thisVersion().writeText(p); p.err != nil {
		fmt.Fprintf(e.stderr, "git algal: the output could not be written: %v\n", p.err)
		return exitRefused
	}
	return exitDone
}

func thisVersion() *versionDocument {
	d := &versionDocument{
		Schema: versionSchema, Version: "(devel)", Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
	}
	if build, ok := debug.ReadBuildInfo(); ok {
		if build.Main.Version != "" {
			d.Version = build.Main.Version
		}
		for _, setting := range build.Settings {
			if setting.Key == "vcs.revision" {
				d.Commit = setting.Value
			}
		}
	}
	return d
}

func (d *versionDocument) writeText(p *page) {
	p.line("git-algal version %s (%s, %s)", d.Version, d.Go, d.System)
}
