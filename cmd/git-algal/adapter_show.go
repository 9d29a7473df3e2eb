//go:build linux || darwin

package main

import (
	"context"
	"slices"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/local/definition"
)

func adapterList() adapterAction {
	return adapterAction{
		name: adapterListName, run: listAdapters,
		usage: "list the adapters of your own configuration",
	}
}

func adapterShow() adapterAction {
	return adapterAction{
		name: adapterShowName, operands: "NAME", takes: 1, run: showAdapter,
		usage: "say what an adapter runs, and what this machine can prove of its end, found by doing",
	}
}

func listAdapters(_ context.Context, in *invocation, _ []string) (answer, error) {
	folder, err := in.adapterDirectory()
	if err != nil {
		return answer{}, err
	}
	names, err := adapterNames(folder)
	if err != nil {
		return answer{}, err
	}
	d := newAdapterDocument(adapterListName)
	for _, name := range names {
		places, err := in.adapterPlaces(name)
		if err != nil {
			return answer{}, err
		}
		e, err := in.adapterEntry(places)
		if fault.Is(err, fault.Missing) {
			continue // removed meanwhile
		}
		if err != nil {
			e.Problem = problemOf(err)
		}
		d.Adapters = append(d.Adapters, e)
	}
	if len(d.Adapters) == 0 {
		in.warn("no adapter is kept yet; git algal adapter add makes one")
	}
	return answer{document: d}, nil
}

func showAdapter(ctx context.Context, in *invocation, operands []string) (answer, error) {
	name := operands[0]
	if err := checkAdapterName(name); err != nil {
		return answer{}, err
	}
	places, err := in.adapterPlaces(name)
	if err != nil {
		return answer{}, err
	}
	e, err := in.adapterEntry(places)
	if err != nil {
		return answer{}, err
	}
	in.examine(ctx, &e)
	d := newAdapterDocument(adapterShowName, e)
	if e.Problem != nil {
		return answer{document: d, exit: exitRefused}, nil
	}
	return answer{document: d}, nil
}

// adapterEntry describes an adapter that is kept. A configuration that is not
// there or cannot be read is an error, beside as much as is known; an agent
// that cannot be found in its ledger is a problem of the entry.
func (in *invocation) adapterEntry(places adapterPlaces) (adapterEntry, error) {
	e := adapterEntry{Exclude: []string{}}
	e.Name, _ = jsonPath(places.name)
	e.File, _ = jsonPath(places.file)
	a, err := places.read()
	if err != nil {
		return e, err
	}
	e.Authority, e.Executable = known(a.AuthorityID), knownPath(a.Executable)
	ledger, digest, ok := definition.Embedded(a)
	if !ok {
		return e, nil
	}
	e.Ledger = knownPath(ledger)
	d, err := in.definitionOf(a)
	if err != nil {
		e.Problem = problemOf(err)
		return e, nil
	}
	e.Agent, e.definition = newAdapterAgent(d, digest), d
	if recipe, ok := definition.RecipeNamed(d.Recipe); ok {
		e.Exclude = append(e.Exclude, recipe.Exclude...)
	}
	return e, nil
}

// examine finds out, by doing, what this machine gives the agent of an entry.
func (in *invocation) examine(ctx context.Context, e *adapterEntry) {
	if e.Agent == nil {
		return
	}
	found, err := in.probe(ctx)
	if err != nil {
		e.Problem = problemOf(err)
		return
	}
	e.Machine = newAdapterMachine(found, e.definition)
}

// problemOf returns why something cannot be used, as a refusal is printed.
func problemOf(err error) *failureError {
	f := newFailure(adapterVerbName, err)
	return &f.Error
}

// warnUnproven tells, before anything is launched, that this machine proves the
// end of no agent of the adapters that are served here.
func (in *invocation) warnUnproven(ctx context.Context) {
	folder, err := in.adapterDirectory()
	if err != nil {
		return // there is no adapter that this could be about
	}
	names, err := adapterNames(folder)
	if err != nil || !slices.ContainsFunc(names, in.serves) {
		return
	}
	found, err := in.probe(ctx)
	switch {
	case err != nil:
		in.warn("what this machine can prove of an agent's end is not known: %v", err)
	case settlementOf(found, definition.Definition{}) == neverProven:
		in.warn("nothing on this machine proves that all work of an agent has ended: a job of an adapter that is served here stays uncertain until git algal adapter settle takes your word")
	}
}

// serves reports whether an adapter is served by this program.
func (in *invocation) serves(name string) bool {
	places, err := in.adapterPlaces(name)
	if err != nil {
		return false
	}
	a, err := places.read()
	_, _, served := definition.Embedded(a)
	return err == nil && served
}
