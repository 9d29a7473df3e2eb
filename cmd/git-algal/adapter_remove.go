//go:build linux || darwin

package main

import (
	"context"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

func adapterRemove() adapterAction {
	return adapterAction{
		name: adapterRemoveName, operands: "NAME", takes: 1, run: removeAdapter,
		usage: "forget an adapter all of whose operations are settled; its ledger, which is evidence, stays",
	}
}

func removeAdapter(_ context.Context, in *invocation, operands []string) (answer, error) {
	name := operands[0]
	a, places, err := in.keptAdapter(name)
	if err != nil {
		return answer{}, err
	}
	ledger, _, served := definition.Embedded(a)
	if !served {
		return answer{}, fault.New(fault.NotReconcilable, "adapter %q is served by another program, whose operations are not known here", name).
			WithNext("remove %s yourself", places.file)
	}
	unsettled, err := in.unsettledIn(ledger)
	if err != nil && !fault.Is(err, fault.Missing) { // nothing is left of a ledger that is gone
		return answer{}, err
	}
	if len(unsettled) > 0 {
		first := unsettled[0].Admission.Binding.OperationID
		return answer{}, fault.New(fault.Claimed, "adapter %q has %d operations that are not settled, such as %q", name, len(unsettled), first).
			WithNext("git algal adapter wait %s %s, or stop or settle it", name, first)
	}
	e, entryErr := in.adapterEntry(places)
	if err := places.forget(state.OS()); err != nil {
		return answer{}, err
	}
	if entryErr != nil {
		return answer{}, entryErr
	}
	in.warn("the ledger %q stays, as evidence and for jobs that name it", ledger)
	return answer{document: newAdapterDocument(adapterRemoveName, e)}, nil
}
