//go:build linux || darwin

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-algal/git-algal/jobs"
)

// How much the tests of real processes do is set by variables of the
// environment: .ci/run asks for more than what they do by themselves, .ci/soak
// for much more.
const (
	livesVariable = "GIT_ALGAL_LIVES" // jobs whose processes are killed
	pairsVariable = "GIT_ALGAL_PAIRS" // rounds of all pairs of commands
	lives         = 6
	pairs         = 1
)

func countOf(tb testing.TB, variable string, otherwise int) int {
	tb.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		tb.Fatalf("%s is %q, which is no count", variable, text)
	}
	return n
}

// A crowd is a person with many worktrees and one store, whose commands run as
// processes of their own, or in the test's where nothing is to happen to them.
type crowd struct {
	testing.TB
	person
	worktrees int
	takes     map[string]time.Duration // what a command that was not killed took last
}

// jobsPerStore is fewer than a store holds: each look at it reads all of them.
const jobsPerStore = 20

func newCrowd(tb testing.TB, work string) *crowd {
	p := newPerson(tb, work)
	p.commit(tb)
	// A store that is named is found without git.
	p.variables = append(p.variables, storeVariable+"="+filepath.Join(p.home, "store"))
	return &crowd{TB: tb, person: p, takes: map[string]time.Duration{}}
}

// worktree makes a fresh checkout and returns its path.
func (c *crowd) worktree() string {
	c.Helper()
	c.worktrees++
	dir := filepath.Join(filepath.Dir(c.workspace), "w"+strconv.Itoa(c.worktrees))
	if out, err := c.command("git", "worktree", "add", "-q", dir).CombinedOutput(); err != nil {
		c.Fatalf("git worktree add: %v\n%s", err, out)
	}
	return dir
}

// at returns the program as a process in the worktree.
func (c *crowd) at(dir string, args ...string) *exec.Cmd {
	cmd := c.command("git-algal", args...)
	cmd.Dir = dir
	return cmd
}

// asks runs a command in the test's own process and returns its document.
func (c *crowd) asks(dir string, args ...string) (stdout string, exit int) {
	env := processEnvironment()
	env.dir, env.variables, env.args = dir, c.variables, append([]string{"--json", "--quiet"}, args...)
	env.isTerminal = func(any) bool { return false }
	stdout, _, exit = inProcess(env)
	return stdout, exit
}

// status returns where the job of an operation stands, empty where there is
// none.
func (c *crowd) status(dir, operation string) jobs.Status {
	c.Helper()
	stdout, exit := c.asks(dir, "inspect", "op:"+operation)
	if exit == exitRefused && strings.Contains(stdout, `"STORE_MISS"`) {
		return ""
	}
	for _, status := range []jobs.Status{jobs.Prepared, jobs.Uncertain, jobs.Completed, jobs.Failed} {
		if strings.Contains(stdout, `"status":"`+string(status)+`"`) {
			return status
		}
	}
	c.Fatalf("inspect of %s ends with %d: %s", operation, exit, stdout)
	return ""
}

// submissions returns how often the ledger counts a start of the operation.
func (c *crowd) submissions(operation string) int {
	c.Helper()
	text, err := os.ReadFile(filepath.Join(c.ledger, "starts"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		c.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		if strings.TrimSpace(line) == operation {
			n++
		}
	}
	return n
}

// whole demands that the operation was submitted at most once, that the claim
// of a launched job is there, and that the store is whole.
func (c *crowd) whole(dir, operation, story string) {
	c.Helper()
	if n := c.submissions(operation); n > 1 {
		c.Errorf("%s: the ledger counts %d submissions of %s", story, n, operation)
	}
	if stdout, exit := c.asks(dir, "fsck"); exit != exitDone && !strings.Contains(stdout, "STORE_MISS") {
		c.Errorf("%s: fsck ends with %d: %s", story, exit, stdout)
	}
}

// TestKilledLives kills the processes of jobs at random moments and goes on as
// a person would, until they are settled or known to be uncertain.
func TestKilledLives(t *testing.T) {
	const workers = 2
	n := countOf(t, livesVariable, lives)
	seed := uint64(time.Now().UnixNano())
	for worker := range workers {
		t.Run(fmt.Sprintf("seed=%d,%d", seed, worker), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, uint64(worker)))
			var total killings
			c := newCrowd(t, "submit completes\nwrite a.txt changed\n")
			share := n/workers + (n%workers+worker)/workers
			for i := range share {
				if i%jobsPerStore == jobsPerStore-1 {
					c = newCrowd(t, "submit completes\nwrite a.txt changed\n")
				}
				k := c.live(random, "life-"+strconv.Itoa(i))
				total.killed, total.launched, total.settled = total.killed+k.killed, total.launched+k.launched, total.settled+k.settled
			}
			t.Logf("%d lives, %d processes killed, %d of them after the launch, %d jobs settled", share, total.killed, total.launched, total.settled)
			if enough := 10; share >= enough && (total.killed == 0 || total.settled == 0) {
				t.Error("nothing was killed, or nothing came of it")
			}
		})
	}
}

// killings counts processes that were killed, those whose job was launched by
// then, and jobs that were settled.
type killings struct{ killed, launched, settled int }

// live takes one job to its end, while some of its processes are killed.
func (c *crowd) live(random *rand.Rand, operation string) (k killings) {
	const (
		maxKills = 4
		// atFirst is when a process is killed before it is known how long one
		// takes, at the latest.
		atFirst = 400 * time.Millisecond
		// patience bounds the reconciliations of an adapter that outlived the
		// process that called it.
		patience = 40
	)
	dir := c.worktree()
	for range patience {
		status := c.status(dir, operation)
		var cmd *exec.Cmd
		switch {
		case status == "":
			cmd = c.at(dir, "prepare", "--adapter", "agent", "-m", "x", "--operation-id", operation)
		case status == jobs.Prepared:
			cmd = c.at(dir, "run", "op:"+operation)
		case status == jobs.Uncertain && (k.killed < maxKills || c.submissions(operation) > 0):
			cmd = c.at(dir, "reconcile", "op:"+operation)
		default:
			c.whole(dir, operation, operation)
			if status.Settled() {
				k.settled++
			}
			return k
		}
		if verb := cmd.Args[1]; k.killed < maxKills {
			longest := max(c.takes[verb], time.Millisecond)
			if c.takes[verb] == 0 {
				longest = atFirst
			}
			if c.runAndKill(cmd, time.Duration(random.Int64N(int64(longest)))) {
				k.killed++
				if after := c.status(dir, operation); after != "" && after != jobs.Prepared {
					k.launched++
				}
			}
			c.whole(dir, operation, fmt.Sprintf("%s, %s killed", operation, verb))
		} else {
			began := time.Now()
			if exit, out := exitStatus(c, cmd); exit != exitDone && exit != exitUncertain {
				c.Errorf("%s: %s ends with %d: %s", operation, verb, exit, out)
			}
			c.takes[verb] = time.Since(began)
		}
	}
	c.Errorf("%s: the job is still %s", operation, c.status(dir, operation))
	return k
}

// runAndKill starts the process and kills it after a while; it reports whether
// it was still there.
func (c *crowd) runAndKill(cmd *exec.Cmd, after time.Duration) bool {
	c.Helper()
	if err := cmd.Start(); err != nil {
		c.Fatal(err)
	}
	time.Sleep(after)
	killed := cmd.Process.Kill() == nil
	err := cmd.Wait()
	var exit *exec.ExitError
	return killed && errors.As(err, &exit) && !exit.Exited()
}

// commands are those that two processes carry out at once; JOB stands for the
// job. Writers change what there is.
var commands = []struct {
	words  []string
	writes bool
}{
	{[]string{"prepare", "--adapter", "agent", "-m", "x", "--operation-id", "OPERATION"}, true},
	{[]string{"run", "JOB"}, true},
	{[]string{"run", "--adapter", "agent", "-m", "x", "--operation-id", "OPERATION"}, true},
	{[]string{"reconcile", "JOB"}, true},
	{[]string{"verify", "JOB"}, false},
	{[]string{"validate", "JOB", "--", "true"}, false},
	{[]string{"inspect", "JOB"}, false},
	{[]string{"output", "JOB"}, false},
	{[]string{"diff", "JOB"}, false},
	{[]string{"patch", "JOB"}, false},
	{[]string{"observe", "JOB"}, false},
	{[]string{"list"}, false},
	{[]string{"check"}, false},
	{[]string{"where"}, false},
	{[]string{"fsck"}, false},
}

// TestAllPairs lets two processes of any two commands work at once on the same
// job, workspace and store: a job that is prepared, in the second round one
// whose reply was lost, and so on in turns.
func TestAllPairs(t *testing.T) {
	rounds := countOf(t, pairsVariable, pairs)
	for round := range rounds {
		t.Run(strconv.Itoa(round), func(t *testing.T) {
			t.Parallel()
			c := newCrowd(t, "submit lost\nwrite a.txt changed\n")
			var dir, operation string
			for i, first := range commands {
				for _, second := range commands[i:] {
					if testing.Short() && !(first.writes && second.writes) {
						continue // .ci/run has them all, without the race detector
					}
					if dir == "" || first.writes || second.writes {
						if c.worktrees == jobsPerStore {
							c = newCrowd(t, "submit lost\nwrite a.txt changed\n")
						}
						dir, operation = c.worktree(), "pair-"+strconv.Itoa(c.worktrees)
						c.prepared(dir, operation, round%2 == 1)
					}
					c.atOnce(dir, operation, first.words, second.words)
				}
			}
		})
	}
}

// prepared leaves a prepared job, or an uncertain one.
func (c *crowd) prepared(dir, operation string, launched bool) {
	c.Helper()
	if out, exit := c.asks(dir, "prepare", "--adapter", "agent", "-m", "x", "--operation-id", operation); exit != exitDone {
		c.Fatalf("prepare ends with %d: %s", exit, out)
	}
	if launched {
		if out, exit := c.asks(dir, "run", "op:"+operation); exit != exitUncertain {
			c.Fatalf("run ends with %d: %s", exit, out)
		}
	}
}

func (c *crowd) atOnce(dir, operation string, both ...[]string) {
	c.Helper()
	before := c.status(dir, operation)
	story := fmt.Sprintf("%q and %q at once on a job that is %s", both[0], both[1], before)
	ends := make(chan string, len(both))
	for _, words := range both {
		replaced := strings.NewReplacer("JOB", "op:"+operation, "OPERATION", operation)
		var args []string
		for _, word := range words {
			args = append(args, replaced.Replace(word))
		}
		go func() {
			exit, out := exitStatus(c, c.at(dir, append([]string{"--json", "--quiet"}, args...)...))
			switch {
			case exit == exitUsage, exit < 0, exit > exitBusy, words[0] == "fsck" && exit != exitDone:
				ends <- fmt.Sprintf("%s ends with %d: %s", words[0], exit, out)
			default:
				ends <- ""
			}
		}()
	}
	for range both {
		if wrong := <-ends; wrong != "" {
			c.Errorf("%s: %s", story, wrong)
		}
	}
	c.whole(dir, operation, story)
	after := c.status(dir, operation)
	if after == jobs.Prepared && before != jobs.Prepared || before.Settled() && after != before {
		c.Errorf("%s: afterwards it is %s", story, after)
	}
	if after != jobs.Prepared && c.submissions(operation) != 1 {
		c.Errorf("%s: the job is %s after %d submissions", story, after, c.submissions(operation))
	}
}
