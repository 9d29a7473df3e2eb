package qualify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

// The harmless agent reads a prompt, does what the script in it says, and
// leaves marks by which its starts can be counted. It changes nothing but
// files below MarksDirectory of its working directory, and refuses to work
// where that directory is missing: a checkout that nobody gave up for an
// examination has none.
const (
	MarksDirectory = "git-algal-qualify"

	scriptContract = "git-algal.qualify-script.v1"

	startsPrefix  = "starts-"  // one line per start
	releasePrefix = "release-" // its presence lets a held agent go on
	writesPrefix  = "writes-"  // one byte per write of the agent's descendant
)

// Bounds of what a script can ask for. An agent that nobody releases, and its
// descendant, end by themselves.
const (
	MaxPromptBytes = 65_536 // of a prompt (contract section 2)
	maxHold        = 30 * time.Second
	maxLinger      = 5 * time.Second
	maxSaid        = 65_536 // bytes

	markPause  = 5 * time.Millisecond // between two looks at a mark, and two writes
	markDigits = 32                   // of the digest that names the marks of an operation
)

// A script is what the harmless agent is told to do.
type script struct {
	Contract string `json:"contract"`
	Mark     string `json:"mark"`     // markDigits hexadecimal digits
	Hold     bool   `json:"hold"`     // wait for the release
	LingerMs int    `json:"lingerMs"` // then leave a descendant that writes for so long; 0: none
	Say      int    `json:"say"`      // bytes to answer, beside the word "ready"
}

// promptForPeople is what a real agent makes of the prompt.
const promptForPeople = "Print the word ready and change nothing. The next line is not for you.\n"

// prompt returns the text that carries the script, harmless to an agent that
// takes it for a task.
func (s script) prompt() (string, error) {
	s.Contract = scriptContract
	text, err := canon.Encode(s)
	return promptForPeople + string(text) + "\n", err
}

func parseScript(prompt []byte) (script, error) {
	text, found := bytes.CutPrefix(prompt, []byte(promptForPeople))
	s, err := canon.Decode[script](bytes.TrimSpace(text))
	switch {
	case !found || err != nil || s.Contract != scriptContract:
		return script{}, fault.New(fault.Usage, "this agent serves an examination of an adapter only")
	case len(s.Mark) != markDigits || strings.Trim(s.Mark, "0123456789abcdef") != "",
		s.LingerMs < 0 || s.LingerMs > int(maxLinger/time.Millisecond), s.Say < 0 || s.Say > maxSaid:
		return script{}, fault.New(fault.Malformed, "the script is out of its bounds")
	}
	return s, nil
}

// markOf returns the name by which the marks of an operation are known.
func markOf(id operation.Identity) string { return canon.DigestText(string(id)).Hex()[:markDigits] }

// An Agent is the harmless agent.
type Agent struct {
	Dir    string    // its working directory, which is the workspace
	Prompt io.Reader // at most MaxPromptBytes
	Answer io.Writer
	// Descend starts a process that calls [Linger] with these arguments and
	// outlives the agent; it does not wait for it.
	Descend func(dir, mark string, d time.Duration) error
}

// Work does what the prompt says. Errors are fault.Usage where prompt or
// directory are not those of an examination, fault.Malformed for a script out
// of bounds, and those of files.
func (a Agent) Work(ctx context.Context) error {
	prompt, err := io.ReadAll(io.LimitReader(a.Prompt, MaxPromptBytes))
	if err != nil {
		return err
	}
	s, err := parseScript(prompt)
	if err != nil {
		return err
	}
	if info, err := os.Lstat(filepath.Join(a.Dir, MarksDirectory)); err != nil || !info.IsDir() {
		return fault.New(fault.Usage, "this agent works in the scratch checkout of an examination only")
	}
	if err := appendTo(markPath(a.Dir, startsPrefix, s.Mark), "start\n"); err != nil {
		return err
	}
	if s.Hold {
		if err := awaitFile(ctx, markPath(a.Dir, releasePrefix, s.Mark), maxHold); err != nil {
			return err
		}
	}
	if s.LingerMs > 0 {
		if err := a.Descend(a.Dir, s.Mark, time.Duration(s.LingerMs)*time.Millisecond); err != nil {
			return err
		}
		if err := awaitFile(ctx, markPath(a.Dir, writesPrefix, s.Mark), maxHold); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(a.Answer, "ready\n%s", strings.Repeat(wideAnswer, s.Say/len(wideAnswer)))
	return err
}

// wideAnswer takes more room in JSON than it has bytes, so that an adapter
// which cuts the text to the bound, and not the outcome, is found out.
const wideAnswer = "\"\\\x01ä"

// Linger writes a byte every few milliseconds until d is over. It is what the
// descendant of the harmless agent does.
func Linger(dir, mark string, d time.Duration) error {
	if len(mark) != markDigits || strings.Trim(mark, "0123456789abcdef") != "" || d < 0 || d > maxLinger {
		return fault.New(fault.Malformed, "what the descendant is to do is out of its bounds")
	}
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(markPause) {
		if err := appendTo(markPath(dir, writesPrefix, mark), "."); err != nil {
			return err
		}
	}
	return nil
}

func markPath(dir, prefix, mark string) string {
	return filepath.Join(dir, MarksDirectory, prefix+mark)
}

// appendTo adds text to a file in one write, which several processes may do at
// once.
func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// awaitFile returns when the file exists, or with the reason why it was not
// waited for any longer.
func awaitFile(ctx context.Context, path string, longest time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	for {
		_, err := os.Lstat(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := pause(ctx, markPause); err != nil {
			return err
		}
	}
}

// pause waits for d or until ctx is done.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return operation.Stopped(ctx)
	}
}
