package definition_test

import (
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/local/definition"
)

func TestStableExecutable(t *testing.T) {
	around := definition.Surroundings{
		Temporary: []string{"/tmp", "/var/tmp"}, BuildCaches: []string{"/caches/go"}, Checkouts: []string{"/home/me/src"},
	}
	at := func(rule definition.Rule, path string) definition.Candidate {
		return definition.Candidate{Rule: rule, Path: path, Target: path}
	}
	to := func(rule definition.Rule, path, target string) definition.Candidate {
		return definition.Candidate{Rule: rule, Path: path, Target: target}
	}
	for name, c := range map[string]struct {
		candidates []definition.Candidate
		want       string // empty: refused
	}{
		"as called":                      {[]definition.Candidate{at(definition.AsCalled, "/usr/bin/git-algal"), at(definition.AsItLies, "/usr/lib/git-algal")}, "/usr/bin/git-algal"},
		"a symlink into a Cellar":        {[]definition.Candidate{to(definition.AsCalled, "/opt/homebrew/bin/git-algal", "/opt/homebrew/Cellar/git-algal/1.0/bin/git-algal")}, "/opt/homebrew/bin/git-algal"},
		"a Cellar, PATH has the symlink": {[]definition.Candidate{at(definition.AsCalled, "/opt/homebrew/Cellar/git-algal/1.0/bin/git-algal"), to(definition.OnPath, "/opt/homebrew/bin/git-algal", "/opt/homebrew/Cellar/git-algal/1.0/bin/git-algal")}, "/opt/homebrew/bin/git-algal"},
		"a profile of Nix":               {[]definition.Candidate{to(definition.OnPath, "/home/me/.nix-profile/bin/git-algal", "/nix/store/x-git-algal/bin/git-algal")}, "/home/me/.nix-profile/bin/git-algal"},
		"only a Cellar":                  {[]definition.Candidate{at(definition.AsItLies, "/usr/local/Cellar/git-algal/1.0/bin/git-algal")}, ""},
		"only the store of Nix":          {[]definition.Candidate{at(definition.AsItLies, "/nix/store/x/bin/git-algal")}, ""},
		"only the store of Guix":         {[]definition.Candidate{at(definition.AsItLies, "/gnu/store/x/bin/git-algal")}, ""},
		"go run":                         {[]definition.Candidate{at(definition.AsCalled, "/run/go-build123/b001/exe/git-algal")}, ""},
		"the go command's cache":         {[]definition.Candidate{at(definition.AsCalled, "/home/me/.cache/go-build/ab/git-algal")}, ""},
		"a cache elsewhere":              {[]definition.Candidate{at(definition.AsCalled, "/caches/go/ab/git-algal")}, ""},
		"a program that is called so":    {[]definition.Candidate{at(definition.AsCalled, "/usr/bin/go-build-algal")}, "/usr/bin/go-build-algal"},
		"a temporary directory":          {[]definition.Candidate{at(definition.AsCalled, "/tmp/git-algal")}, ""},
		"a symlink to a temporary one":   {[]definition.Candidate{to(definition.AsCalled, "/usr/bin/git-algal", "/var/tmp/x/git-algal")}, ""},
		"a symlink in a temporary one":   {[]definition.Candidate{to(definition.AsCalled, "/tmp/git-algal", "/usr/bin/git-algal"), at(definition.AsItLies, "/usr/bin/git-algal")}, "/usr/bin/git-algal"},
		"beside a temporary directory":   {[]definition.Candidate{at(definition.AsCalled, "/tmpx/git-algal")}, "/tmpx/git-algal"},
		"a checkout":                     {[]definition.Candidate{at(definition.AsCalled, "/home/me/src/git-algal")}, ""},
		"a symlink into a checkout":      {[]definition.Candidate{to(definition.AsCalled, "/home/me/bin/git-algal", "/home/me/src/bin/git-algal")}, ""},
		"beside a checkout":              {[]definition.Candidate{at(definition.AsCalled, "/home/me/srcs/git-algal")}, "/home/me/srcs/git-algal"},
		"relative":                       {[]definition.Candidate{at(definition.AsCalled, "git-algal")}, ""},
		"nothing":                        {nil, ""},
	} {
		got, err := definition.StableExecutable(c.candidates, around)
		switch {
		case c.want == "" && !fault.Is(err, fault.AdapterPlacement):
			t.Errorf("%s: got %+v, %v", name, got, err)
		case c.want != "" && (err != nil || got.Path != c.want):
			t.Errorf("%s: got %+v, %v", name, got, err)
		case c.want == "" && got != (definition.Candidate{}):
			t.Errorf("%s: got %+v beside an error", name, got)
		}
	}
}
