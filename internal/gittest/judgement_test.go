package gittest_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gittest"
)

func TestCheck(t *testing.T) {
	clean := gittest.Fixture{Verdict: gittest.Clean, Way: gittest.Own}
	dirty := gittest.Fixture{Verdict: gittest.Dirty, Way: gittest.Any}
	refused := gittest.Fixture{Verdict: gittest.Refused, Refused: []fault.Condition{fault.NotRoot, fault.NotClean}, Way: gittest.Any}
	notClean := fault.New(fault.NotClean, "changed")
	notRoot := fault.New(fault.NotRoot, "elsewhere")
	for _, test := range []struct {
		name    string
		fixture gittest.Fixture
		err     error
		way     gittest.Way
		want    string // part of the complaint, empty for none
	}{
		{"clean", clean, nil, gittest.Own, ""},
		{"wrong way", clean, nil, gittest.ByGit, "way"},
		{"false dirty", clean, notClean, gittest.Own, "judged dirty"},
		{"false refusal", clean, notRoot, gittest.Own, "judged refused (not-root)"},
		{"dirty", dirty, fmt.Errorf("check: %w", notClean), gittest.ByGit, ""},
		{"false clean", dirty, nil, gittest.Own, "false clean"},
		{"refused instead of dirty", dirty, notRoot, gittest.Any, "judged refused"},
		{"refused", refused, notRoot, gittest.Any, ""},
		{"dirty is among the reasons", refused, notClean, gittest.Any, ""},
		{"clean instead of refused", refused, nil, gittest.Own, "false clean"},
		{"other reason", refused, fault.New(fault.GitFailed, "broken"), gittest.Any, "judged refused (git-failed)"},
		{"no condition", refused, io.EOF, gittest.Any, "without a condition"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.fixture.Check(gittest.JudgementOf(test.err, test.way))
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestWriteTable(t *testing.T) {
	var out bytes.Buffer
	err := gittest.WriteTable(&out, []gittest.Row{
		{
			Fixture:   gittest.Fixture{Name: "plain", Verdict: gittest.Clean, Git: gittest.GitClean, Way: gittest.Own},
			Judgement: gittest.Judgement{Verdict: gittest.Clean, Way: gittest.Own},
		},
		{
			Fixture:   gittest.Fixture{Name: "liar", Verdict: gittest.Dirty, Git: gittest.GitClean, Way: gittest.Own},
			Judgement: gittest.Judgement{Verdict: gittest.Clean, Way: gittest.Own},
		},
		{
			Fixture:   gittest.Fixture{Name: "bare", Verdict: gittest.Refused, Refused: []fault.Condition{fault.GitFailed}, Git: gittest.GitFails, Way: gittest.Any},
			Judgement: gittest.JudgementOf(fault.New(fault.NotRoot, "x"), gittest.Any),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `fixture  git says  demanded              judged              way  
plain    clean     clean                 clean               own  
liar     clean     dirty                 clean               own  FALSE CLEAN
bare     fails     refused (git-failed)  refused (not-root)  -    WRONG
3 fixtures, 2 wrong, 1 of them false cleans
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
