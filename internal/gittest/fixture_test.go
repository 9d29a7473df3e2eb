package gittest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gittest"
)

const goodHeader = `#!/usr/bin/env bash
# hazard: A file changed.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# says: "?? n\n\xff"
# way: own
# needs: byte-names linux
# workspace: "w\ts"
set -eu
# verdict: clean
`

func TestParseHeader(t *testing.T) {
	f, err := gittest.ParseHeader("name", []byte(goodHeader))
	if err != nil {
		t.Fatal(err)
	}
	if f.Name != "name" || f.Hazard != "A file changed." || f.Verdict != gittest.Dirty || f.Git != gittest.GitDirty ||
		!slices.Equal(f.Says, []string{" M a.txt", "?? n\n\xff"}) || f.SaysCount != 2 || f.Way != gittest.Own ||
		!f.Needing(gittest.NeedByteNames) || !f.Needing(gittest.NeedLinux) || f.Needing(gittest.NeedRoot) || f.Workspace != "w\ts" {
		t.Errorf("got %+v", f)
	}
	f, err = gittest.ParseHeader("name", []byte("# hazard: H.\n# verdict: refused\n# refused: not-root git-failed\n# git: dirty\n# says: 300 entries\n# way: -\n"))
	if err != nil || !slices.Equal(f.Refused, []fault.Condition{fault.NotRoot, fault.GitFailed}) || f.SaysCount != 300 || f.Workspace != "ws" {
		t.Errorf("got %+v, %v", f, err)
	}
}

func TestParseHeaderRefuses(t *testing.T) {
	for name, change := range map[string][2]string{
		"no colon":             {"# way: own", "# way own"},
		"unknown key":          {"# needs:", "# wants:"},
		"key twice":            {"# way: own", "# way: own\n# way: own"},
		"verdict":              {"# verdict: dirty\n# git", "# verdict: filthy\n# git"},
		"no verdict":           {"# verdict: dirty\n# git", "# git"},
		"git":                  {"# git: dirty", "# git: maybe"},
		"way":                  {"# way: own", "# way: mine"},
		"need":                 {"byte-names linux", "byte-names windows"},
		"no sentence":          {"changed.", "changed"},
		"reason for dirty":     {"# way: own", "# refused: not-clean\n# way: own"},
		"unknown condition":    {"# way: own", "# refused: nonsense\n# way: own"},
		"refused, no reason":   {"# verdict: dirty\n# git", "# verdict: refused\n# git"},
		"clean, git dirty":     {"# verdict: dirty\n# git", "# verdict: clean\n# git"},
		"dirty, git fails":     {"# git: dirty", "# git: fails"},
		"entries, git clean":   {"# git: dirty", "# git: clean"},
		"no entries":           {"# says: \" M a.txt\"\n# says: \"?? n\\n\\xff\"\n", ""},
		"entry too short":      {`" M a.txt"`, `" M "`},
		"entry without blank":  {`" M a.txt"`, `" Ma.txt"`},
		"entries and a count":  {`" M a.txt"`, "7 entries"},
		"bad count":            {`" M a.txt"`, "many entries"},
		"bad string":           {`" M a.txt"`, `" M a.txt`},
		"absolute workspace":   {`"w\ts"`, "/absolute"},
		"too many spelled out": {"# way: own", strings.Repeat("# says: \"?? x\"\n", 11) + "# way: own"},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(goodHeader, change[0]) {
				t.Fatalf("nothing to change: %q", change[0])
			}
			f, err := gittest.ParseHeader("name", []byte(strings.Replace(goodHeader, change[0], change[1], 1)))
			if err == nil {
				t.Fatalf("accepted as %+v", f)
			}
			if f.Hazard != "" || f.Verdict != "" {
				t.Errorf("an error with a value: %+v", f)
			}
		})
	}
}

func FuzzParseHeader(f *testing.F) {
	f.Add([]byte(goodHeader))
	f.Add([]byte("# hazard: H.\n# verdict: refused\n# refused: not-root\n# git: fails\n# way: -\n"))
	f.Add([]byte("#\n# : \n# says: \"\n"))
	f.Fuzz(func(t *testing.T, script []byte) {
		fixture, err := gittest.ParseHeader("name", script)
		if err != nil {
			return
		}
		if (fixture.Verdict == gittest.Refused) != (len(fixture.Refused) > 0) || (fixture.Git == gittest.GitDirty) != (fixture.SaysCount > 0) {
			t.Errorf("a contradiction was accepted: %+v", fixture)
		}
	})
}
