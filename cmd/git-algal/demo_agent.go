//go:build linux || darwin

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

// The demo's agent is this program itself, called as an adapter:
//
//	git-algal demo-agent DIR steady|lossy submit|observe
//
// It keeps a real ledger, works in the checkout, and in its lossy manner dies
// between recording the end of the work and saying so. It serves a running
// demo only: DIR must carry the mark of the demo that is its parent process,
// and the checkout must be that demo's.
const (
	demoAgentWord = "demo-agent"
	demoMark      = "demo.json"
	demoContract  = "git-algal.demo.v1"

	steady = "steady"
	lossy  = "lossy"
)

// A demoMarkFile says which process plays the demo, and where.
type demoMarkFile struct {
	Contract  string `json:"contract"`
	PID       int    `json:"pid"`
	Workspace string `json:"workspace"`
}

func (e environment) asksDemoAgent() bool {
	const words = 4
	return len(e.args) == words && e.args[0] == demoAgentWord
}

// runDemoAgent answers one request and returns the exit status. What it says
// on stderr is for nobody: a host withholds it.
func (e environment) runDemoAgent() int {
	a := demoAgent{dir: e.args[1], manner: e.args[2]}
	text, err := a.answer(e)
	if err == nil {
		_, err = e.stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(e.stderr, err)
		return exitRefused
	}
	return exitDone
}

type demoAgent struct {
	dir    string // of the demo's ledger
	manner string
	mark   demoMarkFile
}

func (a demoAgent) answer(e environment) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(a.dir, demoMark))
	if err == nil {
		a.mark, err = canon.Decode[demoMarkFile](text)
	}
	if err != nil || a.mark.Contract != demoContract || a.mark.PID != e.parent {
		return nil, fault.New(fault.Usage, "this agent serves a running demo only")
	}
	text, err = readAtMost(e.stdin, operation.MaxRequestBytes)
	if err != nil {
		return nil, err
	}
	request, err := operation.ParseRequest(text)
	if err != nil {
		return nil, err
	}
	if string(request.Action) != e.args[3] {
		return nil, fault.New(fault.Malformed, "the request is not the action that was named")
	}
	if request.Action == operation.Submit {
		return a.submit(request)
	}
	return a.observe(request.Binding)
}

// submit records the start, works, records the end, and only then answers. An
// operation that is in the ledger starts nothing.
func (a demoAgent) submit(request operation.Request) ([]byte, error) {
	if text, err := os.ReadFile(a.entry(request.Binding)); err == nil {
		return text, nil
	}
	members, err := canon.Decode[map[string]jsontext.Value](request.Payload)
	if err != nil {
		return nil, err
	}
	workspace, err := canon.Decode[string](members["workspace"])
	if err != nil || workspace != a.mark.Workspace {
		return nil, fault.New(fault.Usage, "this agent works in the demo's own checkout only")
	}
	if err := a.note(startsFile, request.Binding); err != nil {
		return nil, err
	}
	said, err := a.work(workspace)
	if err != nil {
		return nil, err
	}
	accepted, _, err := canon.DigestOf(request.Binding)
	if err != nil {
		return nil, err
	}
	const revision = 2 // after its acceptance, which nobody asked for
	outcome, err := operation.NewTerminal(request.Binding, revision, accepted, operation.Completed, said)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(a.entry(request.Binding), outcome.Canonical(), 0o600); err != nil {
		return nil, err
	}
	if a.manner == lossy {
		return nil, syscall.Kill(os.Getpid(), syscall.SIGKILL) // the answer is lost
	}
	return outcome.Canonical(), nil
}

// work changes the checkout, in another way for each manner.
func (a demoAgent) work(workspace string) (said string, err error) {
	if a.manner == lossy {
		return "I left notes for the next reader.\n",
			os.WriteFile(filepath.Join(workspace, "notes.txt"), []byte("Say hello to everybody.\n"), 0o644)
	}
	readme, err := os.OpenFile(filepath.Join(workspace, "README.md"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return "", err
	}
	_, err = readme.WriteString("\nRun ./hello to be greeted.\n")
	if err := errors.Join(err, readme.Close()); err != nil {
		return "", err
	}
	return "I wrote hello and mentioned it in the README.\n",
		os.WriteFile(filepath.Join(workspace, "hello"), []byte("#!/bin/sh\necho Hello, reader.\n"), 0o755)
}

// observe looks the operation up and changes nothing but the demo's count.
func (a demoAgent) observe(binding operation.Binding) ([]byte, error) {
	if err := a.note(lookupsFile, binding); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(a.entry(binding))
	if errors.Is(err, fs.ErrNotExist) {
		unknown, err := operation.NewUnknown(binding, 0, operation.Missing)
		return unknown.Canonical(), err
	}
	return text, err
}

// The ledger's counts: one line for each start and each lookup.
const (
	startsFile  = "starts"
	lookupsFile = "lookups"
)

func (a demoAgent) entry(binding operation.Binding) string {
	digest := canon.DigestText(string(binding.OperationID) + "\n" + string(binding.RequestDigest))
	return filepath.Join(a.dir, digest.Hex()+".json")
}

func (a demoAgent) note(count string, binding operation.Binding) error {
	file, err := os.OpenFile(filepath.Join(a.dir, count), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, binding.OperationID)
	return errors.Join(err, file.Close())
}

// counted returns how often the ledger in dir notes the operation.
func counted(dir, count string, id operation.Identity) (int, error) {
	text, err := os.ReadFile(filepath.Join(dir, count))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	return strings.Count("\n"+string(text), "\n"+string(id)+"\n"), err
}
