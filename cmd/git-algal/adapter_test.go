//go:build linux || darwin

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
)

// scriptedAdapter is an adapter for tests:
//
//	scripted-adapter LEDGER SCRIPT submit|observe
//
// The script is read anew at each call. Its lines are
//
//	submit MANNER     how a submission is answered
//	observe MANNER    how a lookup is answered; by default "recorded"
//	write PATH TEXT   the work: append a line to a file of the workspace
//	delete PATH       the work: remove a file
//	bytes             the work: make a file whose name is no UTF-8
//	await FILE        work only once that file of the ledger exists
//	stderr TEXT       what is said on standard error
//	answer TEXT       the agent's answer; ESC stands for the control character
//
// and the manners
//
//	completes, failed, cancelled   a terminal outcome
//	accepted      the acceptance, and no work
//	lost          the work is done and recorded; exit status 1, no answer
//	killed        the same; the process kills itself
//	garbage       an answer that is no JSON
//	recorded      what the ledger holds, else unknown: missing
//
// The ledger counts starts and lookups and keeps what the adapter was given.
func scriptedAdapter() {
	if err := (&scripted{}).serve(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type scripted struct {
	ledger  string
	manners map[string]string // of submit and observe
	work    [][2]string       // verb and rest
	answer  string
	request operation.Request
}

func (a *scripted) serve(ledger, script, action string) error {
	a.ledger, a.manners = ledger, map[string]string{"observe": "recorded"}
	if err := a.readScript(script); err != nil {
		return err
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	if a.request, err = operation.ParseRequest(text); err != nil {
		return err
	}
	if string(a.request.Action) != action {
		return errors.New("the request is another action")
	}
	if err := a.note("environment", strings.Join(os.Environ(), "\n")); err != nil {
		return err
	}
	if err := a.note("arguments", strings.Join(os.Args, "\n")); err != nil {
		return err
	}
	if action == string(operation.Submit) {
		err = a.note("starts", string(a.request.Binding.OperationID))
	} else {
		err = a.note("lookups", string(a.request.Binding.OperationID))
	}
	if err != nil {
		return err
	}
	return a.reply(a.manners[action])
}

func (a *scripted) readScript(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		verb, rest, _ := strings.Cut(lines.Text(), " ")
		switch verb {
		case "submit", "observe":
			a.manners[verb] = rest
		case "write", "delete", "bytes", "await":
			a.work = append(a.work, [2]string{verb, rest})
		case "answer":
			a.answer = strings.ReplaceAll(rest, "ESC", "\x1b")
		case "stderr":
			fmt.Fprintln(os.Stderr, rest)
		case "":
		default:
			return fmt.Errorf("script line %q", lines.Text())
		}
	}
	return nil
}

func (a *scripted) reply(manner string) error {
	endings := map[string]operation.Ending{
		"completes": operation.Completed, "lost": operation.Completed, "killed": operation.Completed,
		"failed": operation.Failed, "cancelled": operation.Cancelled,
	}
	binding := a.request.Binding
	acceptance := canon.DigestText(string(binding.OperationID))
	if ending, ok := endings[manner]; ok {
		if a.request.Action == operation.Submit {
			if err := a.doWork(); err != nil {
				return err
			}
		}
		outcome, err := operation.NewTerminal(binding, 2, acceptance, ending, a.answer)
		if err != nil {
			return err
		}
		if err := os.WriteFile(a.entry(), outcome.Canonical(), 0o600); err != nil {
			return err
		}
		if err := a.note("ended", string(binding.OperationID)); err != nil {
			return err
		}
		switch manner {
		case "lost":
			os.Exit(1)
		case "killed":
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return say(outcome.Canonical())
	}
	switch manner {
	case "accepted":
		outcome, err := operation.NewAccepted(binding, 1, acceptance)
		if err != nil {
			return err
		}
		return say(outcome.Canonical())
	case "garbage":
		return say([]byte("the agent says hello"))
	case "recorded":
		text, err := os.ReadFile(a.entry())
		if errors.Is(err, fs.ErrNotExist) {
			unknown, err := operation.NewUnknown(binding, 0, operation.Missing)
			if err != nil {
				return err
			}
			return say(unknown.Canonical())
		}
		if err != nil {
			return err
		}
		return say(text)
	}
	return fmt.Errorf("no manner %q", manner)
}

func (a *scripted) doWork() error {
	members, err := canon.Decode[map[string]jsontext.Value](a.request.Payload)
	if err != nil {
		return err
	}
	workspace, err := canon.Decode[string](members["workspace"])
	if err != nil {
		return err
	}
	for _, step := range a.work {
		path, text, _ := strings.Cut(step[1], " ")
		switch step[0] {
		case "write":
			name := filepath.Join(workspace, path)
			if err = os.MkdirAll(filepath.Dir(name), 0o755); err == nil {
				err = appendTo(name, text)
			}
		case "bytes":
			err = appendTo(filepath.Join(workspace, "bad\xff"), text)
		case "delete":
			err = os.Remove(filepath.Join(workspace, path))
		case "await":
			err = a.await(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *scripted) await(name string) error {
	for deadline := time.Now().Add(awaitLimit); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(a.ledger, name)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%q did not appear", name)
}

func (a *scripted) entry() string {
	return filepath.Join(a.ledger, canon.DigestText(string(a.request.Binding.RequestDigest)).Hex()+".json")
}

func (a *scripted) note(name, line string) error {
	return appendTo(filepath.Join(a.ledger, name), line)
}

func appendTo(path, line string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, line)
	return errors.Join(err, file.Close())
}

func say(text []byte) error {
	_, err := os.Stdout.Write(text)
	return err
}
