package jobs_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

type intentVectors struct {
	Bases map[string]any
	Cases []struct {
		Name                string
		Intent              json.RawMessage
		Canonical           string
		JobID               canon.Digest
		RequestPayload      string `json:"requestPayloadCanonical"`
		RequestDigest       canon.Digest
		OperationKey        canon.Digest `json:"operationKeyDigest"`
		Admission           string
		WorkspacePathDigest canon.Digest
	}
	Invalid []struct {
		Name, Parser, Base string
		Mutation           any
		Accept             bool
		Error              struct{ Code fault.Code }
	}
}

func readIntentVectors(t *testing.T) intentVectors {
	text, err := os.ReadFile("../testdata/vectors/intents.json")
	if err != nil {
		t.Fatal(err)
	}
	var v intentVectors
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Cases) == 0 || len(v.Invalid) == 0 {
		t.Fatal("the vectors hold no cases")
	}
	return v
}

func TestIntentVectors(t *testing.T) {
	for _, c := range readIntentVectors(t).Cases {
		t.Run(c.Name, func(t *testing.T) {
			intent, err := jobs.ParseIntent(c.Intent)
			if err != nil {
				t.Fatal(err)
			}
			text, err := intent.Format()
			if err != nil || string(text) != c.Canonical {
				t.Errorf("canonical text is %s (%v), want %s", text, err, c.Canonical)
			}
			if id, err := intent.ID(); err != nil || id != c.JobID {
				t.Errorf("job id is %s (%v), want %s", id, err, c.JobID)
			}
			if got := canon.DigestText(intent.Workspace); got != c.WorkspacePathDigest {
				t.Errorf("workspace digest is %s, want %s", got, c.WorkspacePathDigest)
			}
			if intent.XCB != nil {
				return
			}
			payload, digest, err := intent.Payload()
			if err != nil || string(payload) != c.RequestPayload || digest != c.RequestDigest {
				t.Errorf("payload is %s, digest %s (%v), want %s, %s", payload, digest, err, c.RequestPayload, c.RequestDigest)
			}
			reservation := intent.Reservation(c.JobID)
			key, err := reservation.Key()
			if err != nil || key != c.OperationKey {
				t.Errorf("operation key is %s (%v), want %s", key, err, c.OperationKey)
			}
			if text, err := reservation.Format(); err != nil || string(text) != c.Admission {
				t.Errorf("reservation is %s (%v), want %s", text, err, c.Admission)
			}
		})
	}
}

// stricterIntents names the mutations that the recorded host accepts and that
// contract section 9 refuses.
var stricterIntents = map[string]string{
	"limits null (accepted: ?? default)":              "null is refused where a value is due",
	"limits.maxRuntimeMs null (accepted: ?? default)": "null is refused where a value is due",
}

func TestIntentMutations(t *testing.T) {
	v := readIntentVectors(t)
	parsers := map[string]func([]byte) error{
		"options":          func(text []byte) error { _, err := jobs.ParseOptionsV1(text); return err },
		"operationOptions": func(text []byte) error { _, err := jobs.ParseOptions(text); return err },
		"intent":           func(text []byte) error { _, err := jobs.ParseIntent(text); return err },
	}
	for _, c := range v.Invalid {
		t.Run(c.Name, func(t *testing.T) {
			text, err := json.Marshal(mutate(t, clone(t, v.Bases[c.Base]), c.Mutation))
			if err != nil {
				t.Fatal(err)
			}
			err = parsers[c.Parser](text)
			_, stricter := stricterIntents[c.Name]
			switch {
			case stricter:
				if fault.CodeOf(err) != fault.ParseFailed {
					t.Errorf("not refused: %v", err)
				}
			case c.Accept && err != nil:
				t.Errorf("refused: %v", err)
			case !c.Accept && fault.CodeOf(err) != c.Error.Code:
				t.Errorf("code is %q (%v), want %q", fault.CodeOf(err), err, c.Error.Code)
			}
		})
	}
}

func clone(t *testing.T, v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var copied any
	if err := json.Unmarshal(text, &copied); err != nil {
		t.Fatal(err)
	}
	return copied
}

// mutate applies a vector's mutation: {set, to}, {delete}, {replace} or a list
// of them; members are named by dotted paths.
func mutate(t *testing.T, document, mutation any) any {
	if list, ok := mutation.([]any); ok {
		for _, m := range list {
			document = mutate(t, document, m)
		}
		return document
	}
	m := mutation.(map[string]any)
	if value, ok := m["replace"]; ok {
		return value
	}
	path, remove := m["delete"].(string)
	if !remove {
		path = m["set"].(string)
	}
	names := strings.Split(path, ".")
	object := document.(map[string]any)
	for _, name := range names[:len(names)-1] {
		child, ok := object[name].(map[string]any)
		if !ok {
			child = map[string]any{}
			object[name] = child
		}
		object = child
	}
	last := names[len(names)-1]
	if remove {
		delete(object, last)
	} else {
		object[last] = generate(t, m["to"])
	}
	return document
}

// generate replaces {generate: description} by what it describes, at any depth.
func generate(t *testing.T, value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = generate(t, value[i])
		}
	case map[string]any:
		description, ok := value["generate"].(string)
		if !ok {
			return value
		}
		unit, rest, found := strings.Cut(description, " repeated ")
		count, err := strconv.Atoi(strings.TrimSuffix(rest, " times"))
		if !found || err != nil {
			t.Fatalf("description %q is not understood", description)
		}
		if unit == "U+0001" {
			return strings.Repeat("\x01", count)
		}
		unquoted, err := strconv.Unquote(unit)
		if err != nil {
			t.Fatalf("description %q is not understood", description)
		}
		return strings.Repeat(unquoted, count)
	}
	return value
}
