//go:build linux || darwin

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
)

// A stage is the throw-away place where the demo plays: a home, a repository,
// a ledger, and below that home a store, a registry and two adapters.
type stage struct {
	ctx       context.Context
	env       environment // of the person on it
	git       string
	dir       string // holds everything else
	workspace string
	ledger    string
}

// newStage builds it below the temporary directory; the caller strikes it.
func newStage(ctx context.Context, env environment) (*stage, error) {
	git, err := env.lookPath("git")
	if err != nil {
		return nil, fault.New(fault.GitFailed, "git was not found: %w", err)
	}
	dir, err := os.MkdirTemp(env.variable("TMPDIR"), "git-algal-demo-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fault.New(fault.HostFailed, "no directory for the demo can be made: %w", err)
	}
	st := &stage{ctx: ctx, env: env, git: git, dir: dir, workspace: filepath.Join(dir, "greeter"), ledger: filepath.Join(dir, "ledger")}
	st.env.dir = st.workspace
	st.env.stdin = strings.NewReader("")
	st.env.isTerminal = func(any) bool { return false }
	st.env.interruptible = func(context.Context) (context.Context, context.CancelFunc) { return ctx, func() {} }
	st.env.variables = st.variables()
	if err := st.furnish(); err != nil {
		st.strike()
		return nil, err
	}
	return st, nil
}

// strike removes everything that the demo made.
func (st *stage) strike() error {
	if err := os.RemoveAll(st.dir); err != nil {
		return fault.New(fault.HostFailed, "the demo's directory %q cannot be removed: %w", st.dir, err)
	}
	return nil
}

// variables returns the environment of a person who has nothing: no
// configuration, no identity, another home.
func (st *stage) variables() []string {
	variables := []string{"HOME=" + filepath.Join(st.dir, "home"), "LC_ALL=C"}
	for _, name := range []string{"PATH", "TMPDIR", "TZ"} {
		if value, set := st.env.lookup(name); set {
			variables = append(variables, name+"="+value)
		}
	}
	return variables
}

func (st *stage) furnish() error {
	adapters := filepath.Join(st.dir, "home", ".config", ownDirectory, "adapters")
	for _, dir := range []string{adapters, st.workspace, st.ledger} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	mark, err := canon.Encode(demoMarkFile{demoContract, st.env.pid, st.workspace})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(st.ledger, demoMark), mark, 0o600); err != nil {
		return err
	}
	program, err := st.env.executable()
	if err != nil {
		return fault.New(fault.HostFailed, "the program does not know where it lies: %w", err)
	}
	for _, manner := range []string{steady, lossy} {
		adapter, err := operation.Adapter{
			Protocol: operation.Protocol, AuthorityID: operation.Identity("demo-" + manner), Executable: program,
			ArgvPrefix: []string{demoAgentWord, st.ledger, manner},
		}.Format()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(adapters, manner+".json"), adapter, 0o600); err != nil {
			return err
		}
	}
	readme := []byte("# Greeter\n\nIt greets.\n")
	if err := os.WriteFile(filepath.Join(st.workspace, "README.md"), readme, 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "A greeter"}} {
		if _, err := st.gitCommand(nil, args...); err != nil {
			return err
		}
	}
	return nil
}

// gitCommand runs git in the demo's checkout and returns what it prints.
func (st *stage) gitCommand(stdin []byte, args ...string) (string, error) {
	cmd := exec.CommandContext(st.ctx, st.git, args...)
	cmd.Dir = st.workspace
	cmd.Env = append(st.env.variables, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=Demo", "GIT_AUTHOR_EMAIL=demo@example.invalid",
		"GIT_COMMITTER_NAME=Demo", "GIT_COMMITTER_EMAIL=demo@example.invalid")
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fault.New(fault.GitFailed, "git %s failed: %w: %s", args[0], err, bytes.TrimSpace(out))
	}
	return string(out), nil
}

// algal carries out one command of this program, as a person in the checkout
// would, and returns what both streams say.
func (st *stage) algal(args ...string) (stdout, stderr string, exit int) {
	var out, complaints bytes.Buffer
	env := st.env
	env.args, env.stdout, env.stderr = args, &out, &complaints
	exit = run(env)
	return out.String(), complaints.String(), exit
}

// A standing is what the demo asks of a job.
type standing struct {
	job       canon.Digest
	operation operation.Identity
	status    jobs.Status
}

// standingOf asks "inspect --json" about the job that the words mean.
func (st *stage) standingOf(words ...string) (standing, error) {
	stdout, stderr, exit := st.algal(append([]string{"inspect", dashed(flagJSON)}, words...)...)
	if exit != exitDone {
		return standing{}, fmt.Errorf("inspect ends with status %d: %s%s", exit, stdout, stderr)
	}
	members, err := canon.Decode[map[string]jsontext.Value]([]byte(stdout))
	if err != nil {
		return standing{}, err
	}
	var s standing
	for name, to := range map[string]*string{
		"jobId": (*string)(&s.job), "operationId": (*string)(&s.operation), "status": (*string)(&s.status),
	} {
		if *to, err = canon.Decode[string](members[name]); err != nil {
			return standing{}, fmt.Errorf("member %q: %w", name, err)
		}
	}
	return s, nil
}
