//go:build linux

package custody

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// attempts are what a command tries in a checkout, and whether it may. Each runs
// in the linked worktree.
var attempts = []struct {
	name, script string
	may          bool
}{
	{"edit", `echo more >>file && echo new >new`, true},
	{"status", `git status --porcelain | grep -q '^ M file'`, true},
	{"diff", `git diff --stat | grep -q file`, true},
	{"log", `git log -1 --format=%s | grep -q first`, true},
	{"lfs", `echo x >"$MAIN/.git/lfs/object"`, true},
	{"add", `git add file`, false},
	{"commit", `git -c user.name=a -c user.email=a@b commit -qam second`, false},
	{"stash", `git -c user.name=a -c user.email=a@b stash`, false},
	{"config", `git config a.b c`, false},
	{"branch", `git branch other`, false},
	{"commit in the main checkout", `git -C "$MAIN" -c user.name=a -c user.email=a@b commit -q --allow-empty -m x`, false},
	{"by a link", `git -C "$LINK" -c user.name=a -c user.email=a@b commit -q --allow-empty -m x`, false},
	{"by another mount", `[ -e "$MOUNT/.git" ] || exit 1; echo x >"$MOUNT/.git/planted"`, false},
	{"hook", `echo '#!/bin/sh' >"$MAIN/.git/hooks/post-checkout"`, false},
	{"config file", `echo >>"$MAIN/.git/config"`, false},
	{"global excludes", `echo secret >>"$EXCLUDES"`, false},
	{"global excludes replaced", `echo secret >"$EXCLUDES.new"; mv -f "$EXCLUDES.new" "$EXCLUDES"`, false},
	{"move away", `mv "$MAIN/.git" "$MAIN/git"`, false},
	{"unmount", `umount "$MAIN/.git" && git config a.b c`, false},
	{"remount", `mount -o remount,bind,rw "$MAIN/.git" && git config a.b c`, false},
	{"nested namespaces", `unshare -Urm sh -c 'umount "$MAIN/.git"; mount -o remount,bind,rw "$MAIN/.git"; git config a.b c'`, false},
	{"the namespace of init", `nsenter -t 1 -m git config a.b c`, false},
}

// TestReadOnlyGit lets a command try all that in a linked worktree, with the git
// program.
func TestReadOnlyGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Log("not tested: there is no git")
		return
	}
	options := testOptions(t, "")
	found, err := Probe(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if !found.ReadOnlyGit {
		t.Logf("not tested: %+v", found.Missing)
		return
	}
	t.Run("found", func(t *testing.T) { testReadOnlyGit(t, options, found) })
	inside := Found{Mechanisms: []Mechanism{Namespace}, Mounts: true, UserNamespace: true, ReadOnlyGit: true}
	t.Run("user namespace", func(t *testing.T) { testReadOnlyGit(t, options, inside) })
	mounts := Found{Mechanisms: []Mechanism{Subreaper}, Mounts: true, UserNamespace: found.UserNamespace, ReadOnlyGit: true}
	t.Run("without a PID namespace", func(t *testing.T) { testReadOnlyGit(t, options, mounts) })
}

func testReadOnlyGit(t *testing.T, options Options, found Found) {
	dir := t.TempDir()
	main, worktree, link, excludes := filepath.Join(dir, "main"), filepath.Join(dir, "linked"), filepath.Join(dir, "link"), filepath.Join(dir, "excludes")
	// A second mount of the same place, as containers have them, needs root.
	mounted := filepath.Join(dir, "mounted")
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_DATE=2024-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2024-01-01T00:00:00Z",
		"MAIN=" + main, "LINK=" + link, "MOUNT=" + mounted, "EXCLUDES=" + excludes,
	}
	setup := exec.CommandContext(t.Context(), "sh", "-ec", `
		git init -q "$MAIN"; cd "$MAIN"; echo one >file; git add file
		git -c user.name=a -c user.email=a@b commit -qm first
		git worktree add -q ../linked; mkdir .git/lfs; ln -s "$MAIN" "$LINK"; echo '*.o' >"$EXCLUDES"; mkdir "$MOUNT"`)
	setup.Env, setup.Dir = env, dir
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if os.Getuid() == 0 {
		if out, err := exec.CommandContext(t.Context(), "mount", "--bind", main, mounted).CombinedOutput(); err != nil {
			t.Logf("another mount: not tested: %s", out)
		} else {
			defer func() {
				if out, err := exec.Command("umount", mounted).CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			}()
		}
	} else {
		t.Log("another mount: not tested: it needs root")
	}
	before := control(t, main, excludes)

	var script strings.Builder
	for i, a := range attempts {
		fmt.Fprintf(&script, "if ( %s ); then echo %d yes; else echo %d no; fi\n", a.script, i, i)
	}
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	complaints, err := os.Create(filepath.Join(dir, "complaints"))
	if err != nil {
		t.Fatal(err)
	}
	defer complaints.Close()
	tree, err := Prepare(t.Context(), Spec{
		Options: options, Found: &found, Argv: []string{"/bin/sh", "-c", script.String()}, Env: env, Dir: worktree, Stdout: out, Stderr: complaints,
		ReadOnly: []string{filepath.Join(main, ".git", "worktrees", "linked"), filepath.Join(main, ".git"), excludes},
		Writable: []string{filepath.Join(main, ".git", "lfs"), filepath.Join(main, ".git", "absent")},
		Grace:    time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := tree.Open(); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range attempts {
		want := fmt.Sprintf("%d yes\n", i)
		if !a.may {
			want = fmt.Sprintf("%d no\n", i)
		}
		if !strings.Contains("\n"+string(said), "\n"+want) {
			t.Errorf("%s: should be allowed: %t, but isn't so", a.name, a.may)
		}
	}
	if after := control(t, main, excludes); after != before {
		t.Errorf("changed:\n%s\nwas:\n%s", after, before)
	}
	if t.Failed() {
		text, _ := os.ReadFile(complaints.Name())
		t.Logf("%s\n%s", said, text)
	}
}

// control returns what a command must not have changed, but for what was
// excepted.
func control(t *testing.T, main, excludes string) string {
	var b strings.Builder
	err := filepath.Walk(filepath.Join(main, ".git"), func(path string, info os.FileInfo, err error) error {
		if err == nil && !strings.Contains(path, "/lfs") {
			fmt.Fprintln(&b, path, info.Size(), info.ModTime(), info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(excludes)
	if err != nil {
		t.Fatal(err)
	}
	b.Write(text)
	return b.String()
}
