package jobs

import (
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// evidence is everything that the store retains of one job, each record
// checked against the others.
type evidence struct {
	job          canon.Digest
	intent       Intent
	launched     bool // the marker exists
	observations []operation.Observation
	settlement   *Settlement
	initial      *ResultRecord // result.json
	resolution   *ResultRecord // resolution.json
}

// readEvidence reads a job's records against the order of their publication,
// the last one first: whatever a record read here stands on was published
// before it, so a writer at work never looks like a contradiction.
//
// Errors: fault.Missing for an unknown job, fault.StoreInconsistent where
// records contradict each other, fault.Malformed and fault.StoreFile where one
// is not a record.
func readEvidence(store *state.Store, job canon.Digest) (*evidence, error) {
	if !job.Valid() {
		return nil, fault.New(fault.Malformed, "job id %q is not sha256: and 64 lower-case hexadecimal digits", job)
	}
	intent, err := readIntent(store, job)
	if err != nil {
		return nil, err
	}
	e := &evidence{job: job, intent: intent}
	op := intent.Operation.OperationID
	if text, err := readOptional(store, state.Resolution(job)); err != nil {
		return nil, err
	} else if text != nil {
		record, err := ParseResult(text, job, op)
		if err != nil {
			return nil, err
		}
		e.resolution = &record
	}
	if text, err := readOptional(store, state.Result(job)); err != nil {
		return nil, err
	} else if text != nil {
		record, err := ParseResult(text, job, op)
		if err != nil {
			return nil, err
		}
		e.initial = &record
	}
	if text, err := readOptional(store, state.Settlement(job, intent.Limits.MaxPatchBytes)); err != nil {
		return nil, err
	} else if text != nil {
		settlement, err := ParseSettlement(text, job, intent)
		if err != nil {
			return nil, err
		}
		e.settlement = &settlement
	}
	if e.observations, err = readObservations(store, job, intent); err != nil {
		return nil, err
	}
	if text, err := readOptional(store, state.Marker(job)); err != nil {
		return nil, err
	} else if text != nil {
		if _, err := ParseMarker(text, job); err != nil {
			return nil, err
		}
		e.launched = true
	}
	return e, e.check()
}

// makeDurable makes the records that were read durable. Whoever acts on them
// calls it first: their writer may have been killed just before it had synced
// the last one, and what follows from a record must not outlive it.
func (e *evidence) makeDurable(store *state.Store) error {
	return store.MakeDurable(
		state.Intent(e.job), // and everything beside it
		state.Observation(e.job, 1, e.intent.Limits.MaxOutputBytes),
	)
}

// readIntent reads and binds the intent of a job and its reservation.
func readIntent(store *state.Store, job canon.Digest) (Intent, error) {
	text, err := store.Read(state.Intent(job))
	if fault.Is(err, fault.Missing) {
		return Intent{}, fault.New(fault.Missing, "job %q is unknown to the store", job).
			WithNext("list the store's jobs with: git algal list --all")
	}
	if err != nil {
		return Intent{}, err
	}
	intent, err := ParseIntent(text)
	if err != nil {
		return Intent{}, err
	}
	id, err := intent.ID()
	if err != nil {
		return Intent{}, err
	}
	if id != job {
		return Intent{}, fault.New(fault.StoreInconsistent, "the intent of job %q has digest %q", job, id)
	}
	if intent.XCB != nil { // v1 reserves nothing
		return intent, nil
	}
	return intent, checkReserved(store, job, intent)
}

// checkReserved demands that the operation of a v2 intent is reserved for it.
func checkReserved(store *state.Store, job canon.Digest, intent Intent) error {
	want := intent.Reservation(job)
	key, err := want.Key()
	if err != nil {
		return err
	}
	text, err := store.Read(state.Reservation(key))
	if fault.Is(err, fault.Missing) {
		return fault.New(fault.StoreInconsistent, "operation %q of job %q has no reservation", intent.Operation.OperationID, job).
			WithNext("prepare the same job again: that restores the reservation")
	}
	if err != nil {
		return err
	}
	got, err := operation.ParseReservation(text)
	if err != nil {
		return err
	}
	if got != want {
		return fault.New(fault.StoreInconsistent, "operation %q is reserved for another job or request", intent.Operation.OperationID)
	}
	return nil
}

// readObservations reads the chain of retained outcomes, oldest first.
func readObservations(store *state.Store, job canon.Digest, intent Intent) ([]operation.Observation, error) {
	n, err := store.Observations(job)
	if err != nil {
		return nil, err
	}
	e := &evidence{job: job, intent: intent}
	for i := 1; i <= n; i++ {
		text, err := store.Read(state.Observation(job, i, intent.Limits.MaxOutputBytes))
		if err != nil {
			return nil, err
		}
		if err := e.observe(text); err != nil {
			return nil, err
		}
	}
	return e.observations, nil
}

// observe adds the next link of the chain of observations.
func (e *evidence) observe(text []byte) error {
	o, err := operation.ParseObservation(text, e.intent.Operation, e.intent.Limits.MaxOutputBytes)
	if err != nil {
		return err
	}
	history, n := e.history(), len(e.observations)+1
	if o.JobID != e.job || o.PreviousRef != latestRef(history) {
		return fault.New(fault.StoreInconsistent, "observation %d of job %q does not continue the chain", n, e.job)
	}
	if repeated, err := history.Admit(o.Outcome); err != nil || repeated {
		return fault.New(fault.StoreInconsistent, "observation %d of job %q contradicts an earlier one", n, e.job)
	}
	e.observations = append(e.observations, o)
	return nil
}

// latestRef returns the reference of the newest outcome, or the empty digest.
func latestRef(h operation.History) canon.Digest {
	if latest, ok := h.Latest(); ok {
		return latest.Ref()
	}
	return ""
}

// readOptional returns nil without an error where the record does not exist.
func readOptional(store *state.Store, name state.Name) ([]byte, error) {
	text, err := store.Read(name)
	if fault.Is(err, fault.Missing) {
		return nil, nil
	}
	return text, err
}

// history returns the retained outcomes, oldest first.
func (e *evidence) history() operation.History {
	var h operation.History
	for _, o := range e.observations {
		h = append(h, o.Outcome)
	}
	return h
}

// terminal returns the terminal outcome, if the latest one is.
func (e *evidence) terminal() (operation.Outcome, bool) {
	return e.history().Terminal()
}

// effective returns the record that decides the status: the resolution, else
// the initial result, else nil.
func (e *evidence) effective() *ResultRecord {
	if e.resolution != nil {
		return e.resolution
	}
	return e.initial
}

// check holds the records against each other (contract section 6, inspect).
func (e *evidence) check() error {
	if found := e.contradictions(); len(found) > 0 {
		return e.contradiction(found[0].what)
	}
	return nil
}

// A contradiction is a record that the job's other records do not bear out.
type contradiction struct {
	record state.Name
	what   string
}

// contradictions returns what is wrong among the records, at most one of each.
func (e *evidence) contradictions() (found []contradiction) {
	if e.intent.XCB != nil {
		return e.contradictionsV1()
	}
	if !e.launched {
		if len(e.observations) > 0 || e.settlement != nil || e.initial != nil || e.resolution != nil {
			found = append(found, contradiction{state.Marker(e.job), "there is evidence of an outcome, but no launch marker"})
		}
		return found
	}
	if what := e.againstSettlement(); what != "" {
		found = append(found, contradiction{state.Settlement(e.job, e.intent.Limits.MaxPatchBytes), what})
	}
	if what := e.againstResult(); what != "" {
		found = append(found, contradiction{state.Result(e.job), what})
	}
	if what := e.againstResolution(); what != "" {
		found = append(found, contradiction{state.Resolution(e.job), what})
	}
	return found
}

func (e *evidence) againstSettlement() string {
	s := e.settlement
	if s == nil {
		return ""
	}
	outcome, ok := e.terminal()
	switch {
	case !ok || outcome.Ref() != s.OutputRef:
		return "the settlement has no terminal outcome"
	case s.Terminal.Result.ExitCode != exitCode(outcome):
		return "the settlement's exit code is not its outcome's"
	case s.Terminal.Status == Completed && outcome.Ending() != operation.Completed:
		return "the settlement completes an attempt that did not complete"
	}
	return ""
}

func (e *evidence) againstResult() string {
	r := e.initial
	switch {
	case r == nil:
	case r.Status.Settled() && !e.settles(r):
		return "the result is not the one that was settled"
	case !r.Status.Settled() && r.Result != nil && !e.observed(r.Result.OutputRef):
		return "the result names an outcome that was never observed"
	}
	return ""
}

func (e *evidence) againstResolution() string {
	switch {
	case e.resolution == nil:
	case !e.settles(e.resolution):
		return "the resolution is not the one that was settled"
	case e.initial != nil && e.initial.Status.Settled():
		return "the resolution follows a settled result"
	}
	return ""
}

func (e *evidence) contradiction(what string) error {
	return fault.New(fault.StoreInconsistent, "job %q: %s", e.job, what).
		WithNext("look at the whole store with: git algal fsck")
}

// settles reports whether r is the settlement's terminal record.
func (e *evidence) settles(r *ResultRecord) bool {
	if e.settlement == nil {
		return false
	}
	got, err := r.Format()
	if err != nil {
		return false
	}
	want, err := e.settlement.Terminal.Format()
	return err == nil && string(got) == string(want)
}

func (e *evidence) observed(ref canon.Digest) bool {
	for _, o := range e.observations {
		if o.Outcome.Ref() == ref {
			return true
		}
	}
	return false
}

// complete reports whether every value that the records name is in the store;
// a value that is there with other bytes is an error.
func (e *evidence) complete(store *state.Store) (bool, error) {
	if e.intent.XCB != nil {
		return e.completeV1(store)
	}
	type value struct {
		ref canon.Digest
		max int
	}
	var values []value
	for _, o := range e.observations {
		values = append(values, value{o.Outcome.Ref(), e.intent.Limits.MaxOutputBytes})
	}
	if r := e.effective(); r != nil && r.Result != nil && r.Result.PatchRef != "" {
		values = append(values, value{r.Result.PatchRef, e.intent.Limits.MaxPatchBytes})
	}
	for _, v := range values {
		_, err := store.Get(v.ref, v.max)
		if fault.Is(err, fault.Missing) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}
