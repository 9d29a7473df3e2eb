package local_test

import (
	"fmt"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/git-algal/git-algal/operation"
)

const (
	// submitCost is what a submit may cost on top of the agent by itself.
	submitCost = 60 * time.Millisecond
	// idleStart is how long the start of a program takes on a machine that has
	// nothing else to do, generously; where it takes longer nothing is judged.
	idleStart = 8 * time.Millisecond
)

// BenchmarkSubmit measures a submit with an agent that exits at once beside
// the same agent by itself: what a ledger with its durable writes, a
// supervisor and custody cost on top. The fastest tenth decides.
func BenchmarkSubmit(b *testing.B) {
	s := newScene(b, []string{"say", "0", ""}, nil)
	var plain, submitted []time.Duration
	for i := 0; b.Loop(); i++ {
		begun := time.Now()
		if err := exec.Command(s.adapter.Executable, "agent", "say", s.starts, "0", "").Run(); err != nil {
			b.Fatal(err)
		}
		plain = append(plain, time.Since(begun))
		call := s.request(operation.Identity(fmt.Sprintf("op-%d", i)), "p")
		begun = time.Now()
		o, err := parse(call)(s.transport().Submit(b.Context(), call))
		submitted = append(submitted, time.Since(begun))
		s.wantTerminal(o, err, operation.Completed, "")
	}
	slices.Sort(plain)
	slices.Sort(submitted)
	tenth := len(plain) / 10
	cost := submitted[tenth] - plain[tenth]
	switch {
	case plain[tenth] > idleStart:
		b.Logf("not judged: the machine is busy, and a program starts in %v", plain[tenth])
	case cost > submitCost:
		b.Errorf("a submit costs %v on top, more than %v", cost, submitCost)
	}
	b.ReportMetric(float64(cost.Microseconds())/1000, "ms-on-top")
	b.ReportMetric(float64(plain[tenth].Microseconds())/1000, "ms-plain")
	b.ReportMetric(float64((submitted[len(submitted)/2]-plain[len(plain)/2]).Microseconds())/1000, "ms-on-top-median")
}
