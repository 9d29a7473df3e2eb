//go:build linux || darwin

package main

import (
	"context"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/state"
)

const (
	logSchema  = "git-algal.log/1"
	flagFollow = "follow"
)

func followFlag() cli.Flag {
	return &cli.BoolFlag{Name: flagFollow, Aliases: []string{"f"}, Usage: "go on until the operation has an outcome, or nobody works on it"}
}

func logVerb() verb {
	return verb{
		name: "log", usage: "print what the agent of a job wrote, its standard error on standard error",
		operands: "[JOB]", maxOperands: 1,
		details: "It is for jobs of the adapters that \"git algal adapter add\" makes.",
		flags:   []cli.Flag{followFlag()},
		run: onJob(evidenceOnly, func(ctx context.Context, s *site, job canon.Digest) (answer, error) {
			a, _, err := s.attemptOf(job)
			if err != nil {
				return answer{}, err
			}
			return s.log(ctx, a)
		}),
	}
}

func adapterLog() adapterAction {
	return adapterAction{
		name: adapterLogName, operands: "NAME OPERATION", takes: 2,
		usage: "print what the agent of an operation wrote",
		flags: []cli.Flag{followFlag()},
		run: func(ctx context.Context, in *invocation, operands []string) (answer, error) {
			a, _, err := in.attemptNamed(operands[0], operands[1])
			if err != nil {
				return answer{}, err
			}
			return in.log(ctx, a)
		},
	}
}

// A logDocument says where an agent's output lies.
type logDocument struct {
	Schema      string             `json:"schema"`
	OperationID operation.Identity `json:"operationId"`
	JobID       *canon.Digest      `json:"jobId"`
	Settled     bool               `json:"settled"`
	Streams     []logStream        `json:"streams"`
}

// A logStream is one of the two. What is not known before the end is null.
type logStream struct {
	Name      state.Stream  `json:"name"`
	Path      string        `json:"path"`
	Bytes     int64         `json:"bytes"`
	Digest    *canon.Digest `json:"digest"`
	Truncated *bool         `json:"truncated"`
}

func (d *logDocument) writeText(*page) {} // the streams themselves are printed instead

// log prints the streams of an attempt, or with --json where they are.
func (in *invocation) log(ctx context.Context, a attempt) (answer, error) {
	found, err := a.look()
	if err != nil {
		return answer{}, err
	}
	if in.flags.Bool(flagFollow) || !in.flags.Bool(flagJSON) {
		if found, err = in.copyStreams(ctx, a); err != nil {
			return answer{}, err
		}
	}
	d, err := newLogDocument(a, found)
	if err != nil {
		return answer{}, err
	}
	for _, stream := range d.Streams {
		if stream.Truncated != nil && *stream.Truncated {
			in.warn("the agent wrote more on %s than the %d bytes that are kept", stream.Name, local.MaxStreamBytes)
		}
	}
	if !in.flags.Bool(flagJSON) {
		return answer{}, nil
	}
	return answer{document: d}, nil
}

func newLogDocument(a attempt, found local.Attempt) (*logDocument, error) {
	d := &logDocument{Schema: logSchema, OperationID: a.operation, JobID: known(a.job), Settled: found.Conclusion != nil, Streams: []logStream{}}
	for _, name := range []state.Stream{state.Stdout, state.Stderr} {
		path, err := a.ledger.StreamPath(a.operation, name)
		if err != nil {
			return nil, err
		}
		s := logStream{Name: name}
		s.Path, _ = jsonPath(path)
		if kept := keptOf(found, name); kept != nil {
			s.Bytes, s.Digest, s.Truncated = kept.Bytes, &kept.Digest, &kept.Truncated
		} else {
			f := follower{name: name, to: io.Discard}
			s.Bytes, err = f.copy(a)
			f.close()
			if err != nil {
				return nil, err
			}
		}
		d.Streams = append(d.Streams, s)
	}
	return d, nil
}

// keptOf returns what the outcome says of a stream, nil where it says nothing.
func keptOf(found local.Attempt, name state.Stream) *local.Kept {
	switch {
	case found.Conclusion == nil:
		return nil
	case name == state.Stdout:
		return found.Conclusion.Stdout
	}
	return found.Conclusion.Stderr
}

// followPause is how often a stream is looked at for more.
const followPause = 200 * time.Millisecond

// copyStreams prints both streams, as far as they go or, following, to their
// end, and returns the attempt as it was before the last look at them.
func (in *invocation) copyStreams(ctx context.Context, a attempt) (local.Attempt, error) {
	streams := []*follower{{name: state.Stdout, to: in.onTerminal(in.stdout)}, {name: state.Stderr, to: in.onTerminal(in.stderr)}}
	for _, f := range streams {
		if in.flags.Bool(flagJSON) {
			f.to = io.Discard // the document alone is printed
		}
		defer f.close()
	}
	for {
		found, err := a.look() // first: what was written before the outcome is then read
		if err != nil {
			return local.Attempt{}, err
		}
		for _, f := range streams {
			if _, err := f.copy(a); err != nil {
				return local.Attempt{}, err
			}
		}
		if !in.flags.Bool(flagFollow) || found.Conclusion != nil || !found.Held {
			return found, nil
		}
		select {
		case <-ctx.Done():
			return local.Attempt{}, waitInterrupted()
		case <-time.After(followPause):
		}
	}
}

// A follower prints a stream that may still grow.
type follower struct {
	name state.Stream
	to   io.Writer
	file io.ReadCloser // nil until the stream is there
}

// copy prints what has come since the last time, and returns how many bytes.
func (f *follower) copy(a attempt) (int64, error) {
	if f.file == nil {
		file, err := a.ledger.Stream(a.operation, f.name)
		if fault.Is(err, fault.Missing) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		f.file = file
	}
	n, err := io.Copy(f.to, f.file)
	if err != nil {
		return n, fault.New(fault.HostFailed, "what the agent wrote cannot be read or printed: %w", err)
	}
	return n, nil
}

func (f *follower) close() {
	if f.file != nil {
		_ = f.file.Close() // it was read
	}
}

// onTerminal returns the writer of what an agent wrote: exact bytes, but for a
// terminal.
func (in *invocation) onTerminal(to io.Writer) io.Writer {
	if in.isTerminal(to) {
		return escapingWriter{to}
	}
	return to
}

// An escapingWriter escapes control characters. A character that is torn
// between two writes is escaped in halves.
type escapingWriter struct{ to io.Writer }

func (w escapingWriter) Write(b []byte) (int, error) {
	if _, err := io.WriteString(w.to, forTerminal(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}
