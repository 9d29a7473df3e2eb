//go:build linux || darwin

package main

import (
	"context"
	"path/filepath"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
	"github.com/git-algal/git-algal/state"
)

// A site is where a command works: the store, and the checkout around the
// working directory. Git and the checkout are looked for when they are first
// needed: what stands in an explicitly named store is shown without either.
type site struct {
	*invocation
	store    storeChoice
	service  *jobs.Service
	git      *gitplumb.Git // nil until findGit finds it
	checkout *checkout     // nil until standing finds it
}

// A storeChoice is a store and who chose it.
type storeChoice struct {
	root   string
	source string
}

// Who may choose a store, the first one that does.
const (
	chosenByFlag          = "flag"
	chosenByEnvironment   = "environment"
	chosenByConfiguration = "configuration"
	chosenByDefault       = "default"
)

// A checkout is what one pass over it said.
type checkout struct {
	gitplumb.Identity
	repo *gitplumb.Repo
}

// A need is what of a site a verb cannot do without.
type need bool

const (
	evidenceOnly need = false // files of the store
	withGit      need = true  // git as well
)

// onSite returns the action of a verb that works on a site.
func onSite(n need, act func(context.Context, *site) (answer, error)) action {
	return func(ctx context.Context, in *invocation) (answer, error) {
		s, err := in.openSite(ctx, n)
		if err != nil {
			return answer{}, err
		}
		defer s.close()
		return act(ctx, s)
	}
}

// onJob returns the action of a verb about the job that its operand JOB means.
func onJob(n need, act func(context.Context, *site, canon.Digest) (answer, error)) action {
	return onSite(n, func(ctx context.Context, s *site) (answer, error) {
		job, err := s.toLookAt(ctx)
		if err != nil {
			return answer{}, err
		}
		return act(ctx, s, job)
	})
}

// openSite opens the store of the command; the caller closes the site. Errors
// are fault.Usage where no store can be named, and those of gitplumb and state.
func (in *invocation) openSite(ctx context.Context, n need) (*site, error) {
	s := &site{invocation: in, service: &jobs.Service{FS: state.OS(), LeaseWait: in.wait()}}
	if n == withGit {
		if err := s.findGit(ctx); err != nil {
			return nil, err
		}
	}
	if err := s.openStore(ctx, n); err != nil {
		s.close()
		return nil, err
	}
	s.service.Transport = func(adapter operation.Adapter) operation.Transport {
		return command.New(adapter, command.Options{Env: in.withoutGit(), Dir: in.dir})
	}
	s.service.WorkerEnv = in.withoutGit()
	s.service.Progress, s.service.Now = in.progress.begin, in.now
	s.warnWhenFull()
	return s, nil
}

func (s *site) close() {
	if s.checkout != nil {
		_ = s.checkout.repo.Close() // read-only files
	}
}

func (s *site) findGit(ctx context.Context) error {
	if s.git != nil {
		return nil
	}
	git, err := gitplumb.FindGit(ctx, s.lookPath, s.variables)
	if err != nil {
		return err
	}
	s.git, s.service.Checkouts = git, jobs.OnGit(git)
	s.progress.count(git.Tally)
	return nil
}

// standing returns the checkout around the working directory.
func (s *site) standing(ctx context.Context) (*checkout, error) {
	if s.checkout != nil {
		return s.checkout, nil
	}
	if s.dir == "" {
		return nil, fault.New(fault.WorkspaceMissing, "the working directory does not exist")
	}
	if err := s.findGit(ctx); err != nil {
		return nil, err
	}
	repo, err := gitplumb.Around(ctx, s.dir, s.git, gitplumb.Options{})
	if fault.Is(err, fault.GitFailed) {
		if around, _ := s.surroundingCheckout(); around == "" {
			return nil, fault.New(fault.GitFailed, "no checkout is at %q or above it", s.dir).
				WithNext("go into one, or name it with -C DIR")
		}
	}
	if err != nil {
		return nil, err
	}
	s.checkout = &checkout{repo.Identity(), repo}
	return s.checkout, nil
}

// openStore opens the store that the command names, else the repository's own,
// and the registry of claimed workspaces.
func (s *site) openStore(ctx context.Context, n need) error {
	choice, err := s.chooseStore(ctx, n)
	if err != nil {
		return err
	}
	registry, err := s.registryDirectory()
	if err != nil {
		return err
	}
	holder := state.HeldBy(state.Holder{PID: s.pid, Host: s.host, Command: "git-algal " + s.verb, Now: s.now})
	s.store = choice
	if s.service.Store, err = state.Open(s.service.FS, choice.root, holder); err != nil {
		return err
	}
	s.service.Registry, err = state.OpenRegistry(s.service.FS, registry, holder)
	return err
}

func (s *site) chooseStore(ctx context.Context, n need) (storeChoice, error) {
	if s.flags.IsSet(flagStore) {
		dir := s.flags.String(flagStore)
		if dir == "" {
			return storeChoice{}, fault.New(fault.Usage, "flag %q names no directory", dashed(flagStore))
		}
		return storeChoice{s.path(dir), chosenByFlag}, nil
	}
	if dir := s.variable(storeVariable); dir != "" {
		if !filepath.IsAbs(dir) {
			return storeChoice{}, fault.New(fault.Usage, "%s is %q, which is no absolute path", storeVariable, dir)
		}
		return storeChoice{filepath.Clean(dir), chosenByEnvironment}, nil
	}
	dir, err := s.configuredStore(ctx, n)
	if err != nil {
		return storeChoice{}, err
	}
	if dir != "" {
		if !filepath.IsAbs(dir) {
			return storeChoice{}, fault.New(fault.Usage, "setting %q is %q, which is no absolute path", storeSetting, dir)
		}
		return storeChoice{filepath.Clean(dir), chosenByConfiguration}, nil
	}
	c, err := s.standing(ctx)
	if err != nil {
		return storeChoice{}, err
	}
	root, err := s.defaultStore(c.CommonDirectory)
	return storeChoice{root, chosenByDefault}, err
}

// configuredStore returns the store of the person's own configuration, or "".
// Whoever needs git as well looks for the checkout meanwhile: both wait for
// git. That there is none is told where it matters.
func (s *site) configuredStore(ctx context.Context, n need) (string, error) {
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		if n == withGit {
			_, _ = s.standing(ctx)
		}
	}()
	dir, err := s.personal(ctx, storeSetting, "--type=path")
	<-looked
	return dir, err
}

// nearlyFull is the number of jobs from which on a person is told that the
// store has an end; a new one takes a moment to arrange.
const nearlyFull = 200

// warnWhenFull tells how many jobs the store holds once they are many.
func (s *site) warnWhenFull() {
	jobs, err := s.service.Store.Jobs()
	if err == nil && len(jobs) >= nearlyFull {
		s.warn("the store holds %d of %d jobs; after that a new one is chosen with --store", len(jobs), state.MaxJobs)
	}
}
