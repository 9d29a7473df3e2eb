//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/hooks"
	"github.com/git-algal/git-algal/internal/fault"
)

const whereSchema = "git-algal.where/1"

func whereVerb() verb {
	return verb{name: "where", usage: "where store, adapters, ledgers and hooks of this checkout lie, and who is at work", run: onSite(withGit, where)}
}

// A whereDocument says what exists where. What is not known outside a checkout
// is null.
type whereDocument struct {
	Schema          string        `json:"schema"`
	Workspace       *string       `json:"workspace"`
	GitDirectory    *string       `json:"gitDirectory"`
	CommonDirectory *string       `json:"commonDirectory"`
	Git             *string       `json:"git"`
	GitVersion      *string       `json:"gitVersion"`
	Store           place         `json:"store"`
	StoreChosenBy   string        `json:"storeChosenBy"` // "flag", "environment", "configuration" or "default"
	Registry        place         `json:"registry"`
	RegisteredStore *string       `json:"registeredStore"` // where the last run of this workspace kept its job
	AdapterFolder   place         `json:"adapterFolder"`
	Adapters        []string      `json:"adapters"`
	LedgerFolder    place         `json:"ledgerFolder"`
	Ledgers         []whereLedger `json:"ledgers"` // of the embedded adapter
	// Hooks are the guard hooks that stand in the worktrees of the repository.
	Hooks []whereHook `json:"hooks"`
}

// A whereHook is the file of a guard hook.
type whereHook struct {
	Path  string      `json:"path"`
	State hooks.State `json:"state"`
}

// A place is a directory, and whether it is there yet.
type place struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
}

func placeAt(path string) place {
	_, err := os.Stat(path)
	text, _ := jsonPath(path)
	return place{text, err == nil}
}

func where(ctx context.Context, s *site) (answer, error) {
	folder, err := s.adapterDirectory()
	if err != nil {
		return answer{}, err
	}
	d := &whereDocument{
		Schema: whereSchema, Store: placeAt(s.store.root), StoreChosenBy: s.store.source,
		Git: knownPath(s.git.Path()), GitVersion: known(s.git.Version()),
		Registry: placeAt(s.service.Registry.Dir()), AdapterFolder: placeAt(folder), Hooks: []whereHook{},
	}
	if d.Adapters, err = adapterNames(folder); err != nil {
		return answer{}, err
	}
	if err := d.addLedgers(s.invocation); err != nil {
		return answer{}, err
	}
	c, err := s.standing(ctx)
	if err != nil {
		s.warn("%v", err)
		return answer{document: d}, nil
	}
	d.Workspace, d.GitDirectory, d.CommonDirectory = knownPath(c.Workspace), knownPath(c.GitDirectory), knownPath(c.CommonDirectory)
	registered, ok, err := s.service.Registry.Lookup(c.Workspace)
	if err != nil {
		return answer{}, err
	}
	if ok {
		d.RegisteredStore = knownPath(registered)
	}
	if d.Hooks, err = s.hooksOf(ctx, c); err != nil {
		return answer{}, err
	}
	return answer{document: d}, nil
}

// hooksOf returns the guard hooks of every worktree, each file once: most
// worktrees share theirs.
func (s *site) hooksOf(ctx context.Context, c *checkout) ([]whereHook, error) {
	layout := gitplumb.Layout{GitDirectory: c.GitDirectory, CommonDirectory: c.CommonDirectory}
	guards, err := hooks.Survey(ctx, s.service.FS, s.service.Registry, s.git, c.Workspace, layout)
	if err != nil {
		return nil, err
	}
	found := []whereHook{}
	for _, g := range guards {
		for _, h := range g.Hooks {
			path, _ := jsonPath(filepath.Join(g.Place.Directory, string(h.Name)))
			hook := whereHook{path, h.State}
			if h.State != hooks.Absent && h.State != hooks.Foreign && !slices.Contains(found, hook) {
				found = append(found, hook)
			}
		}
	}
	return found, nil
}

// adapterNames returns what --adapter NAME may say.
func adapterNames(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return []string{}, nil
	}
	if err != nil {
		return nil, fault.New(fault.HostFailed, "the adapters in %q cannot be listed: %w", folder, err)
	}
	names := []string{} // sorted, as the entries are
	for _, entry := range entries {
		if file, ok := strings.CutSuffix(entry.Name(), ".json"); ok {
			name, _ := jsonPath(file)
			names = append(names, name)
		}
	}
	return names, nil
}

func (d *whereDocument) writeText(p *page) {
	var rows [][]string
	add := func(what, where string) { rows = append(rows, []string{what, where}) }
	for _, fact := range []struct {
		what string
		path *string
	}{
		{"workspace", d.Workspace}, {"git directory", d.GitDirectory}, {"shared by worktrees", d.CommonDirectory},
		{"registered store", d.RegisteredStore}, {"git", d.Git}, {"git version", d.GitVersion},
	} {
		if fact.path != nil {
			add(fact.what, shown(*fact.path))
		}
	}
	add("store", d.Store.text()+", by "+d.StoreChosenBy)
	add("registry", d.Registry.text())
	add("adapters", d.AdapterFolder.text())
	for _, name := range d.Adapters {
		add("", shown(name))
	}
	add("ledgers", d.LedgerFolder.text())
	for _, l := range d.Ledgers {
		add("", shown(l.Name)+l.text())
	}
	for i, h := range d.Hooks {
		what, where := "", shown(h.Path)
		if i == 0 {
			what = "hooks"
		}
		if h.State != hooks.Installed {
			where += ", " + string(h.State)
		}
		add(what, where)
	}
	p.table(rows...)
}

func (pl place) text() string {
	if pl.Exists {
		return shown(pl.Path)
	}
	return shown(pl.Path) + " (not there yet)"
}
