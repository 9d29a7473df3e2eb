package hooks_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/hooks"
	"github.com/git-algal/git-algal/internal/fault"
)

var sample = hooks.Script{
	Hook: hooks.PrePush, Program: "/opt/git algal's/bin/git-algal", Registry: `/home/it's "me"/$HOME/\x`,
	AllClears: "/home/me/hooks", MadeDirectory: true,
}

func TestScriptRoundTrip(t *testing.T) {
	for _, name := range hooks.Names() {
		want := sample
		want.Hook = name
		text, err := want.Format()
		if err != nil {
			t.Fatal(err)
		}
		got, err := hooks.ParseScript(text)
		if err != nil || got != want {
			t.Errorf("%+v, %v, not %+v", got, err, want)
		}
		for _, shell := range []string{"sh", "bash"} {
			cmd := exec.Command(shell, "-n")
			cmd.Stdin = bytes.NewReader(text)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", shell, err, out)
			}
		}
		// The shell reads the paths as they were meant.
		head, _, _ := strings.Cut(string(text), "\n\n")
		out, err := exec.Command("sh", "-c", head+"\nprintf '%s|%s' \"$program\" \"$registry\"").Output()
		if err != nil || string(out) != want.Program+"|"+want.Registry {
			t.Errorf("the shell reads %q, %v", out, err)
		}
	}
}

func TestScriptRefuses(t *testing.T) {
	for _, harm := range []string{"\n", "\r", "\x00"} {
		s := sample
		s.Program += harm
		_, err := s.Format()
		fails(t, "Format", err, fault.UnsafePath)
	}
	text, err := sample.Format()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ what, old, new string }{
		{"another hook", "hook='pre-push'", "hook='pre-commit'"},
		{"a relative program", "program='/", "program='"},
		{"a relative registry", "registry='/", "registry='"}, {"relative all-clears", "allclears='/", "allclears='"},
		{"another word", "directory='made'", "directory='maybe'"},
		{"no setting", "directory='made'\n", ""},
		{"another line", "exit 1", "exit 0"},
		{"an unquoted path", "'/home/me/hooks'", "/home/me/hooks"},
	} {
		changed := strings.Replace(string(text), c.old, c.new, 1)
		if changed == string(text) {
			t.Fatalf("%s: nothing to replace", c.what)
		}
		got, err := hooks.ParseScript([]byte(changed))
		fails(t, c.what, err, fault.Malformed)
		if got != (hooks.Script{}) {
			t.Errorf("%s: %+v", c.what, got)
		}
	}
}

func FuzzScript(f *testing.F) {
	text, err := sample.Format()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("#!/bin/sh\nexit 0\n"))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := hooks.ParseScript(text)
		if err != nil {
			if s != (hooks.Script{}) {
				t.Errorf("%+v with %v", s, err)
			}
			return
		}
		if again, err := s.Format(); err != nil || !bytes.Equal(again, text) {
			t.Errorf("Format: %v, differs from what was parsed", err)
		}
	})
}

func TestParseCall(t *testing.T) {
	call, err := hooks.ParseCall([]string{"pre-push", "--registry", "/r", "--all-clears", "/a", "--", "origin", "--registry"})
	if err != nil || call.Hook != hooks.PrePush || call.Registry != "/r" || call.AllClears != "/a" || strings.Join(call.Args, " ") != "origin --registry" {
		t.Errorf("%+v, %v", call, err)
	}
	for _, words := range []string{
		"", "pre-commit --registry /r --all-clears /a --", "pre-push", "pre-push --registry", "pre-push --registry r --all-clears /a --",
		"pre-push --registry /r --all-clears a --", "pre-push --registry /r --", "pre-push --registry /r --all-clears /a --more x --", "pre-push /r --registry /r",
	} {
		_, err := hooks.ParseCall(strings.Fields(words))
		fails(t, words, err, fault.Usage)
	}
}
