// Command program answers a guard hook as git-algal does. The tests build it
// without the race detector, whose start would cost them more than git.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/git-algal/git-algal/hooks"
	"github.com/git-algal/git-algal/state"
)

func main() { os.Exit(answer(os.Args[2:])) } // behind the word "hook"

func answer(words []string) int {
	call, err := hooks.ParseCall(words)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	guard := hooks.Guard{
		FS: state.OS(), Now: time.Now, Directory: dir, GitDir: os.Getenv("GIT_DIR"), CommonDir: os.Getenv("GIT_COMMON_DIR"),
		Warn: func(err error) { fmt.Fprintln(os.Stderr, "warning:", err) },
	}
	if err := guard.Answer(call, os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
