package ignore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	// setsEnv names the variable for a longer run of TestAgreesWithGit: the
	// number of random pattern sets, such as 20000.
	setsEnv     = "GIT_ALGAL_IGNORE_SETS"
	defaultSets = 1200
	// setsPerRun share one git process, each in a directory of its own, and
	// with the pattern files outside the working tree.
	setsPerRun = 40
	// runsPerTree is how often a tree of files is judged under new patterns.
	runsPerTree = 5
)

// TestAgreesWithGit holds random pattern sets on random trees of names
// against git.
func TestAgreesWithGit(t *testing.T) {
	sets := defaultSets
	if s := os.Getenv(setsEnv); s != "" {
		var err error
		if sets, err = strconv.Atoi(s); err != nil {
			t.Fatalf("%s: %v", setsEnv, err)
		}
	}
	j := newJudge(t)
	g := &generator{rand: rand.New(rand.NewPCG(1, 2)), disputed: followsDisputed(t)}
	var trees []tree
	done, shown, hidden := 0, 0, 0
	for run := 0; done < sets; run++ {
		if run%runsPerTree == 0 {
			j.clear()
			trees = trees[:0]
			for i := range setsPerRun {
				trees = append(trees, g.tree(fmt.Sprintf("s%02d", i)))
				for _, f := range trees[i].files {
					j.write(f, "")
				}
			}
		}
		c := g.checkout(trees)
		j.lay(c)
		want, got := j.untracked(c.ignoreCase), ours(c)
		report(t, c, want, got)
		if t.Failed() {
			t.Fatalf("after %d sets", done)
		}
		done += setsPerRun
		shown += len(want)
		hidden += len(c.files) + len(c.gitignore) - len(want)
		for dir := range c.gitignore {
			if err := os.Remove(j.dir + "/" + join(dir, ".gitignore")); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d sets agree: %d files shown, %d ignored", done, shown, hidden)
	// A generator whose patterns hide nothing or all proves nothing.
	if hidden < shown/10 || shown < hidden/10 {
		t.Errorf("the sets are one-sided: %d files shown, %d ignored", shown, hidden)
	}
}

// followsDisputed reports whether the git at hand lets the asterisks of a
// disputed pattern cross a slash, as the matcher does.
func followsDisputed(t *testing.T) bool {
	j := newJudge(t)
	c := checkout{files: []string{"foobar"}, gitignore: map[string]string{"": "foo**/bar\n"}}
	j.write("foobar", "")
	j.lay(c)
	return !slices.Contains(j.untracked(false), "foobar")
}

// report fails for each file on which the two answers differ, and shows the
// patterns of its set.
func report(t *testing.T, c checkout, want, got []string) {
	t.Helper()
	differing := append(difference(want, got), difference(got, want)...)
	for _, f := range differing[:min(len(differing), 5)] {
		set, _, _ := strings.Cut(f, "/")
		var b strings.Builder
		for dir, data := range c.gitignore {
			if dir == set || strings.HasPrefix(dir, set+"/") {
				fmt.Fprintf(&b, "\n%q: %q", join(dir, ".gitignore"), data)
			}
		}
		t.Errorf("%q: git shows it: %t; ignoreCase %t%s\ninfo/exclude: %q\ncore.excludesFile: %q",
			f, slices.Contains(want, f), c.ignoreCase, b.String(), c.exclude, c.excludes)
	}
}

func difference(a, b []string) []string {
	var only []string
	for _, s := range a {
		if _, found := slices.BinarySearch(b, s); !found {
			only = append(only, s)
		}
	}
	return only
}
