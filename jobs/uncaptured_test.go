package jobs_test

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/state"
)

// TestWhatRefusesNoPatch lets the capture of a run that the authority completed
// come to nothing for reasons that are not the workspace's. The job stays
// uncertain, and a reconciliation captures again, without a call.
func TestWhatRefusesNoPatch(t *testing.T) {
	l := newLab(t)
	for _, c := range []struct {
		name string
		code fault.Code
		// during happens while the capture begins; repair undoes it.
		during func(w *world, ctx context.Context, cancel context.CancelFunc) error
		repair func(w *world)
	}{
		{name: "cancel", code: fault.BudgetExhausted, during: func(_ *world, ctx context.Context, cancel context.CancelFunc) error {
			cancel()
			return ctx.Err()
		}},
		{name: "deadline", code: fault.BudgetExhausted, during: func(_ *world, ctx context.Context, _ context.CancelFunc) error {
			<-ctx.Done()
			return fault.New(fault.SourceMoved, "what a capture says that was stopped in the middle")
		}},
		{name: "disk fault in the workspace", code: fault.IOFailed, during: func(*world, context.Context, context.CancelFunc) error {
			return fault.New(fault.HostFailed, "cannot read: %w", syscall.EIO)
		}},
		{name: "no space for the settlement", code: fault.IOFailed, during: func(w *world, _ context.Context, _ context.CancelFunc) error {
			full := true
			w.disk.Inject(func(op faultfs.Op) faultfs.Fault {
				if full && op.Kind == faultfs.Create && strings.Contains(op.Path, w.lab.job.Hex()) {
					full = false
					return faultfs.Fault{Err: syscall.ENOSPC}
				}
				return faultfs.Fault{}
			})
			return nil
		}},
		{name: "broken fingerprint in the store", code: fault.DigestMismatch, during: breakFingerprint, repair: func(w *world) { w.disk.Delete(w.fingerprint()) }},
		{name: "broken control in the store", code: fault.ParseFailed, during: breakControl, repair: func(w *world) { w.disk.Delete(w.control()) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(l, authorities[0])
			if _, err := w.do(t.Context(), prepare); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			if strings.HasPrefix(c.name, "broken") { // before the capture reads it
				w.submitted = func() { _ = c.during(w, ctx, cancel) }
			} else {
				w.capturing = func(ctx context.Context) error { return c.during(w, ctx, cancel) }
			}
			snap, err := w.do(ctx, run)
			w.capturing, w.submitted = nil, nil
			if want := "external-result-unavailable:" + string(c.code); err != nil || snap.Status != jobs.Uncertain || snap.Reason != want {
				t.Fatalf("run: %s, %q, %v, want %q", snap.Status, snap.Reason, err, want)
			}
			if snap.Evidence.Settled {
				t.Error("a settlement was published")
			}
			if c.repair != nil {
				if _, err := w.do(t.Context(), reconcile); fault.CodeOf(err) != c.code {
					t.Errorf("reconcile before the repair: %v", err)
				}
				c.repair(w)
			}
			snap, err = w.do(t.Context(), reconcile)
			if err != nil || snap.Status != jobs.Completed || w.lookups != 0 || w.submits[operationID] != 1 {
				t.Errorf("reconcile: %s, %v, after %d lookups and %d submissions", snap.Status, err, w.lookups, w.submits[operationID])
			}
		})
	}
}

func (w *world) control() string {
	return diskStore + "/" + state.Control(w.lab.job).String()
}

// fingerprint returns the path of the raw document that was admitted.
func (w *world) fingerprint() string {
	snap := w.judgeAnew(context.Background()).snap
	return diskStore + "/values/" + snap.Intent.SourceRawDigest.Hex() + ".json"
}

func breakFingerprint(w *world, _ context.Context, _ context.CancelFunc) error {
	w.disk.WriteFile(w.fingerprint(), []byte("{}"))
	return nil
}

func breakControl(w *world, _ context.Context, _ context.CancelFunc) error {
	w.disk.WriteFile(w.control(), []byte("{}"))
	return nil
}

// TestLaunchOfAForeignPreparation launches a job that another host prepared: it
// kept neither fingerprint nor control, which the launch makes good.
func TestLaunchOfAForeignPreparation(t *testing.T) {
	w := newWorld(newLab(t), authorities[0])
	snap, err := w.do(t.Context(), prepare)
	if err != nil {
		t.Fatal(err)
	}
	fingerprint, control := w.fingerprint(), w.control()
	w.disk.Delete(fingerprint)
	w.disk.Delete(control)
	if findings := w.fsck(t); len(findings) > 0 {
		t.Errorf("found is %+v", findings)
	}
	if _, err := w.do(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if _, there := w.disk.Entry(control); !there {
		t.Error("there is no control record")
	}
	if text := w.disk.Files("/")[fingerprint[1:]]; canon.DigestText(text) != snap.Intent.SourceRawDigest {
		t.Errorf("the fingerprint is %q", text)
	}
}
