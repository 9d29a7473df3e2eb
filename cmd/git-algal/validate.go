//go:build linux || darwin

package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

const (
	validateSchema = "git-algal.validate/1"

	flagName    = "name"
	flagTimeout = "timeout"
)

func validateVerb() verb {
	return verb{
		name: "validate", usage: "run one command on the captured patch, verified before and after it",
		operands: "[JOB] -- COMMAND [ARGUMENT ...]",
		details: "No shell stands between, there is no input, and no variable that begins with GIT_\n" +
			"reaches the command. How it ended is kept with its output; it is run once, and a\n" +
			"validation that was interrupted is never run again by itself.",
		flags: []cli.Flag{
			&cli.StringFlag{Name: flagName, Usage: "call the validation `NAME`"},
			&cli.DurationFlag{Name: flagTimeout, Value: jobs.DefaultValidationTimeout, Usage: "end the command after `DURATION`"},
			&cli.StringFlag{Name: flagOutput, Value: size(jobs.DefaultValidationOutputBytes), Usage: "keep of each output at most `SIZE`"},
			waitFlag(),
		},
		maxOperands: 1, takesCommand: true, run: onJob(withGit, validate),
	}
}

// A validateDocument says how a command ended that was run on a captured
// patch. What is not known, because nothing was run or nothing came of it, is
// null.
type validateDocument struct {
	Schema         string                 `json:"schema"`
	JobID          canon.Digest           `json:"jobId"`
	Number         int                    `json:"number"`
	Name           *string                `json:"name"`
	Argv           []string               `json:"argv"`
	PatchDigest    canon.Digest           `json:"patchDigest"`
	EmptyPatch     bool                   `json:"emptyPatch"`
	TimeoutMs      int64                  `json:"timeoutMs"`
	MaxOutputBytes int                    `json:"maxOutputBytes"`
	Outcome        jobs.ValidationOutcome `json:"outcome"`
	ExitCode       *int                   `json:"exitCode"`
	Signal         *string                `json:"signal"`
	DurationMs     *int64                 `json:"durationMs"`
	Stdout         *validateOutput        `json:"stdout"`
	Stderr         *validateOutput        `json:"stderr"`
	Drift          []driftEntry           `json:"drift"`
	Message        string                 `json:"message"` // why there is no result, or an odd one; else empty

	next [][]string
}

// A validateOutput is what of an output is kept, and of which whole.
type validateOutput struct {
	ContentBase64 string       `json:"contentBase64"`
	Bytes         int64        `json:"bytes"`  // that were written
	Digest        canon.Digest `json:"digest"` // of all of them
	Truncated     bool         `json:"truncated"`

	content string
}

func validate(ctx context.Context, s *site, job canon.Digest) (answer, error) {
	o, err := s.validationOptions()
	if err != nil {
		return answer{}, err
	}
	v, err := s.service.Validate(ctx, job, o)
	switch {
	case v.Start.Number == 0:
		return answer{}, err // nothing was begun
	case v.End == nil && !fault.Is(err, fault.Cancelled):
		s.warn("validation %d of job %s has no end, and gets none", v.Start.Number, shortID(job))
		return answer{}, err
	}
	d := newValidateDocument(v, err)
	if v.Outcome() == jobs.ValidationDriftedBefore || v.Outcome() == jobs.ValidationDriftedAfter {
		d.next = [][]string{s.command("diff", string(job))}
	}
	return answer{document: d, exit: exitOfValidation[v.Outcome()]}, nil
}

// validationOptions returns what the flags and the command behind "--" ask
// for. Errors are fault.Usage; bounds are Validate's to check.
func (s *site) validationOptions() (jobs.ValidationOptions, error) {
	if len(s.argv) == 0 {
		return jobs.ValidationOptions{}, fault.New(fault.Usage, "no command stands behind %q", "--").
			WithNext("git algal validate -- COMMAND")
	}
	kept, err := parseSize(s.flags.String(flagOutput))
	if err != nil {
		return jobs.ValidationOptions{}, fault.New(fault.Usage, "flag %q is %q, which is no size such as 512KiB", dashed(flagOutput), s.flags.String(flagOutput))
	}
	return jobs.ValidationOptions{
		Name: s.flags.String(flagName), Timeout: s.flags.Duration(flagTimeout), MaxOutputBytes: kept,
		Argv: s.argv, Env: s.variables,
	}, nil
}

func newValidateDocument(v jobs.Validation, err error) *validateDocument {
	d := &validateDocument{
		Schema: validateSchema, JobID: v.Start.JobID, Number: v.Start.Number, Name: known(v.Start.Name), Argv: v.Start.Argv,
		PatchDigest: v.Start.PatchDigest, EmptyPatch: v.Empty, TimeoutMs: v.Start.Timeout.Milliseconds(),
		MaxOutputBytes: v.Start.MaxOutputBytes, Outcome: v.Outcome(), Drift: driftEntries(v.Drift),
	}
	if err != nil {
		d.Message = newFailure("validate", err).Error.Message
	}
	if v.End == nil {
		return d
	}
	d.Stdout, d.Stderr = newValidateOutput(v.Stdout), newValidateOutput(v.Stderr)
	if v.Outcome() == jobs.ValidationDriftedBefore {
		return d
	}
	took := v.End.Duration.Milliseconds()
	d.DurationMs, d.Signal = &took, known(v.End.Signal)
	if d.Signal == nil {
		d.ExitCode = &v.End.ExitCode
	}
	return d
}

func newValidateOutput(o jobs.Output) *validateOutput {
	return &validateOutput{
		base64.StdEncoding.EncodeToString(o.Content), o.Bytes, o.Digest, o.Truncated(), string(o.Content),
	}
}

func (d *validateDocument) writeText(p *page) {
	d.Stdout.writeText(p, "stdout")
	d.Stderr.writeText(p, "stderr")
	name := ""
	if d.Name != nil {
		name = " (" + shown(*d.Name) + ")"
	}
	p.line("%s: validation %d%s of job %s%s", p.tinted(validationColour(d.Outcome), d.verdict()), d.Number, name, shortID(d.JobID), d.end())
	if d.EmptyPatch {
		p.line("  the patch is empty: what passes here says nothing about the job")
	}
	if d.Message != "" && len(d.Drift) == 0 && d.Outcome != jobs.ValidationOpen {
		p.line("  %s", forPeople(d.Message))
	}
	if d.Outcome == jobs.ValidationOpen {
		p.line("  it has no end and gets none; the next one has another number")
	}
	writeDrift(p, d.Drift)
	writeNext(p, d.next)
}

// verdict returns the outcome in a word or two.
func (d *validateDocument) verdict() string {
	switch d.Outcome {
	case jobs.ValidationTimedOut:
		return "timed out"
	case jobs.ValidationDriftedBefore:
		return "drifted, nothing was run"
	case jobs.ValidationDriftedAfter:
		return "drifted, the result is void"
	case jobs.ValidationOpen:
		return "interrupted"
	}
	return string(d.Outcome)
}

// end says how the command itself ended.
func (d *validateDocument) end() string {
	if d.DurationMs == nil {
		return ""
	}
	took := time.Duration(*d.DurationMs) * time.Millisecond
	if d.Signal != nil {
		return fmt.Sprintf(": ended by %s after %v", *d.Signal, took)
	}
	return fmt.Sprintf(": exit code %d after %v", *d.ExitCode, took)
}

// writeText writes what is kept of an output below its name, and nothing of an
// empty one.
func (o *validateOutput) writeText(p *page, name string) {
	if o == nil || o.Bytes == 0 {
		return
	}
	if o.Truncated {
		p.line("%s, the first %s of %s bytes; the digest of all is %s:",
			name, humanize.Comma(int64(len(o.content))), humanize.Comma(o.Bytes), o.Digest)
	} else {
		p.line("%s, %s bytes:", name, humanize.Comma(o.Bytes))
	}
	p.content(o.content)
	if !strings.HasSuffix(o.content, "\n") {
		p.line("")
	}
}

func validationColour(o jobs.ValidationOutcome) string {
	switch o {
	case jobs.ValidationPassed:
		return green
	case jobs.ValidationOpen:
		return yellow
	}
	return red
}
