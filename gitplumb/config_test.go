package gitplumb

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
)

func TestParseConfig(t *testing.T) {
	c, err := parseConfig([]byte("system\x00core.bare\x00local\x00core.x\na\nb\x00command\x00core.x\nours\x00worktree\x00filter.A.b.Clean\n\x00"))
	if err != nil {
		t.Fatal(err)
	}
	want := []setting{
		{scope: "system", key: "core.bare", valueless: true},
		{scope: "local", key: "core.x", value: "a\nb"},
		{scope: "worktree", key: "filter.A.b.Clean"},
	}
	if len(c.settings) != len(want) {
		t.Fatalf("got %+v", c.settings)
	}
	for i := range want {
		if c.settings[i] != want[i] {
			t.Errorf("setting %d is %+v, want %+v", i, c.settings[i], want[i])
		}
	}
	for _, text := range []string{"local", "local\x00", "local\x00\x00", "local\x00core.x"} {
		if _, err := parseConfig([]byte(text)); !fault.Is(err, fault.GitFailed) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// TestBooleans asks git about every word.
func TestBooleans(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config")
	for _, text := range []string{
		"a", "a = true", "a = TRUE", "a = yes", "a = On", "a = false", "a = no", "a = off", "a =", "a = 0", "a = 1", "a = -1",
		"a = 2k", "a = 1M", "a = 0g", "a = 0x10", "a = 010", "a = nonsense", "a = t", "a = 1x", "a = k", "a = 99999999999999999999", "a = 9999999999g",
	} {
		if err := os.WriteFile(file, []byte("[s]\n\t"+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("git", "config", "--file", file, "--type=bool", "--get", "s.a").Output()
		listed, listErr := exec.Command("git", "config", "--file", file, "--list", "-z").Output()
		if listErr != nil {
			t.Fatal(listErr)
		}
		c, parseErr := parseConfig(append([]byte("local\x00"), listed...))
		if parseErr != nil {
			t.Fatal(parseErr)
		}
		value, ok := c.settings[0].boolean()
		if ok != (err == nil) || ok && value != (string(out) == "true\n") {
			t.Errorf("%q: got %v, %v; git says %q, %v", text, value, ok, out, err)
		}
	}
}

func TestDriver(t *testing.T) {
	for key, want := range map[string][2]string{
		"filter.lfs.clean":   {"lfs", "clean"},
		"filter.a.b.process": {"a.b", "process"},
		"filter..clean":      {"", "clean"},
	} {
		if name, variable, ok := driver(key, "filter"); !ok || name != want[0] || variable != want[1] {
			t.Errorf("%q: got %q, %q, %v", key, name, variable, ok)
		}
	}
	for _, key := range []string{"filter.clean", "filters.x.clean", "core.x"} {
		if _, _, ok := driver(key, "filter"); ok {
			t.Errorf("%q taken for a driver", key)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("local\x00core.bare\x00"))
	f.Add([]byte("local\x00core.x\na\nb\x00command\x00core.x\nours\x00"))
	f.Add([]byte("local\x00\n\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := parseConfig(text)
		if err != nil && len(c.settings) > 0 {
			t.Fatal("settings beside an error")
		}
		for _, s := range c.settings {
			if s.valueless && s.value != "" {
				t.Fatalf("%+v", s)
			}
		}
	})
}
