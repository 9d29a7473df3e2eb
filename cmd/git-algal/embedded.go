//go:build linux || darwin

package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

// The embedded adapter is this program, started again:
//
//	git-algal adapter serve --ledger DIR --definition DIGEST submit|observe
//	git-algal adapter supervise --ledger DIR KEY
//	git-algal adapter init
//
// Nobody types these, and each answers before any flag is parsed: a host waits
// for the first, and an agent for the others.

// asksEmbedded reports whether the program was started as a part of the
// embedded adapter.
func (e environment) asksEmbedded() bool {
	return len(e.args) > 1 && e.args[0] == definition.AdapterWord &&
		slices.Contains([]string{definition.ServeWord, local.SuperviseWord, local.InitWord}, e.args[1])
}

// runEmbedded carries that part out. What goes wrong is said on stderr, which
// a host withholds and a supervisor keeps in the ledger.
func (e environment) runEmbedded() int {
	word, arguments := e.args[1], e.args[2:]
	if word == local.InitWord {
		return local.Init()
	}
	ctx := context.Background() // a signal ends the process as it is: the ledger is made for that
	env, err := e.embedded()
	if err == nil && word == local.SuperviseWord {
		env.ReadOnly = e.deciding(ctx)
		err = local.Supervise(ctx, env, arguments)
	} else if err == nil {
		err = local.Serve(ctx, env, arguments, e.stdin, e.stdout)
	}
	if err != nil {
		newFailure(definition.AdapterWord+" "+word, err).writeText(&page{w: e.stderr})
	}
	return exitOf(err)
}

// embedded returns what the embedded adapter has to know of this program.
func (e environment) embedded() (local.Environment, error) {
	own, err := e.executable()
	if err != nil {
		return local.Environment{}, fault.New(fault.HostFailed, "the program does not know where it lies: %w", err)
	}
	return local.Environment{Executable: own, Env: e.variables, FS: state.OS(), Now: e.now}, nil
}

// deciding returns the files of a person's own by which git decides what of a
// checkout it sees, as far as they are there: the global excludes and
// attributes. What cannot be found out protects nothing; the comparison at the
// capture remains.
func (e environment) deciding(ctx context.Context) []string {
	var found []string
	add := func(path string) {
		if resolved, err := filepath.EvalSymlinks(path); err == nil && !slices.Contains(found, resolved) {
			found = append(found, resolved)
		}
	}
	keys := [...]string{"core.excludesFile", "core.attributesFile"}
	var own [len(keys)]string
	var asked sync.WaitGroup
	for i, key := range keys {
		asked.Go(func() {
			if path, err := e.personal(ctx, key, "--type=path"); err == nil {
				own[i] = path
			}
		})
	}
	asked.Wait()
	for _, path := range own {
		if filepath.IsAbs(path) {
			add(path)
		}
	}
	if home, err := e.baseDirectory("XDG_CONFIG_HOME", ".config"); err == nil {
		add(filepath.Join(filepath.Dir(home), "git")) // where both are by default, so that none is planted either
	}
	return found
}

// openLedger opens the ledger that an adapter's arguments name.
func (e environment) openLedger(dir string) (*local.Ledger, error) {
	env, err := e.embedded()
	if err != nil {
		return nil, err
	}
	return local.Open(env, dir)
}

// definitionOf returns the agent of an adapter that is served here.
func (e environment) definitionOf(a operation.Adapter) (definition.Definition, error) {
	dir, digest, ok := definition.Embedded(a)
	if !ok {
		return definition.Definition{}, notServed("the adapter")
	}
	ledger, err := e.openLedger(dir)
	if err != nil {
		return definition.Definition{}, err
	}
	return ledger.Definition(digest)
}

// notServed refuses what only an adapter that is served here can do.
func notServed(subject string) error {
	return fault.New(fault.NotReconcilable, "%s is served by another program, whose ledger is not known here", subject).
		WithNext("ask that program; git algal adapter add makes an adapter that is served here")
}

// probe returns what this machine gives a process tree.
func (e environment) probe(ctx context.Context) (custody.Found, error) {
	env, err := e.embedded()
	if err != nil {
		return custody.Found{}, err
	}
	return local.Probe(ctx, env)
}

// keepAdapter makes the ledger, keeps the definition in it, and publishes the
// adapter, in this order: an adapter that is there can be used.
func (e environment) keepAdapter(places adapterPlaces, program string, d definition.Definition) error {
	env, err := e.embedded()
	if err != nil {
		return err
	}
	const private = 0o700
	if err := os.MkdirAll(filepath.Dir(places.ledger), private); err != nil {
		return fault.New(fault.HostFailed, "the ledgers cannot be kept in %q: %w", filepath.Dir(places.ledger), err)
	}
	ledger, err := local.Create(env, places.ledger)
	if err != nil {
		return err
	}
	digest, err := ledger.Define(d)
	if err != nil {
		return err
	}
	a, err := definition.Adapter(program, ledger.Dir(), ledger.Authority(), digest)
	if err != nil {
		return err
	}
	return places.keep(env.FS, a)
}
