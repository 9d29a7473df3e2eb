//go:build linux || darwin

package main

import (
	"slices"
	"strings"

	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// shownAgent stands for a recipe in the help.
const shownAgent = "AGENT"

// adapterOperandsOffered returns what may stand behind "adapter": an action,
// then an adapter, then an operation of its ledger.
func (e environment) adapterOperandsOffered(t typed, last string) offer {
	o := offer{beside: noFiles}
	actions := adapterActions()
	if len(t.operands) == 0 {
		for _, a := range actions {
			o.words = append(o.words, offeredWord{a.name, a.usage})
		}
		return o
	}
	i := slices.IndexFunc(actions, func(a adapterAction) bool { return a.name == t.operands[0] })
	if i < 0 || len(t.operands) > actions[i].takes {
		return o
	}
	switch a := actions[i]; {
	case len(t.operands) == 2:
		o.words = e.operationsOffered(t.operands[1], a.name)
	case a.name == adapterAddName: // a name of one's own
	case strings.Contains(a.operands, shownFile) && strings.Contains(last, "/"):
		o.beside = files
	default:
		return e.adaptersOffered()
	}
	return o
}

// operationsOffered returns the operations of an adapter on which an action
// can do something.
func (e environment) operationsOffered(name, action string) []offeredWord {
	a, _, err := e.keptAdapter(name)
	if err != nil {
		return nil
	}
	dir, _, served := definition.Embedded(a)
	if !served {
		return nil
	}
	ledger, err := e.openLedger(dir)
	if err != nil {
		return nil
	}
	attempts, err := ledger.Attempts()
	if err != nil {
		return nil
	}
	var words []offeredWord
	for _, found := range attempts {
		if found.Conclusion == nil || action == adapterLogName {
			words = append(words, offeredWord{string(found.Admission.Binding.OperationID), attemptMeaning(found)})
		}
	}
	return words
}

func attemptMeaning(found local.Attempt) string {
	o := newAdapterOperation(found.Admission.Binding.OperationID, found)
	if o.Outcome != nil {
		return string(*o.Outcome)
	}
	return string(o.State)
}

func recipesOffered() offer {
	o := offer{beside: noFiles}
	for _, name := range supportedRecipes() {
		o.words = append(o.words, offeredWord{name, "recipe"})
	}
	return o
}
