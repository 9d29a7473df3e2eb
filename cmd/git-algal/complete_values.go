//go:build linux || darwin

package main

import (
	"context"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/state"
)

// The words that stand for values in the help.
const (
	shownAdapter = "NAME|FILE" // of --adapter
	shownName    = "NAME"      // an adapter, where it is an operand
	shownFile    = "FILE"
	shownDir     = "DIR"
	shownJob     = "JOB"
	shownCommand = "COMMAND"
	shownAs      = "failed|cancelled" // both stand for themselves
)

// valuesOf returns what a word of the help stands for; verb is empty for the
// values of flags, and last is what is typed of the value.
func (e environment) valuesOf(ctx context.Context, shown, verb string, t typed, last string) offer {
	switch shown {
	case shownDir:
		return offer{beside: directories}
	case shownFile:
		return offer{beside: files}
	case shownJob:
		return e.jobsOffered(ctx, verb, t, last)
	case shownCommand:
		return verbsOffered()
	case shownAgent:
		return recipesOffered()
	case shownAdapter:
		if strings.Contains(last, "/") || strings.HasPrefix(last, "~") {
			return offer{beside: files} // only a path has a slash
		}
		return e.adaptersOffered()
	case shownAs:
		o := offer{beside: noFiles}
		for word := range strings.SplitSeq(shown, "|") {
			o.words = append(o.words, offeredWord{word, ""})
		}
		return o
	case shownName:
		if verb != "" {
			return e.adaptersOffered()
		}
	}
	return offer{beside: noFiles}
}

func (e environment) adaptersOffered() offer {
	o := offer{beside: noFiles}
	folder, err := e.adapterDirectory()
	if err != nil {
		return o
	}
	names, err := adapterNames(folder)
	if err != nil {
		return o
	}
	for _, name := range names {
		o.words = append(o.words, offeredWord{name, "adapter"})
	}
	return o
}

// jobsOffered returns the jobs on which the verb can do something, newest
// first: those of the checkout, or where there are none, of the whole store.
func (e environment) jobsOffered(ctx context.Context, verb string, t typed, last string) offer {
	o := offer{beside: noFiles}
	root, workspace := e.storeOf(ctx, t)
	if root == "" {
		return o
	}
	store, err := state.Open(state.OS(), root)
	if err != nil {
		return o
	}
	listings, err := (&jobs.Service{FS: state.OS(), Store: store}).List()
	if err != nil {
		return o
	}
	var here, elsewhere []offeredWord
	for _, l := range listings {
		switch {
		case l.Err != nil || !worksOn(verb, l.Snapshot):
		case l.Snapshot.Intent.Workspace == workspace:
			here = append(here, e.jobWords(l, last)...)
		default:
			elsewhere = append(elsewhere, e.jobWords(l, last)...)
		}
	}
	if o.words = here; len(here) == 0 {
		o.words = elsewhere
	}
	return o
}

// worksOn reports whether a verb can do something with a job.
func worksOn(verb string, snap jobs.Snapshot) bool {
	switch verb {
	case "run":
		return snap.Status == jobs.Prepared
	case "reconcile", "wait", "stop":
		return snap.Status == jobs.Uncertain && reconcilable(snap)
	case "verify", "validate":
		return snap.Status == jobs.Completed
	case "output", "patch", "diff":
		return snap.Status.Settled()
	}
	return true
}

// jobWords returns the words by which a job can be named: digits of its id and
// the operation that a person named; whole ids, derived operations and "op:"
// once the word was begun in that manner.
func (e environment) jobWords(l jobs.Listing, last string) []offeredWord {
	operation := l.Snapshot.Intent.Operation.OperationID
	meaning := string(l.Snapshot.Status) + ", " + humanize.RelTime(l.Prepared, e.now(), "old", "from now")
	if operation != "" {
		meaning += ", " + operationPrefix + string(operation)
	}
	words := []offeredWord{{shortID(l.JobID), meaning}}
	if last != "" {
		words = append(words, offeredWord{string(l.JobID), meaning})
	}
	if operation == "" {
		return words // a v1 job
	}
	if strings.HasPrefix(last, operationPrefix[:1]) {
		words = append(words, offeredWord{operationPrefix + string(operation), meaning})
	}
	derived := nextAttempt(operation) > 1
	if bare, err := parseReference(string(operation)); err == nil && bare.operation != "" && (last != "" || !derived) {
		words = append(words, offeredWord{string(operation), meaning})
	}
	return words
}

// storeOf returns the store that the typed command would use and the checkout
// it works in, both empty where they are not known. Git is not called: the
// registry knows the store of a workspace that ran a job. Only where that and
// the usual place say nothing, the person's configuration is asked for.
func (e environment) storeOf(ctx context.Context, t typed) (root, workspace string) {
	workspace, common := e.surroundingCheckout()
	if dir := t.values[flagStore]; dir != "" {
		return e.typedPath(dir), workspace
	}
	if dir := e.variable(storeVariable); dir != "" {
		return dir, workspace
	}
	if workspace == "" {
		return "", ""
	}
	if dir, err := e.registeredStore(workspace); err == nil && dir != "" {
		return dir, workspace
	}
	if dir, err := e.defaultStore(common); err == nil && placeAt(dir).Exists {
		return dir, workspace
	}
	dir, err := e.personal(ctx, storeSetting, "--type=path")
	if err != nil {
		return "", workspace
	}
	return dir, workspace
}

// registeredStore returns the store that the registry has for a workspace,
// empty where it has none.
func (e environment) registeredStore(workspace string) (string, error) {
	dir, err := e.registryDirectory()
	if err != nil {
		return "", err
	}
	registry, err := state.OpenRegistry(state.OS(), dir)
	if err != nil {
		return "", err
	}
	store, ok, err := registry.Lookup(workspace)
	if err != nil || !ok {
		return "", err
	}
	if !placeAt(store).Exists {
		return "", fault.New(fault.Missing, "store %q has vanished", store)
	}
	return store, nil
}
