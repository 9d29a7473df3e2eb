//go:build linux || darwin

package main

import (
	"go/build"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int{
		"1MiB": 1 << 20, "512KiB": 512 << 10, "64 KiB": 64 << 10, "64KB": 64_000, "1024": 1024, "1,024B": 1024, "1kb": 1000,
		"1EiB": 1<<31 - 1, // over every bound, and no negative number
	} {
		if got, err := parseSize(text); err != nil || got != want {
			t.Errorf("%q gives %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MiB", "-1KiB", "1XiB"} {
		if got, err := parseSize(text); err == nil {
			t.Errorf("%q gives %d", text, got)
		}
	}
}

func TestSizeIsExact(t *testing.T) {
	for _, bytes := range []int{1, 1023, 1024, 1025, 262_144, 1_048_575, 1_048_576} {
		if got, err := parseSize(size(bytes)); err != nil || got != bytes {
			t.Errorf("%d is written %q and read %d, %v", bytes, size(bytes), got, err)
		}
	}
}

func TestWithoutComments(t *testing.T) {
	for text, want := range map[string]string{
		editTemplate:                      "",
		"\n\nDo it.\n\n\n# no\nNow. \t\n": "Do it.\n\nNow.\n",
		"Do it.\r\n#x\r\n":                "Do it.\n",
		" # indented":                     " # indented\n",
		"a\n\n# c\n\nb":                   "a\n\nb\n",
	} {
		if got := withoutComments(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

func TestNextAttempt(t *testing.T) {
	for id, want := range map[operation.Identity]int{
		"a1-0123456789abcdef0123456789abcdef":  2,
		"a41-0123456789abcdef0123456789abcdef": 42,
		"a1-short":                             1, "mine": 1,
	} {
		if got := nextAttempt(id); got != want {
			t.Errorf("after %q comes %d, not %d", id, got, want)
		}
	}
}

func TestShellWord(t *testing.T) {
	for arg, want := range map[string]string{
		"plain": "plain", "": "''", "two words": "'two words'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "../x-2": "../x-2",
	} {
		if got := shellWord(arg); got != want {
			t.Errorf("%q is typed %s, not %s", arg, got, want)
		}
	}
}

func TestRepositoryName(t *testing.T) {
	for dir, want := range map[string]string{
		"/src/tool/.git": "tool", "/src/tool.git": "tool", "/src/mit Leer/.git": "mit_Leer", "/.git": "repository",
		"/src/..git": "repository", "/src/.git/modules/lib": "lib", "/" + strings.Repeat("x", 200) + "/.git": strings.Repeat("x", 64),
	} {
		if got := repositoryName(dir); got != want {
			t.Errorf("%q is called %q, not %q", dir, got, want)
		}
	}
}

func TestBaseDirectories(t *testing.T) {
	for _, test := range []struct {
		variables []string
		want      string // empty for a refusal
	}{
		{[]string{"HOME=/home/me"}, "/home/me/.local/state/git-algal"},
		{[]string{"HOME=/home/me", "XDG_STATE_HOME=/state"}, "/state/git-algal"},
		{[]string{"HOME=/home/me", "XDG_STATE_HOME=state"}, "/home/me/.local/state/git-algal"},
		{[]string{"HOME=/home/me", "XDG_STATE_HOME="}, "/home/me/.local/state/git-algal"},
		{[]string{"XDG_STATE_HOME=/state"}, "/state/git-algal"},
		{[]string{"HOME="}, ""},
		{nil, ""},
	} {
		got, err := environment{variables: test.variables}.stateHome()
		if got != test.want || (test.want == "") != fault.Is(err, fault.Usage) {
			t.Errorf("%q: %q, %v", test.variables, got, err)
		}
	}
}

func TestLastPersonal(t *testing.T) {
	for listing, want := range map[string]string{
		"": "", "system\x00a\x00": "a", "system\x00a\x00global\x00b\x00": "b",
		"global\x00b\x00local\x00c\x00": "b", "global\x00b\x00command\x00c\x00": "b", "local\x00c\x00": "", "global\x00\x00": "",
	} {
		if got := lastPersonal(listing); got != want {
			t.Errorf("%q gives %q, not %q", listing, got, want)
		}
	}
}

// TestOtherSystems holds that elsewhere the program builds, and consists of
// its refusal.
func TestOtherSystems(t *testing.T) {
	for _, system := range []string{"windows", "freebsd", "plan9"} {
		elsewhere := build.Default
		elsewhere.GOOS = system
		p, err := elsewhere.ImportDir(".", 0)
		if err != nil || !slices.Equal(p.GoFiles, []string{"unsupported.go"}) {
			t.Errorf("%s: %v, %v", system, p.GoFiles, err)
		}
	}
}

// TestVerbs holds what every verb needs to be found and explained.
func TestVerbs(t *testing.T) {
	for _, v := range verbs() {
		if found, err := verbNamed(v.name); err != nil || found.usage != v.usage {
			t.Errorf("verb %q is not found: %v", v.name, err)
		}
		if v.usage == "" || v.run == nil || len("  prepare    "+v.usage) > 100 {
			t.Errorf("verb %q: usage %q", v.name, v.usage)
		}
		seen := map[string]bool{}
		for _, flag := range v.allFlags() {
			for _, name := range flag.Names() {
				if seen[name] {
					t.Errorf("verb %q has the flag %q twice", v.name, name)
				}
				seen[name] = true
			}
		}
	}
	if _, err := verbNamed("prepair"); !fault.Is(err, fault.Usage) {
		t.Errorf("an unknown verb: %v", err)
	}
}
