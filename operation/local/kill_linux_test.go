package local_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/operation/local/custody"
)

// killsVariable sets how many lives TestKills ends; the soak sets 200.
const killsVariable = "GIT_ALGAL_CUSTODY_KILLS"

// TestKills ends submit, supervisor or init at a random moment and holds, for
// every answer: the agent started at most once, nothing says that the work is
// settled while a descendant writes, and with custody that proves, every
// admitted operation settles in the end.
func TestKills(t *testing.T) {
	t.Parallel()
	kills := 20
	if testing.Short() {
		kills = 8
	}
	if text := os.Getenv(killsVariable); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		kills = n
	}
	mechanisms, proves := []custody.Mechanism{}, []bool{}
	for _, m := range []custody.Mechanism{"", custody.Namespace, custody.Cgroup, custody.Subreaper} {
		env := environment()
		env.Force = m
		found, err := local.Probe(short(t), env)
		if err != nil || m != "" && !found.Has(m) {
			t.Logf("not tested: %s, which this machine forbids: %v", m, err)
			continue
		}
		mechanisms, proves = append(mechanisms, m), append(proves, found.Proof)
	}
	// A life without a death says how long one takes on this machine.
	calm := time.Now()
	undisturbed := newKill(t, briefly, "", rand.New(rand.NewPCG(0, 0)))
	o, err := undisturbed.submit("op", "p")
	undisturbed.wantTerminal(o, err, operation.Completed, "")
	span := time.Since(calm)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, each within %v", seed, span)
	random := rand.New(rand.NewPCG(seed, 0))
	endings := map[string]int{}
	for i := range kills {
		k := newKill(t, briefly, mechanisms[i%len(mechanisms)], random)
		k.live(span, proves[i%len(mechanisms)])
		endings[k.story()]++
	}
	for story, n := range endings {
		t.Logf("%d times: %s", n, story)
	}
}

// briefly is how many milliseconds the agent of a life runs: about as long as
// everything around it.
const briefly = "120"

type kill struct {
	*scene
	mechanism custody.Mechanism
	random    *rand.Rand
	beats     string // the file that a descendant writes
	victim    string
	history   operation.History
}

func newKill(t *testing.T, milliseconds string, mechanism custody.Mechanism, random *rand.Rand) *kill {
	t.Helper()
	beats := filepath.Join(t.TempDir(), "beats")
	// The agent is gone soon, and its descendant writes for longer, if nobody
	// ends it: there is no grace.
	s := newScene(t, []string{"leave", milliseconds, beats, "1000"}, nil)
	s.extra = []string{forceVariable + "=" + string(mechanism)}
	return &kill{scene: s, mechanism: mechanism, random: random, beats: beats}
}

func (k *kill) live(span time.Duration, proof bool) {
	submit := k.begin()
	defer func() {
		_ = submit.Process.Kill()
		_ = submit.Wait()
	}()
	time.Sleep(time.Duration(k.random.Int64N(int64(span))))
	k.victim = []string{"submit", "supervisor", "init"}[k.random.IntN(3)]
	switch k.victim {
	case "submit":
		_ = syscall.Kill(-submit.Process.Pid, syscall.SIGKILL)
	case "supervisor":
		if !k.killSupervisor() {
			k.victim = "no supervisor"
		}
	case "init":
		if !k.killInit() {
			k.victim = "no init"
		}
	}
	k.watch(proof)
}

// begin starts a submit that can be killed.
func (k *kill) begin() *exec.Cmd {
	call := k.request("op", "p")
	request, err := call.Request(operation.Submit)
	must(k.t, err)
	text, err := request.Format()
	must(k.t, err)
	cmd := exec.Command(k.adapter.Executable, append(append([]string{}, k.adapter.ArgvPrefix...), string(operation.Submit))...)
	cmd.Env = append(os.Environ(), k.extra...)
	cmd.Stdin = bytes.NewReader(text)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must(k.t, cmd.Start())
	return cmd
}

// supervisor returns a descriptor of the supervisor, negative for none. What a
// number names may be another process by the time it is used.
func (k *kill) supervisor() int {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	must(k.t, err)
	for _, file := range files {
		if !k.supervises(file) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		must(k.t, err)
		if fd, err := unix.PidfdOpen(pid, 0); err == nil {
			if k.supervises(file) {
				return fd
			}
			_ = unix.Close(fd)
		}
	}
	return -1
}

func (k *kill) supervises(cmdline string) bool {
	text, _ := os.ReadFile(cmdline) // of a process that may have ended since
	words := strings.Split(string(text), "\x00")
	return len(words) > 4 && words[2] == local.SuperviseWord && words[4] == k.ledger.Dir()
}

func (k *kill) supervised() bool {
	fd := k.supervisor()
	_ = unix.Close(fd)
	return fd >= 0
}

func (k *kill) killSupervisor() bool {
	fd := k.supervisor()
	if fd < 0 {
		return false
	}
	defer unix.Close(fd)
	return unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil
}

func (k *kill) killInit() bool {
	attempt, err := k.ledger.Attempt("op")
	if err != nil || attempt.Start == nil || attempt.Start.Tree == nil {
		return false
	}
	tree := *attempt.Start.Tree
	fd, err := unix.PidfdOpen(tree.InitPID, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	must(k.t, unix.Fstat(fd, &stat))
	return strconv.FormatUint(stat.Ino, 10) == tree.InitInode && unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil
}

// watch looks the operation up until it is settled, or for as long as the
// descendant may live and more.
func (k *kill) watch(settles bool) {
	end := time.Now().Add(2500 * time.Millisecond)
	if settles {
		end = end.Add(patience)
	}
	for {
		o, err := k.observe("op", "p")
		must(k.t, err)
		reuse, err := k.history.Admit(o)
		if err != nil {
			k.t.Fatalf("%s, %s was killed: a host refuses %s %d: %v", k.mechanism, k.victim, o.State(), o.Revision(), err)
		}
		if !reuse {
			k.history = append(k.history, o)
		}
		if o.State() == operation.Terminal {
			k.wantQuiet(o)
			return
		}
		if o.State() == operation.Unknown && o.Reason() == operation.Missing && !k.supervised() && k.started() == 0 && k.victim == "submit" {
			return // it was killed before its admission
		}
		if time.Now().After(end) {
			if settles {
				k.t.Fatalf("%s, %s was killed: it does not settle: %s %s; %s", k.mechanism, k.victim, o.State(), o.Reason(), k.trouble())
			}
			return
		}
		time.Sleep(3 * time.Millisecond)
	}
}

// wantQuiet holds that nobody writes after the outcome.
func (k *kill) wantQuiet(o operation.Outcome) {
	kept{k.scene, k.beats}.wantStill()
	starts := k.started()
	if starts > 1 || starts > 0 && strings.Contains(o.Text(), "not started") {
		k.t.Errorf("%s, %s was killed: %d starts and the outcome %q", k.mechanism, k.victim, starts, o.Text())
	}
}

// story says what became of it, without numbers.
func (k *kill) story() string {
	latest, _ := k.history.Latest()
	mechanism := k.mechanism
	if mechanism == "" {
		mechanism = "all mechanisms"
	}
	return strings.Join([]string{string(mechanism), k.victim + " killed", string(latest.State()), string(latest.Reason()) + string(latest.Ending()), strings.TrimSpace(latest.Text())}, ", ")
}

// TestSupervisorDies ends the supervisor of a running agent and then asks.
func TestSupervisorDies(t *testing.T) {
	t.Parallel()
	k := newKill(t, "60000", "", rand.New(rand.NewPCG(1, 1)))
	submit := k.begin()
	for deadline := time.Now().Add(10 * time.Second); k.started() == 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	k.wantStarts(1)
	if !k.killSupervisor() {
		t.Fatal("there is no supervisor")
	}
	_ = submit.Wait()
	k.watch(true)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	attempt, err := k.ledger.Wait(ctx, "op")
	must(t, err)
	if attempt.Conclusion == nil || attempt.Conclusion.By != local.ByEvidence {
		t.Errorf("it is concluded as %+v", attempt.Conclusion)
	}
	again, err := k.submit("op", "p")
	k.wantTerminal(again, err, operation.Failed, "")
	k.wantStarts(1)
}
