package gitplumb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/worktree"
)

const (
	// minGitMajor and minGitMinor are the oldest git that is asked: from 2.36
	// on, safe.directory decides who may be trusted with a repository.
	minGitMajor, minGitMinor = 2, 36

	// maxAnswerBytes bounds what git may print in one answer that carries no
	// bound of its own, in bytes: attributes of 16,384 paths fit many times.
	maxAnswerBytes = 64 << 20

	// maxDiagnosticBytes bounds what is kept of git's stderr, in bytes.
	maxDiagnosticBytes = 4096

	// promptTime is how long git may take for a question that it answers from
	// a few small files. It takes milliseconds, unless it waits for something:
	// an included file may be a FIFO.
	promptTime = 30 * time.Second

	// lingerTime is how long a descendant that outlives git may hold its
	// pipes open before they are closed.
	lingerTime = 2 * time.Second
)

// neutral are the settings under which git is always asked: what is overridden
// cannot mislead us, whatever a repository or a user configures (contract
// section 5). Hooks and split indexes are off because git runs
// post-index-change, and writes a shared index into the git directory, even
// for a private index.
var neutral = [...]string{
	"core.fileMode=true",
	"core.trustctime=true",
	"core.checkStat=default",
	"core.ignoreStat=false",
	"core.fsmonitor=false",
	"core.untrackedCache=false",
	"core.splitIndex=false",
	"core.hooksPath=/dev/null",
	"core.safecrlf=false",
	"core.quotePath=true",
	"core.bigFileThreshold=512m",
	"color.ui=false",
	"status.branch=false",
	"status.showStash=false",
	"status.relativePaths=false",
	"submodule.recurse=false",
}

// Git is the git binary that a command uses. It is found once, and never
// searched for again: PATH is not consulted a second time. The zero value is
// not usable; call [FindGit].
type Git struct {
	path             string
	version          string
	env              []string
	systemAttributes string
	tally            worktree.Tally
}

// Tally returns what the passes with this git have read of checkouts so far:
// files that were read to their end, and bytes. It may be called while they
// read.
func (g *Git) Tally() (files, bytes int64) { return g.tally.Read() }

// FindGit returns the git that lookPath names, to be run with env less every
// GIT_* variable and with locks, lazy fetches, transports and prompts off.
//
// It fails with fault.GitFailed where there is no git, where lookPath gives no
// absolute path, and where git is older than 2.36. [Open] refuses a git that
// lies inside the checkout which it is asked about.
func FindGit(ctx context.Context, lookPath func(string) (string, error), env []string) (*Git, error) {
	path, err := lookPath("git")
	if err != nil {
		return nil, fault.New(fault.GitFailed, "git was not found: %w", err).
			WithNext("install git %d.%d or newer", minGitMajor, minGitMinor)
	}
	if !filepath.IsAbs(path) {
		return nil, fault.New(fault.GitFailed, "git was found as %q, which is no absolute path", path)
	}
	g := &Git{path: filepath.Clean(path), env: scrub(env)}
	located := make(chan string, 1)
	go func() { located <- g.locateSystemAttributes(ctx) }()
	out, err := g.run(ctx, invocation{dir: "/", args: []string{"version"}, env: unconfigured()})
	g.systemAttributes = <-located
	if err != nil {
		return nil, err
	}
	g.version = strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")
	if !recentEnough(g.version) {
		return nil, fault.New(fault.GitFailed, "git at %q has version %q", g.path, g.version).
			WithNext("install git %d.%d or newer", minGitMajor, minGitMinor)
	}
	return g, nil
}

// Path returns the absolute path by which git was found.
func (g *Git) Path() string { return g.path }

// Version returns what "git version" says, for instance "2.39.5".
func (g *Git) Version() string { return g.version }

// scrub returns env without what redirects git, and with what keeps it from
// writing, fetching and asking.
func scrub(env []string) []string {
	kept := make([]string, 0, len(env)+8)
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "LC_") || name == "LANGUAGE" || name == "PWD" || name == "OLDPWD" {
			continue
		}
		kept = append(kept, entry)
	}
	return append(kept,
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_ATTR_NOSYSTEM=1", // the system's attributes are frozen, see frozen.go
		"LC_ALL=C",
	)
}

// unconfigured is added to the environment of questions about git itself.
func unconfigured() []string {
	return []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"}
}

// variable returns the value of an environment variable, empty when unset.
// The last of several wins, as in an executed process.
func (g *Git) variable(name string) string {
	for _, entry := range slices.Backward(g.env) {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value
		}
	}
	return ""
}

// An invocation is one run of git.
type invocation struct {
	dir       string   // absolute working directory
	args      []string // without the neutral settings
	env       []string // added to the scrubbed environment
	stdin     io.Reader
	maxOutput int64 // in bytes; 0 means maxAnswerBytes
	prompt    bool  // no filter can run: the answer is prompt, and git's own complaint may be quoted
}

// errOutputBound is returned by run when git printed more than maxOutput.
var errOutputBound = errors.New("git's answer is over its bound")

// errNoAnswer is the cause of ending a git that waits for something.
var errNoAnswer = errors.New("git waits")

// run runs git and returns its stdout. Failures are fault.GitFailed, except
// for fault.Deadline and fault.Cancelled, which ctx decides, and for
// errOutputBound, which the caller turns into the bound that it stands for.
func (g *Git) run(ctx context.Context, in invocation) ([]byte, error) {
	if in.maxOutput == 0 {
		in.maxOutput = maxAnswerBytes
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if in.prompt {
		timer := time.AfterFunc(promptTime, func() { cancel(errNoAnswer) })
		defer timer.Stop()
	}
	stdout := &boundedBuffer{max: in.maxOutput, overflow: func() { cancel(errOutputBound) }}
	stderr := &headBuffer{max: maxDiagnosticBytes}

	args := []string{"--no-pager", "--literal-pathspecs"}
	for _, setting := range neutral {
		args = append(args, "-c", setting)
	}
	cmd := exec.CommandContext(ctx, g.path, append(args, in.args...)...)
	cmd.Dir = in.dir
	cmd.Env = slices.Concat(g.env, in.env, []string{"PWD=" + in.dir})
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in.stdin, stdout, stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = lingerTime

	err := cmd.Run()
	switch {
	case err == nil:
		return stdout.bytes(), nil
	case errors.Is(context.Cause(ctx), errOutputBound):
		return nil, errOutputBound
	case errors.Is(context.Cause(ctx), errNoAnswer):
		return nil, fault.New(fault.GitFailed, "git %s gave no answer in %v", verbOf(in.args), promptTime)
	case ctx.Err() != nil:
		return nil, stopped(ctx)
	case errors.Is(err, exec.ErrWaitDelay) && cmd.ProcessState.Success():
		// A descendant, such as a filter's daemon, kept git's pipes open.
		return stdout.bytes(), nil
	}
	what := "git " + verbOf(in.args)
	if in.prompt {
		if complaint := stderr.firstLine(); complaint != "" {
			return nil, fault.New(fault.GitFailed, "%s failed: %q", what, complaint)
		}
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fault.New(fault.GitFailed, "%s failed with %s", what, exit.ProcessState)
	}
	return nil, fault.New(fault.GitFailed, "%s could not run: %w", what, err)
}

// stopped is the error of a context that has ended.
func stopped(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.New(fault.Deadline, "the deadline passed while the checkout was read")
	}
	return fault.New(fault.Cancelled, "cancelled while the checkout was read")
}

// verbOf returns the git command in args, behind its -c options.
func verbOf(args []string) string {
	for i := 0; i < len(args); i++ {
		if args[i] == "-c" {
			i++
			continue
		}
		return args[i]
	}
	return ""
}

var versionPattern = regexp.MustCompile(`^(\d+)\.(\d+)`)

func recentEnough(version string) bool {
	parts := versionPattern.FindStringSubmatch(version)
	if parts == nil {
		return false
	}
	major, majorErr := strconv.Atoi(parts[1])
	minor, minorErr := strconv.Atoi(parts[2])
	if majorErr != nil || minorErr != nil {
		return false
	}
	return major > minGitMajor || major == minGitMajor && minor >= minGitMinor
}

// locateSystemAttributes returns where this git looks for the attributes of
// the whole system. Older gits cannot be asked; theirs follow from the prefix
// under which git is installed.
func (g *Git) locateSystemAttributes(ctx context.Context) string {
	out, err := g.run(ctx, invocation{dir: "/", args: []string{"var", "GIT_ATTR_SYSTEM"}, env: unconfigured()})
	if path := strings.TrimSuffix(string(out), "\n"); err == nil && filepath.IsAbs(path) {
		return path
	}
	resolved, err := filepath.EvalSymlinks(g.path)
	if err != nil {
		resolved = g.path
	}
	prefix := filepath.Dir(filepath.Dir(resolved))
	if prefix == "/usr" || prefix == "/" {
		return "/etc/gitattributes"
	}
	return filepath.Join(prefix, "etc", "gitattributes")
}

// checkPlacement refuses a git that whoever works in the checkout can replace.
func (g *Git) checkPlacement(directories ...string) error {
	resolved, err := filepath.EvalSymlinks(g.path)
	if err != nil {
		return fault.New(fault.GitFailed, "git at %q cannot be resolved: %w", g.path, err)
	}
	for _, directory := range directories {
		for _, path := range []string{g.path, resolved} {
			if within(path, directory) {
				return fault.New(fault.GitFailed, "git at %q lies inside %q", path, directory).
					WithNext("use a git from outside the checkout")
			}
		}
	}
	return nil
}

// within reports whether path is directory or lies below it. Both are clean
// and absolute.
func within(path, directory string) bool {
	return path == directory || strings.HasPrefix(path, strings.TrimSuffix(directory, "/")+"/")
}

// privateDir makes a directory for the files of one question to git, outside
// the given directories. The caller removes it.
func (g *Git) privateDir(outside ...string) (string, error) {
	candidates := []string{"/tmp", "/var/tmp"}
	if dir := g.variable("TMPDIR"); filepath.IsAbs(dir) {
		candidates = append([]string{dir}, candidates...)
	}
	var failure error
	for _, candidate := range candidates {
		resolved, err := filepath.EvalSymlinks(candidate)
		if err != nil {
			failure = err
			continue
		}
		if slices.ContainsFunc(outside, func(dir string) bool { return within(resolved, dir) }) {
			failure = fmt.Errorf("%q lies inside the checkout", candidate)
			continue
		}
		dir, err := os.MkdirTemp(resolved, "git-algal-")
		if err == nil {
			return dir, nil
		}
		failure = err
	}
	return "", fault.New(fault.HostFailed, "no temporary directory outside the checkout: %w", failure)
}

// boundedBuffer keeps what is written up to max bytes and calls overflow once
// there is more.
type boundedBuffer struct {
	mu       sync.Mutex // a descendant of git may still write after a lingering end
	text     bytes.Buffer
	max      int64
	overflow func()
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if int64(b.text.Len()+len(p)) > b.max {
		b.overflow()
		return 0, errOutputBound
	}
	return b.text.Write(p)
}

func (b *boundedBuffer) bytes() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.text.Bytes())
}

// headBuffer keeps the first max bytes and swallows the rest.
type headBuffer struct {
	mu   sync.Mutex
	text []byte
	max  int
}

func (b *headBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, p[:min(b.max-len(b.text), len(p))]...)
	return len(p), nil
}

func (b *headBuffer) firstLine() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	line, _, _ := bytes.Cut(b.text, []byte("\n"))
	return string(bytes.TrimSpace(line))
}
