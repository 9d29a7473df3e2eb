package qualify_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
	"github.com/git-algal/git-algal/operation/qualify"
)

func TestOptionsBounds(t *testing.T) {
	for name, change := range map[string]func(*operation.Adapter, *qualify.Options){
		"adapter":          func(a *operation.Adapter, _ *qualify.Options) { a.Executable = "relative" },
		"no identities":    func(_ *operation.Adapter, o *qualify.Options) { o.NewID = nil },
		"no clock":         func(_ *operation.Adapter, o *qualify.Options) { o.Now = nil },
		"no payloads":      func(_ *operation.Adapter, o *qualify.Options) { o.Payload = nil },
		"deadline below":   func(_ *operation.Adapter, o *qualify.Options) { o.Deadline = operation.MinDeadline - 1 },
		"deadline above":   func(_ *operation.Adapter, o *qualify.Options) { o.Deadline = operation.MaxDeadline + 1 },
		"negative quiet":   func(_ *operation.Adapter, o *qualify.Options) { o.Quiet = -1 },
		"quiet above":      func(_ *operation.Adapter, o *qualify.Options) { o.Quiet = operation.MaxDeadline + 1 },
		"one at once":      func(_ *operation.Adapter, o *qualify.Options) { o.Together = 1 },
		"too many at once": func(_ *operation.Adapter, o *qualify.Options) { o.Together = qualify.MaxTogether + 1 },
		"no kill":          func(_ *operation.Adapter, o *qualify.Options) { o.Kills = 0 },
		"too many kills":   func(_ *operation.Adapter, o *qualify.Options) { o.Kills = qualify.MaxKills + 1 },
	} {
		t.Run(name, func(t *testing.T) {
			adapter, options := bench(t, "")
			options.Call = func(context.Context, command.Process) (command.Exit, error) {
				t.Error("the adapter was called")
				return command.Exit{Status: 1}, nil
			}
			change(&adapter, &options)
			if report, err := qualify.Adapter(t.Context(), adapter, options); !fault.Is(err, fault.Malformed) || report.Findings != nil {
				t.Errorf("%v, %d findings", err, len(report.Findings))
			}
		})
	}
}

// inside returns a bench whose adapter is no process.
func inside(t *testing.T, fault string) (operation.Adapter, qualify.Options) {
	adapter, options := bench(t, fault)
	options.Call = ledger{dir: adapter.ArgvPrefix[1], fault: fault}.call
	return adapter, options
}

// TestWithoutLaunch holds that nothing is submitted that an adapter could take
// for a task.
func TestWithoutLaunch(t *testing.T) {
	t.Parallel()
	adapter, options := inside(t, "")
	call := options.Call
	options.Launch, options.Payload = false, nil
	options.Call = func(ctx context.Context, p command.Process) (command.Exit, error) {
		if strings.Contains(string(p.Stdin), `"prompt"`) {
			t.Errorf("a task was sent")
		}
		return call(ctx, p)
	}
	report, err := qualify.Adapter(t.Context(), adapter, options)
	if err != nil {
		t.Fatal(err)
	}
	passed := namesWith(report, qualify.Passed)
	if want := []string{
		"missing-before-submit", "requests-closed", "stderr-bound", "answers-are-json", "answers-closed", "binding-echoed",
		"revision-never-falls", "equal-revision-equal-outcome",
	}; !slices.Equal(passed, want) || len(namesWith(report, qualify.Failed)) > 0 {
		t.Errorf("passed %q:\n%s", passed, described(report))
	}
	for _, f := range report.Findings {
		if f.Verdict == qualify.NotTested && f.Reason == "" {
			t.Errorf("%s was not tested for no reason", f.Obligation.Name)
		}
	}
}

// TestUncounted examines an adapter whose agent leaves no marks: whatever needs
// them is not tested, and nothing of it passes.
func TestUncounted(t *testing.T) {
	t.Parallel()
	adapter, options := inside(t, "")
	options.Workspace = ""
	report, err := qualify.Adapter(t.Context(), adapter, options)
	if err != nil {
		t.Fatal(err)
	}
	if report.Counted || report.Scripted || report.Count(qualify.Failed) > 0 {
		t.Errorf("%v:\n%s", report, described(report))
	}
	if got, want := namesWith(report, qualify.NotTested), []string{
		"bound-before-work", "observe-starts-nothing", "observe-creates-nothing", "same-request-starts-once",
		"concurrent-submits-start-once", "lost-reply-starts-once", "settled-means-ended", "output-bound",
	}; !slices.Equal(got, want) {
		t.Errorf("not tested are %q:\n%s", got, described(report))
	}
}

// TestCountedByCaller counts the starts of an agent that leaves no marks in a
// manner of the caller's own.
func TestCountedByCaller(t *testing.T) {
	t.Parallel()
	adapter, options := inside(t, "starts the same request again")
	workspace := options.Workspace
	options.Workspace = ""
	options.Starts = func(id operation.Identity) (int, error) { return qualify.CountStarts(workspace, id) }
	report, err := qualify.Adapter(t.Context(), adapter, options)
	if err != nil {
		t.Fatal(err)
	}
	if !report.Counted || report.Scripted {
		t.Errorf("counted %v, scripted %v", report.Counted, report.Scripted)
	}
	failsAlone(t, report, "same-request-starts-once")
}

func TestErrorsOfTheCaller(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, change := range map[string]func(*qualify.Options){
		"payload": func(o *qualify.Options) {
			o.Payload = func(qualify.Task) (jsontext.Value, error) { return nil, broken }
		},
		"starts": func(o *qualify.Options) {
			o.Starts = func(operation.Identity) (int, error) { return 0, broken }
		},
	} {
		t.Run(name, func(t *testing.T) {
			adapter, options := inside(t, "")
			change(&options)
			if _, err := qualify.Adapter(t.Context(), adapter, options); !errors.Is(err, broken) {
				t.Error(err)
			}
		})
	}
}

// TestInterrupted ends an examination in the middle of every fifth call or so.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for at := 1; at < 60; at += 5 {
		ctx, cancel := context.WithCancel(t.Context())
		adapter, options := inside(t, "")
		call := options.Call
		var calls atomic.Int64
		options.Together, options.Quiet = 2, 0
		options.Call = func(ctx context.Context, p command.Process) (command.Exit, error) {
			if calls.Add(1) == int64(at) {
				cancel()
			}
			return call(ctx, p)
		}
		begun := time.Now()
		_, err := qualify.Adapter(ctx, adapter, options)
		if !fault.Is(err, fault.Cancelled) {
			t.Errorf("call %d: %v", at, err)
		}
		if took := time.Since(begun); took > 15*time.Second {
			t.Errorf("call %d: it took %v", at, took)
		}
		cancel()
	}
}

// TestAbsentAdapter examines an executable that does not exist: nothing can
// pass that would need an answer.
func TestAbsentAdapter(t *testing.T) {
	t.Parallel()
	adapter, options := bench(t, "")
	adapter.Executable += "-absent"
	report, err := qualify.Adapter(t.Context(), adapter, options)
	if err != nil {
		t.Fatal(err)
	}
	failsAlone(t, report, "answers-submit")
	if passed := namesWith(report, qualify.Passed); len(passed) > 0 {
		t.Errorf("passed %q:\n%s", passed, described(report))
	}
}

// TestObligations holds the table to what its readers rely on.
func TestObligations(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range qualify.Obligations() {
		if seen[o.Name] || o.Name == "" || o.Section == "" || o.Text == "" || o.Proves == "" || o.CannotProve == "" {
			t.Errorf("%+v is incomplete, or there twice", o.Name)
		}
		for _, name := range o.RestsOn {
			if !seen[name] {
				t.Errorf("%s rests on %s, which is not tested before it", o.Name, name)
			}
		}
		seen[o.Name] = true
	}
}
