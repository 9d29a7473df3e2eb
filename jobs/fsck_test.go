package jobs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// A tampered store is one that a hand other than git-algal's has changed. Its
// methods take and make paths below the root.
type tampered struct {
	t    *testing.T
	disk *faultfs.FS
	snap jobs.Snapshot
}

func (s tampered) at(below string) string { return path.Join(diskStore, below) }

// job returns the path of a record of the job.
func (s tampered) job(file string) string { return path.Join("coding-jobs", s.snap.JobID.Hex(), file) }

func (s tampered) claim() string {
	return path.Join("coding-workspaces", canon.DigestText(s.snap.Intent.Workspace).Hex(), "claim.json")
}

func (s tampered) reservation() string {
	key, err := s.snap.Intent.Reservation(s.snap.JobID).Key()
	if err != nil {
		s.t.Fatal(err)
	}
	return path.Join("coding-operations", key.Hex()+".json")
}

func value(ref canon.Digest) string { return path.Join("values", ref.Hex()+".json") }

func (s tampered) read(below string) []byte {
	s.t.Helper()
	text, ok := s.disk.Files(diskStore)[below]
	if !ok {
		s.t.Fatalf("%s is not there", below)
	}
	return text
}

func (s tampered) write(below, text string) { s.disk.WriteFile(s.at(below), []byte(text)) }

func (s tampered) remove(below string) {
	s.read(below)
	s.disk.Delete(s.at(below))
}

// replace changes a text in a record.
func (s tampered) replace(below, old, new string) {
	s.t.Helper()
	text := string(s.read(below))
	if !strings.Contains(text, old) {
		s.t.Fatalf("%s does not hold %q: %s", below, old, text)
	}
	s.write(below, strings.ReplaceAll(text, old, new))
}

// edit changes a member of a record, canonically; nil takes it away.
func (s tampered) edit(below, member string, value any) {
	s.t.Helper()
	var record map[string]any
	if err := json.Unmarshal(s.read(below), &record); err != nil {
		s.t.Fatal(err)
	}
	record[member] = value
	if value == nil {
		delete(record, member)
	}
	text, err := json.Marshal(record)
	if err == nil {
		text, err = canon.Canonicalize(text)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(below, string(text))
}

// observe writes the nth observation of an outcome that claims to follow
// previous.
func (s tampered) observe(n int, previous canon.Digest, o operation.Outcome, err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	text, err := operation.Observation{JobID: s.snap.JobID, PreviousRef: previous, Outcome: o}.Format()
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(s.job(fmt.Sprintf("observations/%04d.json", n)), string(text))
	s.write(value(o.Ref()), string(o.Canonical()))
}

func (s tampered) latest() operation.Outcome {
	return s.snap.Evidence.Observations[len(s.snap.Evidence.Observations)-1]
}

var someDigest = canon.DigestText("something else")

// corruptions are the ways to break a store, one of each kind, and where fsck
// must find it. The store holds one job that was accepted, reconciled as
// completed and validated; where the story says so, another one.
var corruptions = []struct {
	name   string
	story  string // of the job: "settled" by its run, "failed", "prepared"; empty for the one above
	tamper func(tampered)
	path   string
	code   fault.Code
}{
	// Names without a place.
	{name: "stray file", tamper: func(s tampered) { s.write("README", "x") }, path: "README", code: fault.IOFailed},
	{name: "stray directory", tamper: func(s tampered) { s.disk.MkdirAll(s.at("backup")) }, path: "backup", code: fault.IOFailed},
	{name: "stray file among jobs", tamper: func(s tampered) { s.write("coding-jobs/notes", "x") }, path: "coding-jobs/notes", code: fault.IOFailed},
	{name: "file in the place of a job", tamper: func(s tampered) { s.write("coding-jobs/"+someDigest.Hex(), "{}") }, path: "coding-jobs/HEX", code: fault.IOFailed},
	{name: "upper-case job", tamper: func(s tampered) { s.disk.MkdirAll(s.at("coding-jobs/" + strings.ToUpper(someDigest.Hex()))) }, path: "coding-jobs/" + strings.ToUpper(someDigest.Hex()), code: fault.IOFailed},
	{name: "stray record of a job", tamper: func(s tampered) { s.write(s.job("result2.json"), "{}") }, path: "coding-jobs/HEX/result2.json", code: fault.IOFailed},
	{name: "stray observation", tamper: func(s tampered) { s.write(s.job("observations/3.json"), "{}") }, path: "coding-jobs/HEX/observations/3.json", code: fault.IOFailed},
	{name: "stray validation", tamper: func(s tampered) { s.write(s.job("validations/0001.json"), "{}") }, path: "coding-jobs/HEX/validations/0001.json", code: fault.IOFailed},
	{name: "stray reservation", tamper: func(s tampered) { s.write("coding-operations/repair-001.json", "{}") }, path: "coding-operations/repair-001.json", code: fault.IOFailed},
	{name: "stray workspace", tamper: func(s tampered) { s.disk.MkdirAll(s.at("coding-workspaces/mine")) }, path: "coding-workspaces/mine", code: fault.IOFailed},
	{name: "stray file beside a claim", tamper: func(s tampered) { s.write(path.Dir(s.claim())+"/claim.json.orig", "{}") }, path: "coding-workspaces/HEX/claim.json.orig", code: fault.IOFailed},
	{name: "stray value", tamper: func(s tampered) { s.write("values/"+someDigest.Hex(), "{}") }, path: "values/HEX", code: fault.IOFailed},
	{name: "stray lease", tamper: func(s tampered) { s.write("leases/job.lock", "") }, path: "leases/job.lock", code: fault.IOFailed},

	// Entries of another kind, owner or size than a store's.
	{name: "symlinked directory", tamper: func(s tampered) { s.disk.Move(s.at("values"), "/home/v"); s.disk.Symlink("/home/v", s.at("values")) }, path: "values", code: fault.IOFailed},
	{name: "symlinked job", tamper: func(s tampered) { s.disk.Move(s.at(s.job("")), "/home/j"); s.disk.Symlink("/home/j", s.at(s.job(""))) }, path: "coding-jobs/HEX", code: fault.IOFailed},
	{name: "symlinked observations", tamper: func(s tampered) {
		s.disk.Move(s.at(s.job("observations")), "/home/o")
		s.disk.Symlink("/home/o", s.at(s.job("observations")))
	}, path: "coding-jobs/HEX/observations", code: fault.IOFailed},
	{name: "symlinked record", tamper: func(s tampered) {
		s.disk.Move(s.at(s.job("started.json")), "/home/m")
		s.disk.Symlink("/home/m", s.at(s.job("started.json")))
	}, path: "coding-jobs/HEX/started.json", code: fault.IOFailed},
	{name: "symlinked value", tamper: func(s tampered) {
		s.disk.Move(s.at(value(s.latest().Ref())), "/home/v")
		s.disk.Symlink("/home/v", s.at(value(s.latest().Ref())))
	}, path: "values/HEX.json", code: fault.IOFailed},
	{name: "symlinked lock", tamper: func(s tampered) { s.disk.Symlink("/home/l", s.at("leases/admission.lock")) }, path: "leases/admission.lock", code: fault.IOFailed},
	{name: "FIFO", tamper: func(s tampered) { s.disk.Mkfifo(s.at(s.job("settlement.json"))) }, path: "coding-jobs/HEX/settlement.json", code: fault.IOFailed},
	{name: "directory in the place of a record", tamper: func(s tampered) { s.remove(s.claim()); s.disk.MkdirAll(s.at(s.claim())) }, path: "coding-workspaces/HEX/claim.json", code: fault.IOFailed},
	{name: "foreign record", tamper: func(s tampered) { s.disk.Chown(s.at(s.claim()), state.OwnerForeign) }, path: "coding-workspaces/HEX/claim.json", code: fault.IOFailed},
	{name: "foreign directory", tamper: func(s tampered) { s.disk.Chown(s.at("coding-operations"), state.OwnerForeign) }, path: "coding-operations", code: fault.IOFailed},
	{name: "record that everybody may write", tamper: func(s tampered) { s.disk.Chmod(s.at(s.job("result.json")), 0o606) }, path: "coding-jobs/HEX/result.json", code: fault.IOFailed},
	{name: "directory that everybody may write", tamper: func(s tampered) { s.disk.Chmod(s.at("values"), 0o777) }, path: "values", code: fault.IOFailed},
	{name: "record that others may read", tamper: func(s tampered) { s.disk.Chmod(s.at(s.job("intent.json")), 0o640) }, path: "coding-jobs/HEX/intent.json", code: fault.IOFailed},
	{name: "directory open to others", tamper: func(s tampered) { s.disk.Chmod(s.at("coding-jobs"), 0o755) }, path: "coding-jobs", code: fault.IOFailed},
	{name: "directory that cannot be read", tamper: func(s tampered) { s.disk.Chmod(s.at("coding-workspaces"), 0) }, path: "coding-workspaces", code: fault.IOFailed},
	{name: "record over its bound", tamper: func(s tampered) {
		s.write(s.job("started.json"), string(s.read(s.job("started.json")))+strings.Repeat(" ", state.MaxMarkerBytes))
	}, path: "coding-jobs/HEX/started.json", code: fault.IOFailed},
	{name: "observation over what was admitted", tamper: func(s tampered) {
		below := s.job("observations/0001.json")
		s.write(below, string(s.read(below))+strings.Repeat(" ", s.snap.Intent.Limits.MaxOutputBytes+1_024))
	}, path: "coding-jobs/HEX/observations/0001.json", code: fault.IOFailed},
	{name: "settlement over what was admitted", tamper: func(s tampered) {
		s.write(s.job("settlement.json"), string(s.read(s.job("settlement.json")))+strings.Repeat(" ", s.snap.Intent.Limits.MaxPatchBytes+8_192))
	}, path: "coding-jobs/HEX/settlement.json", code: fault.IOFailed},
	{name: "value over its bound", tamper: func(s tampered) {
		s.write(value(someDigest), strings.Repeat(" ", state.MaxValueBytes+1))
	}, path: "values/HEX.json", code: fault.IOFailed},
	{name: "too many jobs", tamper: func(s tampered) {
		for i := range state.MaxJobs {
			s.disk.MkdirAll(s.at(fmt.Sprintf("coding-jobs/%064x", i)))
		}
	}, path: "coding-jobs", code: fault.BudgetExhausted},
	{name: "too many reservations", tamper: func(s tampered) {
		for i := range state.MaxReservations {
			s.write(fmt.Sprintf("coding-operations/%064x.json", i), "{}")
		}
	}, path: "coding-operations", code: fault.BudgetExhausted},

	// Texts of another form than their record's.
	{name: "torn record", tamper: func(s tampered) { s.write(s.job("intent.json"), string(s.read(s.job("intent.json"))[:100])) }, path: "coding-jobs/HEX/intent.json", code: fault.ParseFailed},
	{name: "empty record", tamper: func(s tampered) { s.write(s.job("started.json"), "") }, path: "coding-jobs/HEX/started.json", code: fault.ParseFailed},
	{name: "zeros", tamper: func(s tampered) { s.write(s.reservation(), strings.Repeat("\x00", 300)) }, path: "coding-operations/HEX.json", code: fault.ParseFailed},
	{name: "byte order mark", tamper: func(s tampered) { s.write(s.claim(), "\uFEFF"+string(s.read(s.claim()))) }, path: "coding-workspaces/HEX/claim.json", code: fault.ParseFailed},
	{name: "newline at the end", tamper: func(s tampered) { s.write(s.job("intent.json"), string(s.read(s.job("intent.json")))+"\n") }, path: "coding-jobs/HEX/intent.json", code: fault.ParseFailed},
	{name: "value not canonical", tamper: func(s tampered) {
		s.write(value(s.latest().Ref()), string(s.latest().Canonical())+" ")
	}, path: "values/HEX.json", code: fault.ParseFailed},
	{name: "further member", tamper: func(s tampered) { s.edit(s.job("started.json"), "by", "hand") }, path: "coding-jobs/HEX/started.json", code: fault.ParseFailed},
	{name: "missing member", tamper: func(s tampered) { s.edit(s.job("settlement.json"), "outputRef", nil) }, path: "coding-jobs/HEX/settlement.json", code: fault.ParseFailed},
	{name: "member of another case", tamper: func(s tampered) { s.replace(s.job("result.json"), `"status"`, `"Status"`) }, path: "coding-jobs/HEX/result.json", code: fault.ParseFailed},
	{name: "member twice", tamper: func(s tampered) { s.replace(s.job("resolution.json"), `{"contract"`, `{"jobId":"x","contract"`) }, path: "coding-jobs/HEX/resolution.json", code: fault.ParseFailed},
	{name: "null", tamper: func(s tampered) { s.replace(s.job("observations/0002.json"), `"revision":2`, `"revision":null`) }, path: "coding-jobs/HEX/observations/0002.json", code: fault.ParseFailed},
	{name: "another contract", tamper: func(s tampered) { s.edit(s.job("started.json"), "contract", "algal.coding-job-started.v2") }, path: "coding-jobs/HEX/started.json", code: fault.ParseFailed},
	{name: "another status", tamper: func(s tampered) { s.edit(s.job("result.json"), "status", "prepared") }, path: "coding-jobs/HEX/result.json", code: fault.ParseFailed},
	{name: "malformed control", tamper: func(s tampered) { s.edit(s.job("control.json"), "deciding", []int{}) }, path: "coding-jobs/HEX/control.json", code: fault.ParseFailed},
	{name: "malformed control after", tamper: func(s tampered) { s.edit(s.job("control-after.json"), "hidden", nil) }, path: "coding-jobs/HEX/control-after.json", code: fault.ParseFailed},
	{name: "malformed validation", tamper: func(s tampered) { s.edit(s.job("validations/0001-end.json"), "exitCode", 3) }, path: "coding-jobs/HEX/validations/0001-end.json", code: fault.ParseFailed},
	{name: "malformed observation of a prepared job", story: "prepared", tamper: func(s tampered) { s.write(s.job("observations/0001.json"), "[]") }, path: "coding-jobs/HEX/observations/0001.json", code: fault.ParseFailed},

	// Values.
	{name: "value of another digest", tamper: func(s tampered) { s.replace(value(s.snap.Result.PatchRef), "after", "AFTER") }, path: "values/HEX.json", code: fault.DigestMismatch},
	{name: "outcome value missing", tamper: func(s tampered) { s.remove(value(s.latest().Ref())) }, path: "values/HEX.json", code: fault.StoreMiss},
	{name: "earlier outcome value missing", tamper: func(s tampered) { s.remove(value(s.snap.Evidence.Observations[0].Ref())) }, path: "values/HEX.json", code: fault.StoreMiss},
	{name: "patch value missing", tamper: func(s tampered) { s.remove(value(s.snap.Result.PatchRef)) }, path: "values/HEX.json", code: fault.StoreMiss},
	{name: "admitted fingerprint missing", tamper: func(s tampered) { s.remove(value(s.snap.Intent.SourceRawDigest)) }, path: "values/HEX.json", code: fault.StoreMiss},
	{name: "captured fingerprint missing", tamper: func(s tampered) {
		var patch struct{ WorkspaceRawDigest canon.Digest }
		if err := json.Unmarshal(s.read(value(s.snap.Result.PatchRef)), &patch); err != nil {
			s.t.Fatal(err)
		}
		s.remove(value(patch.WorkspaceRawDigest))
	}, path: "values/HEX.json", code: fault.StoreMiss},

	// Records that contradict each other.
	{name: "intent missing", tamper: func(s tampered) { s.remove(s.job("intent.json")) }, path: "coding-jobs/HEX/intent.json", code: fault.StoreMiss},
	{name: "intent of another job", tamper: func(s tampered) {
		s.edit(s.job("intent.json"), "workspaceIdentity", map[string]string{"device": "1", "inode": "1"})
	}, path: "coding-jobs/HEX/intent.json", code: fault.DigestMismatch},
	{name: "job under another name", tamper: func(s tampered) { s.disk.Move(s.at(s.job("")), s.at("coding-jobs/"+someDigest.Hex())) }, path: "coding-jobs/HEX/intent.json", code: fault.DigestMismatch},
	{name: "reservation missing", tamper: func(s tampered) { s.remove(s.reservation()) }, path: "coding-operations/HEX.json", code: fault.DigestMismatch},
	{name: "reservation for another job", tamper: func(s tampered) { s.edit(s.reservation(), "jobId", someDigest) }, path: "coding-operations/HEX.json", code: fault.DigestMismatch},
	{name: "reservation of another request", tamper: func(s tampered) { s.edit(s.reservation(), "requestDigest", someDigest) }, path: "coding-operations/HEX.json", code: fault.DigestMismatch},
	{name: "reservation under another key", tamper: func(s tampered) {
		s.write("coding-operations/"+someDigest.Hex()+".json", string(s.read(s.reservation())))
	}, path: "coding-operations/HEX.json", code: fault.DigestMismatch},
	{name: "marker missing", tamper: func(s tampered) { s.remove(s.job("started.json")) }, path: "coding-jobs/HEX/started.json", code: fault.DigestMismatch},
	{name: "marker of another job", tamper: func(s tampered) { s.edit(s.job("started.json"), "jobId", someDigest) }, path: "coding-jobs/HEX/started.json", code: fault.DigestMismatch},
	{name: "gap among observations", tamper: func(s tampered) { s.remove(s.job("observations/0001.json")) }, path: "coding-jobs/HEX/observations", code: fault.DigestMismatch},
	{name: "too many observations", tamper: func(s tampered) {
		for i := range state.MaxObservations + 1 {
			s.write(s.job(fmt.Sprintf("observations/%04d.json", i+1)), string(s.read(s.job("observations/0001.json"))))
		}
	}, path: "coding-jobs/HEX/observations", code: fault.BudgetExhausted},
	{name: "broken chain", tamper: func(s tampered) { s.edit(s.job("observations/0002.json"), "previousRef", someDigest) }, path: "coding-jobs/HEX/observations/0002.json", code: fault.DigestMismatch},
	{name: "outcome observed twice", tamper: func(s tampered) {
		s.observe(3, s.latest().Ref(), s.latest(), nil)
	}, path: "coding-jobs/HEX/observations/0003.json", code: fault.DigestMismatch},
	{name: "revision that falls", tamper: func(s tampered) {
		o, err := operation.NewAccepted(s.snap.Intent.Operation, 1, acceptance)
		s.observe(3, s.latest().Ref(), o, err)
	}, path: "coding-jobs/HEX/observations/0003.json", code: fault.DigestMismatch},
	{name: "outcome of another operation", tamper: func(s tampered) {
		s.replace(s.job("observations/0001.json"), "repair-001", "repair-002")
	}, path: "coding-jobs/HEX/observations/0001.json", code: fault.DigestMismatch},
	{name: "settlement missing", tamper: func(s tampered) { s.remove(s.job("settlement.json")) }, path: "coding-jobs/HEX/resolution.json", code: fault.DigestMismatch},
	{name: "settlement of another outcome", tamper: func(s tampered) {
		s.replace(s.job("settlement.json"), s.latest().Ref().Hex(), s.snap.Evidence.Observations[0].Ref().Hex())
	}, path: "coding-jobs/HEX/settlement.json", code: fault.DigestMismatch},
	{name: "settlement with another patch", tamper: func(s tampered) { s.replace(s.job("settlement.json"), "after", "AFTER") }, path: "coding-jobs/HEX/settlement.json", code: fault.DigestMismatch},
	{name: "settlement with another exit code", tamper: func(s tampered) { s.replace(s.job("settlement.json"), `"exitCode":0`, `"exitCode":1`) }, path: "coding-jobs/HEX/settlement.json", code: fault.DigestMismatch},
	{name: "settlement that completes a failure", story: "failed", tamper: func(s tampered) {
		s.replace(s.job("settlement.json"), `"status":"failed"`, `"status":"completed"`)
		s.replace(s.job("settlement.json"), `"reason":"external-task-failed",`, "")
	}, path: "coding-jobs/HEX/settlement.json", code: fault.DigestMismatch},
	{name: "result that was not settled", story: "settled", tamper: func(s tampered) { s.edit(s.job("result.json"), "reason", "all is well") }, path: "coding-jobs/HEX/result.json", code: fault.DigestMismatch},
	{name: "result of an unknown outcome", tamper: func(s tampered) {
		s.replace(s.job("result.json"), s.snap.Evidence.Observations[0].Ref().Hex(), someDigest.Hex())
	}, path: "coding-jobs/HEX/result.json", code: fault.DigestMismatch},
	{name: "resolution that was not settled", tamper: func(s tampered) { s.edit(s.job("resolution.json"), "reason", "all is well") }, path: "coding-jobs/HEX/resolution.json", code: fault.DigestMismatch},
	{name: "resolution of a settled result", story: "settled", tamper: func(s tampered) { s.write(s.job("resolution.json"), string(s.read(s.job("result.json")))) }, path: "coding-jobs/HEX/resolution.json", code: fault.DigestMismatch},
	{name: "claim missing", tamper: func(s tampered) { s.remove(s.claim()) }, path: "coding-workspaces/HEX/claim.json", code: fault.StoreMiss},
	{name: "claim of an unknown job", tamper: func(s tampered) { s.edit(s.claim(), "jobId", someDigest) }, path: "coding-workspaces/HEX/claim.json", code: fault.StoreMiss},
	{name: "claim on another workspace", tamper: func(s tampered) { s.edit(s.claim(), "workspace", "/elsewhere") }, path: "coding-workspaces/HEX/claim.json", code: fault.DigestMismatch},
	{name: "claim of a job elsewhere", tamper: func(s tampered) {
		s.edit(s.claim(), "workspace", "/elsewhere")
		s.disk.Move(s.at(path.Dir(s.claim())), s.at("coding-workspaces/"+canon.DigestText("/elsewhere").Hex()))
	}, path: "coding-workspaces/HEX/claim.json", code: fault.DigestMismatch},
	{name: "claim lost to another job", tamper: func(s tampered) {
		for _, file := range []string{"resolution.json", "settlement.json", "control-after.json", "observations/0002.json", "validations/0001-start.json", "validations/0001-end.json"} {
			s.remove(s.job(file))
		}
		s.edit(s.claim(), "jobId", s.secondJob())
	}, path: "coding-workspaces/HEX/claim.json", code: fault.DigestMismatch},
	{name: "control of another job", tamper: func(s tampered) { s.edit(s.job("control.json"), "jobId", someDigest) }, path: "coding-jobs/HEX/control.json", code: fault.DigestMismatch},
	{name: "control of an unfinished preparation", story: "prepared", tamper: func(s tampered) {
		s.remove(s.job("intent.json"))
		s.edit(s.job("control.json"), "jobId", someDigest)
	}, path: "coding-jobs/HEX/control.json", code: fault.DigestMismatch},
	{name: "capture without an outcome", story: "prepared", tamper: func(s tampered) {
		s.write(s.job("control-after.json"), strings.Replace(string(s.read(s.job("control.json"))), `{"contract":"git-algal.control.v1"`, `{"contract":"git-algal.control-after.v1"`, 1))
		s.edit(s.job("control-after.json"), "hidden", []string{})
	}, path: "coding-jobs/HEX/control-after.json", code: fault.DigestMismatch},
	{name: "gap among validations", tamper: func(s tampered) {
		s.write(s.job("validations/0003-start.json"), string(s.read(s.job("validations/0001-start.json"))))
	}, path: "coding-jobs/HEX/validations", code: fault.DigestMismatch},
	{name: "end of no validation", tamper: func(s tampered) {
		s.write(s.job("validations/0002-end.json"), string(s.read(s.job("validations/0001-end.json"))))
	}, path: "coding-jobs/HEX/validations", code: fault.DigestMismatch},
	{name: "validation of another patch", tamper: func(s tampered) { s.edit(s.job("validations/0001-start.json"), "patchDigest", someDigest) }, path: "coding-jobs/HEX/validations/0001-start.json", code: fault.DigestMismatch},
	{name: "end of another validation", tamper: func(s tampered) { s.edit(s.job("validations/0001-start.json"), "argv", []string{"false"}) }, path: "coding-jobs/HEX/validations/0001-end.json", code: fault.DigestMismatch},
	{name: "validation output missing", tamper: func(s tampered) {
		var end struct{ StdoutRef canon.Digest }
		if err := json.Unmarshal(s.read(s.job("validations/0001-end.json")), &end); err != nil {
			s.t.Fatal(err)
		}
		s.remove(value(end.StdoutRef))
	}, path: "values/HEX.json", code: fault.StoreMiss},
}

// secondJob gives the store another prepared job on the same workspace.
func (s tampered) secondJob() canon.Digest {
	s.t.Helper()
	i := s.snap.Intent
	i.Operation.OperationID = "repair-002"
	_, digest, err := i.Payload()
	if err != nil {
		s.t.Fatal(err)
	}
	i.Operation.RequestDigest = digest
	text, err := i.Format()
	if err != nil {
		s.t.Fatal(err)
	}
	job := canon.DigestText(text)
	reservation := i.Reservation(job)
	key, err := reservation.Key()
	if err != nil {
		s.t.Fatal(err)
	}
	record, err := reservation.Format()
	if err != nil {
		s.t.Fatal(err)
	}
	s.write("coding-operations/"+key.Hex()+".json", string(record))
	s.write("coding-jobs/"+job.Hex()+"/intent.json", string(text))
	return job
}

// wholeStores returns a store after each of the stories that corruptions tell.
func wholeStores(t *testing.T) map[string]*world {
	stores := map[string]*world{}
	l := newLab(t)
	for story, s := range map[string]struct {
		authority string
		deeds     []deed
	}{
		"":         {"accepts, completes later", []deed{prepare, run, reconcile, validate}},
		"settled":  {"completes", []deed{prepare, run}},
		"failed":   {"fails", []deed{prepare, run}},
		"prepared": {"completes", []deed{prepare}},
	} {
		w := newWorld(l, authorityNamed(t, s.authority))
		for _, d := range s.deeds {
			if _, err := w.do(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
		w.disk.Crash(faultfs.LoseNone)
		stores[story] = w
	}
	return stores
}

func (w *world) fsck(t *testing.T) []jobs.Finding {
	t.Helper()
	s, err := w.open()
	if err != nil {
		t.Fatal(err)
	}
	findings, err := s.Fsck(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

func TestFsckFindsEachCorruption(t *testing.T) {
	stores := wholeStores(t)
	for story, w := range stores {
		if findings := w.fsck(t); len(findings) > 0 {
			t.Fatalf("the store %q is whole, found is %+v", story, findings)
		}
	}
	for _, c := range corruptions {
		t.Run(c.name, func(t *testing.T) {
			w := stores[c.story].clone(0)
			snap := w.judge(t.Context()).snap
			c.tamper(tampered{t, w.disk, snap})
			before := w.disk.Files("/")
			findings := w.fsck(t)
			if !slices.ContainsFunc(findings, func(f jobs.Finding) bool {
				return withoutDigests(f.Path) == c.path && f.Code == c.code && f.Problem != "" && f.Consequence != ""
			}) {
				t.Errorf("want %s at %s, found is %+v", c.code, c.path, findings)
			}
			for i, f := range findings {
				if i > 0 && findings[i-1] == f {
					t.Errorf("%+v is found twice", f)
				}
			}
			if !maps.EqualFunc(before, w.disk.Files("/"), bytes.Equal) {
				t.Error("it changed something")
			}
			if n := w.disk.OpenDescriptors(); n != 0 {
				t.Errorf("%d descriptors are open", n)
			}
		})
	}
	if len(corruptions) < 40 {
		t.Errorf("only %d kinds of corruption are tried", len(corruptions))
	}
}

// bearable are the records, one of which a whole store may lack: a crash leaves
// it without, or another host never wrote it.
var bearable = map[string]string{
	"":         "control-after.json control.json result.json validations/0001-end.json",
	"settled":  "control-after.json control.json result.json",
	"failed":   "control-after.json control.json result.json",
	"prepared": "control.json intent.json",
}

// TestFsckMissesNothing takes each file of whole stores away, and cuts each
// short.
func TestFsckMissesNothing(t *testing.T) {
	for story, w := range wholeStores(t) {
		var missed []string
		for _, below := range slices.Sorted(maps.Keys(w.disk.Files(diskStore))) {
			if strings.HasPrefix(below, "leases/") {
				continue
			}
			s := tampered{t, w.clone(0).disk, jobs.Snapshot{}}
			text := s.read(below)
			s.write(below, string(text[:len(text)-1]))
			if len(w.on(s.disk).fsck(t)) == 0 {
				t.Errorf("%q: %s was cut short, nothing is found", story, below)
			}
			s.remove(below)
			if len(w.on(s.disk).fsck(t)) == 0 {
				missed = append(missed, strings.TrimPrefix(below, "coding-jobs/"+w.lab.job.Hex()+"/"))
			}
		}
		if got := strings.Join(missed, " "); got != bearable[story] {
			t.Errorf("%q: nothing is found without any of %s, bearable are %s", story, got, bearable[story])
		}
	}
}
