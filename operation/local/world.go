package local

import (
	"context"
	"os"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

// A world is everything outside of this package that an act depends on. The
// program's is made of a ledger on disk and the kernel; the model test's is a
// value that can be copied, and so is every act.
type world struct {
	book    book
	kernel  kernel
	start   starter
	sound   func() error // why the ledger is not the one that it should be
	machine string
	now     func() time.Time
	pause   func(context.Context, time.Duration) error
}

// A book is the ledger's records; state.Ledger says what each method does.
type book interface {
	Read(name state.Name) ([]byte, error)
	Create(name state.Name, data []byte) error
	MakeDurable(names ...state.Name) error
	Get(digest canon.Digest, maxBytes int) ([]byte, error)
	Lease(key canon.Digest) (lease, error)

	Path(key canon.Digest, stream state.Stream) (string, error)
	Write(key canon.Digest, stream state.Stream) (state.File, error)
	Open(key canon.Digest, stream state.Stream) (state.File, error)
	Discard(key canon.Digest, stream state.Stream) error
}

// A lease is the right to start an operation and to conclude it.
type lease interface {
	File() *os.File
	Close() error
}

// A kernel is what the machine knows of process trees; package custody says
// what each method does.
type kernel interface {
	probe(ctx context.Context) (custody.Found, error)
	prepare(ctx context.Context, work work) (tree, error)
	look(id custody.Identity) (custody.Evidence, error)
	end(ctx context.Context, id custody.Identity) error
	remove(id custody.Identity) error
}

// A work is an admitted run with the streams of its operation.
type work struct {
	run                    Run
	definition             definition.Definition
	promptFile             string // its path
	prompt, stdout, stderr state.File
}

// A tree is one process tree under custody. wait returns the ending, or the
// end of ctx; it may be called again.
type tree interface {
	identity() custody.Identity
	open() error
	wait(ctx context.Context) (custody.Ending, error)
	kill() error
	close() error
	// trim cuts a stream that has outgrown its bound, and reports whether it had.
	trim(stream state.File, bound int64) (bool, error)
}

// A starter starts the supervisor of an operation and hands it the lease. On
// success this process has no part in the lease any more; on failure it still
// has it, and nothing was started.
type starter interface {
	supervise(key canon.Digest, lease lease, trouble state.File) (supervisor, error)
}

// A supervisor is the process that was started. wait returns nil when it has
// ended, or the end of ctx.
type supervisor interface {
	wait(ctx context.Context) error
}

// An act is something that one process does with an operation, as a series of
// named steps. Between two of them the process may die and others may act; the
// model test explores every such order.
type act interface {
	// step takes the next step and reports whether it was the last.
	step(ctx context.Context, w *world) (done bool, err error)
	// drop closes what the act holds. The end of its process does the same.
	drop()
}

// perform takes all steps of an act.
func perform(ctx context.Context, w *world, a act) error {
	defer a.drop()
	for {
		if done, err := a.step(ctx, w); done || err != nil {
			return err
		}
	}
}
