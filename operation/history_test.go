package operation_test

import (
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

func TestHistoryVectors(t *testing.T) {
	file := readOutcomes(t)
	for _, v := range file.Histories {
		t.Run(v.Name, func(t *testing.T) {
			var history operation.History
			for _, text := range v.Previous {
				outcome, err := operation.ParseOutcome(text, file.Binding, file.MaxOutputBytes)
				if err != nil {
					t.Fatal(err)
				}
				if reuse, err := history.Admit(outcome); reuse || err != nil {
					t.Fatalf("an earlier witness: reuse %t, %v", reuse, err)
				}
				history = append(history, outcome)
			}
			next, err := operation.ParseOutcome(v.Next, file.Binding, file.MaxOutputBytes)
			if err != nil {
				t.Fatal(err)
			}
			reuse, err := history.Admit(next)
			if v.Accept != (err == nil) || !v.Accept && (fault.CodeOf(err) != v.Error.Code || !fault.Is(err, fault.EvidenceConflict)) {
				t.Errorf("got %v", err)
			}
			latest, some := history.Latest()
			if want := v.Accept && some && latest == next; reuse != want {
				t.Errorf("reuse is %t, want %t", reuse, want)
			}
		})
	}
}

func TestHistoryCapacity(t *testing.T) {
	b := testBinding()
	var history operation.History
	for revision := range operation.MaxObservations {
		next := must(operation.NewUnknown(b, revision, operation.Unresolved))
		if reuse, err := history.Admit(next); reuse || err != nil {
			t.Fatalf("outcome %d: reuse %t, %v", revision+1, reuse, err)
		}
		history = append(history, next)
	}
	terminal := must(operation.NewTerminal(b, operation.MaxRevision, acceptance, operation.Completed, ""))
	if _, err := history.Admit(terminal); !fault.Is(err, fault.OverBound) {
		t.Errorf("outcome %d: %v", operation.MaxObservations+1, err)
	}
	latest, _ := history.Latest()
	if reuse, err := history.Admit(latest); !reuse || err != nil {
		t.Errorf("the latest again: reuse %t, %v", reuse, err)
	}
	if _, err := history.Admit(history[0]); !fault.Is(err, fault.EvidenceConflict) {
		t.Errorf("conflicts are judged before capacity: %v", err)
	}
}

func TestHistoryKeepsToOneBinding(t *testing.T) {
	other := testBinding()
	other.OperationID = "repair-002"
	history := operation.History{must(operation.NewUnknown(testBinding(), 0, operation.Missing))}
	if _, err := history.Admit(must(operation.NewUnknown(other, 1, operation.Missing))); !fault.Is(err, fault.BindingMismatch) {
		t.Errorf("another binding: %v", err)
	}
	if _, err := history.Admit(operation.Outcome{}); !fault.Is(err, fault.Malformed) {
		t.Errorf("the zero outcome: %v", err)
	}
}

func TestHistoryTerminal(t *testing.T) {
	b := testBinding()
	accepted := must(operation.NewAccepted(b, 1, acceptance))
	terminal := must(operation.NewTerminal(b, 3, acceptance, operation.Failed, "why"))
	if _, ok := (operation.History{}).Latest(); ok {
		t.Error("an empty history has a latest outcome")
	}
	if _, ok := (operation.History{}).Terminal(); ok {
		t.Error("an empty history is terminal")
	}
	if _, ok := (operation.History{accepted}).Terminal(); ok {
		t.Error("accepted is terminal")
	}
	if got, ok := (operation.History{accepted, terminal}).Terminal(); !ok || got != terminal {
		t.Errorf("got %+v, %t", got, ok)
	}
}
