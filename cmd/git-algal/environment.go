//go:build linux || darwin

package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
)

// An environment is everything that the program takes from outside.
type environment struct {
	args        []string // without the program's own name
	stdin       io.Reader
	stdout      io.Writer
	stderr      io.Writer
	dir         string   // absolute working directory, empty where there is none
	variables   []string // KEY=VALUE
	lookPath    func(name string) (string, error)
	executable  func() (string, error) // absolute path of this program
	program     string                 // the word by which this program was started
	temporaries []string               // directories whose files come and go
	pid         int
	parent      int    // process id
	host        string // this machine's name, empty where it has none
	now         func() time.Time
	isTerminal  func(stream any) bool
	// interruptible returns a context that the first interrupt cancels; the
	// second one ends the process.
	interruptible func(context.Context) (context.Context, context.CancelFunc)
}

func processEnvironment() environment {
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // a deleted directory: only commands that need it refuse
	}
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	return environment{
		args: os.Args[1:], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		dir: dir, variables: os.Environ(), lookPath: exec.LookPath, executable: os.Executable,
		program: os.Args[0], temporaries: []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "/private/var/folders"},
		pid: os.Getpid(), parent: os.Getppid(), host: host, now: time.Now, isTerminal: isTerminal, interruptible: interruptible,
	}
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal does what the system does by itself
	return ctx, stop
}

// lookup returns the value of an environment variable and whether it is set.
// The last of several wins, as in an executed process.
func (e environment) lookup(name string) (value string, set bool) {
	for _, entry := range slices.Backward(e.variables) {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value, true
		}
	}
	return "", false
}

// variable returns the value of an environment variable, empty when unset.
func (e environment) variable(name string) string {
	value, _ := e.lookup(name)
	return value
}

// withoutGit returns the environment less every GIT_* variable but the kept
// ones: what an adapter, an editor or git's configuration may see.
func (e environment) withoutGit(kept ...string) []string {
	var rest []string
	for _, entry := range e.variables {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "GIT_") || slices.Contains(kept, name) {
			rest = append(rest, entry)
		}
	}
	return rest
}

// path returns name as an absolute path, seen from the directory in which the
// command works.
func (e environment) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(e.dir, name)
}
