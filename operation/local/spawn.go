package local

import (
	"context"
	"os"
	"os/exec"
	"syscall"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

// leaseDescriptor is the descriptor on which a supervisor finds the lease: the
// first behind the standard streams.
const leaseDescriptor = 3

// spawner starts supervisors as processes of this machine.
type spawner struct {
	env    Environment
	ledger string
}

type process struct{ ended chan struct{} }

// supervise starts the supervisor in a session of its own, so that nobody who
// ends the submit's process group, as a host does at its deadline, ends it. It
// stands in the root directory, where it keeps no file system busy.
func (s spawner) supervise(key canon.Digest, lease lease, trouble state.File) (supervisor, error) {
	log, err := systemFile(trouble)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(s.env.Executable, definition.AdapterWord, SuperviseWord, definition.LedgerFlag, s.ledger, string(key))
	cmd.Env = append([]string{}, s.env.Env...)
	cmd.Dir = "/"
	cmd.Stderr = log
	cmd.ExtraFiles = []*os.File{lease.File()}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, fault.New(fault.HostFailed, "cannot start the supervisor %q: %w", s.env.Executable, err)
	}
	// The child has the lease: closing ours cannot lose it.
	_ = lease.Close()
	p := process{make(chan struct{})}
	go func() {
		// How it ended says nothing that the ledger does not say better.
		_ = cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

func (p process) wait(ctx context.Context) error {
	select {
	case <-p.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
