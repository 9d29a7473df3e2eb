//go:build linux

package custody

import (
	"os"
	"syscall"
	"testing"
)

// TestMain lets the test binary act as init, as a command under custody and as
// a supervisor that can be killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		// Not os.Exit: under the race detector that takes a second.
		switch os.Args[1] {
		case "custody-init":
			syscall.Exit(Init())
		case "custody-agent":
			syscall.Exit(agent(os.Args[2:]))
		case "custody-supervisor":
			syscall.Exit(supervisor(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

// testOptions start the test binary as init.
func testOptions(t testing.TB, force Mechanism) Options {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Options{InitArgv: []string{self, "custody-init"}, Force: force, CgroupRoot: os.Getenv("GIT_ALGAL_CUSTODY_CGROUP")}
}
