package command_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
)

// asAdapter is the first argument by which the test binary becomes an adapter.
// The others are the behaviour, its arguments, and the action.
const asAdapter = "as-adapter"

// longestLife ends every process that a failed test might leave.
const longestLife = time.Minute

func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == asAdapter {
		time.AfterFunc(longestLife, func() { exit(1) })
		behaviours[os.Args[2]](os.Args[3:len(os.Args)-1], operation.Action(os.Args[len(os.Args)-1]))
		exit(0)
	}
	os.Exit(m.Run())
}

// exit ends the adapter at once. Where os.Exit runs the hooks of coverage and
// the race detector, the one writes to standard error and the other sleeps.
func exit(status int) { syscall.Exit(status) }

// behaviours are the adapters that the tests call. Each gets its arguments and
// the action; returning exits with 0.
var behaviours = map[string]func(args []string, action operation.Action){
	// answers accepted
	"answer": func(_ []string, action operation.Action) {
		answer(readRequest(action).Binding)
	},
	// appends what it was given to the file args[0], then answers
	"record": func(args []string, action operation.Action) {
		stdin := check(io.ReadAll(os.Stdin))
		record := recorded{Args: os.Args, Env: os.Environ(), Dir: check(os.Getwd()), Pid: os.Getpid(), Group: syscall.Getpgrp(), Stdin: string(stdin)}
		appendLine(args[0], check(json.Marshal(record)))
		answer(check(operation.ParseRequest(stdin)).Binding)
	},
	// never reads, and prints args[0]
	"deaf": func(args []string, _ operation.Action) {
		check(os.Stdout.WriteString(args[0]))
	},
	// fills standard output up to args[0] bytes, answer included, before it reads
	"write-first": func(args []string, action operation.Action) {
		size := check(strconv.Atoi(args[0]))
		blanks := size - operation.MinOutputBytes
		check(os.Stdout.WriteString(strings.Repeat(" ", blanks)))
		pad(outcomeOf(readRequest(action).Binding), size-blanks)
	},
	// answers in exactly args[0] bytes
	"stdout": func(args []string, action operation.Action) {
		pad(outcomeOf(readRequest(action).Binding), check(strconv.Atoi(args[0])))
	},
	// writes args[0] bytes to standard error, then answers
	"stderr": func(args []string, action operation.Action) {
		request := readRequest(action)
		check(os.Stderr.WriteString(strings.Repeat("s", check(strconv.Atoi(args[0])))))
		answer(request.Binding)
	},
	// prints args[0] on both outputs and exits with args[1]
	"print": func(args []string, action operation.Action) {
		readRequest(action)
		check(os.Stdout.WriteString(args[0]))
		check(os.Stderr.WriteString(args[0]))
		exit(check(strconv.Atoi(args[1])))
	},
	// prints args[0] on standard output, args[1] on standard error, and exits
	// with args[2], all without reading
	"blurt": func(args []string, _ operation.Action) {
		check(os.Stdout.WriteString(args[0]))
		check(os.Stderr.WriteString(args[1]))
		exit(check(strconv.Atoi(args[2])))
	},
	// answers and ends by a signal
	"signal": func(_ []string, action operation.Action) {
		answer(readRequest(action).Binding)
		check(0, syscall.Kill(os.Getpid(), syscall.SIGKILL))
		select {}
	},
	// fails to submit and knows how it ended
	"lost-reply": func(_ []string, action operation.Action) {
		request := readRequest(action)
		if action == operation.Submit {
			exit(7)
		}
		outcome := check(operation.NewTerminal(request.Binding, 2, acceptance, operation.Completed, "settled"))
		check(os.Stdout.Write(outcome.Canonical()))
	},
	// leaves a descendant behind that keeps the streams open, and answers
	"daemon": func(args []string, action operation.Action) {
		request := readRequest(action)
		spawn(ownSession, "linger", args[0])
		answer(request.Binding)
	},
	// leaves such a descendant behind and never answers
	"hang-and-daemon": func(args []string, _ operation.Action) {
		spawn(ownSession, "linger", args[0])
		select {}
	},
	// leaves the process group it was given, names itself in args[0] and never answers
	"desert": func(args []string, _ operation.Action) {
		check(0, syscall.Setpgid(0, check(syscall.Getpgid(os.Getppid()))))
		appendLine(args[0], []byte(strconv.Itoa(os.Getpid())))
		select {}
	},
	// never answers; its descendant has locked args[0] when the file args[1]
	// names this process
	"hang": func(args []string, action operation.Action) {
		spawn(sameGroup, "hold-lock", args...)
		select {}
	},
	// a descendant: names itself in the file args[0]
	"linger": func(args []string, _ operation.Action) {
		appendLine(args[0], []byte(strconv.Itoa(os.Getpid())))
		select {}
	},
	// a descendant: locks args[0], then names its parent in args[1]
	"hold-lock": func(args []string, _ operation.Action) {
		file := check(os.OpenFile(args[0], os.O_CREATE|os.O_RDWR, 0o600))
		check(0, syscall.Flock(int(file.Fd()), syscall.LOCK_EX))
		appendLine(args[1], []byte(strconv.Itoa(os.Getppid())))
		select {}
	},
}

// recorded is what the behaviour "record" was given.
type recorded struct {
	Args, Env  []string
	Dir        string
	Pid, Group int
	Stdin      string
}

var acceptance = canon.DigestText("acceptance")

func outcomeOf(binding operation.Binding) []byte {
	return check(operation.NewAccepted(binding, 1, acceptance)).Canonical()
}

func answer(binding operation.Binding) { check(os.Stdout.Write(outcomeOf(binding))) }

// pad prints text with blanks before it, size bytes in all.
func pad(text []byte, size int) {
	check(os.Stdout.Write(append(bytes.Repeat([]byte(" "), size-len(text)), text...)))
}

// readRequest reads the request and holds its action to the argument, as an
// adapter must.
func readRequest(action operation.Action) operation.Request {
	request := check(operation.ParseRequest(check(io.ReadAll(os.Stdin))))
	if request.Action != action {
		exit(3)
	}
	return request
}

const (
	sameGroup  = false
	ownSession = true
)

// spawn starts a descendant with the same streams and returns once it has
// written its last argument's file.
func spawn(setsid bool, behaviour string, args ...string) {
	argv := append([]string{asAdapter, behaviour}, args...)
	cmd := exec.Command(check(os.Executable()), append(argv, "none")...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: setsid}
	check(0, cmd.Start())
	for name := args[len(args)-1]; ; time.Sleep(time.Millisecond) {
		if text, err := os.ReadFile(name); err == nil && bytes.HasSuffix(text, []byte("\n")) {
			return
		}
	}
}

func appendLine(name string, line []byte) {
	file := check(os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600))
	check(file.Write(append(line, '\n')))
	check(0, file.Close())
}

// check returns v, or ends the adapter as no test expects it.
func check[T any](v T, err error) T {
	if err != nil {
		exit(99)
	}
	return v
}
