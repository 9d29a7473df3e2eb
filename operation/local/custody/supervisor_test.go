//go:build linux

package custody

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// settleTime is how long a tree may take to be gone after a kill. The kernel
// needs milliseconds, a loaded machine more.
const settleTime = 20 * time.Second

// supervisor is the test binary as the one who keeps a tree, to be killed: it
// prints the identity, opens the gate, and at the end prints whether the end was
// proven.
func supervisor(args []string) int {
	force, kind, file := Mechanism(args[0]), args[1], args[2]
	err := func() error {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		options := Options{InitArgv: []string{self, "custody-init"}, Force: force, CgroupRoot: os.Getenv("GIT_ALGAL_CUSTODY_CGROUP")}
		argv := []string{self, "custody-agent", "start", kind, file}
		if kind == "" {
			argv = []string{self, "custody-agent", "write", file}
		}
		ctx := context.Background()
		tree, err := Prepare(ctx, Spec{Options: options, Argv: argv, Dir: "/", Grace: time.Minute, Env: []string{"STORM=20", "PATH=/usr/bin:/bin"}})
		if err != nil {
			return err
		}
		text, err := canon.Encode(tree.Identity())
		if err != nil {
			return err
		}
		fmt.Printf("%s\n", text)
		if err := tree.Open(); err != nil {
			return err
		}
		ending, err := tree.Wait(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("proven %t\n", ending.Proven)
		return tree.Close()
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// supervise starts a supervisor process and returns it with the identity of its
// tree, and what it prints later.
func supervise(t *testing.T, force Mechanism, kind, file string) (*exec.Cmd, Identity, *bufio.Reader) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "custody-supervisor", string(force), kind, file)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewReader(out)
	line, err := lines.ReadBytes('\n')
	if err != nil {
		t.Fatalf("the supervisor said nothing: %v", err)
	}
	identity, err := canon.Decode[Identity](line[:len(line)-1])
	if err != nil {
		t.Fatal(err)
	}
	if err := identity.Validate(); err != nil {
		t.Fatal(err)
	}
	return cmd, identity, lines
}

// TestKilledSupervisor kills supervisors at random moments. The evidence must
// never be Gone while somebody writes, and become Gone where it can.
func TestKilledSupervisor(t *testing.T) {
	dir := t.TempDir()
	var watched []watch
	gone := 0
	for _, force := range []Mechanism{Namespace, Cgroup, Subreaper, ""} {
		found, err := Probe(t.Context(), testOptions(t, force))
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Mechanisms) == 0 {
			t.Logf("%s: not tested: %+v", force, found.Missing)
			continue
		}
		kinds := []string{"", "setsid", "double fork", "fork storm"}
		for run := range runs(t) {
			kind := kinds[run%len(kinds)]
			file := filepath.Join(dir, fmt.Sprintf("%s-%s-%d", force, kind, run))
			defer stopWriters(t, file)
			cmd, identity, _ := supervise(t, force, kind, file)
			time.Sleep(rand.N(60 * time.Millisecond))
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			evidence := awaitGone(t, identity)
			size := int64(0)
			if info, err := os.Stat(file); err == nil {
				size = info.Size()
			}
			switch {
			case identity.Provable() != found.Proof:
				t.Errorf("%s: provable %t, but the machine gives %t", force, identity.Provable(), found.Proof)
			case evidence == Gone && !identity.Provable():
				t.Errorf("%s, %q: %v, which nothing can prove", force, kind, evidence)
			case evidence == Gone:
				gone++
				watched = append(watched, watch{fmt.Sprintf("%s, %q", force, kind), file, size})
				if err := Remove(identity); err != nil {
					t.Error(err)
				}
			case identity.Provable():
				t.Errorf("%s, %q: still %v", force, kind, evidence)
			}
		}
	}
	time.Sleep(quiet)
	for _, w := range watched {
		size := int64(0)
		if info, err := os.Stat(w.file); err == nil {
			size = info.Size()
		}
		if size != w.size {
			t.Errorf("%s: written after Gone: %d bytes, then %d", w.cell, w.size, size)
		}
	}
	if gone == 0 {
		t.Error("no proof was tested")
	}
	t.Logf("uid %d: %d trees of killed supervisors proven gone", os.Getuid(), gone)
}

// awaitGone looks until the tree is not alive.
func awaitGone(t *testing.T, identity Identity) Evidence {
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		evidence, err := Look(identity)
		if err != nil {
			t.Fatal(err)
		}
		if evidence != Alive || time.Since(began) > settleTime {
			return evidence
		}
	}
}

// TestEnd ends trees from outside while their supervisor lives, which must see
// the same.
func TestEnd(t *testing.T) {
	for _, force := range []Mechanism{Namespace, Cgroup, Subreaper, Group, ""} {
		t.Run("force "+string(force), func(t *testing.T) {
			found, err := Probe(t.Context(), testOptions(t, force))
			if err != nil {
				t.Fatal(err)
			}
			if len(found.Mechanisms) == 0 {
				t.Logf("not tested: %+v", found.Missing)
				return
			}
			file := filepath.Join(t.TempDir(), "written")
			_, identity, lines := supervise(t, force, "", file)
			for info, err := os.Stat(file); err != nil || info.Size() == 0; info, err = os.Stat(file) {
				time.Sleep(time.Millisecond)
			}
			if evidence, err := Look(identity); err != nil || evidence != Alive {
				t.Fatalf("before: %v, %v", evidence, err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), settleTime)
			defer cancel()
			err = End(ctx, identity)
			want := Gone
			if found.Proof {
				if err != nil {
					t.Fatal(err)
				}
			} else {
				want = Unprovable
				if !fault.Is(err, fault.UnsupportedSystem) {
					t.Fatalf("ended without proof: %v", err)
				}
			}
			if evidence, err := Look(identity); err != nil || evidence != want {
				t.Errorf("after: %v, %v", evidence, err)
			}
			said, _ := io.ReadAll(lines)
			if want := fmt.Sprintf("proven %t\n", found.Proof || found.Has(Subreaper)); string(said) != want {
				t.Errorf("the supervisor said %q, want %q", said, want)
			}
			if err := End(ctx, identity); found.Proof && err != nil {
				t.Errorf("once more: %v", err)
			}
		})
	}
}
