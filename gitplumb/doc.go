// Package gitplumb judges one Git checkout: what it is, whether it is exactly
// HEAD, and if not, what differs (contract section 5). It is the only package
// that sees go-git and the only one that runs git.
//
// The map:
//
//	git.go        the git binary: found once, run with a scrubbed environment
//	repo.go       Open and Around: one pass over one checkout; Identity
//	config.go     every configuration scope, as git itself lists it
//	formats.go    which repository formats and extensions are judged at all
//	refs.go       loose and packed references; head.go resolves HEAD
//	objects.go    commits, trees and blobs, re-hashed; alternates.go and
//	              packindex.go find them
//	attributes.go does any attribute convert content? way.go chooses the way
//	entries.go    the index; tree.go compares it with HEAD's tree
//	scan.go       every tracked file read once, beside the rest of the pass
//	raw.go        the fingerprint; rawcanon.go reads one that we wrote
//	untracked.go  what is neither tracked nor ignored
//	status.go     the status text; own.go computes it, ask.go asks git
//	clean.go      the three conditions of "clean"
//	changes.go    what a patch has to carry; content.go reads it
//	hidden.go     an index that lies
//	control.go    what decides git's answers, and evidence; compare.go,
//	              settings.go and frozen.go belong to it
//	worktrees.go  what files alone say of a repository, for hooks
//	hookspath.go  from which directory git runs hooks
//
// A [Repo] is one pass. Whatever it has read once it does not read again, so
// that Status, Fingerprint and Clean speak of the same bytes; a second look
// is a second Open. A Repo is not safe for concurrent use.
//
// Two ways lead to a status. The own way computes it from content; git's way
// asks git and then compares git's answer with the own computation. Which way
// is taken depends on what the checkout contains and never changes the text.
//
// Nothing is written below the checkout or its git directory, no network is
// used, and no hook and no file system monitor runs. Filters that the admitted
// configuration defines do run where git needs them to compare content.
package gitplumb
