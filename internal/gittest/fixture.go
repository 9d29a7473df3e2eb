package gittest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
)

// A Verdict is what a judge of checkouts must say about a fixture.
type Verdict string

// The verdicts. The contract decides first (section 5), then git: clean means
// that git's status is empty, that the index entries make HEAD's tree, and that
// every tracked content is what the index says.
const (
	Clean   Verdict = "clean"
	Dirty   Verdict = "dirty"   // not clean; the refusal is fault.NotClean
	Refused Verdict = "refused" // refused for one of the reasons in [Fixture.Refused]
)

// GitSays is the kind of answer that git itself gives about a fixture, asked as
// [Status] asks.
type GitSays string

// The kinds of answers. A fixture with verdict Dirty that git calls clean is
// one that fools git.
const (
	GitClean GitSays = "clean" // exit status 0 and no entry
	GitDirty GitSays = "dirty" // exit status 0 and at least one entry
	GitFails GitSays = "fails" // any other exit status
	GitHangs GitSays = "hangs" // no answer, for instance from a FIFO that nobody writes; give a judge a deadline
	GitRuns  GitSays = "runs"  // whatever it answers, it runs a planted command: not to be asked at all
)

// A Way is the means by which a judge comes to its answer.
type Way string

// The ways of contract section 5.
const (
	Own   Way = "own" // own code, for a checkout that is plain
	ByGit Way = "git" // the git binary
	Any   Way = "-"   // either, or none: the fixture does not say
)

// A Need is what a machine must offer for a fixture to mean anything.
type Need string

// The needs.
const (
	NeedRoot         Need = "root"         // gives files to other users
	NeedUnprivileged Need = "unprivileged" // permission bits must bind the reader; root becomes nobody for it
	NeedByteNames    Need = "byte-names"   // names are bytes: no case folding, no normalization, no encoding
	NeedLinux        Need = "linux"        // paths of 4,096 bytes, device nodes
)

// maxHeaderSays is the number of status entries up to which a header spells
// them out; longer ones give their count.
const maxHeaderSays = 12

// A Fixture is one script and what its header says.
type Fixture struct {
	Name      string
	Hazard    string            // one sentence
	Verdict   Verdict           //
	Refused   []fault.Condition // any of these is right; empty unless Verdict is Refused
	Git       GitSays           //
	Says      []string          // git's entries, "XY path" with the path's bytes; empty unless Git is GitDirty
	SaysCount int               // the number of git's entries, also where Says leaves them out
	Way       Way               //
	Needs     []Need            //
	Workspace string            // the path to be judged below the build's root, "ws" unless the header says otherwise

	script string // absolute path
	shared *shared
}

// A shared is what the fixtures of one directory have in common.
type shared struct {
	plain template

	// user is held for writing while the process acts as another user
	// ([Checkout.As]), and for reading by everything here that would go wrong
	// meanwhile.
	user sync.RWMutex
}

// Fixtures returns the fixtures of a directory, sorted by name. It fails the
// test when the directory has none or a header is wrong.
func Fixtures(tb testing.TB, dir string) []Fixture {
	tb.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		tb.Fatal(err)
	}
	scripts, err := filepath.Glob(filepath.Join(dir, "*.sh"))
	if err != nil || len(scripts) == 0 {
		tb.Fatalf("no fixture scripts in %q (%v)", dir, err)
	}
	common := &shared{plain: template{prelude: filepath.Join(dir, preludeName)}}
	tb.Cleanup(func() { common.plain.remove(tb) })
	fixtures := make([]Fixture, 0, len(scripts))
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			tb.Fatal(err)
		}
		f, err := ParseHeader(strings.TrimSuffix(filepath.Base(script), ".sh"), text)
		if err != nil {
			tb.Fatal(err)
		}
		f.script, f.shared = script, common
		fixtures = append(fixtures, f)
	}
	return fixtures
}

// Find returns the fixture of that name, or fails the test.
func Find(tb testing.TB, dir, name string) Fixture {
	tb.Helper()
	fixtures := Fixtures(tb, dir)
	i := slices.IndexFunc(fixtures, func(f Fixture) bool { return f.Name == name })
	if i < 0 {
		tb.Fatalf("no fixture %q in %q", name, dir)
	}
	return fixtures[i]
}

// ParseHeader reads the header of a script: the comment lines at its top, "#
// key: value" each, one of a kind except "says". A value that begins with a
// quotation mark is a Go string. The result cannot be built unless it came from
// [Fixtures]. The keys:
//
//	hazard     one sentence, required
//	verdict    clean, dirty or refused, required
//	refused    the conditions of package fault of which any is right, by name
//	git        clean, dirty, fails, hangs or runs, required
//	says       one entry of git's status ("XY path"), or "N entries" for many
//	way        own, git or -, required
//	needs      root, unprivileged, byte-names, linux
//	workspace  the path to be judged, "ws" where it is missing
func ParseHeader(name string, script []byte) (Fixture, error) {
	f := Fixture{Name: name, Workspace: "ws"}
	seen := map[string]bool{}
	for line := range bytes.Lines(script) {
		text, comment := strings.CutPrefix(strings.TrimSuffix(string(line), "\n"), "#")
		if !comment {
			break
		}
		if strings.HasPrefix(text, "!") && len(seen) == 0 {
			continue
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(text, " "), ": ")
		if !ok {
			return Fixture{}, fmt.Errorf("fixture %q: header line %q is no \"key: value\"", name, text)
		}
		if seen[key] && key != "says" {
			return Fixture{}, fmt.Errorf("fixture %q: key %q stands twice", name, key)
		}
		seen[key] = true
		if err := f.set(key, value); err != nil {
			return Fixture{}, fmt.Errorf("fixture %q: key %q: %w", name, key, err)
		}
	}
	if err := f.check(); err != nil {
		return Fixture{}, fmt.Errorf("fixture %q: %w", name, err)
	}
	return f, nil
}

// set takes one line of the header.
func (f *Fixture) set(key, value string) (err error) {
	if strings.HasPrefix(value, `"`) {
		if value, err = strconv.Unquote(value); err != nil {
			return fmt.Errorf("%q is no Go string", value)
		}
	}
	switch key {
	case "hazard":
		f.Hazard = value
	case "verdict":
		f.Verdict, err = oneOf(value, Clean, Dirty, Refused)
	case "git":
		f.Git, err = oneOf(value, GitClean, GitDirty, GitFails, GitHangs, GitRuns)
	case "way":
		f.Way, err = oneOf(value, Own, ByGit, Any)
	case "needs":
		for word := range strings.FieldsSeq(value) {
			need, err := oneOf(word, NeedRoot, NeedUnprivileged, NeedByteNames, NeedLinux)
			if err != nil {
				return err
			}
			f.Needs = append(f.Needs, need)
		}
	case "refused":
		for word := range strings.FieldsSeq(value) {
			condition, err := conditionNamed(word)
			if err != nil {
				return err
			}
			f.Refused = append(f.Refused, condition)
		}
	case "workspace":
		if f.Workspace = value; filepath.IsAbs(value) {
			err = fmt.Errorf("%q is absolute", value)
		}
	case "says":
		if count, ok := strings.CutSuffix(value, " entries"); ok {
			f.SaysCount, err = strconv.Atoi(count)
			break
		}
		if len(value) < len("XY p") || value[2] != ' ' {
			return fmt.Errorf("%q is no status entry", value)
		}
		f.Says = append(f.Says, value)
		f.SaysCount++
	default:
		err = fmt.Errorf("unknown key")
	}
	return err
}

// check holds the parts of a header against each other.
func (f *Fixture) check() error {
	switch {
	case !strings.HasSuffix(f.Hazard, "."):
		return fmt.Errorf("the hazard is not one sentence")
	case f.Verdict == "" || f.Git == "" || f.Way == "":
		return fmt.Errorf("verdict, git and way are required")
	case (f.Verdict == Refused) != (len(f.Refused) > 0):
		return fmt.Errorf("reasons for a refusal stand exactly where the verdict is %q", Refused)
	case f.Verdict == Clean && f.Git != GitClean:
		return fmt.Errorf("verdict %q although git's answer is %q", Clean, f.Git)
	case f.Verdict == Dirty && f.Git != GitClean && f.Git != GitDirty:
		return fmt.Errorf("verdict %q although git's answer is %q", Dirty, f.Git)
	case (f.Git == GitDirty) != (f.SaysCount > 0):
		return fmt.Errorf("entries of git stand exactly where its answer is %q", GitDirty)
	case len(f.Says) > maxHeaderSays || len(f.Says) > 0 && f.SaysCount != len(f.Says):
		return fmt.Errorf("up to %d entries are spelled out, more are counted", maxHeaderSays)
	}
	return nil
}

// Needing reports whether the fixture has the need.
func (f Fixture) Needing(n Need) bool { return slices.Contains(f.Needs, n) }

func oneOf[T ~string](value string, allowed ...T) (T, error) {
	if slices.Contains(allowed, T(value)) {
		return T(value), nil
	}
	return "", fmt.Errorf("%q is none of %q", value, allowed)
}

func conditionNamed(name string) (fault.Condition, error) {
	for c := fault.Usage; c <= fault.Uncoded; c++ {
		if c.String() == name {
			return c, nil
		}
	}
	return 0, fmt.Errorf("%q is no condition of package fault", name)
}
