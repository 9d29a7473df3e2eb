package gittest

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// HoldHeader holds a fixture to its header and returns git's answer: git says
// what the header says, asking changes nothing and runs nothing, and where the
// header says clean or dirty, git itself proves it without its caches. Where
// the header says that git runs what was planted, it has run afterwards.
func (c Checkout) HoldHeader(tb testing.TB) Answer {
	tb.Helper()
	before := c.Snapshot(tb)
	answer := Status(tb, c)
	if c.Ran() != (c.Git == GitRuns) {
		tb.Errorf("a planted command ran: %v, the header says %q", c.Ran(), c.Git)
	}
	if c.Git == GitRuns {
		return answer
	}
	if answer.Says != c.Git {
		tb.Fatalf("git says %q, the header %q\n%q\n%s", answer.Says, c.Git, answer.Entries(), answer.Stderr)
	}
	if c.Git == GitDirty {
		if got := answer.Entries(); len(got) != c.SaysCount || len(c.Says) > 0 && !slices.Equal(got, c.Says) {
			tb.Errorf("git's entries are %q, the header has %d: %q", got, c.SaysCount, c.Says)
		}
	}
	if c.Verdict != Refused {
		c.prove(tb, answer)
	}
	for _, line := range before.Diff(c.Snapshot(tb)) {
		if !sharedIndexTime.MatchString(line) {
			tb.Errorf("asking git wrote: %s", line)
		}
	}
	if c.Ran() {
		tb.Error("a planted command ran")
	}
	return answer
}

// sharedIndexTime matches the one thing that git writes against every setting.
var sharedIndexTime = regexp.MustCompile(`/sharedindex\.[0-9a-f]+" changed: modification time, change time$`)

// prove checks the verdict by the three conditions of contract section 5, and
// the way by what section 5 calls plain, both by git alone.
func (c Checkout) prove(tb testing.TB, answer Answer) {
	tb.Helper()
	content, err := Contents(tb, c)
	if err != nil {
		tb.Fatal(err)
	}
	var why []string
	if len(answer.Text) > 0 {
		why = append(why, fmt.Sprintf("status %q", answer.Text))
	}
	if len(content.Status) > 0 {
		why = append(why, fmt.Sprintf("status by content %q", content.Status))
	}
	if content.Tree != content.HeadTree {
		why = append(why, fmt.Sprintf("the entries make %s, HEAD's tree is %s", content.Tree, content.HeadTree))
	}
	if (c.Verdict == Clean) != (len(why) == 0) {
		tb.Errorf("the header says %q, git says %q", c.Verdict, why)
	}
	if reasons := c.impurities(tb, content); c.Way != Any && (c.Way == Own) != (len(reasons) == 0) {
		tb.Errorf("the header's way is %q, what stands against our own is %q", c.Way, reasons)
	}
}

// impurities lists why a checkout is not plain.
func (c Checkout) impurities(tb testing.TB, content Content) []string {
	tb.Helper()
	var reasons, paths []string
	for _, entry := range content.Entries {
		if strings.HasPrefix(entry, "160000 ") {
			reasons = append(reasons, "gitlink")
		}
		_, path, _ := strings.Cut(entry, "\t")
		paths = append(paths, path)
	}
	index, err := os.ReadFile(content.IndexFile)
	if err != nil && !os.IsNotExist(err) {
		tb.Fatal(err)
	}
	for _, extension := range []string{"link", "sdir", "FSMN"} {
		if bytes.Contains(index, []byte(extension)) {
			reasons = append(reasons, "index extension "+extension)
		}
	}
	ask := func(stdin string, args ...string) []string {
		answer := c.ask(tb.Context(), tb, nil, []byte(stdin), append([]string{"-c", "core.fsmonitor=false"}, args...)...)
		if answer.Says == GitFails && len(answer.Text) > 0 {
			tb.Fatalf("git %q: %s", args, answer.Stderr)
		}
		return answer.Entries()
	}
	if len(paths) > 0 {
		attributes := ask(strings.Join(paths, "\x00"), "check-attr", "-z", "--stdin", "text", "crlf", "eol", "ident", "filter", "working-tree-encoding")
		for triple := range slices.Chunk(attributes, 3) {
			if triple[2] != "unspecified" {
				reasons = append(reasons, strings.Join(triple, " "))
			}
		}
	}
	settings := map[string]string{}
	for _, setting := range ask("", "config", "-z", "--get-regexp", `^(core\.(autocrlf|symlinks|ignorecase)|extensions\.partialclone|remote\..*\.promisor)$`) {
		key, value, _ := strings.Cut(setting, "\n")
		settings[key] = value // the last one counts
	}
	for key, value := range settings {
		if standard := map[string]string{"core.autocrlf": "false", "core.symlinks": "true", "core.ignorecase": "false"}[key]; value != standard {
			reasons = append(reasons, key+"="+value)
		}
	}
	return append(reasons, ask("", "for-each-ref", "--format=%(refname)", "refs/replace")...)
}
