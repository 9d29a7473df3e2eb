package qualify

import (
	"context"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
)

// A Task is what an examination wants to submit.
type Task struct {
	OperationID    operation.Identity
	Prompt         string        // harmless to a real agent; the harmless agent's script
	MaxOutputBytes int           // the job's bound on the outcome
	MaxRuntime     time.Duration // the job's bound on the runtime
}

// Options say how an adapter is examined. NewID and Now are required; Payload
// where Launch is true.
type Options struct {
	// Launch allows submitting, which launches the adapter's agent for every
	// operation. Without it only lookups are made, of operations that were
	// never submitted.
	Launch bool

	// Payload returns the request payload of a task: whatever the adapter
	// accepts, with the task's operation id, prompt and limits in it. The agent
	// must be sent to work in Workspace.
	Payload func(Task) (jsontext.Value, error)

	// Workspace is a scratch checkout that holds an empty MarksDirectory. Empty
	// where there is none; then no agent's starts can be counted by marks.
	Workspace string

	// Starts returns how often the agent was started for an operation, where
	// the caller can tell. Nil counts the marks of the harmless agent.
	Starts func(operation.Identity) (int, error)

	Env       []string // of every call; GIT_ variables are left out
	Dir       string   // working directory of the calls
	Elsewhere string   // another one, for lookups from elsewhere; empty: not tested

	// Deadline bounds each call, operation.MinDeadline to
	// operation.MaxDeadline. It is also the task's MaxRuntime.
	Deadline time.Duration
	// Quiet is how long a start that must not come is waited for, from 0.
	Quiet time.Duration
	// Together is how many calls submit the same operation at once, 2 to
	// MaxTogether; Kills at how many moments of a submit the adapter is killed,
	// 1 to MaxKills.
	Together, Kills int

	// Call makes one call of the adapter and returns when it has ended, soon
	// after ctx is done at the latest. Nil starts the process; another one lets
	// an adapter be examined that lives in this process.
	Call func(context.Context, command.Process) (command.Exit, error)

	NewID func() operation.Identity // fresh with every call
	Now   func() time.Time

	// Progress, where it is not nil, is told each obligation before its trial.
	Progress func(Obligation)
}

// Bounds of how thorough an examination can be: a process and an operation
// each.
const (
	MaxTogether = 64
	MaxKills    = 1_000
)

func (o Options) validate() error {
	switch {
	case o.NewID == nil || o.Now == nil:
		return fault.New(fault.Malformed, "an examination needs identities and a clock")
	case o.Launch && o.Payload == nil:
		return fault.New(fault.Malformed, "an examination that launches needs payloads")
	case o.Deadline < operation.MinDeadline || o.Deadline > operation.MaxDeadline:
		return fault.New(fault.Malformed, "deadline %v is not within %v..%v", o.Deadline, operation.MinDeadline, operation.MaxDeadline)
	case o.Quiet < 0 || o.Quiet > operation.MaxDeadline:
		return fault.New(fault.Malformed, "the quiet time %v is not within 0s..%v", o.Quiet, operation.MaxDeadline)
	case o.Together < 2 || o.Together > MaxTogether:
		return fault.New(fault.Malformed, "%d calls at once are not within 2..%d", o.Together, MaxTogether)
	case o.Kills < 1 || o.Kills > MaxKills:
		return fault.New(fault.Malformed, "%d kills are not within 1..%d", o.Kills, MaxKills)
	}
	return nil
}

// An examination is one run through all obligations.
type examination struct {
	adapter operation.Adapter
	options Options
	report  Report

	settled  *attempt      // the first operation, once it is terminal; only looked up afterwards
	ordinary time.Duration // how long its submit took

	mu    sync.Mutex
	tick  int    // orders the begins and ends of calls
	calls []call // in the order of their ends

	history *history // of all calls, once it is judged
}

// Adapter holds an adapter to every obligation of [Obligations] and reports
// the verdicts. It starts the adapter as a child process, many times, and
// returns when every call has ended; what the adapter left running, and an
// agent of its own, is not ended by it.
//
// An obligation that an adapter breaks is a finding, not an error. Errors are
// fault.Malformed for a configuration or options out of their bounds,
// fault.Cancelled and fault.Deadline where ctx ended the examination, those of
// Payload and Starts, and those of files in the workspace.
func Adapter(ctx context.Context, adapter operation.Adapter, options Options) (Report, error) {
	if err := adapter.Validate(); err != nil {
		return Report{}, err
	}
	if err := options.validate(); err != nil {
		return Report{}, err
	}
	if options.Call == nil {
		options.Call = func(ctx context.Context, p command.Process) (command.Exit, error) { return p.Run(ctx) }
	}
	e := &examination{adapter: adapter.Clone(), options: options}
	for _, o := range Obligations() {
		if options.Progress != nil {
			options.Progress(o)
		}
		found, err := e.try(ctx, o)
		if err != nil {
			return Report{}, err
		}
		e.report.Findings = append(e.report.Findings, Finding{o, found.verdict, found.reason, bounded(found.evidence)})
	}
	e.report.Calls = len(e.calls)
	return e.report, nil
}

func (e *examination) try(ctx context.Context, o Obligation) (result, error) {
	if ctx.Err() != nil {
		return result{}, operation.Stopped(ctx)
	}
	if o.Launches && !e.options.Launch {
		return notTested("it would launch the adapter's agent, which was not allowed"), nil
	}
	for _, name := range o.RestsOn {
		switch e.report.verdictOn(name) {
		case Failed:
			return notTested("it rests on " + name + ", which failed"), nil
		case NotTested:
			return notTested("it rests on " + name + ", which was not tested"), nil
		}
	}
	return o.trial(ctx, e)
}

// counting makes a trial one that needs the starts counted.
func counting(trial func(context.Context, *examination) (result, error)) func(context.Context, *examination) (result, error) {
	return func(ctx context.Context, e *examination) (result, error) {
		if !e.report.Counted {
			return notTested("the starts of this adapter's agent cannot be counted from outside"), nil
		}
		return trial(ctx, e)
	}
}

// scripted makes a trial one that needs the harmless agent.
func scripted(trial func(context.Context, *examination) (result, error)) func(context.Context, *examination) (result, error) {
	return func(ctx context.Context, e *examination) (result, error) {
		if !e.report.Scripted {
			return notTested("it needs the harmless agent, and this adapter has another one"), nil
		}
		return trial(ctx, e)
	}
}
