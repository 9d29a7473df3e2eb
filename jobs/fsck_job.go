package jobs

import (
	"errors"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

// texts are the records of one job as they were read, nil where there is none.
type texts struct {
	validations  []validationTexts
	resolution   []byte
	result       []byte
	settlement   []byte
	controlAfter []byte
	observations [][]byte
	marker       []byte
	control      []byte
	intent       []byte
}

type validationTexts struct{ start, end []byte }

// readTexts reads a job's records, the last published first.
func (c *checker) readTexts(job canon.Digest) (t texts) {
	ended, err := c.store.Validations(job)
	if err == nil { // what is wrong with the listing is the survey's to say
		for i := range ended {
			end := c.read(state.ValidationEnd(job, i+1))
			start := c.read(state.ValidationStart(job, i+1))
			t.validations = append(t.validations, validationTexts{start, end})
		}
	}
	t.resolution = c.read(state.Resolution(job))
	t.result = c.read(state.Result(job))
	t.settlement = c.read(state.Settlement(job, state.MaxCarriedBytes))
	t.controlAfter = c.read(state.ControlAfter(job))
	n, err := c.store.Observations(job)
	c.unsaid = c.unsaid || err != nil
	for i := 1; i <= n; i++ {
		if text := c.read(state.Observation(job, i, state.MaxCarriedBytes)); text != nil {
			t.observations = append(t.observations, text)
		}
	}
	t.marker = c.read(state.Marker(job))
	t.control = c.read(state.Control(job))
	t.intent = c.read(state.Intent(job))
	return t
}

func (c *checker) checkJob(job canon.Digest) {
	c.unsaid = false
	t := c.readTexts(job)
	before := c.reports
	switch {
	case t.intent != nil:
		if intent, ok := c.parseIntent(job, t.intent); ok {
			c.checkRecords(c.parseEvidence(job, intent, t), t, before)
		}
	case !c.unsaid:
		c.checkUnknown(job, t)
	}
}

// checkRecords holds the records of a job against each other, where each of
// them is one; before is the number of reports before this job.
func (c *checker) checkRecords(e *evidence, t texts, before int) {
	if c.unsaid || c.reports > before {
		return
	}
	for _, contradiction := range e.contradictions() {
		c.report(contradiction.record, e.contradiction(contradiction.what), consequenceJob)
	}
	c.checkClaimHeld(e)
	c.checkValues(e)
	c.checkOwn(e, t)
	if c.unsaid || c.reports > before {
		return
	}
	// Whatever inspect refuses is a finding, also what no rule above names.
	if _, err := inspect(c.store, e.job); err != nil {
		c.report(state.Intent(e.job), err, consequenceJob)
	}
}

// checkUnknown judges a job without an intent. A preparation that died left no
// more than its control record.
func (c *checker) checkUnknown(job canon.Digest, t texts) {
	if t.marker != nil || t.result != nil || t.resolution != nil || t.settlement != nil || t.controlAfter != nil || t.observations != nil || t.validations != nil {
		c.report(state.Intent(job), fault.New(fault.Missing, "job %q has records and no intent", job), consequenceUnknownJob)
	}
	if t.control != nil {
		_, err := ParseControl(t.control, job)
		c.reportUnlessNil(state.Control(job), err, consequenceControl)
	}
}

// parseIntent reads the intent and holds its reservation against it.
func (c *checker) parseIntent(job canon.Digest, text []byte) (Intent, bool) {
	name := state.Intent(job)
	intent, err := ParseIntent(text)
	if err != nil {
		c.report(name, err, consequenceJob)
		return Intent{}, false
	}
	if id, err := intent.ID(); err != nil || id != job {
		c.report(name, fault.New(fault.StoreInconsistent, "the intent of job %q has digest %q", job, id), consequenceJob)
		return Intent{}, false
	}
	if intent.XCB != nil {
		return intent, true
	}
	key, err := intent.Reservation(job).Key()
	if err != nil {
		c.report(name, err, consequenceJob)
		return Intent{}, false
	}
	switch err := checkReserved(c.store, job, intent); {
	case err == nil:
	case fault.Is(err, fault.StoreInconsistent), fault.Is(err, fault.Malformed):
		c.report(state.Reservation(key), err, consequenceReservation)
	default:
		c.unsaid = true
	}
	return intent, true
}

// parseEvidence reads the records of another host's making too.
func (c *checker) parseEvidence(job canon.Digest, intent Intent, t texts) *evidence {
	e := &evidence{job: job, intent: intent}
	op := intent.Operation.OperationID
	result := func(name state.Name, text []byte) *ResultRecord {
		if text == nil {
			return nil
		}
		record, err := ParseResult(text, job, op)
		c.reportUnlessNil(name, err, consequenceJob)
		return &record
	}
	e.resolution = result(state.Resolution(job), t.resolution)
	e.initial = result(state.Result(job), t.result)
	if t.settlement != nil {
		name := state.Settlement(job, intent.Limits.MaxPatchBytes)
		settlement, err := ParseSettlement(t.settlement, job, intent)
		if len(t.settlement) > name.Bound() {
			err = fault.New(fault.StoreFile, "the settlement of job %q has %d bytes, more than the %d that its intent admits", job, len(t.settlement), name.Bound())
		}
		c.reportUnlessNil(name, err, consequenceJob)
		e.settlement = &settlement
	}
	for i, text := range t.observations {
		name := state.Observation(job, i+1, intent.Limits.MaxOutputBytes)
		err := e.observe(text)
		if len(text) > name.Bound() {
			err = fault.New(fault.StoreFile, "observation %d of job %q has %d bytes, more than the %d that its intent admits", i+1, job, len(text), name.Bound())
		}
		if err != nil {
			c.report(name, err, consequenceJob)
			break
		}
	}
	if t.marker != nil {
		_, err := ParseMarker(t.marker, job)
		c.reportUnlessNil(state.Marker(job), err, consequenceJob)
		e.launched = true
	}
	return e
}

// checkClaimHeld demands that a launched job has claimed its workspace, and
// that it still does unless it is settled on record: claims are replaced, never
// removed.
func (c *checker) checkClaimHeld(e *evidence) {
	if !e.launched {
		return
	}
	name := state.Claim(canon.DigestText(e.intent.Workspace))
	claim, ok, err := readClaim(c.store, e.intent.Workspace)
	if err != nil { // reported with the claim
		c.unsaid = true
		return
	}
	if !ok {
		c.report(name, fault.New(fault.Missing, "job %q was launched and its workspace is not claimed", e.job), consequenceClaimLost)
		return
	}
	if claim.JobID == e.job || settledOnRecord(c.store, e.job) {
		return
	}
	c.report(name, fault.New(fault.StoreInconsistent, "job %q is not settled and the claim on its workspace names job %q", e.job, claim.JobID), consequenceClaimLost)
}

// settledOnRecord reads the job's records once more: it may have been settled,
// and another job may have claimed the workspace, since they were read.
func settledOnRecord(store *state.Store, job canon.Digest) bool {
	e, err := readEvidence(store, job)
	if err != nil {
		return false
	}
	r := e.effective()
	return r != nil && r.Status.Settled()
}

// checkValues looks for the values that records name. The last outcome's value
// and the patch follow their records, so a crash may have left these out.
func (c *checker) checkValues(e *evidence) {
	if e.intent.XCB != nil {
		c.checkValuesV1(e)
		return
	}
	for i, o := range e.observations {
		ref := o.Outcome.Ref()
		onItsWay := i == len(e.observations)-1 && e.settlement == nil &&
			(e.initial == nil || e.initial.Result == nil || e.initial.Result.OutputRef != ref)
		if _, err := c.store.Get(ref, e.intent.Limits.MaxOutputBytes); !onItsWay || !fault.Is(err, fault.Missing) {
			c.reportValue(ref, err, consequenceValue, "outcome %d of job %q", i+1, e.job)
		}
	}
	if r := e.effective(); r != nil && r.Status.Settled() && r.Result.PatchRef != "" {
		_, err := c.store.Get(r.Result.PatchRef, e.intent.Limits.MaxPatchBytes)
		c.reportValue(r.Result.PatchRef, err, consequenceValue, "the patch of job %q", e.job)
	}
}

// checkValuesV1 looks for the values of a v1 job, which its result follows.
func (c *checker) checkValuesV1(e *evidence) {
	if e.initial == nil || e.initial.Result == nil {
		return
	}
	r := e.initial.Result
	if _, err := e.envelope(c.store); fault.Is(err, fault.StoreInconsistent) {
		c.report(state.Result(e.job), err, consequenceJob)
	} else {
		c.reportValue(r.OutputRef, err, consequenceEnvelope, "the envelope of job %q", e.job)
	}
	if r.PatchRef != "" {
		_, err := c.store.Get(r.PatchRef, e.intent.Limits.MaxPatchBytes)
		c.reportValue(r.PatchRef, err, consequenceEnvelope, "the patch of job %q", e.job)
	}
}

// reportValue reports what keeps a value from being used, where the survey
// does not: that it is not there, not what it is to be, or too long for it.
func (c *checker) reportValue(ref canon.Digest, err error, consequence, what string, args ...any) {
	switch {
	case err == nil:
	case fault.Is(err, fault.Missing):
		c.reportAt(valuePath(ref), fault.New(fault.Missing, what+" is not among the values", args...), consequence)
	case fault.Is(err, fault.OverBound), fault.Is(err, fault.Malformed):
		c.reportAt(valuePath(ref), err, consequence)
	default:
		c.unsaid = true
	}
}

func valuePath(ref canon.Digest) string { return "values/" + ref.Hex() + ".json" }

// checkOwn judges our own records, which never matter for a status.
func (c *checker) checkOwn(e *evidence, t texts) {
	if t.control != nil {
		_, err := ParseControl(t.control, e.job)
		c.reportUnlessNil(state.Control(e.job), err, consequenceControl)
		c.checkRaw(e.intent.SourceRawDigest, "the fingerprint of what job %q admitted", e.job)
	}
	if t.controlAfter != nil {
		_, err := ParseControlAfter(t.controlAfter, e.job)
		if _, terminal := e.terminal(); err == nil && e.intent.XCB == nil && !terminal {
			err = fault.New(fault.StoreInconsistent, "job %q was captured without a terminal outcome", e.job)
		}
		c.reportUnlessNil(state.ControlAfter(e.job), err, consequenceAfter)
	}
	if t.controlAfter != nil && e.settlement != nil && e.settlement.Patch != nil {
		c.checkRaw(e.settlement.Patch.WorkspaceRawDigest, "the fingerprint of what job %q left", e.job)
	}
	var patch canon.Digest
	if r := e.effective(); r != nil {
		patch = patchDigest(r.Result)
	}
	for i, v := range t.validations {
		c.checkValidation(e.job, i+1, v, patch)
	}
}

// checkRaw looks for a raw document, which the control record of its moment
// follows.
func (c *checker) checkRaw(digest canon.Digest, what string, job canon.Digest) {
	text, err := c.store.Get(digest, gitplumb.MaxRawDocumentBytes)
	if err == nil {
		_, err = gitplumb.ParseRaw(text)
	}
	c.reportValue(digest, err, consequenceRaw, what, job)
}

func (c *checker) checkValidation(job canon.Digest, number int, v validationTexts, patch canon.Digest) {
	if v.start == nil {
		return // it could not be read
	}
	start, err := ParseValidationStart(v.start, job, number)
	if err == nil && start.PatchDigest != patch {
		err = fault.New(fault.StoreInconsistent, "validation %d is of patch %q, which is not the job's", number, start.PatchDigest)
	}
	startRef, _, canonErr := canon.DigestCanonical(v.start)
	if err != nil || canonErr != nil {
		c.report(state.ValidationStart(job, number), errors.Join(err, canonErr), consequenceValidation)
		return
	}
	if v.end == nil {
		return // running, or interrupted
	}
	end, err := ParseValidationEnd(v.end, startRef)
	if err != nil {
		c.report(state.ValidationEnd(job, number), err, consequenceValidation)
		return
	}
	for _, ref := range []canon.Digest{end.StdoutRef, end.StderrRef} {
		text, err := c.store.Get(ref, state.MaxValueBytes)
		if err == nil {
			_, err = ParseOutput(text)
		}
		c.reportValue(ref, err, consequenceOutput, "an output of validation %d of job %q", number, job)
	}
}
