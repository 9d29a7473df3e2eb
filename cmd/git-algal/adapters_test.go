//go:build linux || darwin

package main

import (
	"strings"
	"testing"

	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// What is promised of an agent's end follows from what the machine gave alone.
func TestAdapterMachine(t *testing.T) {
	lacks := []custody.Lack{{Of: custody.GitProtection, Why: "w", Remedy: "r"}, {Of: string(custody.Cgroup), Why: "w", Remedy: "r"}}
	for name, c := range map[string]struct {
		found      custody.Found
		definition definition.Definition
		settlement settlement
		git        bool
		missing    int
	}{
		"all":              {custody.Found{Mechanisms: []custody.Mechanism{custody.Namespace}, Proof: true, ReadOnlyGit: true}, definition.Definition{}, alwaysProven, true, 0},
		"git writable":     {custody.Found{Mechanisms: []custody.Mechanism{custody.Namespace}, Proof: true, ReadOnlyGit: true}, definition.Definition{GitWritable: true}, alwaysProven, false, 0},
		"a foreign server": {custody.Found{Mechanisms: []custody.Mechanism{custody.Namespace}, Proof: true}, definition.Definition{ForeignServer: true}, neverProven, false, 0},
		"a subreaper":      {custody.Found{Mechanisms: []custody.Mechanism{custody.Subreaper}, Missing: lacks}, definition.Definition{}, whileWatched, false, 2},
		"a process group":  {custody.Found{Mechanisms: []custody.Mechanism{custody.Group}, Missing: lacks}, definition.Definition{}, neverProven, false, 2},
		"not asked for":    {custody.Found{Mechanisms: []custody.Mechanism{custody.Group}, Missing: lacks}, definition.Definition{GitWritable: true}, neverProven, false, 1},
	} {
		m := newAdapterMachine(c.found, c.definition)
		if m.Settlement != c.settlement || m.GitGuarded != c.git || len(m.Missing) != c.missing {
			t.Errorf("%s: %+v", name, m)
		}
		var b strings.Builder
		e := adapterEntry{Name: "a", File: "/f", Agent: newAdapterAgent(c.definition, ""), Machine: m}
		e.writeText(&page{w: &b})
		if said := strings.Contains(b.String(), "never proven here"); said != (c.settlement == neverProven) {
			t.Errorf("%s: %s", name, b.String())
		}
		if strings.Count(b.String(), "missing: ") != c.missing {
			t.Errorf("%s: %s", name, b.String())
		}
	}
}

func TestAdapterNames(t *testing.T) {
	for name, fine := range map[string]bool{
		"claude": true, "a.b_c-1": true, strings.Repeat("x", maxAdapterName): true,
		"": false, ".hidden": false, "-flag": false, "a/b": false, "a b": false, "é": false, strings.Repeat("x", maxAdapterName+1): false,
	} {
		if err := checkAdapterName(name); (err == nil) != fine {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// An agent's bytes are exact but on a terminal.
func TestEscapingWriter(t *testing.T) {
	var b strings.Builder
	n, err := escapingWriter{&b}.Write([]byte("a\x1b[31mb\n"))
	if err != nil || n != len("a\x1b[31mb\n") || b.String() != "a\\x1b[31mb\n" {
		t.Errorf("%d, %v: %q", n, err, b.String())
	}
}
