package jobs_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/state"
)

// clock is a clock that stands still.
func clock() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

var (
	sampleJob   = canon.DigestText("job")
	samplePatch = canon.DigestText("patch")
	sampleRef   = canon.DigestText("start")
	sampleOut   = canon.DigestText("out")
)

func sampleValidationStart() jobs.ValidationStart {
	return jobs.ValidationStart{
		JobID: sampleJob, Number: 1, Name: "unit tests", Argv: []string{"go", "test", "./..."}, PatchDigest: samplePatch,
		Timeout: time.Minute, MaxOutputBytes: jobs.DefaultValidationOutputBytes,
	}
}

func sampleValidationEnd() jobs.ValidationEnd {
	return jobs.ValidationEnd{
		StartRef: sampleRef, Outcome: jobs.ValidationFailed, ExitCode: 1, StdoutRef: sampleOut, StderrRef: sampleOut, Duration: time.Second,
	}
}

func sampleOutput() jobs.Output {
	return jobs.Output{Content: []byte("ok\n"), Bytes: 3, Digest: canon.DigestText("ok\n")}
}

const (
	sampleStartText  = `{"argv":["go","test","./..."],"contract":"git-algal.validation-start.v1","jobId":"JOB","maxOutputBytes":65536,"name":"unit tests","number":1,"patchDigest":"PATCH","timeoutMs":60000}`
	sampleEndText    = `{"contract":"git-algal.validation-end.v1","durationMs":1000,"exitCode":1,"outcome":"failed","startRef":"REF","stderrRef":"OUT","stdoutRef":"OUT","truncated":false}`
	sampleOutputText = `{"bytes":3,"content` + `Base64":"b2sK","contract":"git-algal.output.v1","digest":"DIGEST","truncated":false}`
)

func fill(text string) string {
	return strings.NewReplacer(
		`"JOB"`, `"`+string(sampleJob)+`"`, `"PATCH"`, `"`+string(samplePatch)+`"`, `"REF"`, `"`+string(sampleRef)+`"`,
		`"OUT"`, `"`+string(sampleOut)+`"`, `"DIGEST"`, `"`+string(canon.DigestText("ok\n"))+`"`,
	).Replace(text)
}

// A validationRecord is one of the three records, as these tests see it.
type validationRecord struct {
	name   string
	sample string
	value  any
	parse  func(text []byte) (any, error)
	format func(any) ([]byte, error)
}

func validationRecords() []validationRecord {
	return []validationRecord{
		{
			"start", fill(sampleStartText), sampleValidationStart(),
			func(text []byte) (any, error) { return jobs.ParseValidationStart(text, sampleJob, 1) },
			func(v any) ([]byte, error) { return v.(jobs.ValidationStart).Format() },
		},
		{
			"end", fill(sampleEndText), sampleValidationEnd(),
			func(text []byte) (any, error) { return jobs.ParseValidationEnd(text, sampleRef) },
			func(v any) ([]byte, error) { return v.(jobs.ValidationEnd).Format() },
		},
		{
			"output", fill(sampleOutputText), sampleOutput(),
			func(text []byte) (any, error) { return jobs.ParseOutput(text) },
			func(v any) ([]byte, error) { return v.(jobs.Output).Format() },
		},
	}
}

func TestValidationRecords(t *testing.T) {
	for _, r := range validationRecords() {
		text, err := r.format(r.value)
		if err != nil || string(text) != r.sample {
			t.Errorf("%s: written as %s, %v, want %s", r.name, text, err, r.sample)
		}
		value, err := r.parse([]byte(r.sample))
		if err != nil || !reflect.DeepEqual(value, r.value) {
			t.Errorf("%s: read as %+v, %v, want %+v", r.name, value, err, r.value)
		}
	}
}

func TestValidationRecordsAreClosed(t *testing.T) {
	zero := map[string]any{"start": jobs.ValidationStart{}, "end": jobs.ValidationEnd{}, "output": jobs.Output{}}
	for record, changes := range map[string][]struct {
		name, old, new string
		want           fault.Condition
	}{
		"start": {
			{"contract", "start.v1", "start.v2", fault.Malformed},
			{"unknown member", `"number":1`, `"number":1,"x":1`, fault.Malformed},
			{"missing member", `"number":1,`, ``, fault.Malformed},
			{"letter case", `"number"`, `"Number"`, fault.Malformed},
			{"empty name", `"unit tests"`, `""`, fault.Malformed},
			{"null name", `"unit tests"`, `null`, fault.Malformed},
			{"name of two lines", `unit tests`, `unit\ntests`, fault.Malformed},
			{"no command", `["go","test","./..."]`, `[]`, fault.Malformed},
			{"empty command", `"go"`, `""`, fault.Malformed},
			{"null argument", `"test"`, `null`, fault.Malformed},
			{"NUL", `"test"`, `"\u0000"`, fault.Malformed},
			{"number 0", `"number":1`, `"number":0`, fault.Malformed},
			{"number 65", `"number":1`, `"number":65`, fault.Malformed},
			{"another number", `"number":1`, `"number":2`, fault.StoreInconsistent},
			{"another job", string(sampleJob), string(samplePatch), fault.StoreInconsistent},
			{"patch", `"patchDigest":"s`, `"patchDigest":"S`, fault.Malformed},
			{"short timeout", `60000`, `999`, fault.Malformed},
			{"long timeout", `60000`, `86400001`, fault.Malformed},
			{"negative timeout", `60000`, `-9007199254740991`, fault.Malformed},
			{"endless timeout", `60000`, `9007199254740991`, fault.Malformed},
			{"fractional timeout", `60000`, `1000.5`, fault.Malformed},
			{"small output bound", `65536`, `1023`, fault.Malformed},
			{"large output bound", `65536`, `8388608`, fault.Malformed},
		},
		"end": {
			{"contract", "end.v1", "end.v2", fault.Malformed},
			{"unknown member", `"exitCode":1`, `"exitCode":1,"x":1`, fault.Malformed},
			{"missing member", `"truncated":false`, `"exitCode":1`, fault.Malformed},
			{"unknown outcome", `failed`, `skipped`, fault.Malformed},
			{"derived outcome", `failed`, `running-or-interrupted`, fault.Malformed},
			{"failed with 0", `"exitCode":1`, `"exitCode":0`, fault.Malformed},
			{"passed with 1", `failed`, `passed`, fault.Malformed},
			{"passed by signal", `"exitCode":1,"outcome":"failed"`, `"outcome":"passed","signal":"SIGKILL"`, fault.Malformed},
			{"failed without exit", `"exitCode":1,`, ``, fault.Malformed},
			{"exit and signal", `"exitCode":1,`, `"exitCode":1,"signal":"SIGKILL",`, fault.Malformed},
			{"timed out without exit", `"exitCode":1,"outcome":"failed"`, `"outcome":"timed-out"`, fault.Malformed},
			{"drifted after without exit", `"exitCode":1,"outcome":"failed"`, `"outcome":"drifted-after"`, fault.Malformed},
			{"drifted before with exit", `failed`, `drifted-before`, fault.Malformed},
			{"drifted before with duration", `"exitCode":1,"outcome":"failed"`, `"outcome":"drifted-before"`, fault.Malformed},
			{"exit code 256", `"exitCode":1`, `"exitCode":256`, fault.Malformed},
			{"negative exit code", `"exitCode":1`, `"exitCode":-1`, fault.Malformed},
			{"null exit code", `"exitCode":1`, `"exitCode":null`, fault.Malformed},
			{"empty signal", `"exitCode":1`, `"signal":""`, fault.Malformed},
			{"signal number", `"exitCode":1`, `"signal":"9"`, fault.Malformed},
			{"signal prefix", `"exitCode":1`, `"signal":"SIG"`, fault.Malformed},
			{"long signal", `"exitCode":1`, `"signal":"SIGABCDEFGHIJKLMN"`, fault.Malformed},
			{"negative duration", `1000`, `-1`, fault.Malformed},
			{"long duration", `1000`, `2147483648`, fault.Malformed},
			{"output reference", `"stdoutRef":"s`, `"stdoutRef":"S`, fault.Malformed},
			{"another start", string(sampleRef), string(samplePatch), fault.StoreInconsistent},
		},
		"output": {
			{"contract", "output.v1", "output.v2", fault.Malformed},
			{"unknown member", `"bytes":3`, `"bytes":3,"x":1`, fault.Malformed},
			{"missing member", `"bytes":3,`, ``, fault.Malformed},
			{"fewer bytes", `"bytes":3`, `"bytes":2`, fault.Malformed},
			{"more bytes", `"bytes":3`, `"bytes":4`, fault.Malformed},
			{"truncated nothing", `false`, `true`, fault.Malformed},
			{"too many bytes", `"bytes":3`, `"bytes":9007199254740992`, fault.Malformed},
			{"other content", `b2sK`, `b2tL`, fault.Malformed},
			{"line end", `b2sK`, `b2sK\n`, fault.Malformed},
			{"no base64", `b2sK`, `b2s`, fault.Malformed},
			{"no digest", `"sha256`, `"sha257`, fault.Malformed},
		},
	} {
		for _, c := range changes {
			for _, r := range validationRecords() {
				if r.name != record {
					continue
				}
				text := strings.Replace(r.sample, c.old, c.new, 1)
				if text == r.sample {
					t.Fatalf("%s, %s: the sample does not hold %q", record, c.name, c.old)
				}
				value, err := r.parse([]byte(text))
				if !fault.Is(err, c.want) || !reflect.DeepEqual(value, zero[record]) {
					t.Errorf("%s, %s: read as %+v, %v, want %v", record, c.name, value, err, c.want)
				}
			}
		}
	}
}

func TestValidationOutcomesAndExits(t *testing.T) {
	for name, e := range map[string]jobs.ValidationEnd{
		"passed":         {Outcome: jobs.ValidationPassed},
		"highest status": {Outcome: jobs.ValidationFailed, ExitCode: jobs.MaxExitCode},
		"signal":         {Outcome: jobs.ValidationFailed, Signal: "SIGUSR1"},
		"unnamed signal": {Outcome: jobs.ValidationFailed, Signal: "SIG34"},
		"timed out":      {Outcome: jobs.ValidationTimedOut, Signal: "SIGKILL"},
		"late exit":      {Outcome: jobs.ValidationTimedOut},
		"drifted before": {Outcome: jobs.ValidationDriftedBefore},
		"drifted after":  {Outcome: jobs.ValidationDriftedAfter, ExitCode: 2},
		"truncated":      {Outcome: jobs.ValidationPassed, Truncated: true},
		"long":           {Outcome: jobs.ValidationPassed, Duration: jobs.MaxValidationDuration},
	} {
		e.StartRef, e.StdoutRef, e.StderrRef = sampleRef, sampleOut, sampleOut
		text, err := e.Format()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := jobs.ParseValidationEnd(text, sampleRef); err != nil || got != e {
			t.Errorf("%s: %s is read as %+v, %v", name, text, got, err)
		}
		if has := bytes.Contains(text, []byte(`"exitCode"`)); has == (e.Signal != "" || e.Outcome == jobs.ValidationDriftedBefore) {
			t.Errorf("%s: written as %s", name, text)
		}
	}
}

// TestValidationBounds feeds each bound of a start and one more. At all of
// them at once, with words that JSON writes six times as long, the record
// still fits its file.
func TestValidationBounds(t *testing.T) {
	const escaped = len(`\u0001`)
	argv := func(jsonBytes int) []string {
		words := jsonBytes - len(`["",""]`)
		return []string{strings.Repeat("x", words%escaped), strings.Repeat("\x01", words/escaped)}
	}
	at := sampleValidationStart()
	at.Number, at.Argv = state.MaxValidations, argv(jobs.MaxValidationArgvBytes)
	at.Name = strings.Repeat("\U00010348", jobs.MaxValidationNameChars/2)
	at.Timeout, at.MaxOutputBytes = jobs.MaxValidationTimeout, jobs.MaxValidationOutputBytes
	text, err := at.Format()
	if err != nil || len(text) > state.MaxValidationBytes {
		t.Fatalf("a start at its bounds has %d bytes (%v)", len(text), err)
	}
	if got, err := jobs.ParseValidationStart(text, sampleJob, at.Number); err != nil || !reflect.DeepEqual(got, at) {
		t.Errorf("at the bounds: %v", err)
	}
	for name, change := range map[string]func(*jobs.ValidationStart){
		"argv":    func(s *jobs.ValidationStart) { s.Argv = argv(jobs.MaxValidationArgvBytes + 1) },
		"name":    func(s *jobs.ValidationStart) { s.Name += "x" },
		"number":  func(s *jobs.ValidationStart) { s.Number++ },
		"timeout": func(s *jobs.ValidationStart) { s.Timeout += time.Millisecond },
		"output":  func(s *jobs.ValidationStart) { s.MaxOutputBytes++ },
	} {
		over := at
		change(&over)
		text, err := over.Format()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := jobs.ParseValidationStart(text, sampleJob, over.Number); !fault.Is(err, fault.Malformed) || !reflect.DeepEqual(got, jobs.ValidationStart{}) {
			t.Errorf("%s, one more: %v", name, err)
		}
	}
}

func TestValidationOutputBound(t *testing.T) {
	content := bytes.Repeat([]byte{0xff}, jobs.MaxValidationOutputBytes+1)
	at := jobs.Output{Content: content[1:], Bytes: 1<<53 - 1, Digest: canon.DigestText(content)}
	text, err := at.Format()
	if err != nil || len(text) > state.MaxValueBytes {
		t.Fatalf("an output at its bounds has %d bytes (%v)", len(text), err)
	}
	if got, err := jobs.ParseOutput(text); err != nil || !reflect.DeepEqual(got, at) {
		t.Errorf("at the bound: %v", err)
	}
	over := jobs.Output{Content: content, Bytes: int64(len(content)), Digest: canon.DigestText(content)}
	if text, err = over.Format(); err != nil {
		t.Fatal(err)
	}
	if _, err := jobs.ParseOutput(text); !fault.Is(err, fault.Malformed) {
		t.Errorf("one more: %v", err)
	}
}

func FuzzValidationStart(f *testing.F)  { fuzzValidationRecord(f, "start") }
func FuzzValidationEnd(f *testing.F)    { fuzzValidationRecord(f, "end") }
func FuzzValidationOutput(f *testing.F) { fuzzValidationRecord(f, "output") }

// fuzzValidationRecord holds that what is read is written as the canonical
// form of what was read: no two texts of different meaning are one record.
func fuzzValidationRecord(f *testing.F, name string) {
	for _, r := range validationRecords() {
		if r.name != name {
			continue
		}
		f.Add([]byte(r.sample))
		f.Add([]byte(strings.Replace(r.sample, `"exitCode":1`, `"signal":"SIGKILL"`, 1)))
		f.Add([]byte(strings.Replace(r.sample, `"name":"unit tests",`, ``, 1)))
		f.Add([]byte(strings.Replace(r.sample, `"bytes":3`, `"bytes": 3.0`, 1)))
		f.Fuzz(func(t *testing.T, text []byte) {
			value, err := r.parse(text)
			if err != nil {
				return
			}
			canonical, err := canon.Canonicalize(text)
			if err != nil {
				t.Fatal(err)
			}
			formatted, err := r.format(value)
			if err != nil || !bytes.Equal(formatted, canonical) {
				t.Fatalf("%q is written as %q (%v)", canonical, formatted, err)
			}
		})
	}
}
