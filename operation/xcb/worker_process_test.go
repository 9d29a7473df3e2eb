package xcb_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asWorker is the variable that makes the test binary a worker, whose
// arguments are the contract's alone. It holds the behaviour and what that
// needs, separated by blanks.
const asWorker = "TEST_AS_WORKER"

// longestLife ends every process that a failed test might leave.
const longestLife = time.Minute

func TestMain(m *testing.M) {
	if behaviour := os.Getenv(asWorker); behaviour != "" {
		time.AfterFunc(longestLife, func() { exit(1) })
		name, arg, _ := strings.Cut(behaviour, " ")
		behaviours[name](arg)
		exit(0)
	}
	os.Exit(m.Run())
}

// exit ends the worker at once. Where os.Exit runs the hooks of coverage and
// the race detector, the one writes to standard error and the other sleeps.
func exit(status int) { syscall.Exit(status) }

// behaviours are the workers that the tests call; returning exits with 0.
var behaviours = map[string]func(arg string){
	// appends what it was given to the file arg, then completes
	"record": func(arg string) {
		record := recorded{Args: os.Args, Env: os.Environ(), Dir: check(os.Getwd()), Pid: os.Getpid(), Group: syscall.Getpgrp(), Stdin: string(check(io.ReadAll(os.Stdin)))}
		appendLine(arg, check(json.Marshal(record)))
		say(completed)
	},
	// reads, prints the text after the first blank of arg on both streams, and
	// exits with the number before it
	"print": func(arg string) {
		check(io.Copy(io.Discard, os.Stdin))
		status, text, _ := strings.Cut(arg, " ")
		say(text)
		check(os.Stderr.WriteString(text))
		exit(check(strconv.Atoi(status)))
	},
	// completes in exactly arg bytes, before it reads
	"stdout": func(arg string) {
		say(strings.Repeat(" ", check(strconv.Atoi(arg))-len(completed)) + completed)
		check(io.Copy(io.Discard, os.Stdin))
	},
	// writes arg bytes to standard error, then completes without reading
	"stderr": func(arg string) {
		check(os.Stderr.WriteString(strings.Repeat("s", check(strconv.Atoi(arg)))))
		say(completed)
	},
	// completes and ends by the signal arg
	"signal": func(arg string) {
		say(completed)
		check(0, syscall.Kill(os.Getpid(), syscall.Signal(check(strconv.Atoi(arg)))))
		select {}
	},
	// names itself in the file arg and never ends
	"hang": func(arg string) {
		appendLine(arg, []byte(strconv.Itoa(os.Getpid())))
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

func readRecords(t *testing.T, name string) []recorded {
	t.Helper()
	var records []recorded
	for line := range bytes.Lines(must(os.ReadFile(name))) {
		var r recorded
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

func say(text string) { check(os.Stdout.WriteString(text)) }

func appendLine(name string, line []byte) {
	file := check(os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600))
	check(file.Write(append(line, '\n')))
	check(0, file.Close())
}

// check returns v, or ends the worker as no test expects it.
func check[T any](v T, err error) T {
	if err != nil {
		exit(99)
	}
	return v
}
