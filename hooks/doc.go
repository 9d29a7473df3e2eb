// Package hooks sets guard hooks into a repository and answers them: while an
// unresolved claim holds, they refuse, naming the job, any update of a
// reference made from the claimed checkout, and from elsewhere any update of
// the branch that the claimed checkout has checked out.
//
// The map:
//
//	script.go, scripts/guard.sh   the hook as git runs it: a shell script
//	place.go                      from which directory git runs the hooks of a checkout
//	folder.go, install.go         the script in that directory, what was there set aside
//	survey.go                     every worktree of the repository, and how it is guarded
//	call.go                       the script's one call of the program
//	updates.go                    what git says on a hook's standard input
//	claims.go                     the unresolved claims on the repository's checkouts
//	decide.go                     the decision, of claims and updates alone
//	guard.go                      all of it, in the order in which it happens
//	allclear.go                   the stamp that lets the script answer alone
//
// # What the hooks are
//
// They are the second line: best effort, for agents that run outside any
// custody and for people. Git does not ask them about everything. Files and
// index change before git asks, so a refused "git reset --hard", "cherry-pick"
// or "rebase" leaves residue. Git 2.39 does not ask when a symbolic reference
// changes, as later versions do, so there "git switch" to an existing branch
// and "git symbolic-ref" pass, and so does "git worktree add" of a branch that
// exists. And "git -c core.hooksPath=" and "git push --no-verify" turn the
// hooks off. A main checkout whose git directory is not the ".git" in it, as
// in a submodule, is guarded only against what is done in it.
//
// They never keep a repository from working. Only a claim that can be read,
// of a job that can be read and is unresolved, refuses. Whatever keeps the
// hook from judging, a missing program, a registry or a store that cannot be
// read, is said on standard error, and the update passes.
//
// # What leaves a reference as it is
//
// Git runs reference-transaction for gc and pack-refs too, which move values
// between files. Whether an update changes a reference is told by what is
// stored when git asks: packing names the value that is there, and pruning
// deletes a loose reference whose value packed-refs has, with the lock on
// packed-refs given back; a real deletion holds that lock.
//
// # What an installation writes
//
// In the hooks directory, per hook, the script and, where there was a hook
// before, that one under the name with ".git-algal-chained" behind it. It is
// the file itself, by link or, of a symbolic link, an equal one; uninstalling
// gives it its name back. Every step is one rename or link, so a hook is at
// every moment the one before or the one after.
package hooks
