package jobs

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/runner"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// ValidationOptions are what a caller asks to have run on a captured change.
type ValidationOptions struct {
	Name           string        // a label for people, empty for none
	Timeout        time.Duration // MinValidationTimeout to MaxValidationTimeout
	MaxOutputBytes int           // kept of each output, MinValidationOutputBytes to MaxValidationOutputBytes

	// Argv is the command and its arguments; no shell parses them. A name
	// without a slash is looked up in the PATH of Env, another one is relative
	// to the workspace.
	Argv []string
	// Env is the whole environment, as "NAME=value", and is not recorded. The
	// command gets it without the variables that begin with GIT_.
	Env []string
}

// Validate checks every option but the environment; the error is
// fault.Malformed.
func (o ValidationOptions) Validate() error {
	return validateCommand(o.Name, o.Argv, o.Timeout, o.MaxOutputBytes)
}

// A Validation is one command that was run, or was to be, on a captured
// change.
type Validation struct {
	Start ValidationStart
	End   *ValidationEnd // nil while it runs, and for good where it was interrupted
	// Stdout and Stderr are the outputs that End names.
	Stdout, Stderr Output
	Empty          bool    // the patch changes nothing: what passes says nothing about it
	Drift          []Drift // how the workspace differed; known to the one who ran it, not retained
}

// Outcome returns how the validation ended, or [ValidationOpen].
func (v Validation) Outcome() ValidationOutcome {
	if v.End == nil {
		return ValidationOpen
	}
	return v.End.Outcome
}

// Exit codes of POSIX env(1), nohup(1) and the shell, for a command that could
// not be started.
const (
	exitNotExecutable = 126 // it was found, but the system does not execute it
	exitNotFound      = 127 // its interpreter was not found
)

// Validate runs one command in the workspace of a completed job and retains
// how it ended: it verifies, publishes the start, runs the command, verifies
// again and publishes outputs and end. The workspace lease is held throughout.
//
// The command runs once, in a session and process group of its own, without
// input or terminal. At the timeout it is killed with its group and joined;
// what stays in its group when it exits by itself is killed too. A descendant
// that made a session of its own is neither seen nor ended, so the second
// verification speaks for its own moment alone.
//
// A workspace that is not the captured patch beforehand gets a start and an end
// and nothing is run; one that is not afterwards voids the result. Both return
// the Validation and fault.SourceMoved. A command that passed, failed or was
// timed out is no error. One that the system refused to start has failed, with
// an exit code as env(1) gives it, and is fault.Usage besides.
//
// Once the start is published, fault.Cancelled, fault.Deadline and failures of
// host and store leave it without an end, for good: nothing runs it again.
// Errors before the start: those of Inspect, fault.Malformed for the options,
// fault.NotCompleted, fault.LeaseHeld, fault.Claimed, fault.OverBound after
// state.MaxValidations of them, fault.Usage where there is no such command.
func (s *Service) Validate(ctx context.Context, job canon.Digest, o ValidationOptions) (Validation, error) {
	if err := o.Validate(); err != nil {
		return Validation{}, err
	}
	snap, err := s.verifiable(job)
	if err != nil {
		return Validation{}, err
	}
	lease, err := s.Registry.WorkspaceLease(ctx, snap.Intent.Workspace, s.LeaseWait)
	if err != nil {
		return Validation{}, err
	}
	defer lease.Release()
	number, err := s.nextValidation(job)
	if err != nil {
		return Validation{}, err
	}
	v := Validation{
		Start: ValidationStart{
			JobID: job, Number: number, Name: o.Name, Argv: o.Argv, PatchDigest: snap.Result.PatchDigest,
			Timeout: o.Timeout.Truncate(time.Millisecond), MaxOutputBytes: o.MaxOutputBytes,
		},
		Empty: *snap.Result.ChangedFiles == 0,
	}
	before, finding := s.verify(ctx, snap)
	if finding != nil && !refusesWorkspace(finding) {
		return Validation{}, finding
	}
	v.Drift = before.Drift
	var executable string
	if finding == nil {
		if executable, err = runner.Find(o.Argv[0], snap.Intent.Workspace, o.Env); err != nil {
			return Validation{}, err
		}
	}
	startRef, err := s.publishStart(v.Start)
	if err != nil {
		return Validation{}, err
	}
	if finding != nil {
		v.Stdout, v.Stderr = outputOf(runner.EmptyStream()), outputOf(runner.EmptyStream())
		if err := s.publishEnd(&v, ValidationEnd{StartRef: startRef, Outcome: ValidationDriftedBefore}); err != nil {
			return v, err
		}
		return v, fault.New(fault.SourceMoved, "nothing was run by validation %d: %w", number, finding).
			WithNext("git algal diff %s", job)
	}
	return s.execute(ctx, snap, v, startRef, runner.Command{
		Executable: executable, Argv: o.Argv, Env: o.Env, Dir: snap.Intent.Workspace, MaxOutput: o.MaxOutputBytes,
	})
}

// execute runs the command of a validation whose start is published, and
// publishes its end.
func (s *Service) execute(ctx context.Context, snap Snapshot, v Validation, startRef canon.Digest, command runner.Command) (Validation, error) {
	s.begin("validation", v.Start.Timeout)
	limited, cancel := context.WithTimeout(ctx, v.Start.Timeout)
	defer cancel()
	began := s.Now()
	exit, startErr := command.Run(limited)
	took := s.Now().Sub(began)
	if ctx.Err() != nil {
		return v, operation.Stopped(ctx)
	}
	if startErr != nil {
		var refused bool
		if exit, refused = refusedStart(startErr); !refused {
			return v, fault.New(fault.HostFailed, "validation %d: %w", v.Start.Number, startErr)
		}
	}
	after, finding := s.verify(ctx, snap)
	if finding != nil && !refusesWorkspace(finding) {
		return v, finding
	}
	v.Drift = after.Drift
	v.Stdout, v.Stderr = outputOf(exit.Stdout), outputOf(exit.Stderr)
	err := s.publishEnd(&v, ValidationEnd{
		StartRef: startRef, Outcome: outcomeOf(exit, finding != nil), ExitCode: exit.ExitCode, Signal: exit.Signal,
		Duration: min(max(0, took.Truncate(time.Millisecond)), MaxValidationDuration),
	})
	switch {
	case err != nil:
		return v, err
	case finding != nil:
		return v, fault.New(fault.SourceMoved, "the result of validation %d is void: %w", v.Start.Number, finding).
			WithNext("git algal diff %s", snap.JobID)
	case startErr != nil:
		return v, fault.New(fault.Usage, "validation %d: %w", v.Start.Number, startErr)
	}
	return v, nil
}

// nextValidation returns the number of a new validation. It runs under the
// workspace lease, so no other one takes the same.
func (s *Service) nextValidation(job canon.Digest) (int, error) {
	ended, err := s.Store.Validations(job)
	if err != nil {
		return 0, err
	}
	if len(ended) >= state.MaxValidations {
		return 0, fault.New(fault.OverBound, "job %q has %d validations, which is their bound", job, len(ended)).
			WithNext("git algal verify %s", job)
	}
	if len(ended) == 0 {
		return 1, nil
	}
	// A start whose writer was killed must not be lost below the next one.
	return len(ended) + 1, s.Store.MakeDurable(state.ValidationStart(job, len(ended)))
}

func (s *Service) publishStart(start ValidationStart) (canon.Digest, error) {
	text, err := start.Format()
	if err != nil {
		return "", fault.New(fault.Malformed, "the validation's start cannot be written: %w", err)
	}
	return canon.DigestText(text), s.Store.Create(state.ValidationStart(start.JobID, start.Number), text)
}

// publishEnd publishes the outputs of v and then end, which it completes with
// what follows from them, and makes it v's.
func (s *Service) publishEnd(v *Validation, end ValidationEnd) error {
	var err error
	if end.StdoutRef, err = s.putOutput(v.Stdout); err != nil {
		return err
	}
	if end.StderrRef, err = s.putOutput(v.Stderr); err != nil {
		return err
	}
	end.Truncated = v.Stdout.Truncated() || v.Stderr.Truncated()
	text, err := end.Format()
	if err != nil {
		return fault.New(fault.Malformed, "the validation's end cannot be written: %w", err)
	}
	if err := s.Store.Create(state.ValidationEnd(v.Start.JobID, v.Start.Number), text); err != nil {
		return err
	}
	v.End = &end
	return nil
}

func (s *Service) putOutput(o Output) (canon.Digest, error) {
	text, err := o.Format()
	if err != nil {
		return "", fault.New(fault.Malformed, "the output value cannot be written: %w", err)
	}
	return s.Store.Put(text)
}

func outputOf(s runner.Stream) Output {
	return Output{Content: s.Kept, Bytes: s.Bytes, Digest: s.Digest}
}

func outcomeOf(exit runner.End, drifted bool) ValidationOutcome {
	switch {
	case drifted:
		return ValidationDriftedAfter
	case exit.Stopped:
		return ValidationTimedOut
	case exit.Signal != "" || exit.ExitCode != 0:
		return ValidationFailed
	}
	return ValidationPassed
}

// refusedStart returns the end of a command that the system refused to start
// for what it is; ok is false where the host failed instead.
func refusedStart(err error) (exit runner.End, ok bool) {
	exit = runner.End{ExitCode: exitNotExecutable, Stdout: runner.EmptyStream(), Stderr: runner.EmptyStream()}
	if errors.Is(err, fs.ErrNotExist) {
		exit.ExitCode = exitNotFound
		return exit, true
	}
	for _, refusal := range []error{
		fs.ErrPermission, syscall.ENOEXEC, syscall.E2BIG, syscall.ETXTBSY, syscall.ENOTDIR, syscall.ELOOP,
	} {
		if errors.Is(err, refusal) {
			return exit, true
		}
	}
	return runner.End{}, false
}

// refusesWorkspace reports whether a verification failed with a finding about
// the workspace: that it is not the captured patch, or that nothing can be
// captured there any more. All else, claims and the store's own records
// included, says nothing about the command.
func refusesWorkspace(err error) bool {
	e, ok := fault.Of(err)
	if !ok {
		return false
	}
	switch e.Condition {
	case fault.SourceMoved, fault.NotClean, fault.HiddenDrift, fault.ControlChanged,
		fault.UnsupportedChange, fault.UnsafePath, fault.OverBound, fault.FlaggedIndex,
		fault.WorkspaceMissing, fault.NotRoot, fault.UnsupportedRepo, fault.SHA256Repository, fault.GitFailed:
		return true
	}
	return false
}
