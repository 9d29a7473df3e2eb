//go:build linux || darwin

package main

import (
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/xcb"
)

// TestReconcilable holds when a lookup can still settle an uncertain job.
func TestReconcilable(t *testing.T) {
	binding := operation.Binding{OperationID: "o", AuthorityID: "a", RequestDigest: canon.DigestText("request")}
	outcome := func(revision int, terminal bool) operation.Outcome {
		o, err := operation.NewAccepted(binding, revision, canon.DigestText("x"))
		if terminal {
			o, err = operation.NewTerminal(binding, revision, canon.DigestText("x"), operation.Completed, "")
		}
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	history := func(n int, terminal bool) (h []operation.Outcome) {
		for i := 1; i <= n; i++ {
			h = append(h, outcome(i, terminal && i == n))
		}
		return h
	}
	for _, test := range []struct {
		name string
		snap jobs.Snapshot
		want bool
	}{
		{"nothing seen", jobs.Snapshot{}, true},
		{"one place left", jobs.Snapshot{Evidence: jobs.Evidence{Observations: history(operation.MaxObservations-1, false)}}, true},
		{"no place left", jobs.Snapshot{Evidence: jobs.Evidence{Observations: history(operation.MaxObservations, false)}}, false},
		{"no place needed", jobs.Snapshot{Evidence: jobs.Evidence{Observations: history(operation.MaxObservations, true)}}, true},
		{"a v1 job", jobs.Snapshot{Intent: jobs.Intent{XCB: &xcb.Worker{}}}, false},
	} {
		if got := reconcilable(test.snap); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
