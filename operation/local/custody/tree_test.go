//go:build linux

package custody

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// eachMechanism runs a test under each mechanism that the machine has.
func eachMechanism(t *testing.T, test func(*testing.T, Spec)) {
	for _, force := range []Mechanism{Namespace, Cgroup, Subreaper, Group, ""} {
		t.Run("force "+string(force), func(t *testing.T) {
			options := testOptions(t, force)
			found, err := Probe(t.Context(), options)
			if err != nil {
				t.Fatal(err)
			}
			if len(found.Mechanisms) == 0 {
				t.Logf("not tested: %+v", found.Missing)
				return
			}
			test(t, Spec{Options: options, Found: &found, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}})
		})
	}
}

// run runs a shell script under custody.
func run(t *testing.T, spec Spec, script string) Ending {
	t.Helper()
	spec.Argv = []string{"/bin/sh", "-c", script}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	tree, err := Prepare(ctx, spec)
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
	if err := tree.Open(); !fault.Is(err, fault.Malformed) {
		t.Errorf("a second opening: %v", err)
	}
	ending, err := tree.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return ending
}

func TestEndings(t *testing.T) {
	eachMechanism(t, func(t *testing.T, spec Spec) {
		if e := run(t, spec, "exit 7"); !e.Started || e.ExitStatus == nil || *e.ExitStatus != 7 || e.Signal != "" || e.Left {
			t.Errorf("an exit: %+v", e)
		}
		// In a PID namespace as well: the shell is not its init.
		if e := run(t, spec, "kill -9 $$"); !e.Started || e.ExitStatus != nil || e.Signal != "SIGKILL" {
			t.Errorf("a signal: %+v", e)
		}
		spec.Grace = 20 * time.Second
		began := time.Now()
		file := filepath.Join(t.TempDir(), "late")
		e := run(t, spec, "(sleep 0.2; echo done >"+file+") >/dev/null 2>&1 &")
		text, _ := os.ReadFile(file)
		if string(text) != "done\n" || e.Left || time.Since(began) > spec.Grace {
			t.Errorf("a descendant within the grace wrote %q: %+v after %v", text, e, time.Since(began))
		}
	})
}

func TestGraceIsOver(t *testing.T) {
	eachMechanism(t, func(t *testing.T, spec Spec) {
		spec.Grace = 50 * time.Millisecond
		began := time.Now()
		e := run(t, spec, "sleep 20 & exit 0")
		if e.ExitStatus == nil || time.Since(began) > 15*time.Second {
			t.Errorf("%+v after %v", e, time.Since(began))
		}
		if !e.Left {
			t.Errorf("nobody was left: %+v", e)
		}
	})
}

func TestWhatTheCommandGets(t *testing.T) {
	// A descriptor that isn't close-on-exec, as a handed lease is.
	lease, err := os.Create(filepath.Join(t.TempDir(), "lease"))
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Close()
	if _, err := unix.FcntlInt(lease.Fd(), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
	eachMechanism(t, func(t *testing.T, spec Spec) {
		dir := t.TempDir()
		in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
		if err := os.WriteFile(in, []byte("the prompt"), 0o600); err != nil {
			t.Fatal(err)
		}
		if spec.Stdin, err = os.Open(in); err != nil {
			t.Fatal(err)
		}
		defer spec.Stdin.Close()
		if spec.Stdout, err = os.Create(out); err != nil {
			t.Fatal(err)
		}
		defer spec.Stdout.Close()
		spec.Env = []string{"PATH=/usr/bin:/bin", "ODD=\xff\xfe", "GRANTED=yes"}
		spec.Dir = dir
		run(t, spec, `cat; echo; pwd; echo "$GRANTED"; id -u; ls /proc/$$/fd; cat /proc/$$/comm`)
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		real, _ := filepath.EvalSymlinks(dir)
		// Its own streams alone, and /proc that knows it by its own number.
		want := []string{"the prompt", real, "yes", fmt.Sprint(os.Getuid()), "0", "1", "2", "sh", ""}
		if strings.Join(lines, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q, want %q", lines, want)
		}
	})
}

// pseudoTerminal returns both sides of a new one.
func pseudoTerminal(t *testing.T) (ours, theirs *os.File) {
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

func TestTerminal(t *testing.T) {
	eachMechanism(t, func(t *testing.T, spec Spec) {
		ours, theirs := pseudoTerminal(t)
		defer ours.Close()
		spec.PTY, spec.Stdin, spec.Stdout, spec.Stderr = true, theirs, theirs, theirs
		// A daemon that keeps it open holds nobody up.
		e := run(t, spec, "test -t 1 && echo controlled >/dev/tty; sleep 20 & exit 3")
		theirs.Close()
		if e.ExitStatus == nil || *e.ExitStatus != 3 {
			t.Errorf("%+v", e)
		}
		text := make([]byte, 64)
		n, err := ours.Read(text)
		if string(text[:n]) != "controlled\r\n" {
			t.Errorf("%q, %v", text[:n], err)
		}
	})
}

func TestCannotStart(t *testing.T) {
	eachMechanism(t, func(t *testing.T, spec Spec) {
		spec.Argv = []string{filepath.Join(t.TempDir(), "absent")}
		tree, err := Prepare(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Open(); err != nil {
			t.Fatal(err)
		}
		e, err := tree.Wait(t.Context())
		if err != nil || e.Started || e.StartFailed == "" || !e.Proven {
			t.Errorf("%+v, %v", e, err)
		}
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestGateStaysShut(t *testing.T) {
	eachMechanism(t, func(t *testing.T, spec Spec) {
		file := filepath.Join(t.TempDir(), "written")
		spec.Argv = []string{"/bin/sh", "-c", "echo x >" + file}
		tree, err := Prepare(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if evidence, err := Look(tree.Identity()); err != nil || evidence != Alive {
			t.Errorf("at the gate: %v, %v", evidence, err)
		}
		if err := tree.Close(); err != nil {
			t.Fatal(err)
		}
		if err := tree.Close(); err != nil {
			t.Errorf("a second closing: %v", err)
		}
		if err := tree.Open(); !fault.Is(err, fault.Malformed) {
			t.Errorf("opened after closing: %v", err)
		}
		e, err := tree.Wait(t.Context())
		if err != nil || e.Started || !e.Proven {
			t.Errorf("%+v, %v", e, err)
		}
		if _, err := os.Stat(file); err == nil {
			t.Error("the command ran")
		}
	})
}

func TestKill(t *testing.T) {
	eachMechanism(t, func(t *testing.T, spec Spec) {
		spec.Argv = []string{"/bin/sh", "-c", "sleep 20 & sleep 20"}
		tree, err := Prepare(t.Context(), spec)
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
		short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := tree.Wait(short); !fault.Is(err, fault.Deadline) {
			t.Errorf("waiting for a living tree: %v", err)
		}
		if err := tree.Kill(); err != nil {
			t.Fatal(err)
		}
		e, err := tree.Wait(t.Context())
		if claims := spec.Found.Proof || spec.Found.Has(Subreaper); err != nil || e.ExitStatus != nil || e.Proven != claims {
			t.Errorf("%+v, %v", e, err)
		}
		if err := tree.Kill(); err != nil {
			t.Errorf("a second kill: %v", err)
		}
	})
}

// TestKilledInit kills init from outside, which only the system's own custody
// survives.
func TestKilledInit(t *testing.T) {
	eachMechanism(t, func(t *testing.T, spec Spec) {
		file := filepath.Join(t.TempDir(), "written")
		tree, err := Prepare(t.Context(), agentSpec(t, spec.Options, *spec.Found, 0, "write", file))
		if err != nil {
			t.Fatal(err)
		}
		defer stopWriters(t, file)
		if err := tree.Open(); err != nil {
			t.Fatal(err)
		}
		for info, err := os.Stat(file); err != nil || info.Size() == 0; info, err = os.Stat(file) {
			time.Sleep(time.Millisecond)
		}
		if err := unix.Kill(tree.Identity().InitPID, unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		e, err := tree.Wait(t.Context())
		if err != nil || !e.Started || e.ExitStatus != nil || e.Proven != spec.Found.Proof {
			t.Errorf("%+v, %v", e, err)
		}
		if e.Proven {
			info, _ := os.Stat(file)
			time.Sleep(quiet)
			if later, _ := os.Stat(file); later.Size() != info.Size() {
				t.Error("written after the proof")
			}
		}
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestInitIsNotTheCommandsToEnd lets a command in a namespace signal its init.
func TestInitIsNotTheCommandsToEnd(t *testing.T) {
	options := testOptions(t, Namespace)
	found, err := Probe(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if !found.Has(Namespace) {
		t.Logf("not tested: %+v", found.Missing)
		return
	}
	spec := Spec{Options: options, Found: &found, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}}
	e := run(t, spec, "for s in KILL TERM INT HUP QUIT STOP USR1 ABRT SEGV; do kill -$s 1; done; sleep 0.1; ls -l /proc/1/fd /proc/1/root 2>/dev/null && exit 4; exit 5")
	if e.ExitStatus == nil || *e.ExitStatus != 5 {
		t.Errorf("%+v", e)
	}
}

func TestRefusals(t *testing.T) {
	options := testOptions(t, "")
	good := Spec{Options: options, Argv: []string{"/bin/true"}, Dir: "/"}
	for _, c := range []struct {
		name   string
		change func(*Spec)
		want   fault.Condition
	}{
		{"no command", func(s *Spec) { s.Argv = nil }, fault.Malformed},
		{"relative command", func(s *Spec) { s.Argv = []string{"true"} }, fault.Malformed},
		{"no terminal", func(s *Spec) { s.PTY = true }, fault.Malformed},
		{"no init", func(s *Spec) { s.InitArgv = nil }, fault.Malformed},
		{"relative directory", func(s *Spec) { s.Dir = "." }, fault.Malformed},
		{"negative grace", func(s *Spec) { s.Grace = -1 }, fault.Malformed},
		{"relative protection", func(s *Spec) { s.ReadOnly = []string{".git"} }, fault.Malformed},
		{"unknown mechanism", func(s *Spec) { s.Force = "jail" }, fault.Malformed},
		{"protection of nothing", func(s *Spec) { s.ReadOnly = []string{"/absent/git"} }, fault.UnsupportedSystem},
		{"protection without mounts", func(s *Spec) {
			s.Found, s.ReadOnly = &Found{Mechanisms: []Mechanism{Subreaper}}, []string{"/"}
		}, fault.UnsupportedSystem},
		{"nothing was found", func(s *Spec) { s.Found = &Found{} }, fault.UnsupportedSystem},
		{"confinement that isn't", func(s *Spec) {
			s.Found = &Found{Mechanisms: []Mechanism{Subreaper}, Confined: true}
		}, fault.UnsupportedSystem},
		{"an init that isn't one", func(s *Spec) {
			s.Found, s.InitArgv = &Found{Mechanisms: []Mechanism{Subreaper}}, []string{"/bin/true"}
		}, fault.UnsupportedSystem},
	} {
		spec := good
		c.change(&spec)
		tree, err := Prepare(t.Context(), spec)
		if !fault.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if tree != nil {
			t.Errorf("%s: a tree", c.name)
			_ = tree.Close()
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Prepare(ctx, good); !fault.Is(err, fault.Cancelled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestProbe prints what this machine gives, and what is missing.
func TestProbe(t *testing.T) {
	for _, force := range []Mechanism{"", Namespace, Cgroup, Subreaper, Group} {
		found, err := Probe(t.Context(), testOptions(t, force))
		if err != nil {
			t.Fatal(err)
		}
		if force != "" && len(found.Mechanisms) > 0 && (len(found.Mechanisms) > 1 || found.Mechanisms[0] != force) {
			t.Errorf("force %q: %v", force, found.Mechanisms)
		}
		if force == "" && len(found.Mechanisms) == 0 {
			t.Errorf("nothing at all: %+v", found)
		}
		for _, lack := range found.Missing {
			if lack.Why == "" || lack.Remedy == "" {
				t.Errorf("%+v says nothing", lack)
			}
		}
		t.Logf("force %q: %+v", force, found)
	}
}
