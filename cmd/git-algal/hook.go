//go:build linux || darwin

package main

import (
	"fmt"

	"github.com/git-algal/git-algal/hooks"
	"github.com/git-algal/git-algal/state"
)

// hookWord is the first argument of the guard hooks' script. It is no verb:
// people do not type it, and it answers before any flag is parsed, because git
// waits for it at every change of a reference.
const hookWord = "hook"

// asksHook reports whether git asks through a guard hook.
func (e environment) asksHook() bool { return len(e.args) > 0 && e.args[0] == hookWord }

// answerHook answers git and returns exitDone where it may go on. exitRefused
// is the word that a claim stands in the way and means nothing else: the
// script lets git go on at every other status.
func (e environment) answerHook() int {
	complaints := &page{w: e.stderr}
	call, err := hooks.ParseCall(e.args[1:])
	if err != nil {
		newFailure(hookWord, err).writeText(complaints)
		return exitUsage
	}
	guard := hooks.Guard{
		FS: state.OS(), Now: e.now,
		Directory: e.dir, GitDir: e.variable("GIT_DIR"), CommonDir: e.variable("GIT_COMMON_DIR"),
		Warn: func(err error) {
			fmt.Fprintf(e.stderr, "git-algal: warning: not everything is guarded: %s\n", forTerminal(err.Error()))
		},
	}
	if err := guard.Answer(call, e.stdin); err != nil {
		newFailure(hookWord, err).writeWhole(complaints)
		return exitRefused
	}
	return exitDone
}

// writeWhole is writeText with ids in full length: whoever is refused here
// never asked for the job and may have to look for it elsewhere.
func (f failure) writeWhole(p *page) {
	p.line("git algal %s: %s [%s]", f.verb, forTerminal(f.Error.Message), f.Error.Code)
	p.line("next: %s", forTerminal(f.Error.Next))
}
