package definition

import (
	"path/filepath"
	"slices"
	"strings"
)

// A Handover is what a command gives away of whether its work stays within its
// process tree.
type Handover struct {
	// Program is the one that does the work, behind the wrappers that are
	// looked through, and Server what it hands the work to. Server is empty
	// where nothing of the kind is known.
	Program string
	Server  string
	// Opaque is the shell whose script decides, which is not read; empty
	// where there is none.
	Opaque string
}

// HandsOver reads a command, argv[0] included. It knows programs by their
// names: what it does not know it lets pass, and a server that the agent itself
// talks to it cannot see.
func HandsOver(argv []string) Handover {
	wrapped := wrappers()
	for range len(argv) { // each turn takes at least one word away
		if len(argv) == 0 {
			return Handover{}
		}
		program, arguments := filepath.Base(argv[0]), argv[1:]
		w, ok := wrapped[program]
		if !ok {
			return judge(program, arguments)
		}
		argv = w.command(arguments)
	}
	return Handover{}
}

func judge(program string, arguments []string) Handover {
	h := Handover{Program: program}
	if slices.Contains([]string{"sh", "ash", "bash", "busybox", "csh", "dash", "fish", "ksh", "mksh", "tcsh", "zsh"}, program) {
		h.Opaque = program
		return h
	}
	switch program {
	case "systemd-run":
		if !hasFlag(arguments, "--scope") {
			h.Server = "the service manager, which starts the work as its own child unless --scope is given"
		}
	case "opencode":
		if hasWord(arguments, "attach") || hasWord(arguments, "run") && !hasFlag(arguments, "--standalone") {
			h.Server = "a server that all its sessions share, unless \"run\" is given --standalone"
		}
	case "flatpak-spawn":
		if hasFlag(arguments, "--host") {
			h.Server = "the host's session"
		}
	default:
		h.Server = servers()[program]
	}
	return h
}

// servers returns the programs that hand their work on, and to what.
func servers() map[string]string {
	const (
		containers = "a container's own processes, which its engine starts and keeps"
		remote     = "another machine"
		terminals  = "a terminal server that lives on"
		later      = "a queue that starts it later"
		editor     = "an editor that is running already"
		manager    = "the service manager"
	)
	return map[string]string{
		"docker": containers, "docker-compose": containers, "podman": containers, "podman-compose": containers, "nerdctl": containers,
		"devcontainer": containers, "distrobox": containers, "toolbox": containers, "lxc": containers, "incus": containers,
		"machinectl": containers, "kubectl": containers, "oc": containers, "vagrant": containers, "multipass": containers, "limactl": containers,
		"ssh": remote, "autossh": remote, "mosh": remote, "rsh": remote,
		"tmux": terminals, "screen": terminals, "zellij": terminals, "dtach": terminals, "abduco": terminals,
		"at": later, "batch": later, "crontab": later, "qsub": later, "sbatch": later, "srun": later, "bsub": later, "tsp": later,
		"emacsclient": editor, "code": editor, "cursor": editor, "zed": editor,
		"systemctl": manager, "launchctl": manager, "open": manager,
	}
}

// A wrapper is a program that does what the rest of its arguments say.
type wrapper struct {
	short       string   // the letters of options that a value follows
	long        []string // the long options that a value follows
	operands    int      // before the command
	assignments bool     // NAME=VALUE before the command
	splits      bool     // -S STRING, whose words the wrapper splits itself
}

// wrappers returns the programs that are looked through.
func wrappers() map[string]wrapper {
	plain := wrapper{}
	return map[string]wrapper{
		"env": {
			short: "uC", long: []string{"--unset", "--chdir"}, assignments: true, splits: true,
		},
		"nice":       {short: "n", long: []string{"--adjustment"}},
		"ionice":     {short: "cn", long: []string{"--class", "--classdata"}},
		"chrt":       {short: "TPD", operands: 1},
		"taskset":    {operands: 1},
		"timeout":    {short: "ks", long: []string{"--kill-after", "--signal"}, operands: 1},
		"gtimeout":   {short: "ks", long: []string{"--kill-after", "--signal"}, operands: 1},
		"stdbuf":     {short: "ioe", long: []string{"--input", "--output", "--error"}},
		"time":       {short: "fo", long: []string{"--format", "--output"}},
		"flock":      {short: "wE", long: []string{"--wait", "--timeout", "--conflict-exit-code"}, operands: 1},
		"caffeinate": {short: "tw"},
		"sudo":       {short: "CDghpRrTtUu", assignments: true},
		"doas":       {short: "Cu"},
		"nohup":      plain, "setsid": plain, "unbuffer": plain, "command": plain, "exec": plain, "dbus-run-session": plain,
	}
}

// command returns what the wrapper runs.
func (w wrapper) command(arguments []string) []string {
	operands := w.operands
	for i := 0; i < len(arguments); i++ {
		word := arguments[i]
		switch {
		case word == "--":
			return arguments[min(i+1+operands, len(arguments)):]
		case strings.HasPrefix(word, "--"):
			if slices.Contains(w.long, word) {
				i++
			}
		case len(word) > 1 && word[0] == '-':
			if split, ok := w.splitString(word, arguments[i+1:]); ok {
				return split
			}
			if strings.IndexByte(w.short, word[len(word)-1]) >= 0 && !strings.ContainsAny(word[1:len(word)-1], w.short) {
				i++
			}
		case w.assignments && strings.Contains(word, "="):
		case operands > 0:
			operands--
		default:
			return arguments[i:]
		}
	}
	return nil
}

// splitString returns the command of "-S STRING", taken apart at its blanks:
// env's quoting is not read.
func (w wrapper) splitString(word string, rest []string) ([]string, bool) {
	text, ok := strings.CutPrefix(word, "-S")
	if !ok || !w.splits {
		return nil, false
	}
	if text == "" && len(rest) > 0 {
		text, rest = rest[0], rest[1:]
	}
	return w.command(append(strings.Fields(text), rest...)), true
}

// hasFlag reports whether a flag stands among arguments, before "--".
func hasFlag(arguments []string, flag string) bool {
	for _, a := range arguments {
		if a == "--" {
			return false
		}
		if a == flag || a == flag+"=true" {
			return true
		}
	}
	return false
}

// hasWord reports whether the first argument that is no flag is word.
func hasWord(arguments []string, word string) bool {
	for _, a := range arguments {
		if !strings.HasPrefix(a, "-") {
			return a == word
		}
	}
	return false
}
