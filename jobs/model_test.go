package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
)

// model is the life of a job: for every event, what it does to a job in each
// state. A line says the status afterwards, after the condition with which the
// event is refused, if it is, and the states for which this is so. The states
// and the events are explained where they are made.
const model = `
prepare
	prepared                   absent reserved prepared claimed
	uncertain                  launched unheard unknown
	not-clean uncertain        silent accepted exhausted unvalued terminal decided unresulted incomplete
	not-clean completed        completed
	not-clean failed           failed rejected
	not-clean broken           unlaunched
clean
	prepared                   absent reserved prepared claimed
	uncertain                  launched unheard silent unknown accepted exhausted unvalued terminal decided unresulted incomplete
	completed                  completed
	failed                     failed rejected
	store-inconsistent broken  unlaunched
other
	absent                     absent reserved
	prepared                   prepared
	claimed prepared           claimed
	claimed uncertain          launched unheard silent unknown accepted exhausted unvalued terminal decided unresulted incomplete
	completed                  completed
	failed                     failed rejected
	store-inconsistent broken  unlaunched
reword
	absent                     absent
	record-conflict absent     reserved
	record-conflict prepared   prepared
	claimed prepared           claimed
	claimed uncertain          launched unheard silent unknown accepted exhausted unvalued terminal decided unresulted incomplete
	record-conflict completed  completed
	record-conflict failed     failed rejected
	store-inconsistent broken  unlaunched
run
	missing absent             absent reserved
	completed                  prepared claimed completed
	uncertain                  launched unheard silent unknown accepted exhausted unvalued terminal decided unresulted incomplete
	failed                     failed rejected
	store-inconsistent broken  unlaunched
run/cancelled
	missing absent             absent reserved
	cancelled prepared         prepared claimed
	cancelled uncertain        launched unheard silent unknown accepted exhausted unvalued terminal decided unresulted incomplete
	cancelled completed        completed
	cancelled failed           failed rejected
	store-inconsistent broken  unlaunched
unknown
	missing absent             absent reserved
	not-reconcilable prepared  prepared claimed
	uncertain                  launched unheard silent unknown
	evidence-conflict uncertain accepted exhausted
	completed                  unvalued terminal decided unresulted completed incomplete
	failed                     failed rejected
	store-inconsistent broken  unlaunched
accepted
	missing absent             absent reserved
	not-reconcilable prepared  prepared claimed
	uncertain                  launched unheard silent unknown accepted
	evidence-conflict uncertain exhausted
	completed                  unvalued terminal decided unresulted completed incomplete
	failed                     failed rejected
	store-inconsistent broken  unlaunched
conflict
	missing absent             absent reserved
	not-reconcilable prepared  prepared claimed
	uncertain                  launched unheard silent unknown
	evidence-conflict uncertain accepted exhausted
	completed                  unvalued terminal decided unresulted completed incomplete
	failed                     failed rejected
	store-inconsistent broken  unlaunched
completed
	missing absent             absent reserved
	not-reconcilable prepared  prepared claimed
	completed                  launched unheard silent unknown accepted unvalued terminal decided unresulted completed incomplete
	over-bound uncertain       exhausted
	failed                     failed rejected
	store-inconsistent broken  unlaunched
failed
	missing absent             absent reserved
	not-reconcilable prepared  prepared claimed
	failed                     launched unheard silent unknown accepted failed rejected
	over-bound uncertain       exhausted
	completed                  unvalued terminal decided unresulted completed incomplete
	store-inconsistent broken  unlaunched
cancelled
	missing absent             absent reserved
	not-reconcilable prepared  prepared claimed
	failed                     launched unheard silent unknown accepted failed rejected
	over-bound uncertain       exhausted
	completed                  unvalued terminal decided unresulted completed incomplete
	store-inconsistent broken  unlaunched
garbage
	missing absent             absent reserved
	not-reconcilable prepared  prepared claimed
	malformed uncertain        launched unheard silent unknown accepted exhausted
	completed                  unvalued terminal decided unresulted completed incomplete
	failed                     failed rejected
	store-inconsistent broken  unlaunched
silence
	missing absent             absent reserved
	not-reconcilable prepared  prepared claimed
	adapter-failed uncertain   launched unheard silent unknown accepted exhausted
	completed                  unvalued terminal decided unresulted completed incomplete
	failed                     failed rejected
	store-inconsistent broken  unlaunched
reconcile/cancelled
	missing absent             absent reserved
	not-reconcilable prepared  prepared claimed
	cancelled uncertain        launched unheard silent unknown accepted exhausted unvalued terminal decided unresulted incomplete
	completed                  completed
	failed                     failed rejected
	store-inconsistent broken  unlaunched
inspect
	missing absent             absent reserved
	prepared                   prepared claimed
	uncertain                  launched unheard silent unknown accepted exhausted unvalued terminal decided unresulted incomplete
	completed                  completed
	failed                     failed rejected
	store-inconsistent broken  unlaunched
verify
	missing absent             absent reserved
	not-completed prepared     prepared claimed
	not-completed uncertain    launched unheard silent unknown accepted exhausted unvalued terminal decided unresulted incomplete
	completed                  completed
	not-completed failed       failed rejected
	store-inconsistent broken  unlaunched
validate
	missing absent             absent reserved
	not-completed prepared     prepared claimed
	not-completed uncertain    launched unheard silent unknown accepted exhausted unvalued terminal decided unresulted incomplete
	completed                  completed
	not-completed failed       failed rejected
	store-inconsistent broken  unlaunched
diff
	missing absent             absent reserved
	not-completed prepared     prepared claimed
	not-completed uncertain    launched unheard silent unknown accepted exhausted unvalued terminal decided unresulted incomplete
	completed                  completed
	failed                     failed
	unsupported-change failed  rejected
	store-inconsistent broken  unlaunched
patch
	missing absent             absent reserved
	not-completed prepared     prepared claimed
	not-completed uncertain    launched unheard silent unknown accepted exhausted unvalued terminal decided unresulted incomplete
	completed                  completed
	failed                     failed
	not-completed failed       rejected
	store-inconsistent broken  unlaunched
output
	missing absent             absent reserved
	not-completed prepared     prepared claimed
	not-completed uncertain    launched unheard silent unknown accepted exhausted
	uncertain                  unvalued terminal decided unresulted incomplete
	completed                  completed
	failed                     failed rejected
	store-inconsistent broken  unlaunched
`

// A moment is a state in which a job can be found.
type moment struct {
	name string
	make func(*testing.T, *lab) *world
}

// moments are the states, in the order of a life.
var moments = []moment{
	{"absent", after("completes")},
	{"reserved", diedBefore("completes", prepare, "raw document")}, // a preparation died early
	{"prepared", after("completes", prepare)},
	{"claimed", diedBefore("completes", run, "marker", prepare)},         // a run died before its launch
	{"launched", diedBefore("completes", run, "submit", prepare)},        // it died before it submitted: forgone
	{"unheard", after("is never reached", prepare, run)},                 // the submission was lost
	{"silent", after("completes, the reply is lost", prepare, run)},      // its reply was
	{"unknown", after("is never reached", prepare, run, reconcile)},      // the authority knows nothing of it
	{"accepted", after("accepts, completes later", prepare, run)},        // it has begun
	{"exhausted", exhausted},                                             // all observations are used up
	{"unvalued", diedBefore("completes", run, "outcome value", prepare)}, // died after the observation
	{"terminal", diedBefore("completes", run, "settlement", prepare)},    // died during the capture
	{"decided", diedBefore("completes", run, "patch value", prepare)},    // died after the settlement
	{"unresulted", diedBefore("completes", run, "result", prepare)},      // died after the patch
	{"completed", after("completes", prepare, run)},
	{"failed", after("fails", prepare, run)},
	{"rejected", after("leaves what cannot be captured", prepare, run)},
	{"incomplete", without(func(s tampered) string { return value(s.snap.Result.PatchRef) })}, // completed, but the patch is gone
	{"unlaunched", without(func(s tampered) string { return s.job("started.json") })},         // completed, but the marker is gone
}

// after makes the state that deeds leave.
func after(authority string, deeds ...deed) func(*testing.T, *lab) *world {
	return func(t *testing.T, l *lab) *world {
		t.Helper()
		w := newWorld(l, authorityNamed(t, authority))
		for _, d := range deeds {
			if _, err := w.do(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
		w.disk.Crash(faultfs.LoseNone)
		return w
	}
}

// diedBefore makes the state of a process that died before it published what.
func diedBefore(authority string, d deed, what string, deeds ...deed) func(*testing.T, *lab) *world {
	return func(t *testing.T, l *lab) *world {
		t.Helper()
		w := after(authority, deeds...)(t, l)
		var stops []stop
		published := w.record(func(k int, as *world) { stops = append(stops, stop{k, as}) })
		if _, err := w.do(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(stops, func(s stop) bool { return published().window(d.name, s.operation).before == what })
		if i < 0 {
			t.Fatalf("%s publishes no %s", d.name, what)
		}
		stops[i].world.disk.Crash(faultfs.LoseNone)
		return stops[i].world
	}
}

// exhausted makes a job that uses all its observations.
func exhausted(t *testing.T, l *lab) *world {
	w := after("accepts, completes later", prepare, run)(t, l)
	for revision := 2; revision <= operation.MaxObservations; revision++ {
		w.answer = answers(func(b operation.Binding) (operation.Outcome, error) {
			return operation.NewAccepted(b, revision, acceptance)
		})
		if _, err := w.do(t.Context(), reconcile); err != nil {
			t.Fatal(err)
		}
	}
	return w.clone(0)
}

// without makes a completed job from whose store a file was taken.
func without(file func(tampered) string) func(*testing.T, *lab) *world {
	return func(t *testing.T, l *lab) *world {
		w := after("completes", prepare, run)(t, l)
		s := tampered{t, w.disk, w.judge(t.Context()).snap}
		s.remove(file(s))
		return w
	}
}

// An event is what happens to a job.
type event struct {
	name string
	do   func(context.Context, *jobs.Service, *world) error
}

func answers(outcome func(operation.Binding) (operation.Outcome, error)) func(operation.Binding) ([]byte, error) {
	return func(b operation.Binding) ([]byte, error) {
		o, err := outcome(b)
		return o.Canonical(), err
	}
}

// preparing makes a preparation of options that differ from the first one's.
func preparing(name string, change func(*world, *jobs.Options)) event {
	return event{name, func(ctx context.Context, s *jobs.Service, w *world) error {
		o := w.lab.options()
		change(w, &o)
		_, err := s.Prepare(ctx, o)
		return err
	}}
}

// looking makes a reconciliation whose lookup is answered so.
func looking(name string, answer func(operation.Binding) ([]byte, error)) event {
	return event{name, func(ctx context.Context, s *jobs.Service, w *world) error {
		w.answer = answer
		_, err := s.Reconcile(ctx, w.lab.job)
		return err
	}}
}

func ends(ending operation.Ending) func(operation.Binding) ([]byte, error) {
	return answers(func(b operation.Binding) (operation.Outcome, error) {
		return operation.NewTerminal(b, operation.MaxObservations+1, acceptance, ending, "All done")
	})
}

// cancelled makes the event of a context that has ended.
func cancelled(name string, do func(context.Context, *jobs.Service, *world) error) event {
	return event{name, func(ctx context.Context, s *jobs.Service, w *world) error {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return do(ctx, s, w)
	}}
}

func clean(w *world, _ *jobs.Options) { w.work = "true" }

// events are what can happen. Those between run and inspect are lookups, by
// their answers.
var events = []event{
	preparing("prepare", func(*world, *jobs.Options) {}), // the same words, on the checkout as it is
	preparing("clean", clean),                            // the same words, on a clean checkout
	preparing("other", func(w *world, o *jobs.Options) { clean(w, o); o.OperationID = nextOperationID }),
	preparing("reword", func(w *world, o *jobs.Options) { clean(w, o); o.Prompt = "Something else" }),
	{"run", runIt},
	cancelled("run/cancelled", runIt),
	looking("unknown", answers(func(b operation.Binding) (operation.Outcome, error) {
		return operation.NewUnknown(b, 0, operation.Missing)
	})),
	looking("accepted", answers(accepted(1))),
	looking("conflict", answers(func(b operation.Binding) (operation.Outcome, error) {
		return operation.NewAccepted(b, 1, someDigest)
	})),
	looking("completed", ends(operation.Completed)),
	looking("failed", ends(operation.Failed)),
	looking("cancelled", ends(operation.Cancelled)),
	looking("garbage", func(operation.Binding) ([]byte, error) { return []byte("hello"), nil }),
	looking("silence", func(operation.Binding) ([]byte, error) { return nil, errors.New("no answer") }),
	cancelled("reconcile/cancelled", func(ctx context.Context, s *jobs.Service, w *world) error {
		_, err := s.Reconcile(ctx, w.lab.job)
		return err
	}),
	{"inspect", func(_ context.Context, s *jobs.Service, w *world) error { _, err := s.Inspect(w.lab.job); return err }},
	{"verify", func(ctx context.Context, s *jobs.Service, w *world) error {
		_, err := s.Verify(ctx, w.lab.job)
		return err
	}},
	{"validate", func(ctx context.Context, s *jobs.Service, w *world) error {
		_, err := validate.do(ctx, s, w)
		return err
	}},
	{"diff", func(ctx context.Context, s *jobs.Service, w *world) error {
		_, err := s.Diff(ctx, w.lab.job)
		return err
	}},
	{"patch", func(_ context.Context, s *jobs.Service, w *world) error { _, err := s.Patch(w.lab.job); return err }},
	{"output", func(_ context.Context, s *jobs.Service, w *world) error { _, err := s.Output(w.lab.job); return err }},
}

func runIt(ctx context.Context, s *jobs.Service, w *world) error {
	_, err := s.Run(ctx, w.lab.job)
	return err
}

// parseModel returns the model's cells, by event and state.
func parseModel(t *testing.T) map[[2]string]string {
	t.Helper()
	cells := map[[2]string]string{}
	e := ""
	for line := range strings.Lines(strings.TrimSpace(model)) {
		fields := strings.Fields(line)
		if !strings.HasPrefix(line, "\t") {
			e = fields[0]
			continue
		}
		i := slices.IndexFunc(fields, isStatus)
		outcome := strings.Join(fields[:i+1], " ")
		for _, m := range fields[i+1:] {
			if earlier, twice := cells[[2]string{e, m}]; twice {
				t.Errorf("event %q in state %q is %q and %q", e, m, earlier, outcome)
			}
			cells[[2]string{e, m}] = outcome
		}
	}
	return cells
}

const (
	absent = "absent" // there is no such job
	broken = "broken" // the store contradicts itself
)

func isStatus(word string) bool {
	return word == absent || word == broken || rank(jobs.Status(word)) > 0
}

// TestModel holds every event in every state against the model.
func TestModel(t *testing.T) {
	l := newLab(t)
	cells := parseModel(t)
	for _, m := range moments {
		w := m.make(t, l)
		for _, e := range events {
			key := [2]string{e.name, m.name}
			if got, want := w.clone(0).meets(t, e), cells[key]; got != want {
				t.Errorf("event %q in state %q: %q, want %q", e.name, m.name, got, want)
			}
			delete(cells, key)
		}
	}
	if len(cells) > 0 {
		t.Errorf("the model knows of states or events that there are not: %v", cells)
	}
}

// meets carries out the event and returns what became of it.
func (w *world) meets(t *testing.T, e event) string {
	t.Helper()
	before := w.judge(t.Context()).snap
	lookups := w.lookups
	s, err := w.open()
	if err != nil {
		t.Fatal(err)
	}
	outcome := ""
	if err := e.do(t.Context(), s, w); err != nil {
		f, ok := fault.Of(err)
		if !ok {
			t.Fatalf("event %q: %v is no condition", e.name, err)
		}
		outcome = f.Condition.String() + " "
	}
	if w.submits[operationID] > 1 || w.submits[nextOperationID] > 0 {
		t.Errorf("event %q: submissions are %v", e.name, w.submits)
	}
	if _, known := operation.History(before.Evidence.Observations).Terminal(); w.lookups > lookups+1 || w.lookups > lookups && (known || !before.Evidence.Launched) {
		t.Errorf("event %q: %d lookups of a job that is %s", e.name, w.lookups-lookups, before.Status)
	}
	snap, err := s.Inspect(w.lab.job)
	switch {
	case err == nil:
		return outcome + string(snap.Status)
	case fault.Is(err, fault.Missing):
		return outcome + absent
	case fault.Is(err, fault.StoreInconsistent):
		return outcome + broken
	}
	return outcome + err.Error()
}
