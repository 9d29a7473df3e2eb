//go:build linux || darwin

package main

import (
	"context"
	"fmt"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// An attempt is one operation in a ledger that is served here.
type attempt struct {
	ledger    *local.Ledger
	operation operation.Identity
	job       canon.Digest // empty where an adapter's operation was named
}

// attemptOf returns the attempt of a job and where the job stands. A job that
// the embedded adapter has no part in is fault.NotReconcilable.
func (s *site) attemptOf(job canon.Digest) (attempt, jobs.Snapshot, error) {
	snap, err := s.service.Inspect(job)
	if err != nil {
		return attempt{}, jobs.Snapshot{}, err
	}
	dir, _, served := definition.Embedded(snap.Intent.Adapter)
	if snap.Intent.XCB != nil || !served {
		return attempt{}, jobs.Snapshot{}, notServed(fmt.Sprintf("job %q", shortID(job)))
	}
	ledger, err := s.openLedger(dir)
	if err != nil {
		return attempt{}, jobs.Snapshot{}, err
	}
	if ledger.Authority() != snap.Intent.Adapter.AuthorityID {
		return attempt{}, jobs.Snapshot{}, fault.New(fault.StoreInconsistent, "ledger %q is another incarnation than the one that job %q was admitted with", dir, shortID(job))
	}
	return attempt{ledger, snap.Intent.Operation.OperationID, job}, snap, nil
}

// attemptNamed returns an operation of an adapter of the person's own.
func (e environment) attemptNamed(name, word string) (attempt, adapterPlaces, error) {
	id, err := operation.ParseIdentity(word)
	if err != nil {
		return attempt{}, adapterPlaces{}, fault.New(fault.Usage, "%q is no operation id: %w", word, err)
	}
	a, places, err := e.keptAdapter(name)
	if err != nil {
		return attempt{}, adapterPlaces{}, err
	}
	dir, _, served := definition.Embedded(a)
	if !served {
		return attempt{}, adapterPlaces{}, notServed(fmt.Sprintf("adapter %q", name))
	}
	ledger, err := e.openLedger(dir)
	return attempt{ledger: ledger, operation: id}, places, err
}

// look returns what the ledger holds of the attempt; one that was never
// admitted is fault.Missing.
func (a attempt) look() (local.Attempt, error) {
	found, err := a.ledger.Attempt(a.operation)
	if fault.Is(err, fault.Missing) {
		return local.Attempt{}, a.neverAdmitted()
	}
	return found, err
}

// wait is look once the operation is concluded or nobody works on it.
func (a attempt) wait(ctx context.Context) (local.Attempt, error) {
	found, err := a.ledger.Wait(ctx, a.operation)
	switch {
	case fault.Is(err, fault.Missing):
		return local.Attempt{}, a.neverAdmitted()
	case fault.Is(err, fault.Cancelled):
		return local.Attempt{}, waitInterrupted()
	}
	return found, err
}

// waitInterrupted is the end of a command that only looked on.
func waitInterrupted() error {
	return fault.New(fault.Cancelled, "the command was interrupted; the agent goes on")
}

func (a attempt) neverAdmitted() error {
	return fault.New(fault.Missing, "ledger %q never admitted operation %q", a.ledger.Dir(), a.operation).
		WithNext("git algal stop %s%s sees to it that it never is, in the checkout of its job", operationPrefix, a.operation)
}

// unsettledIn returns the operations of a ledger that have no outcome yet.
func (e environment) unsettledIn(dir string) ([]local.Attempt, error) {
	ledger, err := e.openLedger(dir)
	if err != nil {
		return nil, err
	}
	all, err := ledger.Attempts()
	if err != nil {
		return nil, err
	}
	var unsettled []local.Attempt
	for _, a := range all {
		if a.Conclusion == nil {
			unsettled = append(unsettled, a)
		}
	}
	return unsettled, nil
}
