package jobs_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
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
