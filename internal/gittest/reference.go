package gittest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hangDeadline is how long git gets where a fixture says that it never
// answers: a hundred times what an answer takes.
const hangDeadline = 300 * time.Millisecond

// An Answer is what one git command said.
type Answer struct {
	Says   GitSays
	Text   []byte // standard output
	Stderr string
}

// Entries splits the text of a status at its NUL bytes.
func (a Answer) Entries() []string {
	if len(a.Text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(a.Text), "\x00"), "\x00")
}

// settings are what contract section 5 overrides for every reading.
func settings() []string {
	return []string{
		"-c", "core.fileMode=true", "-c", "core.trustctime=true", "-c", "core.checkStat=default",
		"-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false", "-c", "diff.orderFile=/dev/null",
	}
}

func statusArgs() []string {
	return []string{"status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames"}
}

// Status returns the reference: the status that contract section 5 defines, as
// git prints it for the user who judges, from an environment without GIT_*
// variables. It takes no lock, fetches nothing and writes nothing, but that git
// renews the time of a split index's shared file whenever it reads one. Its
// text means something where Says is GitClean or GitDirty. It never says
// GitRuns: that is for [Checkout.Ran] to tell.
func Status(tb testing.TB, c Checkout) Answer {
	tb.Helper()
	deadline := commandDeadline
	if c.Git == GitHangs {
		deadline = hangDeadline
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	c.shared.user.RLock()
	defer c.shared.user.RUnlock()
	return c.ask(ctx, tb, nil, nil, append(settings(), statusArgs()...)...)
}

// Git returns what a git command prints that runs in the checkout with the
// fixtures' names and dates. It may write. It fails the test when git fails.
func Git(tb testing.TB, c Checkout, args ...string) []byte {
	tb.Helper()
	cmd := c.Command(tb, "git", args...)
	cmd.Env = append(c.scrubbed(), identityEnv()...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	c.shared.user.RLock()
	defer c.shared.user.RUnlock()
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("git %q: %v\n%s", args, err, &stderr)
	}
	return out
}

// scrubbed is the judge's environment without the GIT_* variables.
func (c Checkout) scrubbed() []string {
	var env []string
	for _, entry := range c.Env {
		if !strings.HasPrefix(entry, "GIT_") {
			env = append(env, entry)
		}
	}
	return env
}

// ask runs git as a reader, with more environment and with standard input.
func (c Checkout) ask(ctx context.Context, tb testing.TB, env []string, stdin []byte, args ...string) Answer {
	tb.Helper()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.WaitDelay = time.Second
	c.demote(cmd)
	cmd.Dir = c.Dir
	cmd.Env = append(c.scrubbed(), "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0")
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdin = bytes.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	answer := Answer{Text: stdout.Bytes(), Stderr: stderr.String()}
	switch {
	case ctx.Err() != nil:
		answer.Says = GitHangs
	case err != nil:
		answer.Says = GitFails
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
			answer.Stderr += err.Error() // not even started, for instance without a directory
		}
	case stdout.Len() == 0:
		answer.Says = GitClean
	default:
		answer.Says = GitDirty
	}
	return answer
}

// A Content is what git says when nothing that is cached can help or fool it:
// neither recorded times nor flags nor the index's cached trees, neither the
// commit graph nor replacements. Together with [Status] it decides the three
// conditions of contract section 5, by git alone.
type Content struct {
	Status    []byte   // the status of a fresh index with the same entries; the size rule is lost in it
	Entries   []string // the index entries as ls-files --stage prints them
	Tree      string   // the tree that the entries make
	HeadTree  string   // the tree of HEAD's commit
	IndexFile string   // where the index is
}

// Contents computes the Content of a checkout in an index and an object
// directory of its own, beside the build. An error says which step git refused,
// as it does for unmerged entries and unsafe names.
func Contents(tb testing.TB, c Checkout) (Content, error) {
	tb.Helper()
	c.shared.user.RLock()
	defer c.shared.user.RUnlock()
	private, err := os.MkdirTemp(c.base, "private")
	if err == nil {
		err = os.Mkdir(filepath.Join(private, "objects"), 0o755)
	}
	if err == nil && c.asNobody {
		err = errors.Join(os.Chown(private, nobody, nobody), os.Chown(filepath.Join(private, "objects"), nobody, nobody))
	}
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), commandDeadline)
	defer cancel()
	var refused error
	run := func(env []string, stdin []byte, args ...string) []byte {
		if refused != nil {
			return nil
		}
		// Writing an index would run a hook.
		answer := c.ask(ctx, tb, env, stdin, append(append(settings(), "-c", "core.hooksPath=/dev/null"), args...)...)
		if answer.Says == GitFails || answer.Says == GitHangs {
			refused = fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(answer.Stderr))
		}
		return answer.Text
	}
	entries := run(nil, nil, "ls-files", "--stage", "-z")
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(private, "index")}
	run(index, entries, "update-index", "-z", "--index-info")
	content := Content{Entries: Answer{Text: entries}.Entries()}
	content.Status = run(index, nil, statusArgs()...)
	// An empty object directory: with the checkout's own, git would renew the
	// times of every object that it need not write.
	writing := append(index, "GIT_OBJECT_DIRECTORY="+filepath.Join(private, "objects"))
	content.Tree = strings.TrimSpace(string(run(writing, nil, "write-tree", "--missing-ok")))
	places := run([]string{"GIT_NO_REPLACE_OBJECTS=1"}, nil, "-c", "core.commitGraph=false", "rev-parse", "--path-format=absolute", "--git-path", "index", "--verify", "HEAD^{tree}")
	if at := bytes.LastIndexByte(bytes.TrimSuffix(places, []byte("\n")), '\n'); at > 0 {
		content.IndexFile, content.HeadTree = string(places[:at]), strings.TrimSpace(string(places[at:]))
	}
	return content, refused
}
