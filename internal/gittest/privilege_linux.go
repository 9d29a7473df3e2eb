package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// giveAway hands the build to nobody.
func (c Checkout) giveAway(tb testing.TB) {
	tb.Helper()
	if !c.demoted() {
		return
	}
	for _, dir := range []string{c.base, c.Root, c.Home, filepath.Join(c.base, "fixture")} {
		if err := os.Chown(dir, nobody, nobody); err != nil {
			tb.Fatal(err)
		}
	}
}

// demote makes the command run as nobody where the fixture asks for it.
func (c Checkout) demote(cmd *exec.Cmd) {
	if c.demoted() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

// As calls f as the user who judges the fixture: as nobody where the fixture
// needs an unprivileged reader and the test runs as root, else as it is. The
// whole process changes its user meanwhile: a test of such a fixture must not
// call t.Parallel, then its parallel siblings wait for it.
func (c Checkout) As(tb testing.TB, f func()) {
	tb.Helper()
	if !c.demoted() {
		f()
		return
	}
	// The saved user id stays root's, which is the way back.
	if err := syscall.Setresuid(nobody, nobody, 0); err != nil {
		tb.Fatal(err)
	}
	defer func() {
		if err := syscall.Setresuid(0, 0, 0); err != nil {
			panic(err) // every later test would run as nobody
		}
	}()
	f()
}
