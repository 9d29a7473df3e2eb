package jobs_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
)

func (s *scene) jobFile(job canon.Digest, name string) string {
	return filepath.Join(s.root, "store/coding-jobs", job.Hex(), name)
}

func (s *scene) read(path string) string {
	s.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func TestLostReplyIsLookedUpOnce(t *testing.T) {
	s := newScene(t)
	s.adapter.work, s.adapter.loseReply = "echo after >answer.txt", true
	job := s.prepare()
	snap, err := s.service.Run(t.Context(), job)
	s.expect("run", snap, err, jobs.Uncertain)
	result := s.read(s.jobFile(job, "result.json"))
	snap, err = s.service.Run(t.Context(), job)
	s.expect("run again", snap, err, jobs.Uncertain)
	snap, err = s.service.Reconcile(t.Context(), job)
	s.expect("reconcile", snap, err, jobs.Completed)
	snap, err = s.service.Reconcile(t.Context(), job)
	s.expect("reconcile again", snap, err, jobs.Completed)
	if s.adapter.submits != 1 || s.adapter.lookups != 1 {
		t.Errorf("%d submits, %d lookups, want one each", s.adapter.submits, s.adapter.lookups)
	}
	if got := s.read(s.jobFile(job, "result.json")); got != result {
		t.Errorf("result.json changed from %s to %s", result, got)
	}
	if answer, err := s.service.Output(job); err != nil || answer != "All done" {
		t.Errorf("the answer is %q, %v", answer, err)
	}
}

func TestCancelBeforeTheMarkerLeavesTheJobPrepared(t *testing.T) {
	s := newScene(t)
	job := s.prepare()
	ctx, cancel := context.WithCancel(t.Context())
	s.service.Progress = func(jobs.Phase) { cancel() }
	_, err := s.service.Run(ctx, job)
	s.refused("run", err, fault.Cancelled)
	snap, err := s.service.Inspect(job)
	s.expect("inspect", snap, err, jobs.Prepared)
	s.service.Progress = nil
	snap, err = s.service.Run(t.Context(), job)
	s.expect("run", snap, err, jobs.Completed)
	if s.adapter.submits != 1 {
		t.Errorf("%d submits, want 1", s.adapter.submits)
	}
}

// TestInterruptedCapture stops the capture by a cancel and by the deadline:
// nothing is refused, and a reconciliation captures without a call.
func TestInterruptedCapture(t *testing.T) {
	for name, deadline := range map[string]time.Duration{"cancel": 0, "deadline": 1500 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.adapter.work = "echo after >answer.txt"
			o := s.options()
			if deadline > 0 {
				o.Limits.MaxRuntimeMs = int(deadline / time.Millisecond)
			}
			prepared, err := s.service.Prepare(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			job := prepared.JobID
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s.service.Progress = func(p jobs.Phase) {
				switch {
				case p.Name != "capture":
				case deadline == 0:
					cancel()
				default:
					time.Sleep(deadline)
				}
			}
			snap, err := s.service.Run(ctx, job)
			s.expect("run", snap, err, jobs.Uncertain)
			if snap.Reason != "external-result-unavailable:BUDGET_EXHAUSTED" || snap.Result == nil {
				t.Errorf("reason %q, result %+v", snap.Reason, snap.Result)
			}
			if _, err := os.Stat(s.jobFile(job, "settlement.json")); !os.IsNotExist(err) {
				t.Errorf("there is a settlement: %v", err)
			}
			s.service.Progress = nil
			snap, err = s.service.Reconcile(t.Context(), job)
			s.expect("reconcile", snap, err, jobs.Completed)
			if s.adapter.lookups != 0 {
				t.Errorf("%d lookups, want none: the outcome was retained", s.adapter.lookups)
			}
		})
	}
}

func TestWorkspaceGone(t *testing.T) {
	for name, c := range map[string]struct {
		work   string
		status jobs.Status
		reason string
	}{
		"deleted while its parent stays": {"mv $PWD ../elsewhere", jobs.Failed, "settled-patch-rejected:IO_FAILED"},
		"another directory in its place": {"cd ..; cp -a workspace copy; mv workspace elsewhere; mv copy workspace", jobs.Failed, "settled-patch-rejected:DIGEST_MISMATCH"},
		"head moved":                     {"git commit -q --allow-empty -m moved", jobs.Failed, "settled-patch-rejected:DIGEST_MISMATCH"},
		"excludes changed":               {"mkdir -p .git/info; echo '*' >.git/info/exclude; echo x >hidden", jobs.Failed, "settled-patch-rejected:CAPABILITY_DENIED"},
		"index that lies":                {"printf 'BEFORE\\n' >answer.txt; git update-index --assume-unchanged answer.txt", jobs.Failed, "settled-patch-rejected:CAPABILITY_DENIED"},
		"nested repository":              {"git init -q nested; echo x >nested/f", jobs.Failed, "settled-patch-rejected:PARSE_FAILED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.adapter.work = c.work
			job := s.prepare()
			snap, err := s.service.Run(t.Context(), job)
			s.expect("run", snap, err, c.status)
			if snap.Reason != c.reason || snap.Result.PatchRef != "" {
				t.Errorf("reason %q, result %+v, want reason %q and no patch", snap.Reason, snap.Result, c.reason)
			}
		})
	}
}

func TestConcurrentRunsSubmitOnce(t *testing.T) {
	s := newScene(t)
	s.adapter.hold, s.adapter.held = make(chan struct{}), make(chan struct{})
	job := s.prepare()
	var wg sync.WaitGroup
	results := make(chan error, 16)
	for range 16 {
		service := s.open("store")
		wg.Go(func() {
			snap, err := service.Run(t.Context(), job)
			if err == nil && snap.Status == jobs.Prepared {
				t.Error("a run returned a prepared job")
			}
			results <- err
		})
	}
	<-s.adapter.held
	for range 15 { // all but the one that launched are refused while it holds the lease
		if err := <-results; !fault.Is(err, fault.LeaseHeld) {
			t.Errorf("beside the launch: %v", err)
		}
	}
	close(s.adapter.hold)
	wg.Wait()
	if err := <-results; err != nil || s.adapter.submits != 1 {
		t.Errorf("the launch ended with %v after %d submits", err, s.adapter.submits)
	}
}

func TestDriftIsNamed(t *testing.T) {
	s := newScene(t)
	job := s.completed("echo after >answer.txt; echo new >new; echo mode >tool; chmod +x tool")
	for _, c := range []struct {
		name, script, undo string
		want               []jobs.Drift
	}{
		{"nothing", "touch answer.txt", "true", nil},
		{"content", "echo again >answer.txt", "echo after >answer.txt", []jobs.Drift{{Path: "answer.txt", Kind: jobs.DriftContent}}},
		{"mode git does not see", "chmod 600 stable.txt", "chmod 644 stable.txt", []jobs.Drift{{Path: "stable.txt", Kind: jobs.DriftMode}}},
		{"vanished", "mv stable.txt ..", "mv ../stable.txt .", []jobs.Drift{{Path: "stable.txt", Kind: jobs.DriftVanished}}},
		{"appeared", "echo >extra", "rm extra", []jobs.Drift{{Path: "extra", Kind: jobs.DriftAppeared}}},
		{"untracked content", "echo other >new", "echo new >new", []jobs.Drift{{Path: "new", Kind: jobs.DriftContent}}},
		{"untracked mode", "chmod -x tool", "chmod +x tool", []jobs.Drift{{Path: "tool", Kind: jobs.DriftMode}}},
		{"untracked vanished", "mv tool ..", "mv ../tool .", []jobs.Drift{{Path: "tool", Kind: jobs.DriftVanished}}},
		{"staged", "git add answer.txt", "git reset -q", []jobs.Drift{{Kind: jobs.DriftStatus}}},
		{"ignored by the checkout", "echo new >>.gitignore", "git checkout -q .gitignore", []jobs.Drift{{Path: ".gitignore", Kind: jobs.DriftContent}, {Path: "new", Kind: jobs.DriftVanished}}},
	} {
		s.sh(c.script)
		v, err := s.service.Verify(t.Context(), job)
		if !slices.Equal(v.Drift, c.want) || v.Verified != (c.want == nil) {
			t.Errorf("%s: verified %v, drift %v, want %v", c.name, v.Verified, v.Drift, c.want)
		}
		if c.want != nil {
			s.refused(c.name, err, fault.SourceMoved)
		}
		if drift, err := s.service.Diff(t.Context(), job); err != nil || !slices.Equal(drift, c.want) {
			t.Errorf("%s: diff %v (%v), want %v", c.name, drift, err, c.want)
		}
		s.sh(c.undo)
	}
	if v, err := s.service.Verify(t.Context(), job); err != nil || !v.Verified || v.Empty {
		t.Errorf("after all: %+v, %v", v, err)
	}
}

// TestDriftWithoutRawDocument is of a job whose raw documents another host did
// not keep: what drifted of the tracked files has no name, and is drift.
func TestDriftWithoutRawDocument(t *testing.T) {
	s := newScene(t)
	job := s.completed("echo after >answer.txt; echo new >new")
	if lost := s.sh("cd ../store/values; lost=$(grep -l algal.raw-workspace.v1 *); rm $lost; echo \"$lost\""); strings.Count(lost, "\n") != 2 {
		t.Fatalf("these were the raw documents: %q", lost)
	}
	for _, c := range []struct {
		script string
		want   []jobs.Drift
	}{
		{"true", nil},
		{"echo again >answer.txt", []jobs.Drift{{Kind: jobs.DriftUnnamed}}},
		{"echo extra >extra", []jobs.Drift{{Kind: jobs.DriftUnnamed}, {Path: "extra", Kind: jobs.DriftAppeared}}},
		{"rm extra; echo after >answer.txt", nil},
	} {
		s.sh(c.script)
		if v, err := s.service.Verify(t.Context(), job); v.Verified != (c.want == nil) || !slices.Equal(v.Drift, c.want) {
			t.Errorf("%s: verified %v, drift %v (%v), want %v", c.script, v.Verified, v.Drift, err, c.want)
		}
	}
}

// TestRefusedDriftIsNamed changes what a capture refuses to look beyond: what
// stands in its way is named beside the refusal.
func TestRefusedDriftIsNamed(t *testing.T) {
	s := newScene(t)
	job := s.completed("echo after >answer.txt; echo new >new")
	for _, c := range []struct {
		name, script, undo string
		refusal            fault.Condition
		want               jobs.Drift
	}{
		{"file becomes a symlink", "mv answer.txt ..; ln -s stable.txt answer.txt", "mv -f ../answer.txt .", fault.UnsupportedChange, jobs.Drift{Path: "answer.txt", Kind: jobs.DriftType}},
		{"file becomes a directory", "mv stable.txt ..; mkdir stable.txt", "rmdir stable.txt; mv ../stable.txt .", fault.UnsupportedChange, jobs.Drift{Path: "stable.txt", Kind: jobs.DriftType}},
		{"file becomes a FIFO", "mv stable.txt ..; mkfifo stable.txt", "rm stable.txt; mv ../stable.txt .", fault.UnsupportedChange, jobs.Drift{Path: "stable.txt", Kind: jobs.DriftType}},
		{"untracked symlink", "ln -s /etc/passwd link", "rm link", fault.UnsupportedChange, jobs.Drift{Path: "link", Kind: jobs.DriftType}},
		{"rules", "cp .git/info/exclude ..; echo '*.o' >>.git/info/exclude", "mv ../exclude .git/info", fault.ControlChanged, jobs.Drift{Path: "info/exclude", Kind: jobs.DriftRules}},
		{"setting", "git config core.autocrlf input", "git config --unset core.autocrlf", fault.ControlChanged, jobs.Drift{Path: "core.autocrlf", Kind: jobs.DriftControl}},
		{"attributes", "echo '*.txt text' >.git/info/attributes", "rm .git/info/attributes", fault.ControlChanged, jobs.Drift{Path: "info/attributes", Kind: jobs.DriftControl}},
		{"replace ref", "git replace $(git rev-parse HEAD) $(git commit-tree -m x HEAD^{tree})", "git replace -d $(git rev-parse HEAD)", fault.ControlChanged, jobs.Drift{Path: "refs/replace/", Kind: jobs.DriftControl}},
	} {
		s.sh(c.script)
		v, err := s.service.Verify(t.Context(), job)
		s.refused(c.name, err, c.refusal)
		if v.Verified || !slices.Equal(v.Drift, []jobs.Drift{c.want}) {
			t.Errorf("%s: verified %v, drift %v (%v), want %v", c.name, v.Verified, v.Drift, err, c.want)
		}
		s.sh(c.undo)
	}
	if v, err := s.service.Verify(t.Context(), job); err != nil || !v.Verified {
		t.Errorf("after all: %+v, %v", v, err)
	}
}

func TestUnsettledAndUnlaunchedJobs(t *testing.T) {
	s := newScene(t)
	job := s.prepare()
	_, err := s.service.Reconcile(t.Context(), job)
	s.refused("reconcile of a prepared job", err, fault.NotReconcilable)
	_, err = s.service.Verify(t.Context(), job)
	s.refused("verify of a prepared job", err, fault.NotCompleted)
	_, err = s.service.Output(job)
	s.refused("output of a prepared job", err, fault.NotCompleted)
	_, err = s.service.Patch(job)
	s.refused("patch of a prepared job", err, fault.NotCompleted)
	s.adapter.answer = accepted(1)
	snap, err := s.service.Run(t.Context(), job)
	s.expect("run", snap, err, jobs.Uncertain)
	if err := os.Remove(filepath.Join(s.root, "store/coding-workspaces", canon.DigestText(s.workspace).Hex(), "claim.json")); err != nil {
		t.Fatal(err)
	}
	_, err = s.service.Reconcile(t.Context(), job)
	s.refused("reconcile without the claim", err, fault.ClaimLost)
	if s.adapter.lookups != 0 {
		t.Error("a refused reconciliation made a call")
	}
}

func TestListIsNewestFirst(t *testing.T) {
	s := newScene(t)
	first := s.prepare()
	time.Sleep(20 * time.Millisecond) // coarse clocks of file systems
	o := s.options()
	o.OperationID = "repair-002"
	second, err := s.service.Prepare(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.jobFile(first, "result.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	listings, err := s.service.List()
	if err != nil || len(listings) != 2 {
		t.Fatalf("%d listings, %v", len(listings), err)
	}
	if listings[0].JobID != second.JobID || listings[0].Err != nil || listings[1].JobID != first || listings[1].Err == nil {
		t.Errorf("listed are %+v", listings)
	}
}

func TestDerivedOperationIDs(t *testing.T) {
	s := newScene(t)
	adapter := s.options().Adapter
	id := func(workspace, head, prompt string, attempt int) operation.Identity {
		got, err := jobs.DeriveOperationID(workspace, head, prompt, adapter, attempt)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	base := id("/w", s.head, "p", 1)
	if !strings.HasPrefix(string(base), "a1-") || len(base) != len("a1-")+32 || base != id("/w", s.head, "p", 1) {
		t.Errorf("derived is %q", base)
	}
	seen := []operation.Identity{base}
	for _, other := range []operation.Identity{id("/x", s.head, "p", 1), id("/w", strings.Repeat("0", 40), "p", 1), id("/w", s.head, "q", 1), id("/w", s.head, "p", 2)} {
		if slices.Contains(seen, other) {
			t.Errorf("%q was derived twice", other)
		}
		seen = append(seen, other)
	}
	for _, attempt := range []int{0, -1, jobs.MaxAttempt + 1} {
		if _, err := jobs.DeriveOperationID("/w", s.head, "p", adapter, attempt); !fault.Is(err, fault.Usage) {
			t.Errorf("attempt %d: %v", attempt, err)
		}
	}
	id("/w", s.head, "p", jobs.MaxAttempt)
}
