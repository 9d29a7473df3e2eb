package state_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

// The tests of this file run their own binary again, since locks and links
// decide between processes. A child speaks lines on stdout and waits for
// lines on stdin; the end of its stdin ends it.

const (
	roleVariable = "STATE_TEST_ROLE"
	rootVariable = "STATE_TEST_ROOT"
	dataVariable = "STATE_TEST_DATA"
)

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		os.Exit(m.Run())
	}
	s, err := state.Open(state.OS(), os.Getenv(rootVariable))
	if err == nil {
		err = roles[role](s, bufio.NewReader(os.Stdin))
	}
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

// roles are what a child does.
var roles = map[string]func(s *state.Store, orders *bufio.Reader) error{
	// hold takes the job's lease, says whether it has it, and keeps it.
	"hold": func(s *state.Store, orders *bufio.Reader) error {
		await(orders)
		lease, err := s.JobLease(context.Background(), job, 0)
		if fault.Is(err, fault.LeaseHeld) {
			fmt.Println("busy")
			return nil
		}
		if err != nil {
			return err
		}
		fmt.Println("held")
		await(orders)
		return lease.Release()
	},
	// leave takes the lease, starts a process that outlives this one, and
	// says its process id.
	"leave": func(s *state.Store, orders *bufio.Reader) error {
		if _, err := s.JobLease(context.Background(), job, 0); err != nil {
			return err
		}
		sleeper := exec.Command("sleep", "60")
		if err := sleeper.Start(); err != nil {
			return err
		}
		fmt.Println(sleeper.Process.Pid)
		await(orders)
		return nil
	},
	// look says whether this process has inherited a descriptor of the root.
	"look": func(s *state.Store, _ *bufio.Reader) error {
		var root unix.Stat_t
		if err := unix.Stat(s.Root(), &root); err != nil {
			return err
		}
		for fd := 3; fd < 256; fd++ {
			var found unix.Stat_t
			if unix.Fstat(fd, &found) == nil && found.Dev == root.Dev && found.Ino == root.Ino {
				fmt.Println("inherited")
				return nil
			}
		}
		fmt.Println("nothing")
		return nil
	},
	// enter waits for the lease and is, under it, alone in a directory.
	"enter": func(s *state.Store, orders *bufio.Reader) error {
		await(orders)
		for range 5 {
			lease, err := s.AdmissionLease(context.Background(), 20*time.Second)
			if err != nil {
				return err
			}
			inside := filepath.Join(s.Root(), "inside")
			file, err := os.OpenFile(inside, os.O_CREATE|os.O_EXCL, 0o600)
			if err != nil {
				return err
			}
			time.Sleep(time.Millisecond)
			if err := errors.Join(file.Close(), os.Remove(inside), lease.Release()); err != nil {
				return err
			}
		}
		fmt.Println("done")
		return nil
	},
	// create publishes one record, with content of its own or common to all.
	"create": func(s *state.Store, orders *bufio.Reader) error {
		await(orders)
		for i := 1; i <= state.MaxObservations; i++ {
			err := s.Create(state.Observation(job, i, 1024), []byte(os.Getenv(dataVariable)))
			switch {
			case err == nil:
				fmt.Println("published")
			case fault.Is(err, fault.RecordConflict):
				fmt.Println("conflict")
			default:
				return err
			}
		}
		return nil
	},
}

func await(orders *bufio.Reader) { _, _ = orders.ReadString('\n') }

// A child is a running role.
type child struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
}

func start(t *testing.T, role, root, data string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{roleVariable + "=" + role, rootVariable + "=" + root, dataVariable + "=" + data, "PATH=" + os.Getenv("PATH")}
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	c := &child{cmd, stdin, bufio.NewScanner(stdout)}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return c
}

// order lets the child go on.
func (c *child) order(t *testing.T) {
	t.Helper()
	_, err := io.WriteString(c.stdin, "\n")
	must(t, err)
}

// line returns what the child says next, or "" at its end.
func (c *child) line() string {
	c.lines.Scan()
	return c.lines.Text()
}

func (c *child) kill(t *testing.T) {
	t.Helper()
	must(t, c.cmd.Process.Kill())
	_ = c.cmd.Wait() // reports the signal
}

const contenders = 6

func TestProcessesContendForALease(t *testing.T) {
	s := realStore(t)
	children := make([]*child, contenders)
	for i := range children {
		children[i] = start(t, "hold", s.Root(), "")
	}
	for _, c := range children {
		c.order(t)
	}
	var holders []*child
	for _, c := range children {
		switch line := c.line(); line {
		case "held":
			holders = append(holders, c)
		case "busy":
		default:
			t.Errorf("a contender says %q", line)
		}
	}
	if len(holders) != 1 {
		t.Fatalf("%d holders", len(holders))
	}
	_, err := s.JobLease(t.Context(), job, 0)
	wantFault(t, "while it is held", err, fault.LeaseHeld)
	holders[0].kill(t)
	lease, err := s.JobLease(t.Context(), job, 0)
	if err != nil {
		t.Fatalf("the killed holder keeps the lease: %v", err)
	}
	must(t, lease.Release())
}

// TestLeaseIsNotInherited kills a holder whose own child lives on.
func TestLeaseIsNotInherited(t *testing.T) {
	s := realStore(t)
	c := start(t, "leave", s.Root(), "")
	pid, err := strconv.Atoi(c.line())
	must(t, err)
	sleeper, err := os.FindProcess(pid)
	must(t, err)
	defer sleeper.Kill()
	c.kill(t)
	must(t, sleeper.Signal(syscall.Signal(0))) // it lives
	lease, err := s.JobLease(t.Context(), job, 0)
	if err != nil {
		t.Fatalf("a child of the killed holder keeps the lease: %v", err)
	}
	must(t, lease.Release())
}

func TestDescriptorsAreNotInherited(t *testing.T) {
	s := realStore(t)
	fill(t, s)
	dir, err := state.OS().OpenRoot(s.Root())
	must(t, err)
	defer dir.Close()
	if line := start(t, "look", s.Root(), "").line(); line != "nothing" {
		t.Errorf("a child says %q", line)
	}
}

func TestProcessesWaitForALease(t *testing.T) {
	s := realStore(t)
	fill(t, s)
	children := make([]*child, contenders)
	for i := range children {
		children[i] = start(t, "enter", s.Root(), "")
	}
	for _, c := range children {
		c.order(t)
	}
	for _, c := range children {
		if line := c.line(); line != "done" {
			t.Errorf("a waiting process says %q", line)
		}
	}
}

// TestProcessesCreateTheSame lets several processes publish the same records
// with the same bytes: all succeed.
func TestProcessesCreateTheSame(t *testing.T) {
	s := realStore(t)
	for _, result := range race(t, s, func(int) string { return string(record) }) {
		if strings.Count(result, "published") != state.MaxObservations {
			t.Errorf("a process says %q", result)
		}
	}
	noTemporaries(t, s)
}

// TestProcessesCreateDifferently lets them publish different bytes: for each
// record one succeeds, and its bytes are what is there.
func TestProcessesCreateDifferently(t *testing.T) {
	s := realStore(t)
	results := race(t, s, strconv.Itoa)
	for i := range state.MaxObservations {
		winners := 0
		data, err := s.Read(state.Observation(job, i+1, 1024))
		must(t, err)
		for n, result := range results {
			word := strings.Fields(result)[i]
			if word == "published" {
				winners++
				if string(data) != strconv.Itoa(n) {
					t.Errorf("record %d: process %d has published and %s is there", i+1, n, data)
				}
			} else if word != "conflict" {
				t.Errorf("record %d: process %d says %q", i+1, n, word)
			}
		}
		if winners != 1 {
			t.Errorf("record %d: %d processes have published", i+1, winners)
		}
	}
	noTemporaries(t, s)
}

// race runs creators at once and returns what each has said.
func race(t *testing.T, s *state.Store, data func(n int) string) []string {
	t.Helper()
	children := make([]*child, contenders)
	for i := range children {
		children[i] = start(t, "create", s.Root(), data(i))
	}
	for _, c := range children {
		c.order(t)
	}
	results := make([]string, contenders)
	for i, c := range children {
		for c.lines.Scan() {
			results[i] += c.lines.Text() + " "
		}
		if n := len(strings.Fields(results[i])); n != state.MaxObservations {
			t.Fatalf("process %d says %q", i, results[i])
		}
	}
	return results
}

func noTemporaries(t *testing.T, s *state.Store) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.Root(), "coding-jobs", "*", "observations", ".tmp-*"))
	if err != nil || len(found) != 0 {
		t.Errorf("temporaries are left: %v, %v", found, err)
	}
}
