package definition_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/definition"
)

func sample() definition.Definition {
	return definition.Definition{
		Contract: definition.Contract, Executable: "/usr/bin/agent", Arguments: []string{"-p", "--mode=edit"},
		Version: "agent 1.2.3", Environment: map[string]string{"MODEL": "large", "A": ""},
		RuntimeMs: (45 * time.Minute).Milliseconds(), GraceMs: definition.DefaultGrace.Milliseconds(),
		Prompt: definition.Stdin, Writable: []string{"lfs"}, Recipe: "claude",
	}
}

func TestParseFormat(t *testing.T) {
	d := sample()
	text, err := d.Format()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"arguments":["-p","--mode=edit"],"contract":"algal.local-agent.v1","environment":{"A":"","MODEL":"large"},` +
		`"executable":"/usr/bin/agent","foreignServer":false,"gitWritable":false,"graceMs":10000,"prompt":"stdin","pty":false,` +
		`"recipe":"claude","runtimeMs":2700000,"version":"agent 1.2.3","writable":["lfs"]}`
	if string(text) != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
	parsed, err := definition.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := parsed.Format()
	if err != nil || !bytes.Equal(again, text) {
		t.Errorf("formatted again as %s, %v", again, err)
	}
	digest, err := d.Digest()
	if err != nil || digest != canon.DigestText(want) {
		t.Errorf("digest %s, %v", digest, err)
	}
	if parsed.Runtime() != 45*time.Minute || parsed.Grace() != definition.DefaultGrace {
		t.Errorf("runtime %v, grace %v", parsed.Runtime(), parsed.Grace())
	}
}

// What decides how an agent is run is in the digest.
func TestDigestTellsApart(t *testing.T) {
	seen := map[canon.Digest]string{}
	for name, change := range map[string]func(*definition.Definition){
		"nothing":        func(*definition.Definition) {},
		"executable":     func(d *definition.Definition) { d.Executable += "2" },
		"argument":       func(d *definition.Definition) { d.Arguments[0] = "-q" },
		"version":        func(d *definition.Definition) { d.Version = "" },
		"variable":       func(d *definition.Definition) { d.Environment["A"] = "a" },
		"runtime":        func(d *definition.Definition) { d.RuntimeMs = 0 },
		"grace":          func(d *definition.Definition) { d.GraceMs = 0 },
		"prompt":         func(d *definition.Definition) { d.Arguments[1], d.Prompt = definition.PromptFile, definition.File },
		"git writable":   func(d *definition.Definition) { d.GitWritable, d.Writable = true, nil },
		"exceptions":     func(d *definition.Definition) { d.Writable = nil },
		"pty":            func(d *definition.Definition) { d.PTY = true },
		"foreign server": func(d *definition.Definition) { d.ForeignServer = true },
		"recipe":         func(d *definition.Definition) { d.Recipe = "" },
	} {
		d := sample()
		change(&d)
		digest, err := d.Digest()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if other, ok := seen[digest]; ok {
			t.Errorf("%s and %s have one digest", name, other)
		}
		seen[digest] = name
	}
}

func TestBounds(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	variables := func(n, bytes int) map[string]string {
		m := map[string]string{}
		for i := range n {
			m["V"+strings.Repeat("_", i)] = long(bytes)
		}
		return m
	}
	exceptions := func(n int) (names []string) {
		for i := range n {
			names = append(names, "x"+long(i))
		}
		return names
	}
	for name, c := range map[string]struct {
		bound int
		set   func(d *definition.Definition, n int)
	}{
		"executable": {operation.MaxExecutableBytes, func(d *definition.Definition, n int) { d.Executable = "/" + long(n-1) }},
		"arguments":  {definition.MaxArguments, func(d *definition.Definition, n int) { d.Arguments = make([]string, n) }},
		"argument":   {definition.MaxArgumentBytes, func(d *definition.Definition, n int) { d.Arguments = []string{long(n)} }},
		"command": {definition.MaxCommandBytes, func(d *definition.Definition, n int) {
			d.Arguments = []string{long(16_000), long(16_000), long(16_000), long(16_000), long(n - 64_000 - len(d.Executable))}
		}},
		"version":        {definition.MaxVersionBytes, func(d *definition.Definition, n int) { d.Version = long(n) }},
		"recipe":         {definition.MaxRecipeBytes, func(d *definition.Definition, n int) { d.Recipe = long(n) }},
		"variables":      {definition.MaxVariables, func(d *definition.Definition, n int) { d.Environment = variables(n, 1) }},
		"variable name":  {definition.MaxNameBytes, func(d *definition.Definition, n int) { d.Environment = map[string]string{long(n): ""} }},
		"variable value": {definition.MaxValueBytes, func(d *definition.Definition, n int) { d.Environment = map[string]string{"V": long(n)} }},
		"variables' sum": {definition.MaxVariableBytes, func(d *definition.Definition, n int) {
			d.Environment = variables(8, 8_187)
			d.Environment["W"] = long(n - 65_533)
		}},
		"longest runtime": {int(definition.MaxRuntime.Milliseconds()), func(d *definition.Definition, n int) { d.RuntimeMs = int64(n) }},
		"shortest runtime": {-int(definition.MinRuntime.Milliseconds()), func(d *definition.Definition, n int) {
			d.RuntimeMs = int64(-n)
			if n > -int(definition.MinRuntime.Milliseconds()) {
				d.RuntimeMs = definition.MinRuntime.Milliseconds() - 1
			}
		}},
		"grace":      {int(definition.MaxGrace.Milliseconds()), func(d *definition.Definition, n int) { d.GraceMs = int64(n) }},
		"exceptions": {definition.MaxWritable, func(d *definition.Definition, n int) { d.Writable = exceptions(n) }},
		"exception":  {definition.MaxWritableBytes, func(d *definition.Definition, n int) { d.Writable = []string{long(n)} }},
		"record": {definition.MaxBytes, func(d *definition.Definition, n int) {
			// A control character takes six bytes of JSON.
			d.Arguments = []string{strings.Repeat("\x01", 16_000), strings.Repeat("\x01", 16_000)}
			d.Environment = map[string]string{"A": strings.Repeat("\x01", 8_000)}
			d.Arguments = append(d.Arguments, strings.Repeat("\x01", 2_000), "")
			text, err := canon.Encode(*d)
			if err != nil {
				panic(err)
			}
			rest := n - len(text)
			d.Arguments[3] = strings.Repeat("\x01", rest/6) + long(rest%6)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d := sample()
			c.set(&d, c.bound)
			text, err := d.Format()
			if err != nil {
				t.Fatalf("at the bound: %v", err)
			}
			if _, err := definition.Parse(text); err != nil {
				t.Errorf("at the bound: %v", err)
			}
			d = sample()
			c.set(&d, c.bound+1)
			if err := d.Validate(); !fault.Is(err, fault.Malformed) {
				t.Errorf("beyond the bound: %v", err)
			}
		})
	}
	if _, err := definition.Parse(bytes.Repeat([]byte(" "), definition.MaxBytes+1)); !fault.Is(err, fault.Malformed) {
		t.Errorf("a longer text: %v", err)
	}
}

func TestValidateRefuses(t *testing.T) {
	for name, change := range map[string]func(*definition.Definition){
		"contract":               func(d *definition.Definition) { d.Contract = "algal.local-agent.v2" },
		"relative executable":    func(d *definition.Definition) { d.Executable = "agent" },
		"no executable":          func(d *definition.Definition) { d.Executable = "" },
		"NUL in an argument":     func(d *definition.Definition) { d.Arguments[0] = "a\x00b" },
		"odd bytes":              func(d *definition.Definition) { d.Arguments[0] = "\xff" },
		"prompt file, unused":    func(d *definition.Definition) { d.Prompt = definition.File },
		"prompt file, unsaid":    func(d *definition.Definition) { d.Arguments[0] = "--in=" + definition.PromptFile },
		"unknown delivery":       func(d *definition.Definition) { d.Prompt = "argument" },
		"version of two lines":   func(d *definition.Definition) { d.Version = "1\n2" },
		"recipe in capitals":     func(d *definition.Definition) { d.Recipe = "Claude" },
		"nameless variable":      func(d *definition.Definition) { d.Environment[""] = "x" },
		"variable with a blank":  func(d *definition.Definition) { d.Environment["A B"] = "x" },
		"variable with a digit":  func(d *definition.Definition) { d.Environment["1A"] = "x" },
		"git's variable":         func(d *definition.Definition) { d.Environment["GIT_DIR"] = "x" },
		"NUL in a variable":      func(d *definition.Definition) { d.Environment["A"] = "x\x00" },
		"negative runtime":       func(d *definition.Definition) { d.RuntimeMs = -1 },
		"negative grace":         func(d *definition.Definition) { d.GraceMs = -1 },
		"exceptions unsorted":    func(d *definition.Definition) { d.Writable = []string{"lfs", "a"} },
		"exception twice":        func(d *definition.Definition) { d.Writable = []string{"lfs", "lfs"} },
		"exception above":        func(d *definition.Definition) { d.Writable = []string{"../x"} },
		"exception of all":       func(d *definition.Definition) { d.Writable = []string{"."} },
		"empty exception":        func(d *definition.Definition) { d.Writable = []string{""} },
		"absolute exception":     func(d *definition.Definition) { d.Writable = []string{"/lfs"} },
		"hooks":                  func(d *definition.Definition) { d.Writable = []string{"hooks"} },
		"a reference":            func(d *definition.Definition) { d.Writable = []string{"refs/heads/main"} },
		"configuration":          func(d *definition.Definition) { d.Writable = []string{"Config"} },
		"exceptions of nothing":  func(d *definition.Definition) { d.GitWritable = true },
		"variable of odd bytes":  func(d *definition.Definition) { d.Environment["A"] = "\xff" },
		"line break in the path": func(d *definition.Definition) { d.Executable = "/a\nb" },
	} {
		d := sample()
		change(&d)
		if _, err := d.Format(); !fault.Is(err, fault.Malformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestErrorsHoldNoSecrets(t *testing.T) {
	d := sample()
	d.Environment["KEY"] = "secret\x00"
	if err := d.Validate(); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

func TestArgvAndEnv(t *testing.T) {
	d := sample()
	d.Arguments, d.Prompt = []string{"--in={prompt-file}", "x", "{prompt-file}"}, definition.File
	if got := strings.Join(d.Argv("/run/p"), " "); got != "/usr/bin/agent --in=/run/p x /run/p" {
		t.Errorf("argv %q", got)
	}
	if got := strings.Join(sample().Argv(""), " "); got != "/usr/bin/agent -p --mode=edit" {
		t.Errorf("argv %q", got)
	}
	environment := []string{"PATH=/bin", "MODEL=small", "MODEL=tiny", "MODELS=x"}
	if got := strings.Join(d.Env(environment), " "); got != "PATH=/bin MODELS=x A= MODEL=large" {
		t.Errorf("environment %q", got)
	}
	if environment[1] != "MODEL=small" {
		t.Error("the caller's environment was changed")
	}
}

func TestAdapter(t *testing.T) {
	digest, err := sample().Digest()
	if err != nil {
		t.Fatal(err)
	}
	adapter, err := definition.Adapter("/usr/bin/git-algal", "/state/ledgers/a", "ledger:1", digest)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(adapter.ArgvPrefix, " "), "adapter serve --ledger /state/ledgers/a --definition "+string(digest); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	ledger, named, ok := definition.Embedded(adapter)
	if !ok || ledger != "/state/ledgers/a" || named != digest {
		t.Errorf("read as %q, %q, %v", ledger, named, ok)
	}
	for name, change := range map[string]func(*operation.Adapter){
		"another word":    func(a *operation.Adapter) { a.ArgvPrefix[1] = "settle" },
		"one more":        func(a *operation.Adapter) { a.ArgvPrefix = append(a.ArgvPrefix, "x") },
		"relative ledger": func(a *operation.Adapter) { a.ArgvPrefix[3] = "ledgers/a" },
		"unclean ledger":  func(a *operation.Adapter) { a.ArgvPrefix[3] = "/state/../a" },
		"no digest":       func(a *operation.Adapter) { a.ArgvPrefix[5] = "sha256:x" },
		"nothing":         func(a *operation.Adapter) { a.ArgvPrefix = nil },
	} {
		other := adapter.Clone()
		change(&other)
		if _, _, ok := definition.Embedded(other); ok {
			t.Errorf("%s: taken for an embedded adapter", name)
		}
	}
	for name, c := range map[string]struct{ executable, ledger, authority, digest string }{
		"executable": {"git-algal", "/l", "a", string(digest)},
		"ledger":     {"/g", "l", "a", string(digest)},
		"authority":  {"/g", "/l", "", string(digest)},
		"digest":     {"/g", "/l", "a", "x"},
	} {
		if _, err := definition.Adapter(c.executable, c.ledger, operation.Identity(c.authority), canon.Digest(c.digest)); !fault.Is(err, fault.Malformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	text, err := sample().Format()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"arguments":[],"contract":"algal.local-agent.v1","environment":{},"executable":"/a","foreignServer":true,"gitWritable":true,"graceMs":0,"prompt":"stdin","pty":true,"version":"","writable":[]}`))
	f.Add([]byte(`{"contract":"algal.local-agent.v1","graceMs":1e3}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := definition.Parse(text)
		if err != nil {
			if empty, _ := canon.Encode(d); !fault.Is(err, fault.Malformed) || len(d.Executable) > 0 {
				t.Fatalf("got %s with %v", empty, err)
			}
			return
		}
		again, err := d.Format()
		if err != nil {
			t.Fatal(err)
		}
		canonical, err := canon.Canonicalize(text)
		if err != nil || !bytes.Equal(again, canonical) {
			t.Fatalf("%s is formatted as %s (%v)", canonical, again, err)
		}
	})
}
