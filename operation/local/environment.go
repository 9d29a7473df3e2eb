package local

import (
	"context"
	"strings"
	"time"

	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/state"
)

// The words behind [definition.AdapterWord] with which this program starts
// itself again. People never type them.
const (
	SuperviseWord = "supervise" // then --ledger DIR KEY; calls Supervise
	InitWord      = "init"      // calls custody.Init
)

// An Environment is what the program knows of itself and its surroundings.
type Environment struct {
	Executable string   // absolute path of this program, which is started again
	Env        []string // the whole environment, as "NAME=value"; the agent's, less every GIT_*
	FS         state.FS
	Now        func() time.Time

	// ReadOnly are files that an agent may not change beside the git directory
	// and the ledger, where mount namespaces allow it: the global excludes.
	ReadOnly []string

	// Force and CgroupRoot are custody.Options, empty for what the machine gives.
	Force      custody.Mechanism
	CgroupRoot string

	// Machine names this machine; empty asks package custody.
	Machine string
}

func (e Environment) machine() (string, error) {
	if e.Machine != "" {
		return e.Machine, nil
	}
	return custody.MachineID()
}

func (e Environment) custody() custody.Options {
	return custody.Options{
		InitArgv: []string{e.Executable, definitionAdapter, InitWord}, Force: e.Force, CgroupRoot: e.CgroupRoot,
	}
}

// Probe says what custody and protection this machine gives, found by doing;
// see custody.Probe.
func Probe(ctx context.Context, env Environment) (custody.Found, error) {
	return custody.Probe(ctx, env.custody())
}

// world returns the world of the ledger that authority is to have on machine.
func (e Environment) world(book disk, authority operation.Identity, machine string) *world {
	return &world{
		book:    book,
		kernel:  system{env: e, ledger: book.Root()},
		start:   spawner{e, book.Root()},
		sound:   func() error { return isSound(book.Ledger, authority, machine) },
		machine: machine,
		now:     e.Now,
		pause:   pause,
	}
}

// pause waits, or returns why ctx ended it.
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

// withoutGit returns env less every variable of git's own.
func withoutGit(env []string) []string {
	kept := []string{}
	for _, variable := range env {
		if !strings.HasPrefix(variable, "GIT_") {
			kept = append(kept, variable)
		}
	}
	return kept
}
