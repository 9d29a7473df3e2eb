//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

// An act is one scene to be played.
type act struct {
	title string
	play  func(*play)
}

// acts returns what the demo shows, in order; each begins where the one before
// it ended.
func acts() []act {
	return []act{
		{"A job is admitted, launched once, and its whole change is kept", wholeJob},
		{"An edit after the capture does not pass for the agent's work", drift},
		{"The agent's answer is lost: nobody guesses, nothing is started again", lostAnswer},
		{"Until that is settled, nobody else gets the checkout", claimed},
		{"One exact lookup finds out what became of it", recovered},
	}
}

func wholeJob(p *play) {
	p.types(exitDone, "prepare", "--adapter", steady, "-m", "Greet the reader.")
	p.standsAt(jobs.Prepared, "nothing was launched yet")
	p.types(exitDone, "run")
	p.standsAt(jobs.Completed, "the job is completed")
	p.starts(1, "the agent's own ledger counts one start")
	p.types(exitDone, "verify")
	p.types(exitDone, "patch", dashed(flagStat))
	p.shows("the patch makes the same files on a fresh clone", p.patchReproduces)
}

// patchReproduces applies the printed patch to a clone of the admitted HEAD and
// compares every file with the workspace's.
func (p *play) patchReproduces() error {
	patch, stderr, exit := p.algal("patch")
	if exit != exitDone {
		return fmt.Errorf("patch ends with status %d: %s", exit, stderr)
	}
	clone := filepath.Join(p.dir, "clone")
	if _, err := p.gitCommand(nil, "clone", "-q", p.workspace, clone); err != nil {
		return err
	}
	if _, err := p.gitCommand([]byte(patch), "-C", clone, "apply", "--binary"); err != nil {
		return err
	}
	for _, name := range []string{"README.md", "hello"} {
		want, err := os.ReadFile(filepath.Join(p.workspace, name))
		if err != nil {
			return err
		}
		got, err := os.ReadFile(filepath.Join(clone, name))
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("file %q of the clone is not the workspace's", name)
		}
	}
	return nil
}

func drift(p *play) {
	readme := filepath.Join(p.workspace, "README.md")
	var captured []byte
	p.does("echo 'Greets nobody.' >> README.md", func() (err error) {
		if captured, err = os.ReadFile(readme); err != nil {
			return err
		}
		return os.WriteFile(readme, append(bytes.Clone(captured), "Greets nobody.\n"...), 0o644)
	})
	said := p.types(exitDrift, "verify")
	p.shows("the file that drifted is named", func() error {
		if !strings.Contains(said, "README.md") {
			return fmt.Errorf("it is not")
		}
		return nil
	})
	p.does("(the edit is taken back)", func() error { return os.WriteFile(readme, captured, 0o644) })
	p.types(exitDone, "verify")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "Greet the reader")
}

func lostAnswer(p *play) {
	p.types(exitUncertain, "run", "--adapter", lossy, "-m", "Leave notes.")
	p.starts(1, "the agent did start, and its answer never came")
	p.types(exitUncertain, "run", "--adapter", lossy, "-m", "Leave notes.")
	p.starts(1, "the same words again started nothing")
}

func claimed(p *play) {
	p.git("stash", "-q", "-u")
	said := p.types(exitRefused, "prepare", "--adapter", steady, "-m", "Greet the reader again.")
	p.shows("the checkout is clean, and still it is not given away", func() error {
		if said != "" {
			return fmt.Errorf("something was printed as a result")
		}
		_, stderr, _ := p.algal("prepare", "--adapter", steady, "-m", "Greet the reader again.")
		if !strings.Contains(stderr, "["+string(fault.Claimed.Code())+"]") {
			return fmt.Errorf("the refusal is another one: %s", stderr)
		}
		return nil
	})
	p.git("stash", "pop", "-q")
}

func recovered(p *play) {
	p.types(exitDone, "reconcile")
	p.standsAt(jobs.Completed, "the job is completed")
	p.starts(1, "the agent was started once, from beginning to end")
	p.lookups(1, "and looked up once")
	p.types(exitDone, "verify")
	p.types(exitDone, "output")
}

func (p *play) starts(want int, what string)  { p.counts(startsFile, want, what) }
func (p *play) lookups(want int, what string) { p.counts(lookupsFile, want, what) }

// counts states how often the ledger notes the job of the checkout.
func (p *play) counts(file string, want int, what string) {
	p.shows(what, func() error {
		s, err := p.standingOf()
		if err != nil {
			return err
		}
		n, err := counted(p.ledger, file, s.operation)
		if err == nil && n != want {
			err = fmt.Errorf("the ledger counts %d, not %d", n, want)
		}
		return err
	})
}
