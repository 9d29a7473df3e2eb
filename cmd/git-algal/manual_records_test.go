//go:build linux || darwin

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/gitindex"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

const storePage = "git-algal-store.5"

// TestManualHasTheLayout holds git-algal-store(5) to the names of package
// state.
func TestManualHasTheLayout(t *testing.T) {
	job := canon.DigestText("a job")
	const most = state.MaxCarriedBytes
	program := []string{"values/HEX.json", "leases/job-HEX.lock", "leases/job-HEX.note", "leases/admission.lock", "leases/admission.note"}
	for _, name := range []state.Name{
		state.Intent(job), state.Marker(job), state.Result(job), state.Resolution(job), state.Settlement(job, most),
		state.Observation(job, 1, most), state.Control(job), state.ControlAfter(job), state.ValidationStart(job, 1),
		state.ValidationEnd(job, 1), state.Reservation(job), state.Claim(job),
	} {
		path := strings.ReplaceAll(name.String(), job.Hex(), "HEX")
		program = append(program, strings.Replace(path, "0001", "NNNN", 1))
	}
	lines := openManualPage(t, storePage).sections["LAYOUT"]
	registry := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "The registry") })
	compareSets(t, "layout", program, itemArgs("Pa", lines[:registry]))
	compareSets(t, "registry", []string{"HEX.json", "HEX.lock", "HEX.note"}, itemArgs("Pa", lines[registry:]))
}

// TestManualHasTheBounds holds the numbers of git-algal-store(5) to constants.
func TestManualHasTheBounds(t *testing.T) {
	var program []string
	for _, bound := range []int{
		state.MaxJobs, state.MaxReservations, state.MaxObservations, state.MaxValidations,
		state.MaxIntentBytes, state.MaxResultBytes, state.MaxClaimBytes, state.MaxMarkerBytes, state.MaxReservationBytes,
		state.MaxControlBytes, state.MaxValidationBytes, state.MaxValueBytes,
		operation.MaxObservationOverhead, state.Settlement(canon.DigestText("a job"), 1).Bound() - 1,
		jobs.MaxPromptBytes, jobs.MinRuntimeMs, jobs.MaxRuntimeMs, jobs.MinOutputBytes, jobs.MaxOutputBytes,
		jobs.MinPatchBytes, jobs.MaxPatchBytes, jobs.MaxChangedFiles, jobs.MaxPathChars,
		gitindex.MaxEntries, gitplumb.MaxRawBytes, gitplumb.MaxStatusBytes,
	} {
		program = append(program, humanize.Comma(int64(bound)))
	}
	var documented []string
	for _, item := range items(openManualPage(t, storePage).sections["BOUNDS"]) {
		documented = append(documented, regexp.MustCompile(`\d[\d,]*\d`).FindAllString(strings.Join(item.body, " "), -1)...)
	}
	compareSets(t, "bounds", program, documented)
}

// keptRecords are the members of every kind of record, as they are found in
// real ones. A kind is the record's contract, else what the manual calls it.
type keptRecords map[string][]string

// TestManualHasEveryRecord holds the lists of members in the manual to the
// records: of the vectors, of a job whose answer was lost, and of a validation.
func TestManualHasEveryRecord(t *testing.T) {
	k := keptRecords{}
	k.addVectors(t)
	k.addValidation(t)
	k.addNote(t)
	k.addLedger(t)
	k.addJob(t)
	documented := map[string][]string{}
	for kinds, members := range documentedRecords(t) {
		var found []string
		for kind := range strings.SplitSeq(kinds, " ") {
			documented[kind] = members
			if k[kind] == nil {
				t.Errorf("the manual has the record %q, which no store holds", kind)
			}
			found = append(found, k[kind]...)
		}
		compareSets(t, "members of "+kinds, innermost(found), innermost(members))
	}
	for kind := range k {
		if documented[kind] == nil {
			t.Errorf("the manual lacks the record %q", kind)
		}
	}
}

// documentedRecords returns the members that the manual lists behind each
// comment "record:", by the kinds that stand there.
func documentedRecords(tb testing.TB) map[string][]string {
	all := map[string][]string{}
	for _, page := range manualPages(tb) {
		for _, lines := range page.sections {
			kinds := ""
			for _, line := range lines {
				if rest, ok := strings.CutPrefix(line, `.\" record: `); ok {
					kinds = rest
				} else if line == ".El" {
					kinds = ""
				} else if kinds != "" && strings.HasPrefix(line, ".It ") {
					all[kinds] = append(all[kinds], argsOf("Fa", []string{line})...)
				}
			}
		}
	}
	return all
}

// freelyNamed are objects whose members' names are data; the manual says NAME.
var freelyNamed = []string{"deciding.files", "deciding.frozen", "evidence.refs", "environment"}

// add takes the members of a record. Records inside it are taken for
// themselves, and of a payload the task.
func (k keptRecords) add(tb testing.TB, kind string, text []byte) {
	tb.Helper()
	var record map[string]any
	if err := json.Unmarshal(text, &record); err != nil {
		tb.Fatalf("%s: %v", kind, err)
	}
	k.addObject(kind, "", record)
}

func (k keptRecords) addObject(kind, prefix string, object map[string]any) {
	if contract, ok := object["contract"].(string); ok {
		if prefix != "" {
			k[kind] = append(k[kind], prefix)
		}
		kind, prefix = contract, ""
	}
	if prefix != "" {
		prefix += "."
	}
	for name, value := range object {
		if slices.Contains(freelyNamed, strings.TrimSuffix(prefix, ".")) {
			name = "NAME"
		}
		k.addValue(kind, prefix+name, value)
	}
}

func (k keptRecords) addValue(kind, name string, value any) {
	switch value := value.(type) {
	case map[string]any:
		k.addObject(kind, name, value)
	case []any:
		k[kind] = append(k[kind], name)
		for _, element := range value {
			if object, ok := element.(map[string]any); ok {
				k.addObject(kind, name+"[]", object)
			}
		}
	default:
		k[kind] = append(k[kind], name)
	}
}

// addJob takes the records of a job that was uncertain and then completed.
func (k keptRecords) addJob(t *testing.T) {
	t.Helper()
	p := newPerson(t, "submit killed\nwrite a.txt changed\n")
	p.commit(t)
	env := testEnvironment(t)
	env.dir, env.variables = p.workspace, p.variables
	for _, words := range []struct {
		args []string
		exit int
	}{
		{[]string{"run", "--adapter", "agent", "-m", "x"}, exitUncertain},
		{[]string{"reconcile"}, exitDone},
	} {
		env.args = words.args
		if stdout, stderr, exit := inProcess(env); exit != words.exit {
			t.Fatalf("%q ends with %d: %s%s", words.args, exit, stdout, stderr)
		}
	}
	err := filepath.WalkDir(filepath.Join(p.home, ".local", "state"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			k.add(t, "envelope", text)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// addVectors takes the recorded stores and requests, and the intents, which
// show what no walk needs: xcb workers and the evidence of pull requests.
func (k keptRecords) addVectors(t *testing.T) {
	t.Helper()
	vectors := filepath.Join("..", "..", "testdata", "vectors")
	stores, err := filepath.Glob(filepath.Join(vectors, "stores", "*.json"))
	if err != nil || len(stores) == 0 {
		t.Fatalf("no recorded stores: %v", err)
	}
	for _, name := range stores {
		var recorded struct {
			Cases []struct {
				WireRequests map[string]string
				FinalStore   struct{ Files map[string]string }
			}
		}
		readJSON(t, name, &recorded)
		for _, c := range recorded.Cases {
			for _, request := range c.WireRequests {
				k.add(t, "request", []byte(request))
			}
			for path, text := range c.FinalStore.Files {
				// What is no record was planted to be refused.
				if json.Valid([]byte(text)) && (strings.HasPrefix(path, "values/") || strings.Contains(text, `"contract":"`)) {
					k.addRecorded(t, text)
				}
			}
		}
	}
	var intents struct {
		Cases []struct{ Canonical string }
	}
	readJSON(t, filepath.Join(vectors, "intents.json"), &intents)
	if len(intents.Cases) == 0 {
		t.Fatal("no recorded intents")
	}
	for _, c := range intents.Cases {
		k.add(t, "intent", []byte(c.Canonical))
	}
}

func (k keptRecords) addRecorded(t *testing.T, text string) {
	var head struct{ Contract, Version any }
	if json.Unmarshal([]byte(text), &head) == nil && (head.Contract != nil || head.Version != nil) {
		k.add(t, "envelope", []byte(text))
	}
}

func readJSON(tb testing.TB, name string, into any) {
	tb.Helper()
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// addValidation takes the records of a validation.
func (k keptRecords) addValidation(t *testing.T) {
	t.Helper()
	digest := canon.DigestText("x")
	start := jobs.ValidationStart{
		JobID: digest, Number: 1, Name: "tests", Argv: []string{"true"}, PatchDigest: digest, Timeout: time.Second, MaxOutputBytes: 1024,
	}
	for _, record := range []interface{ Format() ([]byte, error) }{
		start, jobs.Output{Digest: digest},
		jobs.ValidationEnd{StartRef: digest, Outcome: jobs.ValidationPassed, StdoutRef: digest, StderrRef: digest},
		jobs.ValidationEnd{StartRef: digest, Outcome: jobs.ValidationFailed, Signal: "SIGKILL", StdoutRef: digest, StderrRef: digest},
	} {
		text, err := record.Format()
		if err != nil {
			t.Fatal(err)
		}
		k.add(t, fmt.Sprintf("%T", record), text)
	}
}

// addNote takes what lies beside a lock that is held.
func (k keptRecords) addNote(t *testing.T) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "store")
	store, err := state.Open(state.OS(), root, state.HeldBy(state.Holder{PID: 1, Host: "host", Command: "git-algal run", Now: time.Now}))
	if err != nil {
		t.Fatal(err)
	}
	lease, err := store.AdmissionLease(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "leases", "admission.note"))
	if err = errors.Join(err, lease.Release()); err != nil {
		t.Fatal(err)
	}
	k.add(t, "note", text)
}

// TestManualHasTheObservation holds git-algal-observe(1) to what the tool says
// of a failed job.
func TestManualHasTheObservation(t *testing.T) {
	p := newPerson(t, "submit failed\n")
	p.commit(t)
	env := testEnvironment(t)
	env.dir, env.variables = p.workspace, p.variables
	env.args = []string{"run", "--adapter", "agent", "-m", "x"}
	if stdout, stderr, exit := inProcess(env); exit != exitUnsuccess {
		t.Fatalf("run ends with %d: %s%s", exit, stdout, stderr)
	}
	env.args = []string{"observe"}
	stdout, stderr, exit := inProcess(env)
	if exit != exitDone {
		t.Fatalf("observe ends with %d: %s", exit, stderr)
	}
	said := keptRecords{}
	said.add(t, "tool", []byte(strings.Replace(stdout, `"contract"`, `"contractOfIt"`, 1)))
	var members []string
	for _, name := range said["tool"] {
		if strings.HasPrefix(name, "observation.result.") {
			name = "observation.result" // git-algal-store(5) describes it
		}
		members = append(members, strings.Replace(name, "contractOfIt", "contract", 1))
	}
	documented := itemArgs("Va", openManualPage(t, "git-algal-observe.1").sections["JSON OUTPUT"])
	compareSets(t, "observation", members, documented)
}
