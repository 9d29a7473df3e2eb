//go:build linux || darwin

package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local"
)

const (
	flagAs     = "as"
	flagReason = "reason"
)

func adapterWait() adapterAction {
	return adapterAction{
		name: adapterWaitName, operands: "NAME OPERATION", takes: 2, run: waitForOperation,
		usage: "wait until an operation has an outcome, or nobody is left who works on it",
	}
}

func adapterStop() adapterAction {
	return adapterAction{
		name: adapterStopName, operands: "NAME OPERATION", takes: 2, run: stopOperation,
		usage: "end the process tree of an operation; its outcome is then cancelled",
	}
}

func adapterSettle() adapterAction {
	return adapterAction{
		name: adapterSettleName, operands: "NAME OPERATION", takes: 2, run: settleOperation,
		usage: "take your word that an operation has ended, where nothing can prove it",
		flags: []cli.Flag{
			&cli.StringFlag{Name: flagAs, Usage: "settle it as `failed|cancelled`"},
			&cli.StringFlag{Name: flagReason, Usage: "keep `TEXT`, how you know, with it"},
		},
	}
}

// An adapterOperation is where an operation stands in a ledger.
type adapterOperation struct {
	OperationID operation.Identity `json:"operationId"`
	State       attemptState       `json:"state"`
	Outcome     *operation.Ending  `json:"outcome"`
	By          *local.Author      `json:"by"`
	Reason      *string            `json:"reason"`
}

// An attemptState is where an operation stands.
type attemptState string

const (
	attemptAccepted   attemptState = "accepted"   // admitted, and under way or about to be
	attemptUnresolved attemptState = "unresolved" // nothing proves that it has ended, and nobody watches it
	attemptTerminal   attemptState = "terminal"
)

func newAdapterOperation(id operation.Identity, found local.Attempt) *adapterOperation {
	o := &adapterOperation{OperationID: id, State: attemptAccepted}
	switch c := found.Conclusion; {
	case c != nil:
		o.State, o.By, o.Reason = attemptTerminal, &c.By, known(c.Reason)
		o.Outcome = known(c.Outcome.Ending())
	case found.Unresolved != nil || !found.Held:
		o.State = attemptUnresolved
	}
	return o
}

func (o adapterOperation) writeText(p *page) {
	state := string(o.State)
	if o.Outcome != nil {
		state += ", " + string(*o.Outcome)
	}
	rows := [][]string{{"operation", string(o.OperationID)}, {"state", state}}
	if o.By != nil {
		rows = append(rows, []string{"recorded by", string(*o.By)})
	}
	if o.Reason != nil {
		rows = append(rows, []string{"reason", forPeople(*o.Reason)})
	}
	p.table(rows...)
}

// aboutOperation answers with an operation of an adapter.
func (in *invocation) aboutOperation(action string, places adapterPlaces, a attempt) (answer, error) {
	found, err := a.look()
	if err != nil {
		return answer{}, err
	}
	e, err := in.adapterEntry(places)
	if err != nil {
		return answer{}, err
	}
	d := newAdapterDocument(action, e)
	d.Operation = newAdapterOperation(a.operation, found)
	return answer{document: d}, nil
}

func waitForOperation(ctx context.Context, in *invocation, operands []string) (answer, error) {
	a, places, err := in.attemptNamed(operands[0], operands[1])
	if err != nil {
		return answer{}, err
	}
	in.progress.begin(jobs.Phase{Name: "waiting for the agent"})
	if _, err := a.wait(ctx); err != nil {
		return answer{}, err
	}
	return in.aboutOperation(adapterWaitName, places, a)
}

func stopOperation(ctx context.Context, in *invocation, operands []string) (answer, error) {
	a, places, err := in.attemptNamed(operands[0], operands[1])
	if err != nil {
		return answer{}, err
	}
	found, err := a.look()
	if err != nil {
		return answer{}, err
	}
	in.progress.begin(jobs.Phase{Name: "ending the agent"})
	outcome, err := a.ledger.Stop(ctx, found.Admission.Binding, stopReason)
	if err != nil {
		return answer{}, err
	}
	if outcome.State() != operation.Terminal {
		return answer{}, unproven(a.operation)
	}
	return in.aboutOperation(adapterStopName, places, a)
}

func settleOperation(ctx context.Context, in *invocation, operands []string) (answer, error) {
	ending, reason := operation.Ending(in.flags.String(flagAs)), in.flags.String(flagReason)
	switch {
	case ending != operation.Failed && ending != operation.Cancelled:
		return answer{}, fault.New(fault.Usage, "flag %q is %q, and not %q or %q: only the agent completes an operation", dashed(flagAs), ending, operation.Failed, operation.Cancelled)
	case reason == "" || len(reason) > local.MaxReasonBytes:
		return answer{}, fault.New(fault.Usage, "flag %q has %d bytes, and takes 1 to %d", dashed(flagReason), len(reason), local.MaxReasonBytes)
	}
	a, places, err := in.attemptNamed(operands[0], operands[1])
	if err != nil {
		return answer{}, err
	}
	found, err := a.look()
	if err != nil {
		return answer{}, err
	}
	if _, err := a.ledger.Settle(ctx, found.Admission.Binding, ending, reason); err != nil {
		return answer{}, err
	}
	return in.aboutOperation(adapterSettleName, places, a)
}
