package local_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

// This binary is also the program that the tests call, as adapter, supervisor
// and init, and the agent that it runs.

const (
	forceVariable   = "LOCAL_TEST_FORCE"   // the one mechanism of custody
	machineVariable = "LOCAL_TEST_MACHINE" // another machine's name
)

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 2 && os.Args[1] == definition.AdapterWord:
		os.Exit(program(os.Args[2], os.Args[3:]))
	case len(os.Args) > 2 && os.Args[1] == "agent":
		if err := agents[os.Args[2]](os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func environment() local.Environment {
	executable, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return local.Environment{
		Executable: executable, Env: os.Environ(), FS: state.OS(), Now: time.Now,
		Force: custody.Mechanism(os.Getenv(forceVariable)), Machine: os.Getenv(machineVariable),
	}
}

func program(word string, arguments []string) int {
	var err error
	switch word {
	case definition.ServeWord:
		err = local.Serve(context.Background(), environment(), arguments, os.Stdin, os.Stdout)
	case local.SuperviseWord:
		err = local.Supervise(context.Background(), environment(), arguments)
	case local.InitWord:
		return local.Init()
	default:
		err = fmt.Errorf("there is no %q", word)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// noText stands for a byte that no argument can hold.
const noText = "<ff>"

// agents are what is run. The first argument is a file to which each appends
// one byte when it starts.
var agents = map[string]func(arguments []string) error{
	// say counts, sleeps for so many milliseconds, says a text and exits.
	"say": func(arguments []string) error {
		if err := count(arguments[0]); err != nil {
			return err
		}
		if err := sleep(arguments[1]); err != nil {
			return err
		}
		fmt.Print(strings.ReplaceAll(arguments[2], noText, "\xff"))
		return nil
	},
	// fail is say with a status of 3.
	"fail": func(arguments []string) error {
		if err := count(arguments[0]); err != nil {
			return err
		}
		fmt.Print("half an answer")
		os.Exit(3)
		return nil
	},
	// echo says what it reads.
	"echo": func(arguments []string) error {
		if err := count(arguments[0]); err != nil {
			return err
		}
		text := make([]byte, 1<<20)
		n, err := os.Stdin.Read(text)
		if err != nil {
			return err
		}
		fmt.Printf("stdin %q", text[:n])
		return nil
	},
	// read says what is in the file that its last argument names.
	"read": func(arguments []string) error {
		if err := count(arguments[0]); err != nil {
			return err
		}
		text, err := os.ReadFile(arguments[1])
		fmt.Printf("file %q", text)
		return err
	},
	// tty says what its standard output and standard error are.
	"tty": func(arguments []string) error {
		if err := count(arguments[0]); err != nil {
			return err
		}
		if isatty.IsTerminal(os.Stdout.Fd()) {
			fmt.Fprintln(os.Stdout, "a terminal")
		}
		if isatty.IsTerminal(os.Stderr.Fd()) {
			fmt.Fprintln(os.Stderr, "and another")
		}
		own, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
		if err != nil {
			return nil // its session has no terminal
		}
		_, err = fmt.Fprintln(own, "that is its own")
		return errors.Join(err, own.Close())
	},
	// flood writes so many MiB to standard output.
	"flood": func(arguments []string) error {
		if err := count(arguments[0]); err != nil {
			return err
		}
		mebibytes, err := strconv.Atoi(arguments[1])
		block := make([]byte, 1<<20)
		for i := range block {
			block[i] = 'a'
		}
		for range mebibytes {
			if _, err := os.Stdout.Write(block); err != nil {
				return err
			}
		}
		return err
	},
	// leave starts a descendant in a session of its own that goes on writing to
	// a file, and exits after so many milliseconds.
	"leave": func(arguments []string) error {
		if err := count(arguments[0]); err != nil {
			return err
		}
		beat := exec.Command(os.Args[0], "agent", "beat", arguments[2], arguments[3])
		beat.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := beat.Start(); err != nil {
			return err
		}
		return sleep(arguments[1])
	},
	// beat appends to a file for so many milliseconds.
	"beat": func(arguments []string) error {
		milliseconds, err := strconv.Atoi(arguments[1])
		for end := time.Now().Add(time.Duration(milliseconds) * time.Millisecond); err == nil && time.Now().Before(end); {
			err = count(arguments[0])
			time.Sleep(time.Millisecond)
		}
		return err
	},
}

func count(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(".")
	return errors.Join(err, file.Close())
}

func sleep(milliseconds string) error {
	n, err := strconv.Atoi(milliseconds)
	time.Sleep(time.Duration(n) * time.Millisecond)
	return err
}
