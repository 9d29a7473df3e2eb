package local

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

const definitionAdapter = definition.AdapterWord

// system is the kernel of this machine.
type system struct {
	env    Environment
	ledger string
}

func (k system) probe(ctx context.Context) (custody.Found, error) {
	return custody.Probe(ctx, k.env.custody())
}

func (k system) look(id custody.Identity) (custody.Evidence, error) { return custody.Look(id) }

func (k system) end(ctx context.Context, id custody.Identity) error { return custody.End(ctx, id) }

func (k system) remove(id custody.Identity) error { return custody.Remove(id) }

func (k system) prepare(ctx context.Context, work work) (tree, error) {
	spec := custody.Spec{
		Options: k.env.custody(),
		Found:   &work.run.Custody,
		Argv:    work.definition.Argv(work.promptFile),
		Env:     work.definition.Env(withoutGit(k.env.Env)),
		Dir:     work.run.Workspace,
		Grace:   work.definition.Grace(),
	}
	if work.run.Custody.ReadOnlyGit {
		spec.ReadOnly, spec.Writable = k.protect(work)
	}
	var err error
	if work.definition.Prompt == definition.Stdin {
		if spec.Stdin, err = systemFile(work.prompt); err != nil {
			return nil, err
		}
	}
	if work.definition.PTY {
		return prepareOnTerminal(ctx, spec, work.stdout)
	}
	if spec.Stdout, err = appending(work.stdout); err != nil {
		return nil, err
	}
	if spec.Stderr, err = appending(work.stderr); err != nil {
		return nil, err
	}
	prepared, err := custody.Prepare(ctx, spec)
	if err != nil {
		return nil, err
	}
	return &systemTree{tree: prepared}, nil
}

func prepareOnTerminal(ctx context.Context, spec custody.Spec, into state.File) (tree, error) {
	terminal, err := newTerminal(into)
	if err != nil {
		return nil, err
	}
	spec.PTY, spec.Stdout, spec.Stderr = true, terminal.agent, terminal.agent
	prepared, err := custody.Prepare(ctx, spec)
	if err != nil {
		terminal.close()
		return nil, err
	}
	terminal.handed()
	return &systemTree{tree: prepared, terminal: terminal}, nil
}

// protect lists what the agent must not change: the ledger, so that no agent
// writes its own outcome, what the operator named, and git's directories with
// the file that leads there, unless the definition leaves them open.
func (k system) protect(work work) (readOnly, writable []string) {
	readOnly = append([]string{k.ledger}, k.env.ReadOnly...)
	if work.definition.GitWritable {
		return readOnly, nil
	}
	common := commonDirectory(work.run.GitDirectory)
	readOnly = append(readOnly, work.run.GitDirectory)
	if common != work.run.GitDirectory {
		readOnly = append(readOnly, common)
	}
	link := filepath.Join(work.run.Workspace, ".git")
	if info, err := os.Lstat(link); err == nil && info.Mode().IsRegular() {
		readOnly = append(readOnly, link)
	}
	for _, below := range work.definition.Writable {
		writable = append(writable, filepath.Join(common, below))
	}
	return readOnly, writable
}

// commonDirectory returns the directory that the worktrees of a repository
// share, which the file "commondir" of a linked worktree names.
func commonDirectory(gitDirectory string) string {
	text, err := os.ReadFile(filepath.Join(gitDirectory, "commondir"))
	if err != nil {
		return gitDirectory
	}
	named := strings.TrimRight(string(text), "\r\n")
	if !filepath.IsAbs(named) {
		named = filepath.Join(gitDirectory, named)
	}
	return filepath.Clean(named)
}

func systemFile(f state.File) (*os.File, error) {
	file, ok := state.OSFile(f)
	if !ok {
		return nil, fault.New(fault.HostFailed, "a file in memory cannot be given to a process")
	}
	return file, nil
}

// appending returns the file with O_APPEND, so that what is written after it
// was cut goes behind the cut.
func appending(f state.File) (*os.File, error) {
	file, err := systemFile(f)
	if err != nil {
		return nil, err
	}
	flags, err := unix.FcntlInt(file.Fd(), unix.F_GETFL, 0)
	if err == nil {
		_, err = unix.FcntlInt(file.Fd(), unix.F_SETFL, flags|unix.O_APPEND)
	}
	if err != nil {
		return nil, fault.New(fault.HostFailed, "cannot append to the agent's output: %w", err)
	}
	return file, nil
}

// systemTree is a tree of this machine.
type systemTree struct {
	tree     *custody.Tree
	terminal *pseudoTerminal // nil where the agent writes to files
	ended    chan ending     // nil before the first wait
}

type ending struct {
	custody.Ending
	err error
}

func (t *systemTree) identity() custody.Identity { return t.tree.Identity() }
func (t *systemTree) open() error                { return t.tree.Open() }
func (t *systemTree) kill() error                { return t.tree.Kill() }

func (t *systemTree) close() error {
	if t.terminal != nil {
		t.terminal.close()
	}
	return t.tree.Close()
}

// wait waits in one goroutine for good, however often it is called.
func (t *systemTree) wait(ctx context.Context) (custody.Ending, error) {
	if t.ended == nil {
		ended := make(chan ending, 1)
		t.ended = ended
		go func() {
			e, err := t.tree.Wait(context.WithoutCancel(ctx))
			ended <- ending{e, err}
		}()
	}
	select {
	case e := <-t.ended:
		t.ended <- e
		if t.terminal != nil {
			t.terminal.drain()
		}
		return e.Ending, e.err
	case <-ctx.Done():
		return custody.Ending{}, ctx.Err()
	}
}

func (t *systemTree) trim(stream state.File, bound int64) (bool, error) {
	if t.terminal != nil {
		return t.terminal.over.Load(), nil // it keeps the bound itself
	}
	info, err := stream.Info()
	if err != nil || info.Size <= bound {
		return false, err
	}
	file, err := systemFile(stream)
	if err != nil {
		return false, err
	}
	return true, file.Truncate(bound)
}
