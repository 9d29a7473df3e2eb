//go:build linux || darwin

// Command git-algal admits a coding agent's job on a Git checkout, launches it
// at most once, and says afterwards what is known of it. As a command of git
// it is typed "git algal".
//
// The map:
//
//	main.go, environment.go     everything from outside comes in here
//	program.go, arguments.go    arguments become one call of one verb
//	verbs.go, flags.go          the table of verbs, the flags they share
//	exit.go                     the only table of exit statuses
//	site.go, places.go          where a command works: checkout, store, adapters
//	resolve.go                  which job JOB means
//	order.go, prompt.go         flags become the options of a preparation
//	document.go                 what a verb found, printed by text.go or json.go
//	pager.go, palette.go        a patch on a terminal, as git shows it
//	next.go, ways.go            what to type next
//	hook.go                     the answer to a guard hook, before anything else
//	embedded.go                 the adapter that is this program, before anything else, too
//	adapters.go, adapter_*.go   the actions of the verb "adapter"
//	attempt.go                  one operation in the ledger of such an adapter
//	complete*.go                the answer to a shell that completes a word
//	demo*.go                    the whole job on a throw-away repository
//
// and one file per verb. A verb turns its flags into one call of
// [jobs.Service] and returns a document; it prints nothing itself. Results go
// to stdout, everything else to stderr.
package main

import "os"

func main() { os.Exit(run(processEnvironment())) }
