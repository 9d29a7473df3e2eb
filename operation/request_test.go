package operation_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

type requestVector struct {
	verdict
	Request   json.RawMessage
	Canonical string
	Generate  *struct {
		Request, Payload string
		RequestDigest    canon.Digest
	}
}

func readRequests(t testing.TB) []requestVector {
	t.Helper()
	var file struct{ Cases []requestVector }
	readVectors(t, "requests.json", &file)
	if len(file.Cases) == 0 {
		t.Fatal("no cases")
	}
	return file.Cases
}

// text returns the request as an adapter would read it.
func (v requestVector) text(t testing.TB) []byte {
	t.Helper()
	if v.Generate == nil {
		return v.Request
	}
	if v.Generate.Request != "submit with binding.requestDigest = digest of the generated payload" {
		t.Fatalf("description %q is not understood", v.Generate.Request)
	}
	payload := generatedPayload(t, v.Generate.Payload)
	digest, _, err := canon.DigestCanonical([]byte(payload))
	if err != nil || digest != v.Generate.RequestDigest {
		t.Fatalf("the generated payload has digest %s (%v), want %s", digest, err, v.Generate.RequestDigest)
	}
	return []byte(`{"contract":"algal.coding-operation-request.v1","action":"submit","binding":{"operationId":"repair-001",` +
		`"authorityId":"ledger-001","requestDigest":"` + string(digest) + `"},"payload":` + payload + `}`)
}

func TestRequestVectors(t *testing.T) {
	for _, v := range readRequests(t) {
		t.Run(v.Name, func(t *testing.T) {
			request, err := operation.ParseRequest(v.text(t))
			if err != nil {
				if request.Action != "" || request.Payload != nil || request.Binding != (operation.Binding{}) {
					t.Errorf("an error came with %+v", request)
				}
				v.holds(t, nil, err)
				return
			}
			canonical, err := request.Format()
			v.holds(t, canonical, err)
			if v.Canonical != "" && string(canonical) != v.Canonical {
				t.Errorf("formatted as %s, want %s", canonical, v.Canonical)
			}
		})
	}
}

func TestParseRequestRefuses(t *testing.T) {
	observe := string(must(must(operation.NewObserve(testBinding())).Format()))
	for name, text := range map[string]string{
		"empty":                 "",
		"trailing data":         observe + "{}",
		"byte order mark":       "\ufeff" + observe,
		"duplicate member":      strings.Replace(observe, "{", `{"action":"observe",`, 1),
		"other letter case":     strings.Replace(observe, `"action"`, `"Action"`, 1),
		"action of wrong type":  strings.Replace(observe, `"observe"`, `1`, 1),
		"action in other case":  strings.Replace(observe, `"observe"`, `"Observe"`, 1),
		"null binding":          `{"action":"observe","binding":null,"contract":"algal.coding-operation-request.v1"}`,
		"overflow in a payload": strings.Replace(strings.Replace(observe, `"observe"`, `"submit"`, 1), "{", `{"payload":1e400,`, 1),
		"lone surrogate":        strings.Replace(strings.Replace(observe, `"observe"`, `"submit"`, 1), "{", `{"payload":"\ud800",`, 1),
		"duplicate in payload":  strings.Replace(strings.Replace(observe, `"observe"`, `"submit"`, 1), "{", `{"payload":{"a":1,"a":1},`, 1),
	} {
		if _, err := operation.ParseRequest([]byte(text)); fault.CodeOf(err) != fault.ParseFailed {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRequestHoldsPayloadToItsBinding(t *testing.T) {
	binding := testBinding()
	request, err := operation.NewSubmit(binding, jsontext.Value(` { "prompt" : "Rep\u0061ir" } `))
	if err != nil {
		t.Fatal(err)
	}
	if string(request.Payload) != `{"prompt":"Repair"}` {
		t.Errorf("payload is %s", request.Payload)
	}
	if _, err := operation.NewSubmit(binding, jsontext.Value(`{"prompt":"repair"}`)); !fault.Is(err, fault.BindingMismatch) {
		t.Errorf("another payload: %v", err)
	}
	if _, err := operation.NewSubmit(binding, nil); !fault.Is(err, fault.Malformed) {
		t.Errorf("no payload: %v", err)
	}
	if _, err := (operation.Request{Action: operation.Observe, Binding: binding, Payload: jsontext.Value("{}")}).Format(); !fault.Is(err, fault.Malformed) {
		t.Errorf("observe with a payload: %v", err)
	}
	if _, err := (operation.Request{Action: "recover", Binding: binding}).Format(); !fault.Is(err, fault.Malformed) {
		t.Errorf("another action: %v", err)
	}
	request.Payload = jsontext.Value(`"changed"`)
	if _, err := request.Format(); !fault.Is(err, fault.BindingMismatch) {
		t.Errorf("payload changed afterwards: %v", err)
	}
}

func TestPayloadStringsAreBoundedTogether(t *testing.T) {
	// The canonical payload is smaller than its parts here only by JSON's own
	// bytes, so the bound of the parts must strike first.
	half := strings.Repeat("x", operation.MaxPayloadStringBytes/2)
	payload := jsontext.Value(`["` + half + `","` + half + `","y"]`)
	binding := testBinding()
	binding.RequestDigest = canon.DigestText(must(canon.Canonicalize(payload)))
	_, err := operation.NewSubmit(binding, payload)
	if !fault.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "strings and keys") {
		t.Errorf("got %v", err)
	}
}

func TestRequestErrorsQuoteNoPayload(t *testing.T) {
	for _, payload := range []string{`{"secret":"secret"}`, `{"secret":secret}`, `"secret`, `{"secret":1,"secret":2}`, `"` + strings.Repeat("secret", 200_000) + `"`} {
		_, err := operation.NewSubmit(testBinding(), jsontext.Value(payload))
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v", err)
		}
	}
}

func FuzzParseRequest(f *testing.F) {
	for _, v := range readRequests(f) {
		if text := v.text(f); len(text) < 4_096 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		request, err := operation.ParseRequest(text)
		if err != nil {
			return
		}
		formatted, err := request.Format()
		if err != nil {
			t.Fatal(err)
		}
		requireCanonicalOf(t, text, formatted)
	})
}

// requireCanonicalOf fails unless formatted is exactly the canonical form of
// the text that was parsed.
func requireCanonicalOf(t *testing.T, text, formatted []byte) {
	t.Helper()
	canonical, err := canon.Canonicalize(text)
	if err != nil {
		t.Fatalf("a text that is not JSON was accepted: %v", err)
	}
	if !bytes.Equal(formatted, canonical) {
		t.Fatalf("formatted as %s, canonical is %s", formatted, canonical)
	}
}
