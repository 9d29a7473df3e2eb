//go:build linux || darwin

package main

import (
	"context"
	"embed"
	"slices"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

const (
	completionSchema = "git-algal.completion/1"

	bash = "bash"
	zsh  = "zsh"
	fish = "fish"
)

// scripts are those of the shells. They hold no table of commands: each asks
// the program itself what a word can become (complete.go).
//
//go:embed completion
var scripts embed.FS

func completionVerb() verb {
	return verb{
		name: "completion", usage: "print the script with which a shell completes the words of git algal",
		operands: strings.Join(shells(), "|"), maxOperands: 1, run: completion,
		details: "bash: as completions/git-algal of bash-completion, or in ~/.bashrc:\n" +
			"    eval \"$(git algal completion bash)\"\n" +
			"zsh: as _git-algal in a folder of $fpath, or in ~/.zshrc behind compinit:\n" +
			"    source <(git algal completion zsh)\n" +
			"fish: in ~/.config/fish/config.fish, because git's own completions have to see it:\n" +
			"    git algal completion fish | source",
	}
}

func shells() []string { return []string{bash, zsh, fish} }

// A completionDocument is the script of a shell.
type completionDocument struct {
	Schema string `json:"schema"`
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

func completion(_ context.Context, in *invocation) (answer, error) {
	shell := in.flags.Args().First()
	if shell == "" {
		return answer{}, fault.New(fault.Usage, "no shell is named").WithNext("git algal completion %s", strings.Join(shells(), "|"))
	}
	if !slices.Contains(shells(), shell) {
		return answer{}, fault.New(fault.Usage, "%q is no shell that is known here", shell).
			WithNext("git algal completion %s", strings.Join(shells(), "|"))
	}
	script, err := scripts.ReadFile("completion/git-algal." + shell)
	if err != nil {
		return answer{}, err
	}
	return answer{document: &completionDocument{completionSchema, shell, string(script)}}, nil
}

func (d *completionDocument) writeText(p *page) { p.content(d.Script) }
