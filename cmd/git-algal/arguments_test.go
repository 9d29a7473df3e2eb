//go:build linux || darwin

package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
)

func testFlags() takesValue {
	return flagNames([]cli.Flag{
		&cli.StringFlag{Name: "m", Aliases: []string{"message"}},
		&cli.IntFlag{Name: "attempt"},
		&cli.BoolFlag{Name: "json"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}},
	})
}

func TestArrange(t *testing.T) {
	const all = -1
	for _, test := range []struct {
		args            string // separated by blanks; "_" stands for an empty one
		max             int
		flags, operands string
		behind, rest    string
	}{
		{"JOB --json", all, "--json", "JOB", "", ""},
		{"--json JOB", all, "--json", "JOB", "", ""},
		{"JOB --attempt 2 -q", all, "--attempt=2 -q", "JOB", "", ""},
		{"JOB --attempt=2", all, "--attempt=2", "JOB", "", ""},
		{"-m TEXT JOB", all, "-m=TEXT", "JOB", "", ""},
		{"-mTEXT JOB", all, "-m=TEXT", "JOB", "", ""},
		{"-m=TEXT", all, "-m==TEXT", "", "", ""},
		{"--message= JOB", all, "--message=", "JOB", "", ""},
		{"-m _ JOB", all, "-m=", "JOB", "", ""},
		{"-m --json JOB", all, "-m=--json", "JOB", "", ""},
		{"-m -- JOB", all, "-m=--", "JOB", "", ""},
		{"--json -- JOB --json", all, "--json", "", "JOB --json", ""},
		{"JOB -- -x --", all, "", "JOB", "-x --", ""},
		{"- --json", all, "--json", "-", "", ""},
		{"--json=false JOB", all, "--json=false", "JOB", "", ""},
		{"--json run --attempt 2", 1, "--json", "run", "", "--attempt 2"},
		{"-mX run -- --json", 1, "-m=X", "run", "", "-- --json"},
		{"", all, "", "", "", ""},
	} {
		w, rest, err := testFlags().arrange(splitWords(test.args), test.max)
		if err != nil {
			t.Errorf("%q: %v", test.args, err)
			continue
		}
		if !slices.Equal(w.flags, strings.Fields(test.flags)) || !slices.Equal(w.operands, strings.Fields(test.operands)) ||
			!slices.Equal(w.behind, strings.Fields(test.behind)) || !slices.Equal(rest, strings.Fields(test.rest)) {
			t.Errorf("%q gives %q, %q, %q, %q", test.args, w.flags, w.operands, w.behind, rest)
		}
	}
}

func splitWords(line string) []string {
	words := strings.Fields(line)
	for i, word := range words {
		if word == "_" {
			words[i] = ""
		}
	}
	return words
}

func TestArrangeRefuses(t *testing.T) {
	for _, args := range []string{"--nothing", "-x", "-json", "--q", "-qx", "--m TEXT", "-é", "---json"} {
		var unknown unknownFlagError
		if _, _, err := testFlags().arrange(strings.Fields(args), -1); !errors.As(err, &unknown) {
			t.Errorf("%q gives the error %v, not an unknown flag", args, err)
		}
	}
	for _, args := range []string{"--attempt", "JOB -m"} {
		if _, _, err := testFlags().arrange(strings.Fields(args), -1); !fault.Is(err, fault.Usage) {
			t.Errorf("%q gives the error %v, not one of usage", args, err)
		}
	}
}

// FuzzArrange holds that every word is accounted for: arranged words, arranged
// again, are the same.
func FuzzArrange(f *testing.F) {
	for _, seed := range []string{"JOB --json", "-mX\n--\n-", "--attempt\n3\nJOB", "--json=1\n\n--\n\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		args := strings.Split(text, "\n")
		w, _, err := testFlags().arrange(args, -1)
		if err != nil {
			return
		}
		again := append(slices.Clone(w.flags), "--")
		again = append(append(again, w.operands...), w.behind...)
		w2, _, err := testFlags().arrange(again, -1)
		if err != nil {
			t.Fatalf("%q gives %q, which is refused: %v", args, again, err)
		}
		if !slices.Equal(append(w.operands, w.behind...), w2.behind) || len(w.flags) != len(w2.flags) {
			t.Errorf("%q gives %q, then %q %q", args, again, w2.flags, w2.operands)
		}
	})
}

func TestWantsJSON(t *testing.T) {
	for args, want := range map[string]bool{
		"--json": true, "run --json": true, "run --bad --json=true": true,
		"run": false, "run -- --json": false, "run --json=false": false,
	} {
		if got := wantsJSON(strings.Fields(args)); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}
