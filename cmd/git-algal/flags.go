//go:build linux || darwin

package main

import (
	"time"

	"github.com/urfave/cli/v2"
)

// The names of the flags that every verb takes.
const (
	flagDir   = "C"
	flagStore = "store"
	flagJSON  = "json"
	flagQuiet = "quiet"
	flagHelp  = "help"
)

// sharedFlags returns the flags that every verb takes, also before its name.
func sharedFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagDir, Usage: "work as if started in `DIR`"},
		&cli.StringFlag{Name: flagStore, Usage: "use the store at `DIR`"},
		&cli.BoolFlag{Name: flagJSON, Usage: "print one JSON document"},
		&cli.BoolFlag{Name: flagQuiet, Aliases: []string{"q"}, Usage: "no progress and no warnings on stderr"},
		&cli.BoolFlag{Name: flagHelp, Aliases: []string{"h"}, Usage: "say what the command does"},
	}
}

const (
	flagWait       = "wait"
	flagWithPrompt = "with-prompt"
)

func waitFlag() cli.Flag {
	return &cli.DurationFlag{Name: flagWait, Value: 0, Usage: "wait up to `DURATION` for a lease that another process holds"}
}

func withPromptFlag() cli.Flag {
	return &cli.BoolFlag{Name: flagWithPrompt, Usage: "show the prompt itself, not only its digest"}
}

// maxWait bounds --wait: a day is longer than any job runs.
const maxWait = 24 * time.Hour
