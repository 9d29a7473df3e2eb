//go:build linux || darwin

package main

import (
	"errors"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

// TestExitStatuses is the promise to scripts, as the manual states it.
func TestExitStatuses(t *testing.T) {
	for condition, want := range map[fault.Condition]int{
		fault.Usage: 2, fault.Malformed: 1, fault.NotClean: 5, fault.SourceMoved: 5, fault.HiddenDrift: 5,
		fault.ControlChanged: 5, fault.Claimed: 1, fault.LeaseHeld: 6, fault.Cancelled: 130, fault.Deadline: 1,
		fault.Missing: 1, fault.AdapterFailed: 1, fault.Unrecorded: 3, fault.Uncoded: 1,
	} {
		if got := exitOf(fault.New(condition, "x")); got != want {
			t.Errorf("%v ends with %d, not %d", condition, got, want)
		}
	}
	if got := exitOf(errors.New("x")); got != exitRefused {
		t.Errorf("an error without a condition ends with %d", got)
	}
	if got := exitOf(nil); got != exitDone {
		t.Errorf("no error ends with %d", got)
	}
	for status, want := range map[jobs.Status]int{jobs.Prepared: 0, jobs.Completed: 0, jobs.Uncertain: 3, jobs.Failed: 4} {
		got, ok := exitOfStatus[status]
		if !ok || got != want {
			t.Errorf("status %q ends with %d, not %d", status, got, want)
		}
	}
	for c := fault.Usage; c <= fault.Uncoded; c++ {
		if _, ok := exitOfKind[c.Kind()]; !ok {
			t.Errorf("kind %q of %v has no exit status", c.Kind(), c)
		}
	}
}
