package gitplumb_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
)

// TestRandomConversions makes checkouts with random attributes, settings and
// line ends, and holds each status against git. Agreement is part of it: a
// status by git's way is refused where the own computation differs.
func TestRandomConversions(t *testing.T) {
	rounds := 4
	if testing.Short() {
		rounds = 2
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(seed), 11))
			c := newCheckout(t)
			c.sh("git config filter.up.clean 'tr a-z A-Z'; git config filter.up.smudge 'tr A-Z a-z'")
			pick := func(from ...string) string { return from[random.IntN(len(from))] }
			text := func() string {
				var b strings.Builder
				for range random.IntN(4) {
					b.WriteString(pick("a", "b", "$Id$", "$Id: 1 $", "\x00", "é", "A") + pick("\n", "\r\n", "\r\n", "\r"))
				}
				return b.String()
			}
			attributes := func() string {
				var b strings.Builder
				for range 1 + random.IntN(4) {
					fmt.Fprintf(&b, "%s %s\n", pick("*", "*.txt", "a.txt", "d/*", "*.c", "[attr]m", "**/b.txt", "!x"),
						pick("text", "text=auto", "-text", "eol=lf", "eol=crlf", "crlf", "-crlf", "crlf=input", "ident", "-ident", "filter=up", "-filter", "filter=none", "binary", "m", "text eol=crlf", "text=auto eol=lf", "!text", "diff=x"))
				}
				return b.String()
			}
			files := []string{"a.txt", "b.txt", "x.c", "d/a.txt", "d/b.txt", "d/e/b.txt", "d/e/y.c"}
			for _, file := range files {
				c.write(file, text())
			}
			c.sh("git add . 2>/dev/null; git commit -q -m base")
			for round := range 4 {
				for range 2 + random.IntN(4) {
					switch random.IntN(6) {
					case 0:
						c.git("config", "core.autocrlf", pick("true", "false", "input"))
					case 1:
						c.write(pick("", "d/", "d/e/")+".gitattributes", attributes())
					case 2:
						c.git("config", "core.eol", pick("lf", "crlf", "native"))
					default:
						c.write(pick(files...), text())
					}
				}
				// Cached data that other attributes left is git's alone to
				// explain, so every file is looked at anew: git compares whole
				// seconds, so each round needs one that no round had.
				c.sh(fmt.Sprintf("find . -name .git -prune -o -type f -exec touch -d 2001-01-01T00:00:%02d {} +; ", round) + pick("git add -u 2>/dev/null || :", "git add . 2>/dev/null || :", ":", ":"))
				repo := c.pass()
				way, _, err := repo.Way(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				c.wantStatus(way)
				changes, err := c.pass().Changes(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, change := range changes {
					checkContent(t, repo, change)
				}
				if way == gitplumb.WayOwn && len(changes) > 0 && repo.Converted(changes[0].Path) {
					t.Error("a converted path on the own way")
				}
				if random.IntN(2) == 0 {
					c.sh("git add . 2>/dev/null; git commit -q --allow-empty -m next")
				}
			}
		})
	}
}
