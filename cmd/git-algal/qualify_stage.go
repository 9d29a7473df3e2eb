//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/operation/qualify"
	"github.com/git-algal/git-algal/state"
)

const (
	// standInGrace is how long the embedded adapter lets the descendants of the
	// harmless agent go on: longer than they do.
	standInGrace = 2 * time.Second
	// endWait bounds how long what the examination left is waited for.
	endWait = 30 * time.Second
)

// A scratch is the throw-away place of an examination: a checkout with one
// commit, another directory, a store and, for the embedded adapter, a ledger.
type scratch struct {
	dir       string // holds everything else
	workspace string
	elsewhere string
	adapter   operation.Adapter // that is called
	intent    jobs.Intent       // of a job on the checkout, which the payloads are made of
	embedded  *local.Ledger     // of the stand-in; nil where the adapter is another one
}

// newExamination makes the place; the caller clears it.
func (in *invocation) newExamination(ctx context.Context, adapter operation.Adapter) (_ *scratch, err error) {
	dir, err := os.MkdirTemp(in.variable("TMPDIR"), "git-algal-qualify-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fault.New(fault.HostFailed, "no directory for the examination can be made: %w", err)
	}
	q := &scratch{dir: dir, workspace: filepath.Join(dir, "workspace"), elsewhere: filepath.Join(dir, "elsewhere"), adapter: adapter}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	for _, path := range []string{q.workspace, q.elsewhere, filepath.Join(dir, "home")} {
		if err := os.Mkdir(path, 0o700); err != nil {
			return nil, fault.New(fault.HostFailed, "the examination's directory cannot be made: %w", err)
		}
	}
	if ledger, digest, ok := definition.Embedded(adapter); ok {
		if err := q.standIn(in, ledger, digest); err != nil {
			return nil, err
		}
	}
	if err := q.admit(ctx, in); err != nil {
		return nil, err
	}
	// Only now: the checkout had to be clean.
	if err := os.Mkdir(filepath.Join(q.workspace, qualify.MarksDirectory), 0o700); err != nil {
		return nil, fault.New(fault.HostFailed, "the examination's directory cannot be made: %w", err)
	}
	return q, nil
}

// standIn makes a ledger whose agent is the harmless one. Whatever else the
// definition says of how the agent is run is kept: that is what is tested.
func (q *scratch) standIn(in *invocation, ledger string, digest canon.Digest) error {
	env := local.Environment{Executable: q.adapter.Executable, Env: in.withoutGit(), FS: state.OS(), Now: in.now}
	theirs, err := local.Open(env, ledger)
	if err != nil {
		return err
	}
	agent, err := theirs.Definition(digest)
	if err != nil {
		return err
	}
	agent.Executable, agent.Arguments, agent.Version = q.adapter.Executable, []string{qualifyAgentWord}, ""
	agent.Prompt, agent.Recipe = definition.Stdin, ""
	agent.RuntimeMs, agent.GraceMs = 0, standInGrace.Milliseconds()
	agent.ForeignServer = false
	if q.embedded, err = local.Create(env, filepath.Join(q.dir, "ledger")); err != nil {
		return err
	}
	made, err := q.embedded.Define(agent)
	if err != nil {
		return err
	}
	q.adapter, err = definition.Adapter(q.adapter.Executable, q.embedded.Dir(), q.embedded.Authority(), made)
	return err
}

// admit makes the checkout and prepares a job on it.
func (q *scratch) admit(ctx context.Context, in *invocation) error {
	variables := in.bareVariables(filepath.Join(q.dir, "home"))
	git, err := gitplumb.FindGit(ctx, in.lookPath, variables)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(q.workspace, "README.md"), []byte("# Scratch\n"), 0o644); err != nil {
		return fault.New(fault.HostFailed, "the scratch checkout cannot be made: %w", err)
	}
	var head string
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "Scratch"}, {"rev-parse", "HEAD"},
	} {
		if head, err = q.git(ctx, in, variables, args...); err != nil {
			return err
		}
	}
	service := &jobs.Service{FS: state.OS(), Checkouts: jobs.OnGit(git), Now: in.now}
	if service.Store, err = state.Open(service.FS, filepath.Join(q.dir, "store")); err != nil {
		return err
	}
	if service.Registry, err = state.OpenRegistry(service.FS, filepath.Join(q.dir, "registry")); err != nil {
		return err
	}
	snap, err := service.Prepare(ctx, jobs.Options{
		Workspace: q.workspace, ExpectedHead: strings.TrimSpace(head), Prompt: "Print the word ready and change nothing.",
		OperationID: newQualifyID(), Adapter: q.adapter, Limits: jobs.LargestLimits(),
	})
	q.intent = snap.Intent
	return err
}

// git runs git in the scratch checkout and returns what it prints.
func (q *scratch) git(ctx context.Context, in *invocation, variables []string, args ...string) (string, error) {
	git, err := in.lookPath("git")
	if err != nil {
		return "", fault.New(fault.GitFailed, "git was not found: %w", err)
	}
	cmd := exec.CommandContext(ctx, git, args...)
	cmd.Dir = q.workspace
	cmd.Env = append(slices.Clone(variables), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=Scratch", "GIT_AUTHOR_EMAIL=scratch@example.invalid",
		"GIT_COMMITTER_NAME=Scratch", "GIT_COMMITTER_EMAIL=scratch@example.invalid")
	out, err := cmd.Output()
	if err != nil {
		return "", fault.New(fault.GitFailed, "git %s failed in the scratch checkout: %w", args[0], err)
	}
	return string(out), nil
}

// bareVariables returns the environment of a person who has nothing but a home.
func (e environment) bareVariables(home string) []string {
	variables := []string{"HOME=" + home, "LC_ALL=C"}
	for _, name := range []string{"PATH", "TMPDIR", "TZ"} {
		if value, set := e.lookup(name); set {
			variables = append(variables, name+"="+value)
		}
	}
	return variables
}

// payload returns what makes the payloads: the prepared job's with another
// task.
func (q *scratch) payload() func(qualify.Task) (jsontext.Value, error) {
	return func(task qualify.Task) (jsontext.Value, error) {
		intent := q.intent
		intent.Operation.OperationID, intent.Prompt = task.OperationID, task.Prompt
		intent.Limits.MaxRuntimeMs = int(task.MaxRuntime / time.Millisecond)
		intent.Limits.MaxOutputBytes = task.MaxOutputBytes
		text, _, err := intent.Payload()
		return text, err
	}
}

// clear waits until the embedded adapter has ended what it started, ends the
// rest, and removes everything.
func (q *scratch) clear(ctx context.Context) error {
	return errors.Join(q.end(ctx), os.RemoveAll(q.dir))
}

func (q *scratch) end(ctx context.Context) error {
	if q.embedded == nil {
		return nil
	}
	attempts, err := q.embedded.Attempts()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, endWait)
	defer cancel()
	for _, a := range attempts {
		if a.Conclusion == nil {
			if _, stopErr := q.embedded.Stop(ctx, a.Admission.Binding, "the examination is over"); stopErr != nil {
				err = errors.Join(err, stopErr)
			}
		}
	}
	return err
}
