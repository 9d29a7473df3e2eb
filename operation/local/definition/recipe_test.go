package definition_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/operation/local/definition"
)

// The exact commands: a change of one is a change of what people run.
func TestRecipes(t *testing.T) {
	want := map[string]string{
		"agy":      "",
		"aider":    "--yes-always --no-auto-commits --no-dirty-commits --no-gitignore --message-file {prompt-file}",
		"claude":   "-p --permission-mode acceptEdits",
		"codex":    "exec -s workspace-write --ephemeral -",
		"gemini":   "--approval-mode yolo --skip-trust",
		"opencode": "run --auto --standalone",
	}
	recipes := definition.Recipes()
	if len(recipes) != len(want) || !slices.IsSortedFunc(recipes, func(a, b definition.Recipe) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("got %d recipes, or not in order", len(recipes))
	}
	for _, r := range recipes {
		if arguments, ok := want[r.Name]; !ok || strings.Join(r.Arguments, " ") != arguments {
			t.Errorf("%s: arguments %q", r.Name, r.Arguments)
		}
		if (r.Unsupported == "") == (r.Arguments == nil) {
			t.Errorf("%s is neither supported nor not", r.Name)
		}
		if r.Unsupported != "" {
			continue
		}
		d := sample()
		d.Executable, d.Arguments, d.Prompt = "/bin/"+r.Name, r.Arguments, definition.DeliveryOf(r.Arguments)
		d.Writable, d.Recipe = r.Writable, r.Name
		if err := d.Validate(); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
		if h := definition.HandsOver(d.Argv("/p")); h.Server != "" || h.Opaque != "" || h.Program != r.Name {
			t.Errorf("%s: %+v", r.Name, h)
		}
		for _, line := range r.Exclude {
			if !strings.HasPrefix(line, "/") || strings.ContainsAny(line, "\n\r") {
				t.Errorf("%s: %q would exclude files of the person's own", r.Name, line)
			}
		}
	}
}

func TestRecipeNamed(t *testing.T) {
	if r, ok := definition.RecipeNamed("codex"); !ok || r.Name != "codex" {
		t.Errorf("got %+v, %v", r, ok)
	}
	if _, ok := definition.RecipeNamed(""); ok {
		t.Error("a recipe without a name")
	}
}

func TestHandsOver(t *testing.T) {
	for command, want := range map[string]string{ // the program, with "!" where it hands over and "?" where nobody reads the script
		"agent -p":                                 "agent",
		"/usr/bin/docker run x":                    "docker!",
		"podman run x":                             "podman!",
		"ssh host agent":                           "ssh!",
		"tmux new -d agent":                        "tmux!",
		"screen -dmS x agent":                      "screen!",
		"at now":                                   "at!",
		"batch":                                    "batch!",
		"systemd-run --user agent":                 "systemd-run!",
		"systemd-run --user --scope agent":         "systemd-run",
		"systemd-run agent -- --scope":             "systemd-run!",
		"opencode run --auto":                      "opencode!",
		"opencode run --auto --standalone":         "opencode",
		"opencode --verbose run":                   "opencode!",
		"opencode attach http://localhost":         "opencode!",
		"env docker run":                           "docker!",
		"env -i A=B C=D ssh x":                     "ssh!",
		"env -u HOME -C / tmux":                    "tmux!",
		"env --unset HOME tmux":                    "tmux!",
		"env --unset=HOME tmux":                    "tmux!",
		"env -S tmux":                              "tmux!",
		"env A=B":                                  "",
		"nice -n 10 docker":                        "docker!",
		"nice -10 docker":                          "docker!",
		"timeout 10m ssh h":                        "ssh!",
		"timeout -k 5 --signal TERM 10m ssh h":     "ssh!",
		"timeout -k5 10m ssh h":                    "ssh!",
		"nohup setsid nice env timeout 1 tmux":     "tmux!",
		"nohup agent":                              "agent",
		"sudo -u someone docker":                   "docker!",
		"sudo -S tmux":                             "tmux!",
		"flock -w 3 /lock ssh h":                   "ssh!",
		"taskset -c 0 ssh h":                       "ssh!",
		"stdbuf -oL ssh h":                         "ssh!",
		"stdbuf -o L ssh h":                        "ssh!",
		"time -- ssh h":                            "ssh!",
		"timeout -- 10m ssh h":                     "ssh!",
		"sh -c docker":                             "sh?",
		"env bash script":                          "bash?",
		"nohup":                                    "",
		"timeout":                                  "",
		"flatpak-spawn --host agent":               "flatpak-spawn!",
		"flatpak-spawn agent":                      "flatpak-spawn",
		"agent docker":                             "agent",
		"env env env env env env env env env tmux": "tmux!",
	} {
		h := definition.HandsOver(strings.Fields(command))
		got := h.Program
		if h.Server != "" {
			got += "!"
		}
		if h.Opaque != "" {
			got += "?"
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
	if h := definition.HandsOver([]string{"env", "-S", "nice ssh", "host"}); h.Server == "" {
		t.Errorf("env -S: %+v", h)
	}
	if h := definition.HandsOver(nil); h != (definition.Handover{}) {
		t.Errorf("nothing: %+v", h)
	}
}

func FuzzHandsOver(f *testing.F) {
	f.Add("env -S timeout -k")
	f.Add("sudo -u")
	f.Fuzz(func(t *testing.T, command string) {
		h := definition.HandsOver(strings.Fields(command))
		if h.Server != "" && h.Opaque != "" || h.Program == "" && h != (definition.Handover{}) {
			t.Errorf("%q: %+v", command, h)
		}
	})
}
