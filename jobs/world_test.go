package jobs_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

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

// Excerpts implements [jobs.Checkouts].
func (w *world) Excerpts(ctx context.Context, source capture.Source, before, after capture.Artifact, paths []string) ([]capture.Excerpt, error) {
	return w.lab.service.Checkouts.Excerpts(ctx, source, before, after, paths)
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
