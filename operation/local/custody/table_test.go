//go:build linux

package custody

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// quiet is how long a file is watched after the proof.
const quiet = 300 * time.Millisecond

// runs is how often each cell of the table is tried; the soak sets more.
func runs(t testing.TB) int {
	text := os.Getenv("GIT_ALGAL_CUSTODY_RUNS")
	switch {
	case text != "":
	case testing.Short():
		return 1
	default:
		return 5
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("GIT_ALGAL_CUSTODY_RUNS=%q", text)
	}
	return n
}

// stormSize is how many writers a fork storm has.
func stormSize() int {
	if os.Getenv("GIT_ALGAL_CUSTODY_RUNS") == "" {
		return briefStorm
	}
	return soakStorm
}

// A watch is a file and its size when the proof was there.
type watch struct {
	cell, file string
	size       int64
}

// TestNobodyWritesAfterTheProof is the table: each kind of descendant under each
// mechanism alone, and under all together.
func TestNobodyWritesAfterTheProof(t *testing.T) {
	var watched []watch
	cells := 0
	dir := t.TempDir() // outlives the subtests
	for _, force := range []Mechanism{Namespace, Cgroup, Subreaper, Group, ""} {
		options := testOptions(t, force)
		found, err := Probe(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		name := string(force)
		if force == "" {
			name = "all together"
		}
		if len(found.Mechanisms) == 0 {
			t.Logf("%s: not tested: %+v", name, found.Missing)
			continue
		}
		if force == Cgroup && !found.Confined {
			t.Logf("%s: proof not tested, only that none is claimed: %+v", name, found.Missing)
		}
		claims := found.Proof || found.Has(Subreaper)
		tested := slices.Sorted(maps.Keys(kinds))
		if force == Group {
			tested = []string{"setsid"} // enough to see that nothing is claimed
		}
		for _, kind := range tested {
			t.Run(name+"/"+kind, func(t *testing.T) {
				times := runs(t)
				if kind == "fork storm" {
					times = max(1, times/5) // it weighs as much as all others
				}
				for run := range times {
					file := filepath.Join(dir, fmt.Sprintf("%d-%d", cells, run))
					defer stopWriters(t, file)
					ending := keep(t, options, found, 0, "start", kind, file)
					if ending.ExitStatus == nil || *ending.ExitStatus != 0 {
						t.Fatalf("run %d: the command: %+v", run, ending)
					}
					if ending.Proven != claims {
						t.Fatalf("run %d: proven %t, but the machine gives %t", run, ending.Proven, claims)
					}
					info, err := os.Stat(file)
					if err != nil {
						t.Fatal(err)
					}
					if ending.Proven {
						watched = append(watched, watch{t.Name(), file, info.Size()})
					}
				}
				cells++
			})
		}
	}
	time.Sleep(quiet) // since the last proof, and longer since the others
	for _, w := range watched {
		if info, err := os.Stat(w.file); err != nil || info.Size() != w.size {
			t.Errorf("%s: written after the proof: %d bytes, then %v, %v", w.cell, w.size, info, err)
		}
	}
	if len(watched) == 0 {
		t.Error("no proof was tested")
	}
	t.Logf("uid %d: %d cells of %d runs, storms of %d writers and %d runs", os.Getuid(), cells, runs(t), stormSize(), max(1, runs(t)/5))
}

// stopWriters asks those who write file to end, where nobody else ends them.
func stopWriters(t testing.TB, file string) {
	if err := os.WriteFile(file+".stop", nil, 0o600); err != nil {
		t.Error(err)
	}
}

// keep runs an agent under custody and returns how it ended, everything closed.
func keep(t testing.TB, options Options, found Found, grace time.Duration, args ...string) Ending {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	tree, err := Prepare(ctx, agentSpec(t, options, found, grace, args...))
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
	ending, err := tree.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return ending
}

// agentSpec is the test binary as an agent under custody.
func agentSpec(t testing.TB, options Options, found Found, grace time.Duration, args ...string) Spec {
	return Spec{
		Options: options, Found: &found, Grace: grace, Dir: "/",
		Argv:   append([]string{options.InitArgv[0], "custody-agent"}, args...),
		Env:    []string{"PATH=/usr/bin:/bin", "TMPDIR=" + os.TempDir(), fmt.Sprint("STORM=", stormSize())},
		Stderr: os.Stderr,
	}
}

// TestAsAnOrdinaryUser runs the table again without root's rights, in a cgroup
// that is delegated as systemd does it.
func TestAsAnOrdinaryUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("this is an ordinary user, so the table has run as one")
		return
	}
	const nobody = 65534
	dir, err := os.MkdirTemp("", "custody")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	scratch := filepath.Join(dir, "scratch")
	if err := errors.Join(os.Mkdir(scratch, 0o700), os.Chown(scratch, nobody, nobody)); err != nil {
		t.Fatal(err)
	}
	self, err := copyOfSelf(dir)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.v", fmt.Sprint("-test.short=", testing.Short()), "-test.run=^(TestNobodyWritesAfterTheProof|TestKilledSupervisor|TestReadOnlyGit)$")
	cmd.Dir = scratch
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + scratch, "HOME=" + scratch, "GIT_ALGAL_CUSTODY_RUNS=" + os.Getenv("GIT_ALGAL_CUSTODY_RUNS")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if delegated, err := makeCgroup(""); err != nil {
		t.Logf("delegated cgroup: not tested: %v", err)
	} else {
		defer func() {
			if err := delegated.remove(); err != nil {
				t.Error(err)
			}
		}()
		own := filepath.Join(delegated.path, "tests")
		err := os.Mkdir(own, 0o755)
		for _, place := range []string{delegated.path, own} {
			for _, name := range []string{"", "cgroup.procs", "cgroup.subtree_control"} {
				err = errors.Join(err, os.Chown(filepath.Join(place, name), nobody, nobody))
			}
		}
		inside, openErr := os.Open(own)
		if err := errors.Join(err, openErr); err != nil {
			t.Fatal(err)
		}
		defer inside.Close()
		cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(inside.Fd())
		cmd.Env = append(cmd.Env, "GIT_ALGAL_CUSTODY_CGROUP="+delegated.path)
	}
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}
