//go:build !linux

package gittest

import (
	"os/exec"
	"testing"
)

// giveAway skips the test for root, who can become another user for a while on
// Linux only.
func (c Checkout) giveAway(tb testing.TB) {
	tb.Helper()
	if c.asNobody {
		tb.Skipf("fixture %q needs a user other than root; CI runs it on Linux", c.Name)
	}
}

func (c Checkout) demote(*exec.Cmd) {}

// As calls f as the user who judges the fixture, who is never root here.
func (c Checkout) As(tb testing.TB, f func()) { f() }
