package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
)

// stricter names the recorded lives whose adapter is refused here, although
// the recorded host believed it (contract section 9), and why.
var stricter = map[string]string{
	"b-command-bom":    "a byte order mark is refused",
	"b-command-dupkey": "duplicate member names are refused",
}

// recordedAdapter returns the test's adapter that does as the recorded one.
func recordedAdapter(t *testing.T, scenario string, binding operation.Binding) operation.Adapter {
	good := string(outcomeOf(binding))
	switch scenario {
	case "b-command":
		return adapter("lost-reply")
	case "b-command-badjson":
		return adapter("print", "not json\n", "0")
	case "b-command-bom":
		return adapter("print", "\ufeff"+good+"\n", "0")
	case "b-command-dupkey":
		return adapter("print", strings.Replace(good, "{", `{"contract":"x",`, 1), "0")
	case "b-command-missing":
		missing := adapter("answer")
		missing.Executable = filepath.Join(t.TempDir(), "adapter")
		return missing
	case "b-command-no-stdin":
		return adapter("deaf", good)
	case "b-command-stderr":
		return adapter("stderr", "70000")
	}
	t.Fatalf("no adapter does as that of %q", scenario)
	return operation.Adapter{}
}

type recordedLife struct {
	Scenario     string
	WireRequests struct{ Submit, Observe string }
	Steps        []struct {
		Step    string
		Returns struct{ Status, Reason string }
	}
}

// The recorded lives with a command adapter: the requests that went over the
// wire, and the code with which each submission ended.
func TestRecordedLives(t *testing.T) {
	files := must(filepath.Glob(filepath.Join("..", "..", "testdata", "vectors", "stores", "b-command*.json")))
	if len(files) == 0 {
		t.Fatal("no stores")
	}
	for _, file := range files {
		var recorded struct{ Cases []recordedLife }
		if err := json.Unmarshal(must(os.ReadFile(file)), &recorded); err != nil {
			t.Fatal(err)
		}
		for _, life := range recorded.Cases {
			t.Run(life.Scenario, func(t *testing.T) { relive(t, life) })
		}
	}
}

func relive(t *testing.T, life recordedLife) {
	submit := must(operation.ParseRequest([]byte(life.WireRequests.Submit)))
	call := operation.Call{Binding: submit.Binding, Payload: submit.Payload, Deadline: longestLife, MaxOutputBytes: 262_144}
	for action, want := range map[operation.Action]string{operation.Submit: life.WireRequests.Submit, operation.Observe: life.WireRequests.Observe} {
		call := call
		if action == operation.Observe {
			call.Payload = nil
		}
		if text := must(must(call.Request(action)).Format()); string(text) != want {
			t.Errorf("the request is %s, recorded is %s", text, want)
		}
	}

	config := recordedAdapter(t, life.Scenario, call.Binding)
	config.AuthorityID = call.Binding.AuthorityID
	transport := command.New(config, command.Options{})
	calls := 0
	for _, step := range life.Steps {
		switch step.Step {
		case "run":
			_, code, _ := strings.Cut(step.Returns.Reason, ":")
			_, err := transport.Submit(t.Context(), call)
			if reason, refused := stricter[life.Scenario]; refused {
				if code != "" || fault.CodeOf(err) != fault.EffectFailed {
					t.Errorf("recorded %q, got %v, although %s", code, err, reason)
				}
			} else if fault.CodeOf(err) != fault.Code(code) || (err == nil) != (code == "") {
				t.Errorf("recorded %q, got %v", code, err)
			}
		case "reconcile":
			observe := call
			observe.Payload = nil
			outcome, err := operation.Dispatch(t.Context(), transport, operation.Observe, observe)
			if err != nil || string(outcome.Ending()) != step.Returns.Status {
				t.Errorf("recorded %q, got %+v, %v", step.Returns.Status, outcome, err)
			}
		default:
			continue
		}
		calls++
	}
	if calls == 0 {
		t.Error("the life has no call")
	}
}
