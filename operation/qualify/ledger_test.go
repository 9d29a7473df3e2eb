package qualify_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
	"github.com/git-algal/git-algal/operation/qualify"
)

// The first arguments by which the test binary becomes an adapter, or the
// descendant of the harmless agent:
//
//	as-adapter LEDGER FAULT submit|observe
//	as-descendant DIR MARK MILLISECONDS
const (
	asAdapter    = "as-adapter"
	asDescendant = "as-descendant"
)

// longestLife ends every process that a failed test might leave.
const longestLife = time.Minute

func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == asDescendant {
		ms, err := strconv.Atoi(os.Args[4])
		if err == nil {
			err = qualify.Linger(os.Args[2], os.Args[3], time.Duration(ms)*time.Millisecond)
		}
		exit(err)
	}
	if len(os.Args) == 5 && os.Args[1] == asAdapter {
		time.AfterFunc(longestLife, func() { exit(errors.New("too long")) })
		l := &ledger{dir: os.Args[2], fault: os.Args[3], stdout: os.Stdout, stderr: os.Stderr}
		exit(l.serve(context.Background(), operation.Action(os.Args[4]), os.Stdin))
	}
	os.Exit(m.Run())
}

// exit ends the process at once, without the hooks of coverage and the race
// detector, which sleep and write to standard error.
func exit(err error) {
	if err != nil {
		syscall.Exit(1)
	}
	syscall.Exit(0)
}

// A ledger is an adapter that obeys every obligation, but for its fault. Its
// files are, for each operation, a lock, and the bytes of two outcomes that
// are never changed: "accepted", and "terminal" once the work has ended. Its
// agent works in the adapter's own process. Where the adapter itself is no
// process, it dies with its context.
type ledger struct {
	dir         string
	fault       string
	work        string // working directory
	stdout      io.Writer
	stderr      io.Writer
	request     operation.Request
	descendants []*exec.Cmd
}

// has reports whether the adapter has the fault.
func (l *ledger) has(fault string) bool { return l.fault == fault }

var errRefused = errors.New("the request is refused")

func (l *ledger) serve(ctx context.Context, argv operation.Action, stdin io.Reader) error {
	if l.has("ledger in the working directory") {
		l.dir = filepath.Join(l.work, filepath.Base(l.dir))
		if err := os.MkdirAll(l.dir, 0o700); err != nil {
			return err
		}
	}
	text, err := io.ReadAll(stdin)
	if err != nil {
		return err
	}
	if l.request, err = l.parse(text); err != nil {
		return err
	}
	if l.request.Action != argv && !l.has("believes the request's action") {
		return errRefused
	}
	var answer []byte
	if l.request.Action == operation.Submit {
		answer, err = l.submit(ctx)
	} else {
		answer, err = l.observe()
	}
	if err != nil {
		return err
	}
	if l.has("chatters") {
		if _, err := io.WriteString(l.stderr, strings.Repeat("s", command.MaxStderrBytes+1)); err != nil {
			return err
		}
	}
	_, err = l.stdout.Write(l.disfigured(answer))
	return err
}

func (l *ledger) parse(text []byte) (operation.Request, error) {
	request, err := operation.ParseRequest(text)
	if err == nil || !l.has("reads open requests") && !l.has("believes the payload's digest") {
		return request, err
	}
	text, _, _ = bytes.Cut(text, []byte("}{")) // what may stand behind it
	members, err := canon.Decode[map[string]jsontext.Value](append(bytes.TrimRight(text, "}"), "}}"...))
	if err != nil {
		if members, err = canon.Decode[map[string]jsontext.Value](text); err != nil {
			return request, err
		}
	}
	binding, err := canon.Decode[operation.Binding](members["binding"])
	if err != nil {
		return request, err
	}
	action, err := canon.Decode[operation.Action](members["action"])
	if err == nil && l.has("believes the payload's digest") != (action == operation.Submit) {
		err = errRefused
	}
	return operation.Request{Action: action, Binding: binding, Payload: members["payload"]}, err
}

// call is the adapter without a process of its own.
func (l ledger) call(ctx context.Context, p command.Process) (command.Exit, error) {
	if ctx.Err() != nil {
		return command.Exit{}, operation.Stopped(ctx)
	}
	var stdout, stderr bytes.Buffer
	l.work, l.stdout, l.stderr = p.Dir, &stdout, &stderr
	err := l.serve(ctx, operation.Action(p.Args[len(p.Args)-1]), bytes.NewReader(p.Stdin))
	if ctx.Err() != nil {
		return command.Exit{}, operation.Stopped(ctx)
	}
	exit := command.Exit{
		Stdout: stdout.Bytes()[:min(stdout.Len(), p.MaxStdout)], StdoutOver: stdout.Len() > p.MaxStdout, StderrOver: stderr.Len() > p.MaxStderr,
	}
	if err != nil {
		exit.Status = 1
	}
	return exit, nil
}

func (l *ledger) path(kind string) string {
	key := string(l.request.Binding.OperationID)
	return filepath.Join(l.dir, canon.DigestText(key).Hex()+"."+kind)
}

// publish writes a record that is never changed; the error is fs.ErrExist if
// there is one.
func (l *ledger) publish(kind string, text []byte) error {
	file, err := os.CreateTemp(l.dir, "record-")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return errors.Join(os.Link(file.Name(), l.path(kind)), os.Remove(file.Name()))
}

// told returns what the ledger has, the binding unchecked; fs.ErrNotExist for
// nothing.
func (l *ledger) told() ([]byte, error) {
	for _, kind := range []string{"terminal", "accepted"} {
		text, err := os.ReadFile(l.path(kind))
		if !errors.Is(err, fs.ErrNotExist) {
			return text, err
		}
	}
	return nil, fs.ErrNotExist
}

// bound returns the binding of the operation in the ledger.
func (l *ledger) bound() (operation.Binding, error) {
	text, err := os.ReadFile(l.path("binding"))
	if err != nil {
		return operation.Binding{}, err
	}
	return canon.Decode[operation.Binding](text)
}

func (l *ledger) acceptance() canon.Digest {
	digest, _, _ := canon.DigestOf(l.request.Binding) // a parsed binding has its digest
	return digest
}

func (l *ledger) submit(ctx context.Context) ([]byte, error) {
	if l.has("never answers a submit") {
		return nil, errRefused
	}
	if !l.has("races") {
		lock, err := os.OpenFile(l.path("lock"), os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}
		defer lock.Close()
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
			return nil, err
		}
	}
	bound, err := l.bound()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l.admit(ctx)
	case err != nil:
		return nil, err
	case bound != l.request.Binding && l.has("takes another request"):
		return l.runAgent(ctx)
	case bound != l.request.Binding:
		return nil, errRefused
	case l.has("starts the same request again"):
		return l.runAgent(ctx)
	}
	return l.told()
}

func (l *ledger) admit(ctx context.Context) ([]byte, error) {
	if l.has("races") {
		if err := l.awaitAnother(); err != nil { // between the look and the leap
			return nil, err
		}
	}
	binding, err := canon.Encode(l.request.Binding)
	if err != nil {
		return nil, err
	}
	accepted, err := operation.NewAccepted(l.request.Binding, 1, l.acceptance())
	if err != nil {
		return nil, err
	}
	if l.has("binds late") {
		text, err := l.runAgent(ctx)
		return text, errors.Join(err, l.publish("accepted", accepted.Canonical()), l.publish("binding", binding))
	}
	for kind, text := range map[string][]byte{"binding": binding, "accepted": accepted.Canonical()} {
		if err := l.publish(kind, text); err != nil && !(l.has("races") && errors.Is(err, fs.ErrExist)) {
			return nil, err
		}
	}
	if _, err := os.Stat(l.path("created")); err == nil {
		return accepted.Canonical(), nil
	}
	return l.runAgent(ctx)
}

// awaitAnother returns when another submit of the operation has come as far,
// or after a while.
func (l *ledger) awaitAnother() error {
	n, err := l.count("arrivals")
	for range 100 {
		if err != nil || n > 1 {
			return err
		}
		time.Sleep(5 * time.Millisecond)
		var info os.FileInfo
		if info, err = os.Stat(l.path("arrivals")); err == nil {
			n = int(info.Size())
		}
	}
	return err
}

// runAgent runs the agent and records the end when everything of it has ended.
func (l *ledger) runAgent(ctx context.Context) ([]byte, error) {
	type task struct {
		Workspace      string             `json:"workspace"`
		Prompt         string             `json:"prompt"`
		MaxOutputBytes int                `json:"maxOutputBytes"`
		OperationID    operation.Identity `json:"operationId"`
	}
	t, err := canon.Decode[task](l.request.Payload)
	if err != nil {
		return nil, err
	}
	var said bytes.Buffer
	agent := qualify.Agent{Dir: t.Workspace, Prompt: strings.NewReader(t.Prompt), Answer: &said, Descend: l.descend}
	ending := operation.Completed
	if err := agent.Work(ctx); err != nil {
		ending = operation.Failed
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if !l.has("forgets the descendants") {
		for _, d := range l.descendants {
			if err := d.Wait(); err != nil {
				return nil, err
			}
		}
	}
	outcome, err := l.terminal(ending, said.String(), t.MaxOutputBytes)
	if err != nil {
		return nil, err
	}
	if err := l.publish("terminal", outcome.Canonical()); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if l.has("takes another request") {
		return outcome.Canonical(), nil
	}
	return l.told()
}

// slack is what a fault of form adds at most, in bytes.
const slack = 64

// terminal cuts the text until the outcome fits.
func (l *ledger) terminal(ending operation.Ending, text string, room int) (operation.Outcome, error) {
	acceptance := l.acceptance()
	if l.has("names another acceptance") {
		acceptance = canon.DigestText("another")
	}
	revision := 2
	if l.has("counts lookups") {
		revision = operation.MaxRevision
	}
	for {
		outcome, err := operation.NewTerminal(l.request.Binding, revision, acceptance, ending, text)
		if err != nil || len(outcome.Canonical()) <= room-slack || l.has("exceeds the bound") {
			return outcome, err
		}
		text = strings.ToValidUTF8(text[:len(text)*9/10], "")
	}
}

// descend starts the descendant in a session of its own, without streams.
func (l *ledger) descend(dir, mark string, d time.Duration) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(program, asDescendant, dir, mark, strconv.Itoa(int(d/time.Millisecond)))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	l.descendants = append(l.descendants, cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	if l.has("forgets the descendants") {
		go cmd.Wait()
	}
	return nil
}

func (l *ledger) observe() ([]byte, error) {
	if l.has("never answers a lookup") {
		return nil, errRefused
	}
	missing, err := operation.NewUnknown(l.request.Binding, 0, operation.Missing)
	if err != nil {
		return nil, err
	}
	bound, err := l.bound()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l.observeNobody(missing)
	case err != nil:
		return nil, err
	case bound != l.request.Binding && !l.answersFor(bound):
		return missing.Canonical(), nil
	}
	text, err := l.told()
	if errors.Is(err, fs.ErrNotExist) {
		return missing.Canonical(), nil
	}
	if err != nil {
		return nil, err
	}
	outcome, err := operation.ParseOutcome(text, bound, operation.MaxOutputBytes)
	if err != nil {
		return nil, err
	}
	return l.observed(outcome)
}

// answersFor reports whether a fault lets the adapter answer for what is bound
// to another request.
func (l *ledger) answersFor(bound operation.Binding) bool {
	return bound.AuthorityID != l.request.Binding.AuthorityID && l.has("answers for another authority") ||
		bound.RequestDigest != l.request.Binding.RequestDigest && l.has("answers for another request")
}

// observeNobody answers for an operation that is not in the ledger.
func (l *ledger) observeNobody(missing operation.Outcome) ([]byte, error) {
	switch {
	case l.has("claims what was never submitted"):
		accepted, err := operation.NewAccepted(l.request.Binding, 1, l.acceptance())
		return accepted.Canonical(), err
	case l.has("creates what it looks up"):
		return missing.Canonical(), os.WriteFile(l.path("created"), nil, 0o600)
	}
	return missing.Canonical(), nil
}

// observed answers for what is in the ledger.
func (l *ledger) observed(outcome operation.Outcome) ([]byte, error) {
	b := l.request.Binding
	terminal := outcome.State() == operation.Terminal
	lookups, err := l.count("lookups")
	if err != nil {
		return nil, err
	}
	rebound := func(o operation.Outcome, err error) ([]byte, error) { return o.Canonical(), err }
	switch {
	case b != outcome.Binding():
		return rebound(operation.NewAccepted(b, 1, outcome.AcceptanceRef()))
	case l.has("starts on a lookup") && terminal:
		return outcome.Canonical(), os.WriteFile(l.marks(), []byte("start\nstart\n"), 0o600)
	case l.has("counts lookups") && !terminal:
		return rebound(operation.NewAccepted(b, lookups, outcome.AcceptanceRef()))
	case l.has("lets the revision fall") && !terminal && lookups%2 == 0:
		return rebound(operation.NewUnknown(b, 0, operation.Unavailable))
	case l.has("says two things at one revision") && !terminal && lookups%2 == 0:
		return rebound(operation.NewUnknown(b, 1, operation.Unresolved))
	case l.has("forgets the end") && terminal && lookups%2 == 0:
		return rebound(operation.NewUnknown(b, 3, operation.Expired))
	case l.has("cleans up after the dead") && !terminal:
		lock, err := os.OpenFile(l.path("lock"), os.O_RDWR, 0)
		if err != nil {
			return nil, err
		}
		defer lock.Close()
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
			break // the submit lives
		}
		missing, err := operation.NewUnknown(b, 0, operation.Unavailable)
		return missing.Canonical(), errors.Join(err, os.Remove(l.path("binding")), os.Remove(l.path("accepted")))
	}
	return outcome.Canonical(), nil
}

// marks is where the agent's starts are noted.
func (l *ledger) marks() string {
	workspace, _ := os.ReadFile(filepath.Join(l.dir, "workspace")) // written by the test
	key := canon.DigestText(string(l.request.Binding.OperationID)).Hex()[:32]
	return filepath.Join(string(workspace), qualify.MarksDirectory, "starts-"+key)
}

// count returns how often something was counted of the operation, this time
// included.
func (l *ledger) count(what string) (int, error) {
	file, err := os.OpenFile(l.path(what), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if _, err := file.WriteString("."); err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return int(info.Size()), nil
}

// disfigured returns the answer as a fault of form has it.
func (l *ledger) disfigured(answer []byte) []byte {
	replaced := func(old, new string) []byte { return bytes.Replace(answer, []byte(old), []byte(new), 1) }
	switch {
	case l.has("adds a member"):
		return replaced(`{`, `{"hint":"",`)
	case l.has("repeats a member"):
		return replaced(`{`, `{"contract":"algal.coding-operation.v1",`)
	case l.has("answers another binding"):
		return replaced(`"operationId":"`, `"operationId":"x`)
	case l.has("says a wrong length"):
		return replaced(`"length":`, `"length":1`)
	case l.has("says a number out of range"):
		return replaced(`"revision":`, `"revision":1e999,"revisions":`)
	}
	return answer
}
