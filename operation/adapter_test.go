package operation_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

// intentFile is the part of intents.json that this package's records have in
// it: v2 intents and mutations of their adapters.
type intentFile struct {
	Bases map[string]struct{ Adapter json.RawMessage }
	Cases []struct {
		Name                  string
		Intent                struct{ Adapter json.RawMessage }
		RequestPayload        json.RawMessage
		RequestDigest         canon.Digest
		OperationKeyCanonical string
		OperationKeyDigest    canon.Digest
		Admission             string
		JobID                 canon.Digest
	}
	Invalid []struct {
		verdict
		Parser, Base string
		Mutation     json.RawMessage
	}
}

type mutation struct {
	Set, Delete string
	To          any
}

// adapterMutations returns the mutations of the adapter among those of m.
func adapterMutations(t *testing.T, m json.RawMessage) []mutation {
	t.Helper()
	var several []mutation
	if err := json.Unmarshal(m, &several); err != nil {
		several = make([]mutation, 1)
		if err := json.Unmarshal(m, &several[0]); err != nil {
			t.Fatal(err)
		}
	}
	var ours []mutation
	for _, one := range several {
		if strings.HasPrefix(one.Set+one.Delete, "adapter.") {
			ours = append(ours, one)
		}
	}
	return ours
}

// generated replaces the descriptions of long texts in v.
func generated(t *testing.T, v any) any {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = generated(t, v[i])
		}
	case map[string]any:
		return repeatedText(t, v["generate"].(string))
	}
	return v
}

func TestAdapterVectors(t *testing.T) {
	var file intentFile
	readVectors(t, "intents.json", &file)
	valid, mutated := 0, 0
	for _, c := range file.Cases {
		if c.RequestDigest == "" {
			continue // a v1 intent, whose adapter is another record
		}
		valid++
		t.Run(c.Name, func(t *testing.T) {
			adapter, err := operation.ParseAdapter(c.Intent.Adapter)
			if err != nil {
				t.Fatal(err)
			}
			formatted, err := adapter.Format()
			if err != nil {
				t.Fatal(err)
			}
			requireCanonicalOf(t, c.Intent.Adapter, formatted)
		})
	}
	for _, c := range file.Invalid {
		mutations := adapterMutations(t, c.Mutation)
		if c.Parser != "operationOptions" || len(mutations) == 0 {
			continue
		}
		mutated++
		t.Run(c.Name, func(t *testing.T) {
			members := map[string]any{}
			if err := json.Unmarshal(file.Bases[c.Base].Adapter, &members); err != nil {
				t.Fatal(err)
			}
			for _, m := range mutations {
				if m.Delete != "" {
					delete(members, strings.TrimPrefix(m.Delete, "adapter."))
				} else {
					members[strings.TrimPrefix(m.Set, "adapter.")] = generated(t, m.To)
				}
			}
			adapter, err := operation.ParseAdapter(must(json.Marshal(members)))
			switch {
			case c.Accept && err != nil:
				t.Error(err)
			case !c.Accept && fault.CodeOf(err) != c.Error.Code:
				t.Errorf("got %+v, %v, want %s", adapter, err, c.Error.Code)
			case !c.Accept && adapter.Executable != "":
				t.Errorf("an error came with %+v", adapter)
			}
		})
	}
	if valid == 0 || mutated == 0 {
		t.Fatalf("%d intents and %d mutations", valid, mutated)
	}
}

func sampleAdapter() operation.Adapter {
	return operation.Adapter{Protocol: operation.Protocol, AuthorityID: "ledger-001", Executable: "/opt/adapter", ArgvPrefix: []string{"--profile", ""}}
}

func TestAdapterBounds(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	for name, change := range map[string]func(a *operation.Adapter, over int){
		"executable": func(a *operation.Adapter, over int) { a.Executable = "/" + long(operation.MaxExecutableBytes-1+over) },
		"executable in 2-byte characters": func(a *operation.Adapter, over int) {
			a.Executable = "//" + strings.Repeat("é", operation.MaxExecutableBytes/2-1) + long(over)
		},
		"argument":  func(a *operation.Adapter, over int) { a.ArgvPrefix = []string{long(operation.MaxArgumentBytes + over)} },
		"arguments": func(a *operation.Adapter, over int) { a.ArgvPrefix = make([]string, operation.MaxArguments+over) },
		"sum": func(a *operation.Adapter, over int) {
			a.ArgvPrefix = []string{long(4_096), long(4_096), long(4_096), long(4_096 - len(a.Executable) + over)}
		},
		"authority": func(a *operation.Adapter, over int) {
			a.AuthorityID = operation.Identity(long(operation.MaxIdentityLen + over))
		},
	} {
		at, beyond := sampleAdapter(), sampleAdapter()
		change(&at, 0)
		change(&beyond, 1)
		if _, err := at.Format(); err != nil {
			t.Errorf("%s at its bound: %v", name, err)
		}
		if text, err := beyond.Format(); !fault.Is(err, fault.Malformed) || text != nil {
			t.Errorf("%s one over its bound: %v", name, err)
		}
	}
}

func TestAdapterFormat(t *testing.T) {
	adapter := sampleAdapter()
	const want = `{"argvPrefix":["--profile",""],"authorityId":"ledger-001","executable":"/opt/adapter","protocol":"algal.coding-operation.v1"}`
	if text, err := adapter.Format(); err != nil || string(text) != want {
		t.Errorf("got %s, %v", text, err)
	}
	clone := adapter.Clone()
	clone.ArgvPrefix[0] = "changed"
	if adapter.ArgvPrefix[0] != "--profile" {
		t.Error("a clone shares its arguments")
	}
	adapter.ArgvPrefix = nil
	if text, err := adapter.Format(); err != nil || !strings.HasPrefix(string(text), `{"argvPrefix":[],`) {
		t.Errorf("without arguments: %s, %v", text, err)
	}
	for name, change := range map[string]func(*operation.Adapter){
		"executable of invalid UTF-8": func(a *operation.Adapter) { a.Executable = "/\xff" },
		"argument of invalid UTF-8":   func(a *operation.Adapter) { a.ArgvPrefix = []string{"\xff"} },
		"argument with NUL":           func(a *operation.Adapter) { a.ArgvPrefix = []string{"\x00"} },
		"protocol":                    func(a *operation.Adapter) { a.Protocol = "" },
	} {
		adapter := sampleAdapter()
		change(&adapter)
		if _, err := adapter.Format(); !fault.Is(err, fault.Malformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParseAdapter(f *testing.F) {
	f.Add(must(sampleAdapter().Format()))
	f.Add([]byte(`{"protocol":"algal.coding-operation.v1","authorityId":"a","executable":"/\u00e9","argvPrefix":["\n","\ud83d\ude00"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		adapter, err := operation.ParseAdapter(text)
		if err != nil {
			return
		}
		formatted, err := adapter.Format()
		if err != nil {
			t.Fatal(err)
		}
		requireCanonicalOf(t, text, formatted)
	})
}
