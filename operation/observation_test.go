package operation_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

// Every observation that the recorded host wrote is read, chains, and is
// written again byte for byte.
func TestRecordedObservations(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "vectors", "stores", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no stores: %v", err)
	}
	seen := 0
	for _, file := range files {
		var life struct {
			Cases []struct {
				Steps []struct{ StoreAdded map[string]json.RawMessage }
			}
		}
		readVectors(t, filepath.Join("stores", filepath.Base(file)), &life)
		for _, c := range life.Cases {
			for _, step := range c.Steps {
				for name, raw := range step.StoreAdded {
					var text string
					if filepath.Base(filepath.Dir(name)) != "observations" || json.Unmarshal(raw, &text) != nil || text == "" {
						continue
					}
					seen++
					checkRecordedObservation(t, filepath.Base(file)+" "+name, text)
				}
			}
		}
	}
	if seen == 0 {
		t.Fatal("no observations")
	}
}

func checkRecordedObservation(t *testing.T, name, text string) {
	t.Helper()
	var members struct{ Outcome operation.Binding }
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	observation, err := operation.ParseObservation([]byte(text), members.Outcome, operation.MaxOutputBytes)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if formatted, err := observation.Format(); err != nil || string(formatted) != text {
		t.Errorf("%s: formatted as %s, %v", name, formatted, err)
	}
}

func sampleObservation() operation.Observation {
	return operation.Observation{JobID: job, Outcome: must(operation.NewAccepted(testBinding(), 1, acceptance))}
}

func TestObservation(t *testing.T) {
	first := sampleObservation()
	second := operation.Observation{JobID: job, PreviousRef: first.Outcome.Ref(),
		Outcome: must(operation.NewTerminal(testBinding(), 2, acceptance, operation.Completed, "done"))}
	for _, observation := range []operation.Observation{first, second} {
		text := must(observation.Format())
		got, err := operation.ParseObservation(text, testBinding(), operation.MinOutputBytes)
		if err != nil || got != observation {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
	}
	if !strings.Contains(string(must(first.Format())), `"previousRef":null`) {
		t.Error("the first observation names a previous one")
	}
}

func TestObservationRefuses(t *testing.T) {
	good := string(must(sampleObservation().Format()))
	for name, c := range map[string]struct {
		text string
		want fault.Condition
	}{
		"contract":         {strings.Replace(good, "observation.v1", "observation.v2", 1), fault.Malformed},
		"job":              {strings.Replace(good, string(job), "sha256:0", 1), fault.Malformed},
		"previous":         {strings.Replace(good, "null", `"sha256:0"`, 1), fault.Malformed},
		"no previous":      {strings.Replace(good, `"previousRef":null`, "", 1), fault.Malformed},
		"outcome null":     {good[:strings.Index(good, `"outcome":`)] + `"outcome":null,` + good[strings.Index(good, `"outcomeRef"`):], fault.Malformed},
		"outcome's form":   {strings.Replace(good, `"accepted"`, `"running"`, 1), fault.Malformed},
		"outcome's digest": {strings.Replace(good, `"revision":1`, `"revision":9`, 1), fault.StoreInconsistent},
		"binding":          {strings.Replace(good, "repair-001", "repair-002", 1), fault.StoreInconsistent},
	} {
		got, err := operation.ParseObservation([]byte(c.text), testBinding(), operation.MinOutputBytes)
		if !fault.Is(err, c.want) || got != (operation.Observation{}) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	for name, o := range map[string]operation.Observation{
		"job":      {Outcome: sampleObservation().Outcome},
		"outcome":  {JobID: job},
		"previous": {JobID: job, PreviousRef: "sha256:0", Outcome: sampleObservation().Outcome},
	} {
		if text, err := o.Format(); !fault.Is(err, fault.Malformed) || text != nil {
			t.Errorf("format without %s: %s, %v", name, text, err)
		}
	}
}

func TestObservationOverheadStaysBelowItsBound(t *testing.T) {
	o := sampleObservation()
	o.PreviousRef = otherRef
	if overhead := len(must(o.Format())) - len(o.Outcome.Canonical()); overhead > operation.MaxObservationOverhead {
		t.Errorf("an observation has %d bytes beyond its outcome", overhead)
	}
}

func FuzzParseObservation(f *testing.F) {
	f.Add(must(sampleObservation().Format()))
	f.Fuzz(func(t *testing.T, text []byte) {
		observation, err := operation.ParseObservation(text, testBinding(), operation.MinOutputBytes)
		if err != nil {
			return
		}
		formatted, err := observation.Format()
		if err != nil {
			t.Fatal(err)
		}
		requireCanonicalOf(t, text, formatted)
	})
}
