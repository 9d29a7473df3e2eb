package jobs

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// A Finding is one thing in a store that is not as it should be.
type Finding = state.Finding

// What follows from a broken record.
const (
	consequenceJob         = "the job can be neither inspected nor run nor reconciled"
	consequenceUnknownJob  = "no command knows the job, and what its records prove is lost"
	consequenceReservation = "the job can be neither inspected nor run nor reconciled; preparing the same words again restores a missing reservation"
	consequenceOperation   = "the operation id can be used for nothing, not even for the job that it was reserved for"
	consequenceClaim       = "no job can be prepared, launched or verified in the workspace"
	consequenceClaimLost   = "nothing keeps another job out of the workspace, and this one can't be reconciled"
	consequenceControl     = "the change can be neither captured nor verified; put aside, it leaves nothing to compare with"
	consequenceAfter       = "nobody is told what changed in the git directory beside the patch"
	consequenceValidation  = "the validation counts for nothing"
	consequenceOutput      = "the validation's output is gone; how it ended is not"
	consequenceValue       = "the job counts as uncertain; git algal reconcile JOB publishes the value again"
	consequenceEnvelope    = "the job counts as uncertain for good: a v1 job can't be reconciled"
	consequenceRaw         = "an index that lies can't be found out, and drift can't be named"
)

// Fsck walks the whole store and returns what is wrong in it, in the order of
// the paths, nothing where all is well: entries without a place, of another
// kind or owner or open to others, records over their bound, of wrong form or
// not canonical, values of another digest, chains with gaps, and records that
// do not bear each other out. It changes nothing and takes no lease.
//
// What a crash leaves is no finding: each window of the package comment ends
// in a store that is whole, and so does a writer that is at work.
//
// Errors: fault.Missing for a store that is not there, fault.StoreFile for a
// root that may not be used, fault.Cancelled, fault.Deadline.
func (s *Service) Fsck(ctx context.Context) ([]Finding, error) {
	survey, err := s.Store.Survey(ctx)
	if err != nil {
		return nil, err
	}
	c := &checker{store: s.Store, findings: survey.Findings, surveyed: len(survey.Findings)}
	for _, workspace := range survey.Claims {
		c.checkClaim(workspace)
	}
	for _, key := range survey.Reservations {
		c.checkReservation(key)
	}
	for _, job := range survey.Jobs {
		if ctx.Err() != nil {
			return nil, operation.Stopped(ctx)
		}
		c.checkJob(job)
	}
	slices.SortStableFunc(c.findings, func(a, b Finding) int { return cmp.Compare(a.Path, b.Path) })
	return c.findings, nil
}

// A checker collects findings. Each record is read against the order of
// publication, the last one first, as readEvidence does: whatever a record
// stands on was published before it was read.
type checker struct {
	store    *state.Store
	findings []Finding
	surveyed int // so many of them are about entries by themselves
	reports  int // so many reports there were, those included that said it again
	// unsaid: something could not be read. The survey says so, and what stands
	// on it is not judged.
	unsaid bool
}

func (c *checker) report(name state.Name, err error, consequence string) {
	c.reportAt(name.String(), err, consequence)
}

// reportAt adds a finding, or makes the survey's of the same entry and code
// say more.
func (c *checker) reportAt(path string, err error, consequence string) {
	e, ok := fault.Of(err)
	if !ok {
		e = fault.New(fault.HostFailed, "%w", err)
	}
	c.reports++
	finding := Finding{Path: path, Code: e.Condition.Code(), Problem: e.Message, Consequence: consequence}
	for i, f := range c.findings {
		if f.Path != path || f.Code != finding.Code {
			continue
		}
		if i < c.surveyed {
			c.findings[i] = finding
		}
		return
	}
	c.findings = append(c.findings, finding)
}

// reportUnlessNil is report where there may be no error.
func (c *checker) reportUnlessNil(name state.Name, err error, consequence string) {
	if err != nil {
		c.report(name, err, consequence)
	}
}

// read returns the bytes of a record, nil where it is not there or cannot be
// read.
func (c *checker) read(name state.Name) []byte {
	text, err := readOptional(c.store, name)
	c.unsaid = c.unsaid || err != nil
	return text
}

// intent returns the intent of a job where it is there and whole. What is
// wrong with it is reported with the job.
func (c *checker) intent(job canon.Digest) (Intent, bool) {
	text, err := c.store.Read(state.Intent(job))
	if err != nil {
		return Intent{}, false
	}
	intent, err := ParseIntent(text)
	return intent, err == nil
}

func (c *checker) checkClaim(workspace canon.Digest) {
	name := state.Claim(workspace)
	text := c.read(name)
	if text == nil {
		return
	}
	claim, err := parseAnyClaim(text)
	switch {
	case err != nil:
		c.report(name, err, consequenceClaim)
		return
	case canon.DigestText(claim.Workspace) != workspace:
		c.report(name, fault.New(fault.StoreInconsistent, "the claim is about workspace %q, whose claim has another place", claim.Workspace), consequenceClaim)
		return
	}
	known, err := c.store.Exists(state.Intent(claim.JobID))
	if err == nil && !known {
		c.report(name, fault.New(fault.Missing, "the claim names job %q, which the store does not hold", claim.JobID), consequenceClaim)
	}
	if intent, ok := c.intent(claim.JobID); ok && intent.Workspace != claim.Workspace {
		c.report(name, fault.New(fault.StoreInconsistent, "the claim names job %q of another workspace", claim.JobID), consequenceClaim)
	}
}

func (c *checker) checkReservation(key canon.Digest) {
	name := state.Reservation(key)
	text := c.read(name)
	if text == nil {
		return
	}
	r, err := operation.ParseReservation(text)
	if err != nil {
		c.report(name, err, consequenceOperation)
		return
	}
	if own, err := r.Key(); err != nil || own != key {
		c.report(name, fault.New(fault.StoreInconsistent, "the reservation of operation %q has the place of another one", r.Binding.OperationID), consequenceOperation)
		return
	}
	// A preparation that died after its reservation left no intent.
	if intent, ok := c.intent(r.JobID); ok && intent.Operation != r.Binding {
		c.report(name, fault.New(fault.StoreInconsistent, "operation %q is reserved for job %q, whose intent is of another one", r.Binding.OperationID, r.JobID), consequenceOperation)
	}
}
