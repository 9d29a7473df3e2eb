package definition

import "slices"

// A Recipe is what is known of one agent: how it is called so that it asks
// nobody anything, takes the prompt where nobody else can read it, and starts
// nothing that outlives it unseen; and what it leaves in a checkout.
type Recipe struct {
	Name      string   // as people say it, and the agent's program
	Arguments []string // behind the program
	Note      string   // one sentence on what the arguments see to

	Leaves  []string // paths below the checkout that the agent may leave there
	Exclude []string // lines for info/exclude, set before a job, so that they are no part of its change

	// Writable are the exceptions from the read-only git directory.
	Writable []string

	// Unsupported says why the agent cannot be run at all; everything but
	// the name is empty then.
	Unsupported string
}

// StandardWritable returns the exceptions from the read-only git directory
// that belong to repositories rather than agents: git-lfs keeps the files that
// it converts in "lfs", also for a mere look at the status.
func StandardWritable() []string { return []string{"lfs"} }

// Recipes returns the agents that are known, in the order of their names. The
// facts are those of late 2026.
func Recipes() []Recipe {
	return []Recipe{
		{
			Name:        "agy",
			Unsupported: "agy takes the prompt only as an argument of -p, where every user of the machine can read it",
		},
		{
			Name: "aider",
			Arguments: []string{
				"--yes-always", "--no-auto-commits", "--no-dirty-commits", "--no-gitignore", "--message-file", PromptFile,
			},
			Note:     "the prompt is read from a file; without the three refusals aider commits and edits .gitignore by itself",
			Leaves:   []string{".aider.chat.history.md", ".aider.input.history", ".aider.tags.cache.v4/"},
			Exclude:  []string{"/.aider*"},
			Writable: StandardWritable(),
		},
		{
			Name:      "claude",
			Arguments: []string{"-p", "--permission-mode", "acceptEdits"},
			Note: "the prompt is read from standard input; after its result it waits for background work, " +
				"no longer than CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS",
			Leaves:   []string{".claude/settings.local.json"},
			Exclude:  []string{"/.claude/settings.local.json"},
			Writable: StandardWritable(),
		},
		{
			Name:      "codex",
			Arguments: []string{"exec", "-s", "workspace-write", "--ephemeral", "-"},
			Note:      "the prompt is read from standard input; without -s it may not write at all",
			Leaves:    []string{".codex", ".agents"},
			Exclude:   []string{"/.codex", "/.agents"},
			Writable:  StandardWritable(),
		},
		{
			Name:      "gemini",
			Arguments: []string{"--approval-mode", "yolo", "--skip-trust"},
			Note:      "the prompt is read from standard input",
			Writable:  StandardWritable(),
		},
		{
			Name:      "opencode",
			Arguments: []string{"run", "--auto", "--standalone"},
			Note: "the prompt is read from standard input; without --standalone version 2 hands the work to a server " +
				"that all its sessions share; the file .git/opencode, which it uses as a cache, it cannot write",
			Leaves:   []string{".opencode/"},
			Exclude:  []string{"/.opencode/"},
			Writable: StandardWritable(),
		},
	}
}

// RecipeNamed returns the recipe of a name, unsupported ones included.
func RecipeNamed(name string) (recipe Recipe, ok bool) {
	all := Recipes()
	i := slices.IndexFunc(all, func(r Recipe) bool { return r.Name == name })
	if i < 0 {
		return Recipe{}, false
	}
	return all[i], true
}
