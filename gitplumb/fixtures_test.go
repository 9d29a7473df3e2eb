package gitplumb_test

import (
	"bytes"
	"context"
	"os/exec"
	"sync"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/gittest"
)

const fixturesDir = "../testdata/repos"

// shortShare is the share of the fixtures, one in so many, that a short run
// judges.
const shortShare = 20

func lookGit(string) (string, error) { return exec.LookPath("git") }

// A finding is what one pass says about a fixture.
type finding struct {
	judgement gittest.Judgement
	text      []byte // of the status
	hasText   bool
	err       error // why the fixture is not clean
}

// judge says whether the checkout is clean, as a command would.
func judge(tb testing.TB, c gittest.Checkout) (found finding) {
	c.As(tb, func() {
		ctx := context.Background()
		git, err := gitplumb.FindGit(ctx, lookGit, c.Env)
		if err != nil {
			found.err = err
			return
		}
		repo, err := gitplumb.Open(ctx, c.Dir, git, gitplumb.Options{})
		if err != nil {
			found.err = err
			return
		}
		defer repo.Close()
		found.err = repo.Clean(ctx)
		if way, _, err := repo.Way(ctx); err == nil {
			found.judgement.Way = gittest.Way(way)
		}
		if status, err := repo.Status(ctx); err == nil {
			found.text, found.hasText = status.Text, true
		}
	})
	found.judgement = gittest.JudgementOf(found.err, found.judgement.Way)
	return found
}

// TestFixtures judges every fixture, holds it to its header, and prints the
// table of verdicts and ways: go test -v -run=TestFixtures ./gitplumb
func TestFixtures(t *testing.T) {
	var (
		mu   sync.Mutex
		rows []gittest.Row
	)
	t.Run("all", func(t *testing.T) {
		for i, fixture := range gittest.Fixtures(t, fixturesDir) {
			t.Run(fixture.Name, func(t *testing.T) {
				if testing.Short() && i%shortShare != 0 {
					t.Skip("a sample is judged; CI judges all")
				}
				t.Parallel()
				c := fixture.Build(t)
				before := c.Snapshot(t)
				found := judge(t, c)
				for _, change := range before.Diff(c.Snapshot(t)) {
					t.Errorf("judging changed the checkout: %s", change)
				}
				if c.Ran() {
					t.Error("a planted command ran")
				}
				if err := fixture.Check(found.judgement); err != nil {
					t.Errorf("%v (%v)", err, found.err)
				}
				compareWithGit(t, c, found, c.HoldHeader(t))
				mu.Lock()
				defer mu.Unlock()
				rows = append(rows, gittest.Row{Fixture: fixture, Judgement: found.judgement})
			})
		}
	})
	var table bytes.Buffer
	if err := gittest.WriteTable(&table, rows); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + table.String())
}

// compareWithGit holds the status text against git's, byte for byte, where
// the fixture demands an answer and does not fool git.
func compareWithGit(t *testing.T, c gittest.Checkout, found finding, answer gittest.Answer) {
	if !found.hasText || c.Verdict == gittest.Refused {
		return
	}
	if c.Verdict == gittest.Dirty && c.Git == gittest.GitClean {
		return
	}
	if answer.Says != gittest.GitClean && answer.Says != gittest.GitDirty {
		return
	}
	if !bytes.Equal(found.text, answer.Text) {
		t.Errorf("status is %q, git says %q", found.text, answer.Text)
	}
}
