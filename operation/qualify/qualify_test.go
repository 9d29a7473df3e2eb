package qualify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/qualify"
)

// A bench is an adapter with one fault, its ledger and its scratch workspace.
func bench(t *testing.T, fault string) (operation.Adapter, qualify.Options) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"ledger", "here", "there", "workspace/" + qualify.MarksDirectory} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	workspace := filepath.Join(dir, "workspace")
	if err := os.WriteFile(filepath.Join(dir, "ledger", "workspace"), []byte(workspace), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var ids atomic.Int64
	return operation.Adapter{
			Protocol: operation.Protocol, AuthorityID: "bench", Executable: program,
			ArgvPrefix: []string{asAdapter, filepath.Join(dir, "ledger"), fault},
		}, qualify.Options{
			Launch: true, Workspace: workspace, Dir: filepath.Join(dir, "here"), Elsewhere: filepath.Join(dir, "there"),
			Deadline: 20 * time.Second, Quiet: 20 * time.Millisecond, Together: 4, Kills: 1,
			NewID: func() operation.Identity { return operation.Identity(fmt.Sprintf("op-%d", ids.Add(1))) },
			Now:   time.Now,
			Payload: func(task qualify.Task) (jsontext.Value, error) {
				return canon.Encode(map[string]any{
					"workspace": workspace, "prompt": task.Prompt, "maxOutputBytes": task.MaxOutputBytes, "operationId": task.OperationID,
				})
			},
		}
}

// described returns a report for a person who reads a failed test.
func described(r qualify.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%-10s %s: %s\n", f.Verdict, f.Obligation.Name, f.Reason)
		for _, line := range f.Evidence {
			fmt.Fprintf(&b, "\t%s\n", line)
		}
	}
	return b.String()
}

func namesWith(r qualify.Report, v qualify.Verdict) []string {
	names := []string{}
	for _, f := range r.Findings {
		if f.Verdict == v {
			names = append(names, f.Obligation.Name)
		}
	}
	return names
}

func TestSoundAdapterPassesEverything(t *testing.T) {
	t.Parallel()
	adapter, options := bench(t, "")
	options.Together, options.Kills = 8, 5
	report, err := qualify.Adapter(t.Context(), adapter, options)
	if err != nil {
		t.Fatal(err)
	}
	if n := report.Count(qualify.Passed); n != len(qualify.Obligations()) || n != len(report.Findings) {
		t.Errorf("%d of %d passed:\n%s", n, len(report.Findings), described(report))
	}
	t.Logf("%d calls\n%s", report.Calls, described(report))
}

// faults are adapters that break one obligation each.
var faults = []struct{ fault, breaks string }{
	{"claims what was never submitted", "missing-before-submit"},
	{"reads open requests", "requests-closed"},
	{"never answers a submit", "answers-submit"},
	{"never answers a lookup", "answers-observe"},
	{"believes the request's action", "action-matches"},
	{"believes the payload's digest", "payload-digest-checked"},
	{"answers for another request", "other-request-unknown"},
	{"answers for another authority", "other-authority-unknown"},
	{"ledger in the working directory", "same-answer-elsewhere"},
	{"binds late", "bound-before-work"},
	{"starts on a lookup", "observe-starts-nothing"},
	{"creates what it looks up", "observe-creates-nothing"},
	{"starts the same request again", "same-request-starts-once"},
	{"races", "concurrent-submits-start-once"},
	{"takes another request", "other-request-refused"},
	{"cleans up after the dead", "lost-reply-starts-once"},
	{"forgets the descendants", "settled-means-ended"},
	{"counts lookups", "lookups-are-free"},
	{"exceeds the bound", "output-bound"},
	{"chatters", "stderr-bound"},
	{"repeats a member", "answers-are-json"},
	{"says a number out of range", "answers-are-json"},
	{"adds a member", "answers-closed"},
	{"answers another binding", "binding-echoed"},
	{"says a wrong length", "result-digest"},
	{"forgets the end", "terminal-immutable"},
	{"names another acceptance", "acceptance-kept"},
	{"lets the revision fall", "revision-never-falls"},
	{"says two things at one revision", "equal-revision-equal-outcome"},
}

// TestFaultyAdapterFailsWhatItBreaks examines many of them at once, as they wait
// more than they work, and without processes of their own: two thousand of
// those would take a minute.
func TestFaultyAdapterFailsWhatItBreaks(t *testing.T) {
	type examined struct {
		report qualify.Report
		err    error
	}
	atOnce := make(chan struct{}, 8)
	results := make([]chan examined, len(faults))
	for i, test := range faults {
		adapter, options := bench(t, test.fault)
		options.Call = ledger{dir: adapter.ArgvPrefix[1], fault: test.fault}.call
		if test.fault == "creates what it looks up" {
			options.Deadline = 3 * time.Second // its operation never ends
		}
		results[i] = make(chan examined, 1)
		go func() {
			atOnce <- struct{}{}
			defer func() { <-atOnce }()
			report, err := qualify.Adapter(t.Context(), adapter, options)
			results[i] <- examined{report, err}
		}()
	}
	for i, test := range faults {
		result := <-results[i]
		t.Run(test.fault, func(t *testing.T) {
			if result.err != nil {
				t.Fatal(result.err)
			}
			failsAlone(t, result.report, test.breaks)
		})
	}
}

func failsAlone(t *testing.T, report qualify.Report, name string) {
	t.Helper()
	if got := namesWith(report, qualify.Failed); !slices.Equal(got, []string{name}) {
		t.Errorf("failed %q, not %q alone:\n%s", got, name, described(report))
	}
}

// TestFaultyProcessFailsWhatItBreaks examines one that shows its fault when
// its process is killed.
func TestFaultyProcessFailsWhatItBreaks(t *testing.T) {
	t.Parallel()
	adapter, options := bench(t, "cleans up after the dead")
	report, err := qualify.Adapter(t.Context(), adapter, options)
	if err != nil {
		t.Fatal(err)
	}
	failsAlone(t, report, "lost-reply-starts-once")
}

// TestEveryObligationIsBroken holds the faults against the obligations: one
// that nothing ever failed shows nothing.
func TestEveryObligationIsBroken(t *testing.T) {
	for _, o := range qualify.Obligations() {
		broken := false
		for _, f := range faults {
			broken = broken || f.breaks == o.Name
		}
		if !broken {
			t.Errorf("no faulty adapter breaks %s", o.Name)
		}
	}
}
