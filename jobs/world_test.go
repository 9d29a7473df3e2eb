package jobs_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// A lab holds one real checkout and remembers what real passes over it said:
// of each state that work leaves it in, each question is put to git once. A
// crash loop asks it millions of times.
type lab struct {
	*scene
	live     bool         // nothing is remembered: git is asked each time
	job      canon.Digest // which the checkout's one preparation makes
	mu       sync.Mutex
	work     string // what was last done to the checkout
	passes   map[string]*recordedPass
	captures map[string]recordedCapture
	judged   map[[sha256.Size]byte]judgement // by the records of a store
}

type recordedCapture struct {
	capture capture.Capture
	err     error
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{
		scene: newScene(t), passes: map[string]*recordedPass{}, captures: map[string]recordedCapture{},
		judged: map[[sha256.Size]byte]judgement{},
	}
	snap, err := newWorld(l, authority{}).do(t.Context(), prepare)
	if err != nil {
		t.Fatal(err)
	}
	l.job = snap.JobID
	return l
}

// set leaves the checkout as the work leaves it that starts from a clean one.
func (l *lab) set(work string) {
	if l.work != work {
		l.sh("git reset -q --hard && git clean -q -d -f && " + work)
		l.work = work
	}
}

// pass returns what a pass over the checkout says after the work.
func (l *lab) pass(ctx context.Context, work, workspace string, options gitplumb.Options) (*recordedPass, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := fmt.Sprintf("%s\n%s\n%s", work, workspace, keyOf(options))
	if p, ok := l.passes[key]; ok && !l.live {
		return p, nil
	}
	l.set(work)
	real, err := l.service.Checkouts.Open(ctx, workspace, options)
	if err != nil {
		return nil, err
	}
	p := &recordedPass{identity: real.Identity()}
	p.head, p.headErr = real.Head(ctx)
	p.control, p.controlErr = real.Control(ctx)
	p.status, p.statusErr = real.Status(ctx)
	p.cleanErr = real.Clean(ctx)
	p.raw, p.rawErr = real.Fingerprint(ctx)
	l.passes[key] = p
	return p, real.Close()
}

// capture returns what a capture says after the work.
func (l *lab) capture(ctx context.Context, work string, source capture.Source, limits capture.Limits) (capture.Capture, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := fmt.Sprintf("%s\n%s\n%s", work, keyOf(source), keyOf(limits))
	c, ok := l.captures[key]
	if !ok || l.live {
		l.set(work)
		c.capture, c.err = l.service.Checkouts.Capture(ctx, source, limits)
		l.captures[key] = c
	}
	return c.capture, c.err
}

func keyOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

type recordedPass struct {
	identity                                         gitplumb.Identity
	head                                             gitplumb.Head
	control                                          gitplumb.Control
	status                                           gitplumb.Status
	raw                                              gitplumb.Raw
	headErr, controlErr, statusErr, cleanErr, rawErr error
}

func (p *recordedPass) Identity() gitplumb.Identity { return p.identity }
func (p *recordedPass) Head(context.Context) (gitplumb.Head, error) {
	return p.head, p.headErr
}
func (p *recordedPass) Control(context.Context) (gitplumb.Control, error) {
	return p.control, p.controlErr
}
func (p *recordedPass) Status(context.Context) (gitplumb.Status, error) {
	return p.status, p.statusErr
}
func (p *recordedPass) Clean(context.Context) error { return p.cleanErr }
func (p *recordedPass) Fingerprint(context.Context) (gitplumb.Raw, error) {
	return p.raw, p.rawErr
}
func (p *recordedPass) Close() error { return nil }

// An authority is what happens outside of the machine: how the agent's side
// treats a submission.
type authority struct {
	name string
	work string // what the attempt does to a clean checkout

	deaf    bool             // the submission never arrives
	accepts bool             // it answers before the attempt has ended
	loses   bool             // the reply to the submission is lost
	ending  operation.Ending // how the attempt ends
}

func authorityNamed(t *testing.T, name string) authority {
	t.Helper()
	i := slices.IndexFunc(authorities, func(a authority) bool { return a.name == name })
	if i < 0 {
		t.Fatalf("no authority %q", name)
	}
	return authorities[i]
}

const (
	edit     = "printf 'after\\n' >answer.txt && printf 'new\\n' >new.txt"
	relinked = "ln -s answer.txt link"
)

// authorities are the ways in which an attempt can go.
var authorities = []authority{
	{name: "completes", work: edit, ending: operation.Completed},
	{name: "accepts, completes later", work: edit, accepts: true, ending: operation.Completed},
	{name: "completes, the reply is lost", work: edit, loses: true, ending: operation.Completed},
	{name: "fails", work: edit, ending: operation.Failed},
	{name: "leaves what cannot be captured", work: relinked, ending: operation.Completed},
	{name: "is never reached", deaf: true},
}

// A world is one machine with a store, and what lies outside of it and no
// crash touches: the authority's ledger and the checkout. What became durable
// in it is remembered, so that nothing of it can be lost or changed unseen.
type world struct {
	lab       *lab
	disk      *faultfs.FS
	authority authority

	// The ledger: what was submitted, and what became of it.
	submits map[operation.Identity]int
	lookups int
	outcome operation.Outcome // of the one attempt, once it is known there
	work    string            // the state of the checkout

	validations int // begun

	kept    map[string]string // records that were durable and may never change
	claimed bool              // the claim of the job was durable
	status  jobs.Status       // the furthest that was durable

	submitted func()                                  // told of each submission, where it is not nil
	capturing func(context.Context) error             // what becomes of each capture, where it is not nil
	answer    func(operation.Binding) ([]byte, error) // what lookups get instead, where it is not nil
}

const (
	operationID  = "repair-001" // of the scene's options
	diskStore    = "/home/state/store"
	diskRegistry = "/home/state/registry"
)

func newWorld(l *lab, a authority) *world {
	w := &world{
		lab: l, disk: faultfs.New(1), authority: a,
		submits: map[operation.Identity]int{}, work: "true", kept: map[string]string{},
	}
	w.disk.MkdirAll("/home/state")
	w.disk.Chmod("/home", 0o755)
	return w
}

func (w *world) clone(seed uint64) *world { return w.on(w.disk.Clone(seed)) }

// on returns a world of its own whose machine has the disk.
func (w *world) on(disk *faultfs.FS) *world {
	c := *w
	c.disk, c.submitted, c.capturing, c.answer = disk, nil, nil, nil
	c.submits, c.kept = maps.Clone(w.submits), maps.Clone(w.kept)
	return &c
}

// key tells the states of a world apart: what is on the disk, what of it would
// survive the worst, and what lies outside.
func (w *world) key() string {
	worst := w.disk.Clone(0)
	worst.Crash(faultfs.LoseAll)
	return fmt.Sprintf("%x %x %d %v %q %d", digestOf(w.disk), digestOf(worst), w.submits[operationID], w.outcome.State(), w.work, w.validations)
}

// digestOf returns a digest over the records on a disk: temporaries and leases
// change nothing.
func digestOf(disk *faultfs.FS) [sha256.Size]byte {
	hash := sha256.New()
	files := disk.Files("/")
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if isRecord(path) {
			fmt.Fprintf(hash, "%s %d ", path, len(files[path]))
			hash.Write(files[path])
		}
	}
	return [sha256.Size]byte(hash.Sum(nil))
}

func isRecord(path string) bool {
	return strings.HasSuffix(path, ".json") && !strings.Contains(path, "/.tmp-")
}

// open returns a service of a process that has just started.
func (w *world) open() (*jobs.Service, error) {
	store, err := state.Open(w.disk, diskStore)
	if err != nil {
		return nil, err
	}
	registry, err := state.OpenRegistry(w.disk, diskRegistry)
	if err != nil {
		return nil, err
	}
	return &jobs.Service{
		FS: w.disk, Store: store, Registry: registry, Checkouts: w,
		Transport: func(operation.Adapter) operation.Transport { return w }, Now: func() time.Time { return time.Unix(0, 0) },
	}, nil
}

// Open implements [jobs.Checkouts].
func (w *world) Open(ctx context.Context, workspace string, options gitplumb.Options) (jobs.Checkout, error) {
	p, err := w.lab.pass(ctx, w.work, workspace, options)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Capture implements [jobs.Checkouts].
func (w *world) Capture(ctx context.Context, source capture.Source, limits capture.Limits) (capture.Capture, error) {
	if w.capturing != nil {
		if err := w.capturing(ctx); err != nil {
			return capture.Capture{}, err
		}
	}
	return w.lab.capture(ctx, w.work, source, limits)
}

var errSilence = errors.New("no reply")

// Submit implements [operation.Transport].
func (w *world) Submit(_ context.Context, call operation.Call) ([]byte, error) {
	if w.disk.Stopped() {
		return nil, errSilence // the process that would submit is gone
	}
	w.submits[call.Binding.OperationID]++
	if w.submitted != nil {
		w.submitted()
	}
	if w.authority.deaf {
		return nil, errSilence
	}
	w.work = w.authority.work
	var err error
	if w.outcome, err = operation.NewTerminal(call.Binding, 2, acceptance, w.authority.ending, "All done"); err != nil {
		return nil, err
	}
	if w.authority.loses {
		return nil, errSilence
	}
	if w.authority.accepts {
		early, err := operation.NewAccepted(call.Binding, 1, acceptance)
		return early.Canonical(), err
	}
	return w.outcome.Canonical(), nil
}

// Observe implements [operation.Transport].
func (w *world) Observe(_ context.Context, call operation.Call) ([]byte, error) {
	w.lookups++
	if w.answer != nil {
		return w.answer(call.Binding)
	}
	if w.outcome.State() == operation.Terminal {
		return w.outcome.Canonical(), nil
	}
	missing, err := operation.NewUnknown(call.Binding, 0, operation.Missing)
	return missing.Canonical(), err
}

// A deed is one command of a person.
type deed struct {
	name string
	do   func(context.Context, *jobs.Service, *world) (jobs.Snapshot, error)
}

var (
	prepare = deed{"prepare", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		return s.Prepare(ctx, w.lab.options())
	}}
	run = deed{"run", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		return s.Run(ctx, w.lab.job)
	}}
	reconcile = deed{"reconcile", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		return s.Reconcile(ctx, w.lab.job)
	}}
	validate = deed{"validate", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		w.validations++
		v, err := s.Validate(ctx, w.lab.job, jobs.ValidationOptions{
			Timeout: time.Minute, MaxOutputBytes: 1024, Argv: []string{"true"}, Env: []string{"PATH=" + os.Getenv("PATH")},
		})
		if err == nil && v.Outcome() != jobs.ValidationPassed {
			err = fmt.Errorf("the validation is %s", v.Outcome())
		}
		if err != nil {
			return jobs.Snapshot{}, err
		}
		return s.Inspect(w.lab.job)
	}}
)

// nextOperationID is that of the job which follows in the same checkout, once a
// person has discarded what the first one left.
const nextOperationID = "repair-002"

func (w *world) nextOptions() jobs.Options {
	o := w.lab.options()
	o.OperationID = nextOperationID
	return o
}

var (
	prepareNext = deed{"prepare next", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		w.work = "true"
		return s.Prepare(ctx, w.nextOptions())
	}}
	runNext = deed{"run next", func(ctx context.Context, s *jobs.Service, w *world) (jobs.Snapshot, error) {
		job, _, err := s.JobOf(w.nextOptions().Adapter.AuthorityID, nextOperationID)
		if err != nil {
			return jobs.Snapshot{}, err
		}
		return s.Run(ctx, job)
	}}
)

// refusal returns the condition with which the deed is refused in a world that
// is well, zero where it is not.
func (d deed) refusal(w *world) fault.Condition {
	status := w.judge(context.Background()).snap.Status
	switch {
	case d.name == prepare.name && w.work == w.authority.work:
		return fault.NotClean // the attempt has worked on the checkout
	case d.name != prepare.name && status == "":
		return fault.Missing
	case d.name == reconcile.name && status == jobs.Prepared:
		return fault.NotReconcilable
	case d.name == validate.name && status != jobs.Completed:
		return fault.NotCompleted
	}
	return 0
}

// do carries a deed out as a process of its own.
func (w *world) do(ctx context.Context, d deed) (jobs.Snapshot, error) {
	s, err := w.open()
	if err != nil {
		return jobs.Snapshot{}, err
	}
	return d.do(ctx, s, w)
}

// records returns the records of the store.
func (w *world) records() map[string]string {
	records := map[string]string{}
	for path, data := range w.disk.Files(diskStore) {
		if isRecord(path) {
			records[path] = string(data)
		}
	}
	return records
}

// A judgement is what the store alone says of the lab's job.
type judgement struct {
	snap    jobs.Snapshot // zero where there is no job
	holder  canon.Digest
	claimed bool
	err     error // what is wrong with the store
}

// judge inspects the job and has the whole store checked. The same records are
// judged once.
func (w *world) judge(ctx context.Context) judgement {
	key := digestOf(w.disk)
	w.lab.mu.Lock()
	j, ok := w.lab.judged[key]
	w.lab.mu.Unlock()
	if ok {
		return j
	}
	j = w.judgeAnew(ctx)
	w.lab.mu.Lock()
	w.lab.judged[key] = j
	w.lab.mu.Unlock()
	return j
}

func (w *world) judgeAnew(ctx context.Context) (j judgement) {
	s, err := w.open()
	if err != nil {
		return judgement{err: err}
	}
	if j.snap, err = s.Inspect(w.lab.job); err != nil && !fault.Is(err, fault.Missing) {
		return judgement{err: fmt.Errorf("inspect: %w", err)}
	}
	if j.holder, j.claimed, err = s.ClaimOf(w.lab.workspace); err != nil {
		return judgement{err: fmt.Errorf("the claim: %w", err)}
	}
	if findings, err := s.Fsck(ctx); len(findings) > 0 || unlessMissing(err) != nil {
		j.err = fmt.Errorf("fsck finds %+v, %w", findings, err)
	}
	return j
}

// examine returns what of everything that must be true at any moment is not;
// lasting says that nothing in the world can be lost any more.
func (w *world) examine(ctx context.Context, lasting bool) error {
	if n := w.submits[operationID]; n > 1 {
		return fmt.Errorf("the operation was submitted %d times", n)
	}
	records := w.records()
	for path, text := range w.kept {
		if records[path] != text {
			return fmt.Errorf("record %s was durable as\n%s\nand is now\n%s", path, text, records[path])
		}
	}
	j := w.judge(ctx)
	snap := j.snap
	if j.err != nil {
		return j.err
	}
	if lasting && (rank(snap.Status) < rank(w.status) || w.status.Settled() && snap.Status != w.status) {
		return fmt.Errorf("the job was %s and is %q", w.status, snap.Status)
	}
	if err := w.checkStatus(snap); err != nil {
		return err
	}
	switch {
	case j.claimed && j.holder != w.lab.job:
		return fmt.Errorf("the claim names %s", j.holder)
	case !j.claimed && (lasting && w.claimed || snap.Evidence.Launched):
		return errors.New("the claim is gone")
	}
	if lasting {
		w.remember(records, snap, j.claimed)
	}
	return nil
}

// remember keeps what no later moment may be without.
func (w *world) remember(records map[string]string, snap jobs.Snapshot, claimed bool) {
	w.status, w.claimed = snap.Status, claimed
	for path, text := range records {
		if !replaceable(path, snap) {
			w.kept[path] = text
		}
	}
}

// checkStatus demands of each status what it stands on.
func (w *world) checkStatus(snap jobs.Snapshot) error {
	settles := jobs.Completed
	if w.authority.ending != operation.Completed || w.authority.work != edit {
		settles = jobs.Failed
	}
	switch {
	case rank(snap.Status) < rank(jobs.Uncertain) && w.submits[operationID] > 0:
		return fmt.Errorf("the operation was submitted and the job looks %q", snap.Status)
	case snap.Status.Settled() && (w.outcome.State() != operation.Terminal || snap.Result.OutputRef != w.outcome.Ref() || snap.Status != settles):
		return fmt.Errorf("the job is %s by outcome %s, the ledger holds %q", snap.Status, snap.Result.OutputRef, w.outcome.State())
	}
	return nil
}

// rank orders the statuses by how much has happened.
func rank(s jobs.Status) int {
	return slices.Index([]jobs.Status{"", jobs.Prepared, jobs.Uncertain, jobs.Completed, jobs.Failed}, s)
}

// replaceable reports whether a record may still change.
func replaceable(path string, snap jobs.Snapshot) bool {
	switch name := path[strings.LastIndex(path, "/")+1:]; name {
	case "claim.json":
		return true
	case "control.json":
		return !snap.Evidence.Launched
	case "control-after.json":
		return !snap.Evidence.Settled
	}
	return false
}

// goOn does what a person would: the same preparation, run, reconcile. It
// returns what of it did not lead somewhere: in the end the job is settled, or
// uncertain with a reconciliation that works and says what the ledger says.
func (w *world) goOn(ctx context.Context) error {
	if _, err := w.do(ctx, prepare); err != nil && !fault.Is(err, prepare.refusal(w)) {
		return fmt.Errorf("going on with prepare: %w", err)
	}
	snap, err := w.do(ctx, run)
	if err != nil {
		return fmt.Errorf("going on with run: %w", err)
	}
	for range 2 {
		if snap.Status.Settled() {
			break
		}
		if snap, err = w.do(ctx, reconcile); err != nil {
			return fmt.Errorf("going on with reconcile: %w", err)
		}
		if snap.Status.Settled() != (w.outcome.State() == operation.Terminal) {
			return fmt.Errorf("reconcile leaves the job %s (%s), the ledger holds %q", snap.Status, snap.Reason, w.outcome.State())
		}
	}
	return w.lasts(ctx, snap.Status)
}

// lasts loses everything that was not synced and demands that the status, which
// was acknowledged, is still there.
func (w *world) lasts(ctx context.Context, status jobs.Status) error {
	lost := w.clone(0)
	lost.disk.Crash(faultfs.LoseAll)
	if err := lost.examine(ctx, true); err != nil {
		return fmt.Errorf("all lost after %s was acknowledged: %w", status, err)
	}
	if lost.status != status {
		return fmt.Errorf("acknowledged was %s, what lasts is %s", status, lost.status)
	}
	return nil
}

// unlessMissing is nil for what need not be there yet.
func unlessMissing(err error) error {
	if fault.Is(err, fault.Missing) {
		return nil
	}
	return err
}
