package qualify_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/qualify"
)

const someMark = "0123456789abcdef0123456789abcdef"

// prompted returns a prompt with a script of these members.
func prompted(members string) string {
	return "Print the word ready and change nothing. The next line is not for you.\n{" + members + "}\n"
}

func scriptOf(mark, hold string, linger, say int) string {
	return fmt.Sprintf(`"contract":"git-algal.qualify-script.v1","mark":%q,"hold":%s,"lingerMs":%d,"say":%d`, mark, hold, linger, say)
}

// work has an agent work in a directory with or without a place for its marks.
func work(t *testing.T, ctx context.Context, marks bool, prompt string, descend func(string, string, time.Duration) error) (dir, said string, err error) {
	t.Helper()
	dir = t.TempDir()
	if marks {
		if err := os.Mkdir(filepath.Join(dir, qualify.MarksDirectory), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var answer bytes.Buffer
	err = qualify.Agent{Dir: dir, Prompt: strings.NewReader(prompt), Answer: &answer, Descend: descend}.Work(ctx)
	return dir, answer.String(), err
}

// names returns the files below dir, which the agent left.
func names(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range found {
		found[i] = filepath.Base(path)
	}
	return found
}

func TestAgentWorks(t *testing.T) {
	var lingered time.Duration
	descend := func(dir, mark string, d time.Duration) error {
		lingered = d
		return qualify.Linger(dir, mark, d)
	}
	dir, said, err := work(t, t.Context(), true, prompted(scriptOf(someMark, "false", 20, 100)), descend)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(names(t, dir)); got != "[starts-"+someMark+" writes-"+someMark+"]" {
		t.Errorf("it left %s", got)
	}
	if lingered != 20*time.Millisecond || !strings.HasPrefix(said, "ready\n") || len(said) != len("ready\n")+100 {
		t.Errorf("its descendant stayed for %v, and it said %q", lingered, said)
	}
}

func TestAgentIsHeld(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, said, err := work(t, ctx, true, prompted(scriptOf(someMark, "true", 0, 0)), nil)
	if !fault.Is(err, fault.Deadline) || said != "" {
		t.Errorf("it said %q and ended with %v", said, err)
	}
}

func TestAgentRefuses(t *testing.T) {
	good := scriptOf(someMark, "false", 0, 0)
	for name, test := range map[string]struct {
		prompt string
		marks  bool
		want   fault.Condition
	}{
		"no place for marks":    {prompted(good), false, fault.Usage},
		"another prompt":        {"Fix the test.\n", true, fault.Usage},
		"no prompt":             {"", true, fault.Usage},
		"no script":             {prompted(""), true, fault.Usage},
		"another contract":      {prompted(strings.Replace(good, ".v1", ".v2", 1)), true, fault.Usage},
		"a member too many":     {prompted(good + `,"run":"x"`), true, fault.Usage},
		"a mark that is a path": {prompted(scriptOf("../../../../../../../../../../x", "false", 0, 0)), true, fault.Malformed},
		"a short mark":          {prompted(scriptOf(someMark[1:], "false", 0, 0)), true, fault.Malformed},
		"a long mark":           {prompted(scriptOf(someMark+"0", "false", 0, 0)), true, fault.Malformed},
		"too long a linger":     {prompted(scriptOf(someMark, "false", 5_001, 0)), true, fault.Malformed},
		"a negative linger":     {prompted(scriptOf(someMark, "false", -1, 0)), true, fault.Malformed},
		"too much to say":       {prompted(scriptOf(someMark, "false", 0, 65_537)), true, fault.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			dir, said, err := work(t, t.Context(), test.marks, test.prompt, nil)
			if !fault.Is(err, test.want) {
				t.Errorf("%v is not %v", err, test.want)
			}
			if left := names(t, dir); len(left) > 0 || said != "" {
				t.Errorf("it left %q and said %q", left, said)
			}
		})
	}
}

func TestLingerRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		mark string
		d    time.Duration
	}{{"../x", 0}, {someMark, -1}, {someMark, 5*time.Second + 1}} {
		if err := qualify.Linger(dir, test.mark, test.d); !fault.Is(err, fault.Malformed) {
			t.Errorf("%q for %v: %v", test.mark, test.d, err)
		}
	}
}

// FuzzAgent holds that whatever an agent is told it leaves nothing but marks,
// and those only where they have their place.
func FuzzAgent(f *testing.F) {
	f.Add(prompted(scriptOf(someMark, "false", 0, 0)), true)
	f.Add(prompted(scriptOf(someMark, "false", 1, 65_536)), true)
	f.Add(prompted(scriptOf("../x", "false", 0, 0)), false)
	f.Add("", false)
	f.Fuzz(func(t *testing.T, prompt string, marks bool) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		dir, _, err := work(t, ctx, marks, prompt, func(string, string, time.Duration) error { return nil })
		left := names(t, dir)
		if !marks && (err == nil || len(left) > 0) {
			t.Errorf("without a place for them it left %q: %v", left, err)
		}
		if len(left) > 1 || len(left) == 1 && !strings.HasPrefix(left[0], "starts-") {
			t.Errorf("it left %q", left)
		}
		entries, readErr := os.ReadDir(dir)
		if readErr != nil || marks && len(entries) != 1 || !marks && len(entries) != 0 {
			t.Errorf("it left %v, %v", entries, readErr)
		}
	})
}
