package jobs_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/state"
)

// requireUntouched fails where something was run or published.
func (s *scene) requireUntouched(what string, job canon.Digest) {
	s.t.Helper()
	if _, err := os.Lstat(s.jobFile(job, "validations")); !os.IsNotExist(err) {
		s.t.Errorf("%s: something was published: %v", what, err)
	}
}

func TestValidateRefusesOptions(t *testing.T) {
	s, job := newCompletedScene(t, someWork)
	for name, c := range map[string]struct {
		change func(*jobs.ValidationOptions)
		want   fault.Condition
	}{
		"no command":                 {func(o *jobs.ValidationOptions) { o.Argv = nil }, fault.Malformed},
		"empty command":              {func(o *jobs.ValidationOptions) { o.Argv[0] = "" }, fault.Malformed},
		"NUL":                        {func(o *jobs.ValidationOptions) { o.Argv[1] = "a\x00b" }, fault.Malformed},
		"argument not UTF-8":         {func(o *jobs.ValidationOptions) { o.Argv[1] = "\xff" }, fault.Malformed},
		"short timeout":              {func(o *jobs.ValidationOptions) { o.Timeout = jobs.MinValidationTimeout - 1 }, fault.Malformed},
		"long timeout":               {func(o *jobs.ValidationOptions) { o.Timeout = jobs.MaxValidationTimeout + 1 }, fault.Malformed},
		"small output bound":         {func(o *jobs.ValidationOptions) { o.MaxOutputBytes = jobs.MinValidationOutputBytes - 1 }, fault.Malformed},
		"large output bound":         {func(o *jobs.ValidationOptions) { o.MaxOutputBytes = jobs.MaxValidationOutputBytes + 1 }, fault.Malformed},
		"name of two lines":          {func(o *jobs.ValidationOptions) { o.Name = "a\nb" }, fault.Malformed},
		"name turned around":         {func(o *jobs.ValidationOptions) { o.Name = "a\u202eb" }, fault.Malformed},
		"name not UTF-8":             {func(o *jobs.ValidationOptions) { o.Name = "\xff" }, fault.Malformed},
		"unknown command":            {func(o *jobs.ValidationOptions) { o.Argv[0] = "no-such-command" }, fault.Usage},
		"unknown path":               {func(o *jobs.ValidationOptions) { o.Argv[0] = "./no-such-command" }, fault.Usage},
		"no path in the environment": {func(o *jobs.ValidationOptions) { o.Env = nil }, fault.Usage},
	} {
		o := s.command("exit 0")
		c.change(&o)
		_, err := s.service.Validate(t.Context(), job, o)
		s.refused(name, err, c.want)
		s.requireUntouched(name, job)
	}
}

func TestValidateRefusesJobs(t *testing.T) {
	s := newScene(t)
	o := s.command("exit 0")
	_, err := s.service.Validate(t.Context(), canon.DigestText("unknown"), o)
	s.refused("unknown job", err, fault.Missing)
	job := s.prepare()
	_, err = s.service.Validate(t.Context(), job, o)
	s.refused("prepared job", err, fault.NotCompleted)
	s.adapter.answer = accepted(1)
	snap, err := s.service.Run(t.Context(), job)
	s.expect("run", snap, err, jobs.Uncertain)
	_, err = s.service.Validate(t.Context(), job, o)
	s.refused("uncertain job", err, fault.NotCompleted)
	_, err = s.service.Validation(job, 1)
	s.refused("validation of an uncertain job", err, fault.NotCompleted)
	s.requireUntouched("uncompleted job", job)
}

// TestValidateClaims lets another job claim the workspace before and during
// the command.
func TestValidateClaims(t *testing.T) {
	s := newScene(t)
	o := s.options()
	o.OperationID = "repair-002"
	other, err := s.service.Prepare(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	first := s.prepare()
	snap, err := s.service.Run(t.Context(), first)
	s.expect("run", snap, err, jobs.Completed)
	name := state.Claim(canon.DigestText(s.workspace))
	own, err := s.service.Store.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	foreign := []byte(strings.Replace(string(own), string(first), string(other.JobID), 1))
	replace := func(claim []byte) {
		if err := s.service.Store.Replace(name, claim); err != nil {
			t.Error(err)
		}
	}
	s.service.Now = clock
	replace(foreign)
	_, err = s.service.Validate(t.Context(), first, s.command("exit 0"))
	s.refused("claimed before", err, fault.Claimed)
	s.requireUntouched("claimed before", first)
	replace(own)
	s.service.Progress = func(p jobs.Phase) {
		if p.Name == "validation" {
			replace(foreign)
		}
	}
	v, err := s.service.Validate(t.Context(), first, s.command("exit 0"))
	s.refused("claimed during", err, fault.Claimed)
	if v.Outcome() != jobs.ValidationOpen {
		t.Errorf("claimed during: outcome %q", v.Outcome())
	}
	s.requireValidations(first, "1  running-or-interrupted")
}

// TestValidationReadBack breaks the records: the status stands, what cannot be
// read is named, and the rest is shown.
func TestValidationReadBack(t *testing.T) {
	s, job := newCompletedScene(t, someWork)
	for range 3 {
		if _, err := s.service.Validate(t.Context(), job, s.command("echo out")); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.service.Validation(job, 4)
	s.refused("no such validation", err, fault.Missing)
	_, err = s.service.Validation(job, state.MaxValidations+1)
	s.refused("no such number", err, fault.OverBound)
	second := s.read(s.jobFile(job, "validations/0002-end.json"))
	third := s.read(s.jobFile(job, "validations/0003-end.json"))
	start := s.read(s.jobFile(job, "validations/0002-start.json"))
	for name, c := range map[string]struct {
		file, text string
		want       fault.Condition
	}{
		"no JSON":           {"0002-end.json", "{", fault.Malformed},
		"end of another":    {"0002-end.json", third, fault.StoreInconsistent},
		"another start":     {"0002-start.json", strings.Replace(start, "echo out", "echo other", 1), fault.StoreInconsistent},
		"another number":    {"0002-start.json", strings.Replace(start, `"number":2`, `"number":3`, 1), fault.StoreInconsistent},
		"start of no patch": {"0002-start.json", strings.Replace(start, `"patchDigest":"sha256:`, `"patchDigest":"sha256:0`, 1), fault.Malformed},
		"another patch":     {"0002-start.json", strings.Replace(start, `"patchDigest":"`+patchOf(t, s, job), `"patchDigest":"`+string(job), 1), fault.StoreInconsistent},
	} {
		path := s.jobFile(job, "validations/"+c.file)
		before := s.read(path)
		s.write(path, c.text)
		_, err := s.service.Validation(job, 2)
		s.refused(name, err, c.want)
		snap, err := s.service.Inspect(job)
		s.expect(name, snap, err, jobs.Completed)
		warned := func(w string) bool { return strings.HasPrefix(w, "validation 2 cannot be read: ") }
		if len(snap.Evidence.Validations) != 2 || !slices.ContainsFunc(snap.Warnings, warned) {
			t.Errorf("%s: shown are %v, warnings %q", name, snap.Evidence.Validations, snap.Warnings)
		}
		s.write(path, before)
	}
	s.requireValidations(job, "1  passed", "2  passed", "3  passed")
	if got := s.read(s.jobFile(job, "validations/0002-end.json")); got != second {
		t.Errorf("the second end became %s", got)
	}
	stray := s.jobFile(job, "validations/0004-end.json")
	s.write(stray, second)
	snap, err := s.service.Inspect(job)
	s.expect("end without start", snap, err, jobs.Completed)
	if snap.Evidence.Validations != nil || len(snap.Warnings) != 1 {
		t.Errorf("end without start: shown are %v, warnings %q", snap.Evidence.Validations, snap.Warnings)
	}
	_, err = s.service.Validate(t.Context(), job, s.command("exit 0"))
	s.refused("validate beside a stray end", err, fault.StoreInconsistent)
	if err := os.Remove(stray); err != nil {
		t.Fatal(err)
	}
	v, err := s.service.Validation(job, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(s.root, "store/values", v.End.StdoutRef.Hex()+".json")); err != nil {
		t.Fatal(err)
	}
	_, err = s.service.Validation(job, 1)
	s.refused("output gone", err, fault.Missing)
	s.requireValidations(job, "1  passed", "2  passed", "3  passed")
}

func patchOf(t *testing.T, s *scene, job canon.Digest) string {
	t.Helper()
	snap, err := s.service.Inspect(job)
	if err != nil {
		t.Fatal(err)
	}
	return string(snap.Result.PatchDigest)
}

func (s *scene) write(path, text string) {
	s.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}
