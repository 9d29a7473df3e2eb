package man_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/man"
)

// TestInstall holds that "make install" puts program, pages, schemas and
// completions in place, so that git and man find them, and that "make uninstall" takes away
// every one of them.
func TestInstall(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed; .ci/run installs it")
	}
	dir := t.TempDir()
	root := filepath.Join(dir, "a root")
	prefix := filepath.Join(root, "usr")
	// In place of the go command, which is tested elsewhere and takes long.
	compiler := filepath.Join(dir, "go")
	script := "#!/bin/sh\n[ \"$1 $2 $3 $4 $5 $7\" = 'build -trimpath -tags urfave_cli_no_docs -o ./cmd/git-algal' ] && printf '#!/bin/sh\\necho installed\\n' >\"$6\"\n"
	if err := os.WriteFile(compiler, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(target string) {
		cmd := exec.Command("make", "-s", "-C", "..", target, "DESTDIR="+root, "PREFIX=/usr", "GO="+compiler, "BUILT="+filepath.Join(dir, "built"))
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("make %s: %v\n%s", target, err, out)
		}
	}
	run("install")
	for _, name := range man.Names() {
		want, _ := man.Page(name)
		section := name[len(name)-1:]
		got, err := os.ReadFile(filepath.Join(prefix, "share", "man", "man"+section, name))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not installed: %v", name, err)
		}
	}
	for path, mode := range map[string]fs.FileMode{
		"bin/git-algal":                               0o755,
		"share/git-algal/schema/job.json":             0o644,
		"share/bash-completion/completions/git-algal": 0o644,
		"share/zsh/site-functions/_git-algal":         0o644,
		"share/fish/vendor_conf.d/git-algal.fish":     0o644,
	} {
		info, err := os.Stat(filepath.Join(prefix, path))
		if err != nil || info.Mode() != mode || info.Size() == 0 {
			t.Errorf("%s is not installed with mode %o: %v, %v", path, mode, info, err)
		}
	}
	env := append(os.Environ(), "PATH="+filepath.Join(prefix, "bin")+":"+os.Getenv("PATH"),
		"MANPATH="+filepath.Join(prefix, "share", "man"), "MANPAGER=cat", "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	finds := func(what string, args ...string) {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env, cmd.Dir = env, dir
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), what) {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
	finds("installed", "git", "algal")
	if _, err := exec.LookPath("man"); err == nil {
		finds("GIT-ALGAL(1)", "git", "help", "algal")
		finds("GIT-ALGAL-STORE(5)", "man", "git-algal-store")
	}

	run("uninstall")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
