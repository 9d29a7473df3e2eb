// Package jobs is the life of a coding job (contract section 6): one admitted
// attempt on one exactly clean checkout, launched at most once, its evidence
// retained, its change captured.
//
// # Where to look
//
//	options.go, limits.go, source.go   what a caller asks for
//	intent.go                          what was admitted, and the ids over it
//	result.go, settlement.go           what is recorded of the end
//	claim.go                           claim and marker: who owns a workspace
//	control.go                         what decided git's answers, before and after
//	evidence.go, inspect.go            reading it all back; the status derived
//	checkouts.go                       how a checkout is looked at
//	admission.go, prepare.go           from a checkout to an intent
//	run.go, v1.go                      the only launch, of an adapter or a v1 worker
//	retain.go, settle.go               an outcome becomes evidence, then a result
//	reconcile.go                       one exact lookup
//	verify.go, drift.go                is the workspace what was captured?
//	validate.go, validate_*.go         one command on it, before and after verified
//	check.go, list.go, observe.go      questions without effects
//	fsck.go, fsck_job.go               a whole store held against all of this
//
// # Statuses
//
//	prepared   intent, no marker
//	uncertain  marker, and no settled record or not all of its values
//	completed  settled: the attempt completed and its patch is retained
//	failed     settled: it failed, was cancelled, or its patch was refused
//
// # Order of publication, and the crash windows in it
//
// The order of writes is the design. After a death between any two of them
// the same command, or the next one, goes on:
//
//	prepare    reservation · raw document · control · intent
//	           a death leaves no job; the same preparation finishes it
//	run        registry · control · claim · marker
//	           a death leaves a prepared job; run goes on
//	           submit
//	           marker to submit: forgone, never repeated; run only inspects
//	           submit to observation: the answer is lost; reconcile looks it up
//	retain     observation · outcome value
//	           reconcile begins with the values that its records retain
//	settle     raw document · control-after · settlement · patch value
//	           before the settlement reconcile captures; after it the
//	           settlement's bytes are reused, whatever the workspace holds
//	end        result (by run) or resolution (by reconcile)
//	validate   start · the command · output values · end
//	           from the start on it is open; another one gets a new number
//
// A process may also be killed after it published a record and before it had
// synced it. Whoever then acts on what he reads, run and reconcile, makes it
// durable first: what follows from a record never outlives it.
//
// Nothing here knows a terminal, reads the environment or starts a process of
// its own: the adapter is an operation.Transport, git is gitplumb's, and a
// validation's command internal/runner's.
package jobs

import (
	"time"

	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// A Service carries out the steps of a job's life on one store. Its fields are
// set once, before use; its methods may be called concurrently, and from
// several processes: leases exclude them.
type Service struct {
	FS        state.FS
	Store     *state.Store
	Registry  *state.Registry
	Checkouts Checkouts
	// Transport returns the transport of an admitted adapter.
	Transport func(operation.Adapter) operation.Transport
	// WorkerEnv is the environment of v1 workers; GIT_ variables are left out.
	WorkerEnv []string
	// LeaseWait is how long a held job or workspace lease is waited for; zero
	// refuses at once.
	LeaseWait time.Duration
	// Now is the clock of a validation's duration, which needs it.
	Now func() time.Time
	// Progress, where it is not nil, is told each phase as it begins.
	Progress func(Phase)
}

// A Phase is a stretch of work that a person may have to wait for.
type Phase struct {
	Name     string        // "admission", "launch", "lookup", "capture", "validation"
	Deadline time.Duration // zero where the phase has none
}

func (s *Service) begin(name string, deadline time.Duration) {
	if s.Progress != nil {
		s.Progress(Phase{name, deadline})
	}
}

const (
	// admissionWait bounds how long a preparation waits for another one that
	// counts and publishes, which takes milliseconds (contract section 3).
	admissionWait = 5 * time.Second
	// maxLookup bounds the observe call of a reconciliation.
	maxLookup = 60 * time.Second
	// captureDeadline bounds the capture of a reconciliation.
	captureDeadline = 600 * time.Second
)
