package jobs_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/faultfs"
)

// How much TestCrashLoop explores is set by two variables of the environment.
const (
	// crashDepthVariable bounds how many crashes may follow each other.
	crashDepthVariable = "GIT_ALGAL_CRASH_DEPTH"
	// crashShareVariable says which share of the operations a machine is
	// stopped at that has crashed before: one in so many, 1 for all.
	crashShareVariable = "GIT_ALGAL_CRASH_SHARE"
)

// What is explored where the variables are not set takes seconds. The shares
// are primes, so that from one state to the next they meet other operations.
const (
	crashDepth      = 2
	crashShare      = 11
	crashShareShort = 307
)

// count returns the number that an environment variable sets, or otherwise,
// or in a short test short.
func count(t *testing.T, variable string, otherwise, short int) int {
	t.Helper()
	text := os.Getenv(variable)
	switch {
	case text == "" && testing.Short():
		return short
	case text == "":
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, which is no count", variable, text)
	}
	return n
}

// A calamity is a way in which everything ends at once.
type calamity struct {
	name   string
	strike func(*faultfs.FS)
	// lasting: what is there after it is durable.
	lasting bool
}

var calamities = []calamity{
	{"all lost", func(f *faultfs.FS) { f.Crash(faultfs.LoseAll) }, true},
	{"some lost", func(f *faultfs.FS) { f.Crash(faultfs.LoseSome) }, true},
	{"others lost", func(f *faultfs.FS) { f.Crash(faultfs.LoseSome) }, true},
	{"none lost", func(f *faultfs.FS) { f.Crash(faultfs.LoseNone) }, true},
	{"killed", func(f *faultfs.FS) { f.Kill() }, false},
}

// maxValidations ends what has no end: each validation adds records.
const maxValidations = 2

// An explorer visits the states that crashes leave a world in, each once: from
// a state that was met before, nothing new can follow.
type explorer struct {
	t            *testing.T
	depth, share int

	queues  [][]visit      // by the number of crashes
	seen    map[string]int // the fewest crashes after which each state was met
	states  int            // met, those that were met before included
	crashes map[window]int // by the window that they fell in
}

// A visit is a world in a state that was not met before.
type visit struct {
	world   *world
	crashes int    // how many there were until here
	how     string // the story, for people
}

// TestCrashLoop stops every command before each of its durable operations, for
// every way in which an attempt can go, loses what was not synced in every way,
// and does the same to every state that this leaves. From each of them a person
// who goes on, with the same preparation, run, reconcile, must get somewhere.
func TestCrashLoop(t *testing.T) {
	t.Parallel()
	depth, share := count(t, crashDepthVariable, crashDepth, crashDepth), count(t, crashShareVariable, crashShare, crashShareShort)
	var explorers []*explorer
	t.Run("authorities", func(t *testing.T) {
		for _, a := range authorities {
			x := &explorer{depth: depth, share: share, queues: make([][]visit, depth+1), seen: map[string]int{}, crashes: map[window]int{}}
			explorers = append(explorers, x)
			t.Run(a.name, func(t *testing.T) {
				t.Parallel()
				x.t = t
				x.explore(newWorld(newLab(t), a))
				t.Logf("%d states explored, %d of them distinct", x.states, len(x.seen))
			})
		}
	})
	if t.Failed() {
		return
	}
	crashes := map[window]int{}
	states, distinct := 0, 0
	for _, x := range explorers {
		for w, n := range x.crashes {
			crashes[w] += n
		}
		states, distinct = states+x.states, distinct+len(x.seen)
	}
	t.Logf("%d states explored, %d of them distinct, in %d crash windows, after up to %d crashes", states, distinct, len(crashes), depth)
	checkWindows(t, crashes)
}

func (x *explorer) explore(w *world) {
	x.meet(visit{world: w, how: "an empty store"}, true)
	for crashes := range x.queues {
		for len(x.queues[crashes]) > 0 {
			v := x.queues[crashes][0]
			x.queues[crashes] = x.queues[crashes][1:]
			if x.seen[v.world.key()] == crashes {
				x.leave(v)
			}
		}
	}
}

// leave goes on from a state in every way.
func (x *explorer) leave(v visit) {
	if err := v.world.clone(0).goOn(x.t.Context()); err != nil {
		x.t.Fatalf("%s: %v", v.how, err)
	}
	for _, d := range []deed{prepare, run, reconcile, validate} {
		if d.name != validate.name || v.world.validations < maxValidations {
			x.carryOut(v, d)
		}
	}
}

// meet holds the world against everything that must be true, and queues it if
// it was not met before, or only after more crashes.
func (x *explorer) meet(v visit, lasting bool) {
	x.states++
	if err := v.world.examine(x.t.Context(), lasting); err != nil {
		x.t.Fatalf("%s: %v", v.how, err)
	}
	key := v.world.key()
	if fewest, met := x.seen[key]; !met || v.crashes < fewest {
		x.seen[key] = v.crashes
		x.queues[v.crashes] = append(x.queues[v.crashes], v)
	}
}

// carryOut carries the deed out where a person could, crashes it everywhere,
// and meets what it leaves with and without a crash.
func (x *explorer) carryOut(v visit, d deed) {
	ctx := x.t.Context()
	w := v.world.clone(0)
	var stopped []stop
	published := w.record(func(k int, as *world) {
		if v.crashes < x.depth && (v.crashes == 0 || (k+x.states)%x.share == 0) {
			stopped = append(stopped, stop{k, as})
		}
	})
	snap, err := w.do(ctx, d)
	story := v.how + "; " + d.name
	if want := d.refusal(v.world); err != nil && (want == 0 || !fault.Is(err, want)) || err == nil && want != 0 {
		x.t.Fatalf("%s: %v, want condition %v", story, err, want)
	}
	if err == nil {
		if err := w.lasts(ctx, snap.Status); err != nil {
			x.t.Fatalf("%s: %v", story, err)
		}
	}
	for _, s := range stopped {
		fell := published().window(d.name, s.operation)
		for _, c := range calamities {
			x.crashes[fell]++
			struck := s.world.clone(uint64(x.states))
			c.strike(struck.disk)
			how := fmt.Sprintf("%s stopped before operation %d (%v), %s", story, s.operation, fell, c.name)
			x.meet(visit{struck, v.crashes + 1, how}, c.lasting)
		}
	}
	x.meet(visit{w, v.crashes, story}, false)
}

// A stop is a world whose machine is about to carry out an operation.
type stop struct {
	operation int
	world     *world
}

// TestCrashLoopOnGit does a few of the same crashes where git itself looks at
// the checkout each time.
func TestCrashLoopOnGit(t *testing.T) {
	t.Parallel()
	const everySo = 23 // operations; a life takes a quarter of a second
	w := newWorld(newLab(t), authorityNamed(t, "accepts, completes later"))
	w.lab.live = true
	for _, d := range []deed{prepare, run, reconcile} {
		stops := w.stops(t, d)
		for i := 0; i < len(stops); i += everySo {
			crashed := stops[i].world
			crashed.disk.Crash(faultfs.LoseAll)
			err := crashed.examine(t.Context(), true)
			if err == nil {
				err = crashed.goOn(t.Context())
			}
			if err != nil {
				t.Fatalf("%s stopped before operation %d: %v", d.name, stops[i].operation, err)
			}
		}
		if _, err := w.do(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
}
