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
	if !c.asNobody {
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
	if c.asNobody {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

// As calls f as the user who judges the fixture: as nobody where the fixture
// needs an unprivileged reader and the test runs as root, else as it is. As
// nobody the whole process changes its user, so that everything else here
// waits until f is done: f must call nothing of this package.
func (c Checkout) As(tb testing.TB, f func()) {
	tb.Helper()
	if !c.asNobody {
		c.shared.user.RLock()
		defer c.shared.user.RUnlock()
		f()
		return
	}
	c.shared.user.Lock()
	defer c.shared.user.Unlock()
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
