//go:build linux || darwin

package main

import (
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

// The exit statuses: a promise to scripts.
const (
	exitDone        = 0   // done as asked
	exitRefused     = 1   // refused or failed, the code is printed
	exitUsage       = 2   // the words of the command are off
	exitUncertain   = 3   // nobody knows yet what became of the job
	exitUnsuccess   = 4   // settled, but not successfully
	exitDrift       = 5   // the workspace is not what was admitted or captured
	exitBusy        = 6   // another process holds the lease
	exitInterrupted = 130 // interrupted before the launch
)

// exitOfKind, exitOfStatus and exitOfValidation are the only table from what
// happened to an exit status; they are read-only.
var (
	exitOfKind = map[fault.Kind]int{
		fault.KindUsage:       exitUsage,
		fault.KindRefused:     exitRefused,
		fault.KindBusy:        exitBusy,
		fault.KindDrift:       exitDrift,
		fault.KindUncertain:   exitUncertain,
		fault.KindInterrupted: exitInterrupted,
	}
	exitOfStatus = map[jobs.Status]int{
		jobs.Prepared:  exitDone,
		jobs.Uncertain: exitUncertain,
		jobs.Completed: exitDone,
		jobs.Failed:    exitUnsuccess,
	}
	exitOfValidation = map[jobs.ValidationOutcome]int{
		jobs.ValidationPassed:        exitDone,
		jobs.ValidationFailed:        exitUnsuccess,
		jobs.ValidationTimedOut:      exitUnsuccess,
		jobs.ValidationDriftedBefore: exitDrift,
		jobs.ValidationDriftedAfter:  exitDrift,
		jobs.ValidationOpen:          exitUncertain,
	}
)

// exitOf returns the exit status of an error; its kind decides, never its
// code.
func exitOf(err error) int {
	if err == nil {
		return exitDone
	}
	if e, ok := fault.Of(err); ok {
		return exitOfKind[e.Condition.Kind()]
	}
	return exitRefused
}
