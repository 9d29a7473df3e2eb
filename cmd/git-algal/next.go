//go:build linux || darwin

package main

import (
	"strconv"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// next returns what can be typed next, the likeliest first, each as an
// argument list that means the same job in the same store.
func (s *site) next(snap jobs.Snapshot) [][]string {
	job := string(snap.JobID)
	switch snap.Status {
	case jobs.Prepared:
		return [][]string{s.command("run", job)}
	case jobs.Uncertain:
		if !reconcilable(snap) {
			return [][]string{{"git", "worktree", "add", "../" + freeName(snap.Intent.Workspace)}}
		}
		if _, _, served := definition.Embedded(snap.Intent.Adapter); served {
			return [][]string{s.command("wait", job, dashed(flagReconcile)), s.command("stop", job)}
		}
		return [][]string{s.command("reconcile", job)}
	case jobs.Completed:
		if changedFiles(snap) == 0 {
			return append([][]string{s.command("output", job)}, s.again(snap)...)
		}
		return [][]string{s.command("verify", job), s.command("patch", job), s.command("output", job)}
	}
	look := "diff"
	if snap.Result != nil && snap.Result.PatchRef != "" {
		look = "patch"
	}
	return append([][]string{s.command("output", job), s.command(look, job)}, s.again(snap)...)
}

// reconcilable reports whether a reconciliation can still settle the job: a v1
// job has none; else there must be room for what the lookup may find, or the
// end must be known already.
func reconcilable(snap jobs.Snapshot) bool {
	if snap.Intent.XCB != nil {
		return false
	}
	seen := snap.Evidence.Observations
	return len(seen) < operation.MaxObservations || seen[len(seen)-1].State() == operation.Terminal
}

// again returns the command of the next attempt at the same words, where they
// can be repeated.
func (s *site) again(snap jobs.Snapshot) [][]string {
	if snap.Intent.XCB != nil {
		return nil
	}
	attempt := nextAttempt(snap.Intent.Operation.OperationID)
	return [][]string{s.command("prepare", dashed(flagLike), string(snap.JobID), dashed(flagAttempt), strconv.Itoa(attempt))}
}

// nextAttempt returns the number after that of a derived operation id, and 1
// after an id that a person chose.
func nextAttempt(id operation.Identity) int {
	const derivedDigits = 32 // of its digest
	number, digest, found := strings.Cut(strings.TrimPrefix(string(id), "a"), "-")
	n, err := strconv.Atoi(number)
	if !found || err != nil || n < 1 || n >= jobs.MaxAttempt || len(digest) != derivedDigits || !strings.HasPrefix(string(id), "a") {
		return 1
	}
	return n + 1
}

// command returns a command of this program, in the checkout and the store of
// this one.
func (s *site) command(verb string, args ...string) []string {
	argv := append([]string{"git", "algal", verb}, args...)
	if s.flags.IsSet(flagDir) {
		argv = append(argv, dashed(flagDir), s.dir)
	}
	if s.store.source == chosenByFlag {
		argv = append(argv, dashed(flagStore), s.store.root)
	}
	return argv
}

func writeNext(p *page, next [][]string) {
	for i, argv := range next {
		lead := "next: "
		if i > 0 {
			lead = "  or: "
		}
		p.line("%s%s", lead, shellLine(argv))
	}
}

// shellLine returns an argument list as a person types it; ids of jobs are
// abbreviated.
func shellLine(argv []string) string {
	var typed []string
	for _, arg := range argv {
		if digest, err := canon.ParseDigest(arg); err == nil {
			arg = shortID(digest)
		}
		typed = append(typed, shellWord(arg))
	}
	return strings.Join(typed, " ")
}

// shellWord returns arg as one word of a POSIX shell's line.
func shellWord(arg string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("@%+=:,./_-", r)
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
