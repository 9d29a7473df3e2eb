package jobs_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
)

// said is what a text says that it belongs to: each record is parsed as one of
// the job that it names.
type said struct {
	JobID     canon.Digest
	Workspace string
	Result    struct{ OperationID operation.Identity }
	Terminal  struct {
		Result struct{ OperationID operation.Identity }
	}
	Patch struct {
		SourceHead, SourceTree string
		SourceRawDigest        canon.Digest
	}
}

// fuzzRecord holds that what is read is written as the canonical form of what
// was read, and that what is refused leaves nothing. The seeds are the recorded
// files of that name, and samples.
func fuzzRecord[T any](f *testing.F, file string, parse func(text []byte, of said) (T, error), format func(T) ([]byte, error), samples ...string) {
	good := 0
	for _, seed := range append(recordedFiles(f, file), samples...) {
		f.Add([]byte(seed))
		var of said
		_ = json.Unmarshal([]byte(seed), &of)
		if _, err := parse([]byte(seed), of); err == nil {
			good++
		}
	}
	if good == 0 {
		f.Fatal("no seed is a record")
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var of said
		_ = json.Unmarshal(text, &of) // of nothing, where it says nothing
		value, err := parse(text, of)
		if err != nil {
			if !reflect.ValueOf(value).IsZero() {
				t.Fatalf("refused with %v, returned is %+v", err, value)
			}
			return
		}
		canonical, err := canon.Canonicalize(text)
		if err != nil {
			t.Fatal(err)
		}
		if formatted, err := format(value); err != nil || !bytes.Equal(formatted, canonical) {
			t.Fatalf("%q is written as %q (%v)", canonical, formatted, err)
		}
	})
}

// recordedFiles returns the different recorded files of a name.
func recordedFiles(f *testing.F, name string) (texts []string) {
	f.Helper()
	paths, err := filepath.Glob("../testdata/vectors/stores/*.json")
	if err != nil || len(paths) == 0 {
		f.Fatal(paths, err)
	}
	for _, path := range paths {
		document, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		var recorded struct {
			Cases []struct {
				FinalStore struct{ Files map[string]string }
			}
		}
		if err := json.Unmarshal(document, &recorded); err != nil {
			f.Fatal(err)
		}
		for _, c := range recorded.Cases {
			for below, text := range c.FinalStore.Files {
				if strings.HasSuffix(below, name) {
					texts = append(texts, text)
				}
			}
		}
	}
	return texts
}

func FuzzParseResult(f *testing.F) {
	fuzzRecord(f, "result.json", func(text []byte, of said) (jobs.ResultRecord, error) {
		return jobs.ParseResult(text, of.JobID, of.Result.OperationID)
	}, jobs.ResultRecord.Format)
}

func FuzzParseSettlement(f *testing.F) {
	fuzzRecord(f, "settlement.json", func(text []byte, of said) (jobs.Settlement, error) {
		return jobs.ParseSettlement(text, of.JobID, jobs.Intent{
			ExpectedHead: of.Patch.SourceHead, SourceTree: of.Patch.SourceTree, SourceRawDigest: of.Patch.SourceRawDigest,
			Limits: jobs.LargestLimits(), Operation: operation.Binding{OperationID: of.Terminal.Result.OperationID},
		})
	}, jobs.Settlement.Format)
}

func FuzzParseClaim(f *testing.F) {
	fuzzRecord(f, "claim.json", func(text []byte, of said) (jobs.Claim, error) {
		return jobs.ParseClaim(text, of.Workspace)
	}, jobs.Claim.Format)
}

func FuzzParseMarker(f *testing.F) {
	fuzzRecord(f, "started.json", func(text []byte, of said) (jobs.Marker, error) {
		return jobs.ParseMarker(text, of.JobID)
	}, jobs.Marker.Format)
}

const controlSample = `{"contract":"git-algal.control.v1","deciding":{"files":{"info/exclude":"missing"},"frozen":{"core.excludesFile":"Kg=="},"replaceRefs":` +
	`"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","settings":[["local","core.autocrlf","true"]]},"evidence":{"git":{"path":"/usr/bin/git",` +
	`"version":"2.39.5"},"hooks":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","refs":{"refs/heads/main":"0123456789012345678901234567890123456789"}},` +
	`"jobId":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}`

func FuzzParseControl(f *testing.F) {
	fuzzRecord(f, "control.json", func(text []byte, of said) (jobs.Control, error) {
		return jobs.ParseControl(text, of.JobID)
	}, jobs.Control.Format, controlSample)
}

func FuzzParseControlAfter(f *testing.F) {
	sample := strings.Replace(strings.Replace(controlSample, "control.v1", "control-after.v1", 1), `"jobId"`, `"hidden":["a.txt"],"jobId"`, 1)
	fuzzRecord(f, "control-after.json", func(text []byte, of said) (jobs.ControlAfter, error) {
		return jobs.ParseControlAfter(text, of.JobID)
	}, jobs.ControlAfter.Format, sample)
}

// FuzzParseIntent holds that an intent is written as it was read, its defaults
// filled in, and that this changes nothing when it is read again.
func FuzzParseIntent(f *testing.F) {
	for _, seed := range recordedFiles(f, "intent.json") {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		intent, err := jobs.ParseIntent(text)
		if err != nil {
			if !reflect.ValueOf(intent).IsZero() {
				t.Fatalf("refused with %v, returned is %+v", err, intent)
			}
			return
		}
		written, err := intent.Format()
		if err != nil {
			t.Fatal(err)
		}
		again, err := jobs.ParseIntent(written)
		if err != nil || !reflect.DeepEqual(again, intent) {
			t.Fatalf("%q is read as %+v (%v), and before as %+v", written, again, err, intent)
		}
		if canonical, err := canon.Canonicalize(text); err != nil || bytes.Count(canonical, []byte(`"max`)) >= 4 && !bytes.Equal(written, canonical) {
			t.Fatalf("%q is written as %q (%v)", canonical, written, err)
		}
	})
}

// FuzzParseOptions holds that options that are read pass their own check, and
// that what is refused leaves nothing.
func FuzzParseOptions(f *testing.F) {
	f.Add([]byte(`{"adapter":{"argvPrefix":[],"authorityId":"a","executable":"/a","protocol":"algal.coding-operation.v1"},"expectedHead":"0123456789012345678901234567890123456789","operationId":"o","prompt":"p","workspace":"/w"}`))
	f.Add([]byte(`{"adapter":{"account":"a","executable":"/xcb","model":"m"},"expectedHead":"0123456789012345678901234567890123456789","limits":{"maxRuntimeMs":1e3},"prompt":"p","workspace":"/w"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, parse := range []func([]byte) (jobs.Options, error){jobs.ParseOptions, jobs.ParseOptionsV1} {
			o, err := parse(text)
			switch {
			case err == nil && o.Validate() != nil:
				t.Fatalf("%+v is read, and refused: %v", o, o.Validate())
			case err != nil && !reflect.ValueOf(o).IsZero():
				t.Fatalf("refused with %v, returned is %+v", err, o)
			}
		}
	})
}

func FuzzParseSource(f *testing.F) {
	fuzzRecord(f, "no record of this name", func(text []byte, _ said) (jobs.Source, error) {
		return jobs.ParseSource(text)
	}, func(s jobs.Source) ([]byte, error) { return canon.Encode(s) },
		`{"baseRef":"main","baseSha":"0123456789012345678901234567890123456789","evidenceRef":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","headSha":"0123456789012345678901234567890123456789","mergeSha":null,"pullNumber":7,"repository":"example/tool"}`)
}
