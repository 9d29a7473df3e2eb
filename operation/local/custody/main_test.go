//go:build linux

package custody

import (
	"os"
	"testing"
)

// TestMain lets the test binary act as init, as a command under custody and as
// a supervisor that can be killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "custody-init":
			os.Exit(Init())
		case "custody-agent":
			os.Exit(agent(os.Args[2:]))
		case "custody-supervisor":
			os.Exit(supervisor(os.Args[2:]))
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
