package local_test

import (
	"testing"

	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
)

// TestMechanisms runs an agent that leaves a descendant, on each mechanism by
// itself: terminal where a living supervisor can prove the end, and accepted
// and then unknown, until the operator settles it, where nothing can.
func TestMechanisms(t *testing.T) {
	t.Parallel()
	for _, m := range []custody.Mechanism{custody.Namespace, custody.Cgroup, custody.Subreaper, custody.Group} {
		t.Run(string(m), func(t *testing.T) {
			env := environment()
			env.Force = m
			if found, err := local.Probe(short(t), env); err != nil || !found.Has(m) {
				t.Skipf("this machine forbids it: %v; CI has a machine that doesn't", err)
			}
			beats := t.TempDir() + "/beats"
			s := newScene(t, []string{"leave", "20", beats, "500"}, nil)
			s.extra = []string{forceVariable + "=" + string(m)}
			o, err := s.submit("op", "p")
			if m != custody.Group {
				s.wantTerminal(o, err, operation.Completed, "")
				k := kept{s, beats}
				k.wantStill()
				return
			}
			s.wantState(o, err, operation.Unknown, 2)
			binding := s.request("op", "p").Binding
			o, err = s.ledger.Stop(short(t), binding, "")
			s.wantState(o, err, operation.Unknown, 2)
			o, err = s.ledger.Settle(short(t), binding, operation.Cancelled, "I looked")
			s.wantTerminal(o, err, operation.Cancelled, "settled by the operator: I looked")
			s.wantStarts(1)
		})
	}
}

// TestTerminal gives the agent a terminal instead of files.
func TestTerminal(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"tty"}, func(d *definition.Definition) { d.PTY = true })
	o, err := s.submit("op", "p")
	s.wantTerminal(o, err, operation.Completed, "a terminal\nand another\nthat is its own\n")
	if testing.Short() {
		return // 64 MiB take a while under the race detector
	}
	s = newScene(t, []string{"flood", "65"}, func(d *definition.Definition) { d.PTY = true })
	o, err = s.submit("op", "p")
	s.wantTerminal(o, err, operation.Completed, "")
	attempt, err := s.ledger.Attempt("op")
	must(t, err)
	if kept := attempt.Conclusion.Stdout; !kept.Truncated || kept.Bytes != local.MaxStreamBytes {
		t.Errorf("kept is %+v", kept)
	}
}
