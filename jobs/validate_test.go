package jobs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/state"
)

// validationTook is what the clock of the scenes says that a command takes.
const validationTook = 1234 * time.Millisecond

// newCompletedScene returns a scene whose job has completed with the change of
// work.
func newCompletedScene(t *testing.T, work string) (*scene, canon.Digest) {
	t.Helper()
	s := newScene(t)
	s.adapter.work = work
	job := s.prepare()
	snap, err := s.service.Run(t.Context(), job)
	s.expect("run", snap, err, jobs.Completed)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s.service.Now = func() time.Time {
		now = now.Add(validationTook)
		return now
	}
	return s, job
}

const someWork = "echo after >answer.txt; echo new >new"

// command returns the options of a script.
func (s *scene) command(script string) jobs.ValidationOptions {
	return jobs.ValidationOptions{
		Argv: []string{"sh", "-c", script}, Env: s.env(),
		Timeout: jobs.MaxValidationTimeout, MaxOutputBytes: jobs.DefaultValidationOutputBytes,
	}
}

// validations returns what an inspection shows, as "NUMBER NAME OUTCOME".
func (s *scene) validations(job canon.Digest) []string {
	s.t.Helper()
	snap, err := s.service.Inspect(job)
	s.expect("inspect", snap, err, jobs.Completed)
	var shown []string
	for _, v := range snap.Evidence.Validations {
		shown = append(shown, fmt.Sprintf("%d %s %s", v.Number, v.Name, v.Outcome))
	}
	return shown
}

func (s *scene) requireValidations(job canon.Digest, want ...string) {
	s.t.Helper()
	if got := s.validations(job); !slices.Equal(got, want) {
		s.t.Errorf("validations are %q, want %q", got, want)
	}
}

func TestValidate(t *testing.T) {
	s, job := newCompletedScene(t, someWork)
	patch, err := s.service.Patch(job)
	if err != nil {
		t.Fatal(err)
	}
	digest, err := patch.Digest()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		name    string
		options func(*jobs.ValidationOptions)
		want    jobs.ValidationEnd // without its references
		stdout  string
		refused fault.Condition // zero where there is no error
	}{
		{
			"passed", func(o *jobs.ValidationOptions) { o.Argv[2] = "cat answer.txt new; echo seen >&2" },
			jobs.ValidationEnd{Outcome: jobs.ValidationPassed}, "after\nnew\n", 0,
		},
		{
			"failed", func(o *jobs.ValidationOptions) { o.Argv[2] = "exit 3" },
			jobs.ValidationEnd{Outcome: jobs.ValidationFailed, ExitCode: 3}, "", 0,
		},
		{
			"killed", func(o *jobs.ValidationOptions) { o.Argv[2] = "echo last words; kill -SEGV $$" },
			jobs.ValidationEnd{Outcome: jobs.ValidationFailed, Signal: "SIGSEGV"}, "last words\n", 0,
		},
		{
			"timed out", func(o *jobs.ValidationOptions) {
				o.Argv[2], o.Timeout = "echo begun; sleep 60 & wait", jobs.MinValidationTimeout
			},
			jobs.ValidationEnd{Outcome: jobs.ValidationTimedOut, Signal: "SIGKILL"}, "begun\n", 0,
		},
		{
			"ignored files are no drift", func(o *jobs.ValidationOptions) { o.Argv[2] = "echo >debug.log" },
			jobs.ValidationEnd{Outcome: jobs.ValidationPassed}, "", 0,
		},
		{
			"no shell", func(o *jobs.ValidationOptions) { o.Argv = []string{"echo", "$HOME;", "*"} },
			jobs.ValidationEnd{Outcome: jobs.ValidationPassed}, "$HOME; *\n", 0,
		},
		{
			"no interpreter", func(o *jobs.ValidationOptions) { o.Argv = []string{s.executable("lost", "#!/nowhere/sh\n")} },
			jobs.ValidationEnd{Outcome: jobs.ValidationFailed, ExitCode: 127}, "", fault.Usage,
		},
		{
			"no executable form", func(o *jobs.ValidationOptions) { o.Argv = []string{s.executable("plain", "words\n")} },
			jobs.ValidationEnd{Outcome: jobs.ValidationFailed, ExitCode: 126}, "", fault.Usage,
		},
	} {
		o := s.command("")
		o.Name = c.name
		c.options(&o)
		v, err := s.service.Validate(t.Context(), job, o)
		if c.refused != 0 {
			s.refused(c.name, err, c.refused)
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if v.End == nil {
			t.Fatalf("%s: it has no end", c.name)
		}
		start := jobs.ValidationStart{
			JobID: job, Number: i + 1, Name: c.name, Argv: o.Argv, PatchDigest: digest,
			Timeout: o.Timeout, MaxOutputBytes: o.MaxOutputBytes,
		}
		if !reflect.DeepEqual(v.Start, start) {
			t.Errorf("%s: start is %+v, want %+v", c.name, v.Start, start)
		}
		end := *v.End
		end.StartRef, end.StdoutRef, end.StderrRef = "", "", ""
		c.want.Duration = validationTook
		if end != c.want || v.Outcome() != c.want.Outcome || v.Empty || v.Drift != nil {
			t.Errorf("%s: end is %+v, want %+v", c.name, end, c.want)
		}
		if string(v.Stdout.Content) != c.stdout {
			t.Errorf("%s: standard output is %q, want %q", c.name, v.Stdout.Content, c.stdout)
		}
		s.requireRetained(job, v)
	}
	s.requireValidations(job, "1 passed passed", "2 failed failed", "3 killed failed", "4 timed out timed-out",
		"5 ignored files are no drift passed", "6 no shell passed", "7 no interpreter failed", "8 no executable form failed")
	if v, err := s.service.Verify(t.Context(), job); err != nil || !v.Verified {
		t.Errorf("after all: %+v, %v", v, err)
	}
}

// executable makes a file of that content outside the workspace.
func (s *scene) executable(name, content string) string {
	s.t.Helper()
	path := filepath.Join(s.root, name)
	if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// requireRetained reads a validation back and holds its records on disk to
// their canonical form.
func (s *scene) requireRetained(job canon.Digest, v jobs.Validation) {
	s.t.Helper()
	got, err := s.service.Validation(job, v.Start.Number)
	want := v
	want.Drift = nil // not retained
	for _, o := range []*jobs.Output{&got.Stdout, &got.Stderr, &want.Stdout, &want.Stderr} {
		if len(o.Content) == 0 {
			o.Content = nil
		}
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		s.t.Errorf("read back is %+v, %v, want %+v", got, err, want)
	}
	start := s.read(s.jobFile(job, fmt.Sprintf("validations/%04d-start.json", v.Start.Number)))
	if text, err := v.Start.Format(); err != nil || string(text) != start {
		s.t.Errorf("the start on disk is %s, want %s (%v)", start, text, err)
	}
	if v.End == nil {
		return
	}
	end := s.read(s.jobFile(job, fmt.Sprintf("validations/%04d-end.json", v.Start.Number)))
	if text, err := v.End.Format(); err != nil || string(text) != end {
		s.t.Errorf("the end on disk is %s, want %s (%v)", end, text, err)
	}
	if v.End.StartRef != canon.DigestText(start) {
		s.t.Errorf("the end names start %s", v.End.StartRef)
	}
}

// TestValidateDriftAfter changes the workspace in every way that a capture
// sees, and in some that it refuses.
func TestValidateDriftAfter(t *testing.T) {
	s, job := newCompletedScene(t, someWork)
	var shown []string
	for _, c := range []struct {
		name, script, undo string
		drift              []jobs.Drift // nil where the workspace refuses a capture
	}{
		{"tracked content", "echo again >answer.txt", "echo after >answer.txt", []jobs.Drift{{Path: "answer.txt", Kind: jobs.DriftContent}}},
		{"tracked mode", "chmod +x stable.txt", "chmod -x stable.txt", []jobs.Drift{{Path: "stable.txt", Kind: jobs.DriftMode}}},
		{"mode git ignores", "chmod 600 stable.txt", "chmod 644 stable.txt", []jobs.Drift{{Path: "stable.txt", Kind: jobs.DriftMode}}},
		{"tracked vanished", "mv stable.txt ..", "mv ../stable.txt .", []jobs.Drift{{Path: "stable.txt", Kind: jobs.DriftVanished}}},
		{"untracked appeared", "echo >more", "rm more", []jobs.Drift{{Path: "more", Kind: jobs.DriftAppeared}}},
		{"untracked content", "echo other >new", "echo new >new", []jobs.Drift{{Path: "new", Kind: jobs.DriftContent}}},
		{"untracked mode", "chmod +x new", "chmod -x new", []jobs.Drift{{Path: "new", Kind: jobs.DriftMode}}},
		{"untracked vanished", "mv new ..", "mv ../new .", []jobs.Drift{{Path: "new", Kind: jobs.DriftVanished}}},
		{"failed as well", "mv new ..; exit 1", "mv ../new .", []jobs.Drift{{Path: "new", Kind: jobs.DriftVanished}}},
		{"staged", "git add answer.txt", "git reset -q", []jobs.Drift{{Kind: jobs.DriftStatus}}},
		{"committed", "git -c user.name=F -c user.email=f@example.invalid commit -q -a -m moved", "git reset -q HEAD~", nil},
		{"symlink planted", "ln -s /etc/passwd link", "rm link", []jobs.Drift{{Path: "link", Kind: jobs.DriftType}}},
		{"excludes changed", "mkdir -p .git/info; echo new >.git/info/exclude.new; cp -p .git/info/exclude .. 2>/dev/null; mv .git/info/exclude.new .git/info/exclude", "rm .git/info/exclude; mv ../exclude .git/info 2>/dev/null || true", []jobs.Drift{{Path: "info/exclude", Kind: jobs.DriftRules}}},
		{"repository gone", "mv .git ../git", "mv ../git .git", nil},
		{"workspace gone", "mv $PWD ../elsewhere", "", nil},
	} {
		o := s.command(c.script)
		o.Name = c.name
		v, err := s.service.Validate(t.Context(), job, o)
		s.refused(c.name, err, fault.SourceMoved)
		if v.Outcome() != jobs.ValidationDriftedAfter || !slices.Equal(v.Drift, c.drift) {
			t.Errorf("%s: outcome %q, drift %v, want %v", c.name, v.Outcome(), v.Drift, c.drift)
		}
		s.requireRetained(job, v)
		shown = append(shown, fmt.Sprintf("%d %s drifted-after", v.Start.Number, c.name))
		if c.undo != "" {
			s.sh(c.undo)
		}
	}
	s.requireValidations(job, shown...)
}

func TestValidateDriftBefore(t *testing.T) {
	s, job := newCompletedScene(t, someWork)
	witness := filepath.Join(s.root, "witness")
	for i, c := range []struct {
		name, script, undo string
		drift              []jobs.Drift
	}{
		{"drift", "echo again >answer.txt", "echo after >answer.txt", []jobs.Drift{{Path: "answer.txt", Kind: jobs.DriftContent}}},
		{"refusal", "ln -s /etc/passwd link", "rm link", []jobs.Drift{{Path: "link", Kind: jobs.DriftType}}},
	} {
		s.sh(c.script)
		v, err := s.service.Validate(t.Context(), job, s.command("echo >"+witness))
		s.refused(c.name, err, fault.SourceMoved)
		empty := jobs.Output{Digest: canon.DigestText("")}
		if v.Outcome() != jobs.ValidationDriftedBefore || !reflect.DeepEqual(v.Stdout, empty) || !reflect.DeepEqual(v.Stderr, empty) {
			t.Errorf("%s: got %+v", c.name, v)
		}
		if v.Start.Number != i+1 || !slices.Equal(v.Drift, c.drift) {
			t.Errorf("%s: number %d, drift %v, want %v", c.name, v.Start.Number, v.Drift, c.drift)
		}
		if _, err := os.Lstat(witness); !os.IsNotExist(err) {
			t.Errorf("%s: something was run: %v", c.name, err)
		}
		s.requireRetained(job, v)
		s.sh(c.undo)
	}
	s.requireValidations(job, "1  drifted-before", "2  drifted-before")
}

func TestValidateEmptyPatch(t *testing.T) {
	s, job := newCompletedScene(t, "")
	v, err := s.service.Validate(t.Context(), job, s.command("exit 0"))
	if err != nil || v.Outcome() != jobs.ValidationPassed || !v.Empty {
		t.Errorf("got %+v, %v", v, err)
	}
	if v, err = s.service.Validation(job, 1); err != nil || !v.Empty {
		t.Errorf("read back is %+v, %v", v, err)
	}
}

func TestValidateTruncatesOutput(t *testing.T) {
	s, job := newCompletedScene(t, someWork)
	for name, c := range map[string]struct {
		written   int
		truncated bool
	}{
		"at the bound": {jobs.MinValidationOutputBytes, false},
		"one more":     {jobs.MinValidationOutputBytes + 1, true},
		"many times":   {1 << 20, true},
	} {
		o := s.command(fmt.Sprintf("head -c %d /dev/zero >&2", c.written))
		o.MaxOutputBytes = jobs.MinValidationOutputBytes
		v, err := s.service.Validate(t.Context(), job, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		whole := make([]byte, c.written)
		want := jobs.Output{Content: whole[:jobs.MinValidationOutputBytes], Bytes: int64(c.written), Digest: canon.DigestText(whole)}
		if !reflect.DeepEqual(v.Stderr, want) || v.Stderr.Truncated() != c.truncated || v.End.Truncated != c.truncated || v.Stdout.Truncated() {
			t.Errorf("%s: kept %d of %d bytes, digest %s, truncated %v", name, len(v.Stderr.Content), v.Stderr.Bytes, v.Stderr.Digest, v.End.Truncated)
		}
		s.requireRetained(job, v)
	}
}

func TestValidateEnvironment(t *testing.T) {
	s, job := newCompletedScene(t, someWork)
	o := s.command("env; pwd")
	o.Env = append(o.Env, "GIT_DIR=/elsewhere", "GIT_INDEX_FILE=/elsewhere", "KEPT=yes", "PWD=/elsewhere")
	v, err := s.service.Validate(t.Context(), job, o)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(v.Stdout.Content)), "\n")
	if !slices.Contains(lines, "KEPT=yes") || !slices.Contains(lines, "PWD="+s.workspace) || lines[len(lines)-1] != s.workspace {
		t.Errorf("the command saw %q", lines)
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "GIT_") {
			t.Errorf("the command got %q", line)
		}
	}
}

func TestValidateCapacity(t *testing.T) {
	s, job := newCompletedScene(t, someWork)
	v, err := s.service.Validate(t.Context(), job, s.command("exit 0"))
	if err != nil {
		t.Fatal(err)
	}
	for start := v.Start; start.Number < state.MaxValidations-1; {
		start.Number++
		text, err := start.Format()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.service.Store.Create(state.ValidationStart(job, start.Number), text); err != nil {
			t.Fatal(err)
		}
	}
	if v, err = s.service.Validate(t.Context(), job, s.command("exit 0")); err != nil || v.Start.Number != state.MaxValidations {
		t.Errorf("the last one: %+v, %v", v, err)
	}
	witness := filepath.Join(s.root, "witness")
	v, err = s.service.Validate(t.Context(), job, s.command("echo >"+witness))
	s.refused("one more", err, fault.OverBound)
	if _, err := os.Lstat(witness); !os.IsNotExist(err) || !reflect.DeepEqual(v, jobs.Validation{}) {
		t.Errorf("something was run: %+v, %v", v, err)
	}
	if got := s.validations(job); len(got) != state.MaxValidations || got[1] != "2  running-or-interrupted" {
		t.Errorf("shown are %q", got)
	}
}
