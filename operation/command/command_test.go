package command_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
)

// soon is the time within which a call must return that has nothing to wait
// for, on a busy machine.
const soon = 20 * time.Second

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// adapter returns the configuration of the test binary as an adapter.
func adapter(behaviour string, args ...string) operation.Adapter {
	return operation.Adapter{
		Protocol:    operation.Protocol,
		AuthorityID: "ledger-001",
		Executable:  must(os.Executable()),
		ArgvPrefix:  append([]string{asAdapter, behaviour}, args...),
	}
}

func transport(behaviour string, args ...string) *command.Transport {
	return command.New(adapter(behaviour, args...), command.Options{})
}

// submission returns the call that submits payload.
func submission(payload string) operation.Call {
	return operation.Call{
		Binding:        operation.Binding{OperationID: "repair-001", AuthorityID: "ledger-001", RequestDigest: canon.DigestText(must(canon.Canonicalize([]byte(payload))))},
		Payload:        jsontext.Value(payload),
		Deadline:       longestLife,
		MaxOutputBytes: operation.MinOutputBytes,
	}
}

func call() operation.Call { return submission(`{"prompt":"Repair"}`) }

// largeCall is a submission of exactly the largest request.
func largeCall() operation.Call {
	empty := submission(`""`)
	overhead := len(must(must(empty.Request(operation.Submit)).Format()))
	return submission(`"` + strings.Repeat("x", operation.MaxRequestBytes-overhead) + `"`)
}

// requireAccepted fails unless the call brought the canonical outcome back.
func requireAccepted(t *testing.T, call operation.Call, text []byte, err error) {
	t.Helper()
	if err != nil || string(text) != string(outcomeOf(call.Binding)) {
		t.Errorf("got %q, %v", text, err)
	}
}

func requireFault(t *testing.T, want fault.Condition, text []byte, err error) {
	t.Helper()
	if !fault.Is(err, want) || text != nil {
		t.Errorf("got %q, %v, want %v", text, err, want)
	}
}

func readRecords(t *testing.T, name string) []recorded {
	t.Helper()
	var records []recorded
	for line := range strings.Lines(string(must(os.ReadFile(name)))) {
		var r recorded
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

func TestAdapterGetsExactlyTheContract(t *testing.T) {
	dir := must(filepath.EvalSymlinks(t.TempDir()))
	file := filepath.Join(dir, "record")
	config := adapter("record", file, "", "$(not shell) 'é'\n")
	env := []string{"PATH=/nowhere", "GIT_DIR=/elsewhere", "A=1", "GIT_CONFIG_GLOBAL=/x", "GITHUB_X=stays"}
	transport := command.New(config, command.Options{Env: env, Dir: dir})
	config.ArgvPrefix[2], env[2] = "/changed", "A=changed" // New has its own copies

	submit := submission(`{ "prompt": "Rep\u0061ir" }`)
	text, err := transport.Submit(t.Context(), submit)
	requireAccepted(t, submit, text, err)
	observe := submit
	observe.Payload = nil
	text, err = transport.Observe(t.Context(), observe)
	requireAccepted(t, observe, text, err)

	records := readRecords(t, file)
	if len(records) != 2 {
		t.Fatalf("%d processes for two calls", len(records))
	}
	binding := fmt.Sprintf(`{"authorityId":"ledger-001","operationId":"repair-001","requestDigest":"%s"}`, submit.Binding.RequestDigest)
	for i, want := range []struct{ action, stdin string }{
		{"submit", `{"action":"submit","binding":` + binding + `,"contract":"algal.coding-operation-request.v1","payload":{"prompt":"Repair"}}`},
		{"observe", `{"action":"observe","binding":` + binding + `,"contract":"algal.coding-operation-request.v1"}`},
	} {
		got := records[i]
		argv := []string{must(os.Executable()), asAdapter, "record", file, "", "$(not shell) 'é'\n", want.action}
		if !slices.Equal(got.Args, argv) {
			t.Errorf("%s: argv is %q, want %q", want.action, got.Args, argv)
		}
		if got.Stdin != want.stdin {
			t.Errorf("%s: stdin is %s, want %s", want.action, got.Stdin, want.stdin)
		}
		if env := []string{"PATH=/nowhere", "A=1", "GITHUB_X=stays"}; !slices.Equal(got.Env, env) {
			t.Errorf("%s: environment is %q, want %q", want.action, got.Env, env)
		}
		if got.Dir != dir {
			t.Errorf("%s: working directory is %q, want %q", want.action, got.Dir, dir)
		}
		if got.Group != got.Pid || got.Group == syscall.Getpgrp() {
			t.Errorf("%s: process %d is in group %d", want.action, got.Pid, got.Group)
		}
	}
}

func TestNoEnvironmentIsAnEmptyOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "record")
	text, err := transport("record", file).Submit(t.Context(), call())
	requireAccepted(t, call(), text, err)
	records := readRecords(t, file)
	if len(records) != 1 || len(records[0].Env) != 0 || records[0].Dir != must(os.Getwd()) {
		t.Errorf("got %+v", records)
	}
}

func TestStreamsDoNotDeadlock(t *testing.T) {
	large := largeCall()
	large.MaxOutputBytes = operation.MaxOutputBytes
	for name, adapter := range map[string]*command.Transport{
		"reads and answers":                transport("answer"),
		"never reads":                      transport("deaf", string(outcomeOf(large.Binding))),
		"writes before it reads":           transport("write-first", strconv.Itoa(operation.MaxOutputBytes)),
		"fills standard error, then reads": transport("stderr", strconv.Itoa(command.MaxStderrBytes)),
	} {
		start := time.Now()
		text, err := adapter.Submit(t.Context(), large)
		if requireAccepted(t, large, text, err); time.Since(start) > soon {
			t.Errorf("%s: took %v", name, time.Since(start))
		}
	}
}

func TestOutputBounds(t *testing.T) {
	for _, c := range []struct {
		name     string
		bound    int
		adapter  *command.Transport
		accepted bool
	}{
		{"stdout at the least bound", 1_024, transport("stdout", "1024"), true},
		{"stdout one over the least bound", 1_024, transport("stdout", "1025"), false},
		{"stdout at the greatest bound", 1_048_576, transport("stdout", "1048576"), true},
		{"stdout one over the greatest bound", 1_048_576, transport("stdout", "1048577"), false},
		{"stderr at its bound", 1_024, transport("stderr", "65536"), true},
		{"stderr one over its bound", 1_024, transport("stderr", "65537"), false},
		{"stderr far over its bound", 1_024, transport("stderr", "10000000"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := call()
			call.MaxOutputBytes = c.bound
			text, err := c.adapter.Submit(t.Context(), call)
			if c.accepted {
				requireAccepted(t, call, text, err)
			} else if requireFault(t, fault.AdapterFailed, text, err); !strings.Contains(err.Error(), "wrote more than") {
				t.Errorf("another failure: %v", err)
			}
		})
	}
}

func TestAdapterFailures(t *testing.T) {
	const secret = "seecret"
	good := string(outcomeOf(call().Binding))
	other := call().Binding
	other.OperationID = "repair-002"
	directory := t.TempDir()
	plain := filepath.Join(directory, "plain")
	if err := os.WriteFile(plain, []byte("exit 0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	executable := func(name string) *command.Transport {
		config := adapter("answer")
		config.Executable = name
		return command.New(config, command.Options{})
	}
	for name, adapter := range map[string]*command.Transport{
		"exit status":             transport("print", good, "7"),
		"exit status, other text": transport("print", secret, "1"),
		"signal":                  transport("signal"),
		"missing executable":      executable(filepath.Join(directory, "missing")),
		"directory":               executable(directory),
		"no interpreter named":    executable(plain),
		"missing directory":       command.New(adapter("answer"), command.Options{Dir: filepath.Join(directory, "missing")}),
		"no output":               transport("print", "", "0"),
		"not JSON":                transport("print", secret, "0"),
		"cut short":               transport("print", good[:len(good)-1], "0"),
		"two outcomes":            transport("print", good+good, "0"),
		"byte order mark":         transport("print", "\ufeff"+good, "0"),
		"duplicate member":        transport("print", strings.Replace(good, "{", `{"`+secret+`":1,"`+secret+`":1,`, 1), "0"),
		"lone surrogate":          transport("print", strings.Replace(good, `"accepted"`, `"\ud800`+secret+`"`, 1), "0"),
		"unknown member":          transport("print", strings.Replace(good, "{", `{"`+secret+`":1,`, 1), "0"),
		"unknown state":           transport("print", strings.Replace(good, "accepted", secret, 1), "0"),
		"another contract":        transport("print", strings.Replace(good, operation.Protocol, secret, 1), "0"),
		"outcome of another":      transport("print", string(outcomeOf(other)), "0"),
	} {
		t.Run(name, func(t *testing.T) {
			text, err := adapter.Submit(t.Context(), call())
			requireFault(t, fault.AdapterFailed, text, err)
			for ; err != nil; err = errors.Unwrap(err) {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the error quotes the adapter: %q", err)
				}
			}
		})
	}
}

func TestNothingStartsForAnImpossibleCall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "record")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	foreign := call()
	foreign.Binding.AuthorityID = "ledger-002"
	unbound := call()
	unbound.Payload = jsontext.Value("1")
	endless := call()
	endless.Deadline = operation.MaxDeadline + 1
	relative := adapter("record", file)
	relative.Executable = "adapter"
	for name, c := range map[string]struct {
		ctx     context.Context
		adapter operation.Adapter
		call    operation.Call
		want    fault.Condition
	}{
		"cancelled":         {cancelled, adapter("record", file), call(), fault.Cancelled},
		"late":              {late, adapter("record", file), call(), fault.Deadline},
		"another authority": {t.Context(), adapter("record", file), foreign, fault.BindingMismatch},
		"another payload":   {t.Context(), adapter("record", file), unbound, fault.BindingMismatch},
		"deadline":          {t.Context(), adapter("record", file), endless, fault.Malformed},
		"configuration":     {t.Context(), relative, call(), fault.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := command.New(c.adapter, command.Options{}).Submit(c.ctx, c.call)
			requireFault(t, c.want, text, err)
		})
	}
	if _, err := os.Lstat(file); !errors.Is(err, os.ErrNotExist) {
		t.Error("an adapter was started")
	}
}

func TestDispatchOverAProcess(t *testing.T) {
	outcome, err := operation.Dispatch(t.Context(), transport("answer"), operation.Submit, call())
	if err != nil || string(outcome.Canonical()) != string(outcomeOf(call().Binding)) {
		t.Errorf("got %+v, %v", outcome, err)
	}
}
