package gitplumb_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

type rawVectors struct {
	Preamble string
	Cases    []struct {
		Name, Recipe, CanonicalDocument, SourceRawDigest, Head, Tree, Status string
		Error                                                                struct{ Code fault.Code }
	}
}

// uncoded names the vectors whose refusal has no code of the contract, and the
// code that contract section 8 gives it.
var uncoded = map[string]fault.Code{"non-utf8-path": fault.CapabilityDenied}

func TestRawVectors(t *testing.T) {
	text, err := os.ReadFile("../testdata/vectors/raw-workspace.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors rawVectors
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, v := range vectors.Cases {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			c := bareCheckout(t)
			cmd := exec.Command("bash", "-c", vectors.Preamble+"\n"+v.Recipe)
			cmd.Dir, cmd.Env = c.dir, c.env
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("recipe: %v\n%s", err, out)
			}
			ctx := context.Background()
			repo := c.pass()
			if code := v.Error.Code; code != "" {
				if assigned, ok := uncoded[v.Name]; ok {
					code = assigned
				}
				if _, err := repo.Fingerprint(ctx); fault.CodeOf(err) != code {
					t.Errorf("got %v, want %s", err, code)
				}
				return
			}
			head, err := repo.Head(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if head.Commit != v.Head || head.Tree != v.Tree {
				t.Errorf("HEAD is %s %s, want %s %s", head.Commit, head.Tree, v.Head, v.Tree)
			}
			raw, err := repo.Fingerprint(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if string(raw.Document) != v.CanonicalDocument {
				t.Errorf("document is\n%s\nwant\n%s", raw.Document, v.CanonicalDocument)
			}
			if string(raw.Digest) != v.SourceRawDigest {
				t.Errorf("digest is %s, want %s", raw.Digest, v.SourceRawDigest)
			}
			if _, err := repo.Status(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}

// bareCheckout is a checkout whose directory is empty.
func bareCheckout(t testing.TB) *checkout {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &checkout{t: t, dir: filepath.Join(base, "ws"), home: filepath.Join(base, "home")}
	for _, dir := range []string{c.dir, c.home} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.home}
	return c
}

func rawDocument(entries string) []byte {
	return []byte(`{"contract":"algal.raw-workspace.v1","entries":[` + entries + `]}`)
}

func TestParseRaw(t *testing.T) {
	digest := string(canon.DigestText("x"))
	file := `{"bytes":1,"digest":"` + digest + `","kind":"file","mode":"644","path":"é"}`
	symlink := `{"digest":"` + digest + `","kind":"symlink","mode":"777","path":"l"}`
	missing := `{"kind":"missing","path":"m"}`
	good := rawDocument(file + "," + symlink + "," + missing)
	raw, err := gitplumb.ParseRaw(good)
	if err != nil {
		t.Fatal(err)
	}
	if string(raw.Document) != string(good) || raw.Digest != canon.DigestText(good) || len(raw.Entries) != 3 {
		t.Errorf("got %s", raw.Document)
	}
	if e := raw.Entries[0]; e.Mode != 0o644 || e.Bytes != 1 || e.Kind != gitplumb.RawFile || e.Path != "é" {
		t.Errorf("got %+v", e)
	}
	for name, text := range map[string]string{
		"another contract":       strings.Replace(string(good), "raw-workspace.v1", "raw-workspace.v2", 1),
		"unknown kind":           strings.Replace(string(good), `"missing"`, `"gone"`, 1),
		"file without bytes":     strings.Replace(string(good), `"bytes":1,`, "", 1),
		"negative bytes":         strings.Replace(string(good), `"bytes":1,`, `"bytes":-1,`, 1),
		"symlink with bytes":     strings.Replace(string(good), `{"digest"`, `{"bytes":1,"digest"`, 1),
		"missing with a mode":    strings.Replace(string(good), `"kind":"missing"`, `"kind":"missing","mode":"644"`, 1),
		"mode with leading zero": strings.Replace(string(good), `"644"`, `"0644"`, 1),
		"mode out of range":      strings.Replace(string(good), `"644"`, `"10000"`, 1),
		"no octal mode":          strings.Replace(string(good), `"644"`, `"8"`, 1),
		"no digest":              strings.Replace(string(good), digest, "sha256:0", 1),
		"unsafe path":            strings.Replace(string(good), `"m"`, `"../m"`, 1),
		"git directory":          strings.Replace(string(good), `"m"`, `".git/m"`, 1),
		"unknown member":         strings.Replace(string(good), `{"kind"`, `{"x":1,"kind"`, 1),
		"truncated":              string(good[:len(good)-1]),
	} {
		if _, err := gitplumb.ParseRaw([]byte(text)); !fault.Is(err, fault.Malformed) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	over := append(good, make([]byte, gitplumb.MaxRawDocumentBytes)...)
	_, err = gitplumb.ParseRaw(over)
	wantFault(t, err, fault.OverBound)
}

func FuzzParseRaw(f *testing.F) {
	f.Add(rawDocument(""))
	f.Add(rawDocument(`{"kind":"missing","path":"m"}`))
	f.Add(rawDocument(`{"bytes":1.0,"digest":"` + string(canon.DigestText("x")) + `","kind":"file","mode":"644","path":"\u00e9\n"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		raw, err := gitplumb.ParseRaw(text)
		if err != nil {
			return
		}
		// Formatting is canonical, and reading it again changes nothing.
		canonical, err := canon.Canonicalize(raw.Document)
		if err != nil || string(canonical) != string(raw.Document) {
			t.Fatalf("%s is not canonical (%v)", raw.Document, err)
		}
		again, err := gitplumb.ParseRaw(raw.Document)
		if err != nil || again.Digest != raw.Digest {
			t.Fatalf("%s reads as %s (%v)", raw.Document, again.Document, err)
		}
		given, err := canon.Canonicalize(text)
		if err != nil || string(given) != string(raw.Document) {
			t.Fatalf("%s became %s", given, raw.Document)
		}
	})
}

func TestFingerprintRefuses(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		script    string
		condition fault.Condition
	}{
		"directory in place of a file": {"rm a.txt; mkdir a.txt; echo x >a.txt/x", fault.UnsupportedChange},
		"file in place of a directory": {"rm -r d; echo x >d", fault.UnsupportedChange},
		"symlink to a directory":       {"mv d e; ln -s e d", fault.UnsupportedChange},
		"special file":                 {"rm a.txt; mkfifo a.txt", fault.UnsupportedChange},
		"skip-worktree":                {"git update-index --skip-worktree a.txt", fault.FlaggedIndex},
		"assume-unchanged":             {"git update-index --assume-unchanged a.txt", fault.FlaggedIndex},
		"submodule":                    {"git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub", fault.UnsupportedRepo},
		"not UTF-8":                    {`echo x >$'\xff'; git add .`, fault.UnsupportedChange},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := plain(t)
			w.sh(c.script)
			_, err := w.pass().Fingerprint(ctx)
			wantFault(t, err, c.condition)
		})
	}
}

func TestFingerprintOfWhatIsThere(t *testing.T) {
	c := plain(t)
	c.sh("chmod 4711 a.txt; rm -r d; ln -s nowhere l; git add l")
	raw, err := c.pass().Fingerprint(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := []gitplumb.RawEntry{
		{Path: "a.txt", Kind: gitplumb.RawFile, Mode: 0o4711, Bytes: 6, Digest: canon.DigestText("alpha\n")},
		{Path: "d/b.txt", Kind: gitplumb.RawMissing},
		{Path: "l", Kind: gitplumb.RawSymlink, Mode: 0o777, Digest: canon.DigestText("nowhere")},
	}
	if len(raw.Entries) != len(want) {
		t.Fatalf("got %+v", raw.Entries)
	}
	for i := range want {
		got := raw.Entries[i]
		if got.Kind == gitplumb.RawSymlink {
			got.Mode = want[i].Mode // a symlink's own bits differ between systems
		}
		if got != want[i] {
			t.Errorf("entry %d is %+v, want %+v", i, got, want[i])
		}
	}
}

func TestContentBound(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 256 MiB; CI runs it in full")
	}
	ctx := context.Background()
	c := newCheckout(t)
	c.sh("truncate -s 134217728 big; git add .; git commit -q -m x")
	if _, err := c.pass().Fingerprint(ctx); err != nil {
		t.Errorf("at the bound: %v", err)
	}
	c.sh("echo -n x >more; git add .; git commit -q -m y")
	repo := c.pass()
	status, err := repo.Status(ctx)
	if err != nil || len(status.Text) != 0 || status.Way != gitplumb.WayGit {
		t.Errorf("the status has no bound of content: %+v, %v", status, err)
	}
	_, err = repo.Fingerprint(ctx)
	wantFault(t, err, fault.OverBound)
	wantFault(t, repo.Clean(ctx), fault.OverBound)
}

func TestUntrackedContent(t *testing.T) {
	c := plain(t)
	content, err := base64.StdEncoding.DecodeString("AP+A")
	if err != nil {
		t.Fatal(err)
	}
	c.write("new.bin", string(content))
	repo := c.pass()
	got, err := repo.RawContent(context.Background(), "new.bin", 3)
	if err != nil || string(got) != string(content) {
		t.Errorf("got %q, %v", got, err)
	}
	_, err = repo.RawContent(context.Background(), "new.bin", 2)
	wantFault(t, err, fault.OverBound)
	_, err = repo.RawContent(context.Background(), "../home", 2)
	wantFault(t, err, fault.UnsafePath)
}
