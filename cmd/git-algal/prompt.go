//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

const (
	flagFile    = "F"
	flagMessage = "m"

	stdinName = "-"
)

func promptFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagFile, Aliases: []string{"file"}, Usage: "take the prompt from `FILE`, as it is; - is stdin"},
		&cli.StringFlag{Name: flagMessage, Aliases: []string{"message"}, Usage: "take `TEXT` as the prompt; other users can see it in the list of processes"},
	}
}

// givesPrompt reports whether the flags name a prompt.
func (in *invocation) givesPrompt() bool {
	return in.flags.IsSet(flagFile) || in.flags.IsSet(flagMessage)
}

// prompt returns the prompt that the flags name, else what the person writes
// in an editor. Errors never quote it.
func (in *invocation) prompt(ctx context.Context) (string, error) {
	file, message := in.flags.IsSet(flagFile), in.flags.IsSet(flagMessage)
	switch {
	case file && message:
		return "", fault.New(fault.Usage, "flags %q and %q exclude each other", "-F", "-m")
	case message:
		return in.flags.String(flagMessage), nil
	case file:
		return in.promptFile(in.flags.String(flagFile))
	}
	return in.editPrompt(ctx)
}

func (in *invocation) promptFile(name string) (string, error) {
	var text []byte
	var err error
	if name == stdinName {
		text, err = readAtMost(in.stdin, jobs.MaxPromptBytes)
	} else {
		text, err = readBounded(in.path(name), jobs.MaxPromptBytes)
	}
	switch {
	case errors.Is(err, errTooLong):
		return "", fault.New(fault.Malformed, "the prompt has more than %d bytes", jobs.MaxPromptBytes)
	case err != nil:
		return "", fault.New(fault.Usage, "the prompt cannot be read from %q: %w", name, err)
	}
	return string(text), nil
}

// editTemplate is what an editor opens with; lines that start with "#" are
// dropped from what it leaves, as from a commit's message.
const editTemplate = `
# Write the prompt for the agent. Lines that start with "#" are dropped, and
# an empty prompt prepares nothing.
`

// editPrompt lets the person write the prompt in the editor that git would
// use. Without a terminal nobody could: that is refused.
func (in *invocation) editPrompt(ctx context.Context) (string, error) {
	if !in.isTerminal(in.stdin) || !in.isTerminal(in.stderr) {
		return "", fault.New(fault.Usage, "no prompt is given, and there is no terminal to write one").
			WithNext("give it with -F FILE, -F - or -m TEXT")
	}
	dir, err := os.MkdirTemp(in.variable("TMPDIR"), "git-algal-prompt-")
	if err != nil {
		return "", fault.New(fault.HostFailed, "no file for the prompt can be made: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "PROMPT_EDITMSG")
	if err := os.WriteFile(file, []byte(editTemplate), 0o600); err != nil {
		return "", fault.New(fault.HostFailed, "no file for the prompt can be made: %w", err)
	}
	editor := in.editor(ctx)
	cmd := exec.CommandContext(ctx, "sh", "-c", editor+` "$@"`, editor, file)
	cmd.Env = in.withoutGit()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in.stdin, in.stderr, in.stderr
	if stdout, ok := in.stdout.(*os.File); ok && in.isTerminal(stdout) {
		cmd.Stdout = stdout
	}
	if err := cmd.Run(); err != nil {
		return "", fault.New(fault.Usage, "the editor %q failed: %w", editor, err).
			WithNext("choose another one with GIT_EDITOR, or give the prompt with -F FILE")
	}
	text, err := readBounded(file, 2*jobs.MaxPromptBytes) // comments included
	if err != nil {
		return "", fault.New(fault.Malformed, "the prompt cannot be read back: %w", err)
	}
	prompt := withoutComments(string(text))
	if prompt == "" {
		return "", fault.New(fault.Malformed, "the prompt is empty, so nothing is prepared")
	}
	return prompt, nil
}

func (in *invocation) editor(ctx context.Context) string {
	if editor := in.variable("GIT_EDITOR"); editor != "" {
		return editor
	}
	if editor, err := in.personal(ctx, "core.editor"); err == nil && editor != "" {
		return editor
	}
	for _, variable := range []string{"VISUAL", "EDITOR"} {
		if editor := in.variable(variable); editor != "" {
			return editor
		}
	}
	return "vi"
}

// withoutComments returns text as git leaves a commit's message: without
// comment lines, blanks at the ends of lines, blank lines at both ends, and
// repeated blank lines.
func withoutComments(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n\v\f")
		blank := line == ""
		if strings.HasPrefix(line, "#") || blank && (len(kept) == 0 || kept[len(kept)-1] == "") {
			continue
		}
		kept = append(kept, line)
	}
	if len(kept) > 0 && kept[len(kept)-1] == "" {
		kept = kept[:len(kept)-1]
	}
	if len(kept) == 0 {
		return ""
	}
	return strings.Join(kept, "\n") + "\n"
}
