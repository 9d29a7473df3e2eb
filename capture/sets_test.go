package capture_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/git-algal/git-algal/capture"
)

// setsVariable names the environment variable that asks for more change sets
// than the few that every run of the tests makes.
const setsVariable = "GIT_ALGAL_PATCH_SETS"

// A changeSet makes random files and random changes to them.
type changeSet struct {
	*rand.Rand
	t    *testing.T
	work checkout
}

func (s changeSet) pick(from []string) string { return from[s.IntN(len(from))] }

// content returns a file of some odd kind.
func (s changeSet) content() []byte {
	lines := func(n int, line func(i int) string) []byte {
		var b bytes.Buffer
		for i := range n {
			b.WriteString(line(i))
		}
		return b.Bytes()
	}
	word := func() string {
		return s.pick([]string{"alpha", "beta", "gamma {", "}", "", "\tdelta", "    epsilon", "\u00e9t\u00e9", "if x {"})
	}
	text := func() []byte {
		return lines(1+s.IntN(60), func(int) string { return word() + strconv.Itoa(s.IntN(20)) + "\n" })
	}
	switch s.IntN(16) {
	case 0:
		return nil
	case 1: // binary
		return lines(s.IntN(3000), func(int) string { return string([]byte{byte(s.Uint32())}) })
	case 2: // CRLF
		return bytes.ReplaceAll(text(), []byte("\n"), []byte("\r\n"))
	case 3: // mixed line ends
		return lines(40, func(int) string { return word() + s.pick([]string{"\n", "\r\n", "\r"}) })
	case 4: // no last newline
		return bytes.TrimSuffix(text(), []byte("\n"))
	case 5: // Latin 1
		return lines(30, func(int) string { return word() + s.pick([]string{"\n", "caf\xe9\n", "\xff\n"}) })
	case 6: // like a patch
		return lines(20, func(int) string {
			return s.pick([]string{"diff --git a/x b/x\n", "--- a/x\n", "+++ b/x\n", "@@ -1 +1 @@\n", "-x\n", "+x\n", " x\n", "\\ No newline at end of file\n", "GIT binary patch\n", "-- \n", "\n"})
		})
	case 7: // whitespace errors
		return lines(20, func(int) string { return s.pick([]string{"a \n", " \ta\n", "\n", "\t\n", "a\n", "b\n"}) })
	case 8: // a NUL that git does not see
		return append(lines(1700, func(i int) string { return "line\n" }), []byte("a\x00b\n"+strconv.Itoa(s.IntN(9))+"\n")...)
	case 9:
		if s.IntN(4) == 0 { // one long line
			return bytes.Repeat([]byte(word()+"x"), 1<<20/8)
		}
		return []byte(word())
	case 10:
		if s.IntN(4) == 0 { // very many lines
			return lines(70_000, func(i int) string { return strconv.Itoa(i%1000) + "\n" })
		}
		return text()
	}
	return text()
}

// edited returns content with some of its lines changed.
func (s changeSet) edited(content []byte) []byte {
	lines := bytes.SplitAfter(bytes.Clone(content), []byte("\n"))
	for range 1 + s.IntN(4) {
		at := s.IntN(len(lines))
		switch s.IntN(5) {
		case 0:
			lines = slices.Delete(lines, at, min(len(lines), at+1+s.IntN(3)))
		case 1:
			lines = slices.Insert(lines, at, []byte("new\n"))
		case 2:
			lines[at] = []byte("changed\r\n")
		case 3:
			if len(lines[at]) > 0 {
				lines[at] = slices.Insert(bytes.Clone(lines[at]), s.IntN(len(lines[at])), byte('a'+s.IntN(26)))
			}
		case 4:
			lines = slices.Insert(lines, at, bytes.Clone(lines[s.IntN(len(lines))]))
		}
		if len(lines) == 0 {
			return nil
		}
	}
	return bytes.Join(lines, nil)
}

// name returns a path that is free.
func (s changeSet) name() string {
	for {
		name := s.pick([]string{"", "d/", "d/e/", "sp ace/", "-d/"}) +
			s.pick([]string{"f", "sp ace", `quo"te`, "ta\tb", "new\nline", `back\slash`, "-dash", "e\u0301", "\u00e9", "\U0001f600", " b", "a b", "x.txt", "con", "a:b", "tail ", "'", "*", "\x01"}) +
			strconv.Itoa(s.IntN(50))
		if _, err := os.Lstat(filepath.Join(s.work.dir, name)); err != nil {
			return name
		}
	}
}

func (s changeSet) put(name string, content []byte, mode os.FileMode) {
	path := filepath.Join(s.work.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, content, mode); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		s.t.Fatal(err)
	}
}

func (s changeSet) mode() os.FileMode { return []os.FileMode{0o644, 0o644, 0o755}[s.IntN(3)] }

// change changes one tracked file, on disk and perhaps in the index.
func (s changeSet) change(name string) {
	path := filepath.Join(s.work.dir, name)
	content, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	remove := func() {
		if err := os.Remove(path); err != nil {
			s.t.Fatal(err)
		}
	}
	switch s.IntN(10) {
	case 0: // rewrite
		s.put(name, s.content(), s.mode())
	case 1:
		remove()
	case 2:
		s.put(name, content, s.mode())
	case 3: // to empty or from empty
		if len(content) > 0 {
			content = nil
		} else {
			content = s.content()
		}
		s.put(name, content, 0o644)
	case 4: // stage, then edit
		s.put(name, s.edited(content), s.mode())
		s.work.git(s.t, "add", "--", ":(literal)"+name)
		s.put(name, s.edited(content), s.mode())
	case 5: // stage, then delete
		s.put(name, s.edited(content), 0o644)
		s.work.git(s.t, "add", "--", ":(literal)"+name)
		remove()
	case 6: // leave to git as untracked
		s.work.git(s.t, "rm", "-q", "--cached", "--", ":(literal)"+name)
		if s.IntN(2) == 0 {
			s.put(name, s.edited(content), s.mode())
		}
	default:
		s.put(name, s.edited(content), s.mode())
	}
}

// TestChangeSets captures random changes and lets git apply each artifact in a
// clone that has none of the new objects. The tree must be the same, whatever
// the person who applies it configures.
func TestChangeSets(t *testing.T) {
	sets := 6
	if text := os.Getenv(setsVariable); text != "" {
		var err error
		if sets, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", setsVariable, err)
		}
	}
	const seed = 20260102
	t.Logf("%d sets, seed %d; %s asks for more", sets, seed, setsVariable)
	for i := range sets {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			s := changeSet{rand.New(rand.NewPCG(seed, uint64(i))), t, newCheckout(t)}
			s.run()
		})
	}
}

func (s changeSet) run() {
	t, work := s.t, s.work
	work.git(t, "init", "-q", "--template=")
	var names []string
	for range 2 + s.IntN(8) {
		name := s.name()
		names = append(names, name)
		s.put(name, s.content(), s.mode())
	}
	work.git(t, "add", "-A")
	work.git(t, "commit", "-q", "-m", "source")
	clone := work.clone(t)
	source := work.source(t)

	for _, name := range names {
		if s.IntN(4) > 0 {
			s.change(name)
		}
	}
	for range s.IntN(4) {
		s.put(s.name(), s.content(), s.mode())
	}
	got, err := work.capture(t, source, capture.Limits{MaxPatchBytes: 16 << 20, MaxChangedFiles: 64})
	if err != nil {
		t.Fatal(err)
	}
	work.git(t, "add", "-A")
	want := work.git(t, "write-tree")

	artifact, err := got.Artifact.Format()
	if err != nil {
		t.Fatal(err)
	}
	again, err := capture.ParseArtifact(artifact, len(artifact), got.Artifact.ChangedFiles)
	if err != nil {
		t.Fatal(err)
	}
	patch, err := capture.Export(again)
	if err != nil {
		t.Fatal(err)
	}
	if stats, err := capture.Stat(again); err != nil || len(stats) < got.Artifact.ChangedFiles/2 {
		t.Errorf("%d stats, %v", len(stats), err)
	}
	if len(patch) == 0 {
		if got.Artifact.ChangedFiles != 0 && want != source.Tree+"\n" {
			t.Error("nothing to apply")
		}
		return
	}
	settings := [][]string{
		{}, {"-c", "apply.whitespace=fix"}, {"-c", "apply.whitespace=error"}, {"-c", "apply.whitespace=error-all"},
		{"-c", "diff.noprefix=true", "-c", "diff.context=0"}, {"-c", "core.quotePath=false", "-c", "color.ui=always"},
		{"-c", "diff.mnemonicPrefix=true", "-c", "apply.ignoreWhitespace=change"},
	}
	plain := settings[s.IntN(len(settings))]
	// With an index, git apply takes the old side from the blobs, and no
	// conversion can come between.
	indexed := slices.Concat(settings[s.IntN(len(settings))], []string{"-c", "core.autocrlf=" + s.pick([]string{"true", "input", "false"})})
	for _, args := range [][]string{append(plain, "apply", "--binary"), append(indexed, "apply", "--binary", "--index")} {
		clone.git(t, "reset", "-q", "--hard")
		clone.git(t, "clean", "-q", "-f", "-d", "-x")
		if _, err := clone.tryGit(t, string(patch), args...); err != nil {
			t.Errorf("git %q refuses\n%q", args, shortened(patch))
			continue
		}
		if !slices.Contains(args, "--index") {
			clone.git(t, "add", "-A")
		}
		if tree := clone.git(t, "write-tree"); tree != want {
			t.Errorf("git %q makes tree %s instead of %s:\n%s\n%q", args, tree, want, clone.git(t, "diff", "--cached", "--stat", "HEAD"), shortened(patch))
		}
	}
}

func shortened(patch []byte) []byte { return patch[:min(len(patch), 4000)] }

// clone returns a copy of the checkout that shares no objects with it.
func (c checkout) clone(t testing.TB) checkout {
	t.Helper()
	clone := newCheckout(t)
	if err := os.CopyFS(filepath.Join(clone.dir, ".git"), os.DirFS(filepath.Join(c.dir, ".git"))); err != nil {
		t.Fatal(err)
	}
	clone.git(t, "reset", "-q", "--hard")
	return clone
}
