package local

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/state"
)

// The steps of a supervision, in their order. readConclusion, readAdmission and
// readStart come first, as in a lookup.
const (
	prepareTree   step = "prepare the tree, its init waiting at the gate"
	publishStart  step = "publish start.json: launching"
	checkStopping step = "look for an order to stop"
	openGate      step = "open the gate"
	watchTree     step = "watch the tree"
	killTree      step = "end the tree"
	joinTree      step = "wait for the proof that nobody is left"
	keepStreams   step = "make the agent's output durable"
	concludeTree  step = "publish terminal.json"
	giveUpTree    step = "publish unresolved.json"
	closeTree     step = "remove the cgroup"
)

// watchPause is how often a supervisor looks for an order to stop and holds
// the streams to their bound while it waits.
const watchPause = 250 * time.Millisecond

// A supervision is the life of the process that launches an operation and sees
// it end. It holds the operation's lease from its start to its end.
type supervision struct {
	key   canon.Digest
	lease lease
	next  step

	admission      Admission
	tree           tree
	joined         bool // the ending is known
	prompt         state.File
	stdout, stderr *stream
	limit          time.Time // when the agent has run for as long as it may
	overtime       bool
	stopping       bool
	ending         custody.Ending
	stdoutKept     Kept
	stderrKept     Kept
	text           string
	whole          bool // text is all of the agent's answer
}

func newSupervision(key canon.Digest, held lease) *supervision {
	return &supervision{key: key, lease: held, next: readAdmission}
}

func (s *supervision) drop() {
	for _, c := range []io.Closer{s.prompt, s.stdout.file(), s.stderr.file()} {
		if c != nil {
			_ = c.Close()
		}
	}
	s.prompt, s.stdout, s.stderr = nil, nil, nil
	s.dropTree()
	if s.lease != nil {
		_ = s.lease.Close()
		s.lease = nil
	}
}

// dropTree ends a tree that nobody will watch any more.
func (s *supervision) dropTree() {
	t := s.tree
	if t == nil {
		return
	}
	s.tree = nil
	if !s.joined {
		_ = t.kill()
	}
	_ = t.close()
}

func (s *supervision) step(ctx context.Context, w *world) (done bool, err error) {
	switch s.next {
	case readAdmission:
		return s.readAdmission(w)
	case prepareTree:
		return false, s.prepare(ctx, w)
	case publishStart:
		return s.publishStart(w)
	case checkStopping:
		s.next = openGate
		if s.stopping, err = isStopping(w.book, s.key); s.stopping {
			s.next = killTree
		}
		return false, err
	case openGate:
		s.next, s.limit = watchTree, w.now().Add(s.admission.Run.runtime())
		return false, s.tree.open()
	case watchTree:
		return false, s.watch(ctx, w)
	case killTree:
		s.next = joinTree
		return false, s.tree.kill()
	case joinTree:
		ending, err := s.tree.wait(ctx)
		if err != nil {
			return false, err
		}
		s.ended(ending)
		return false, nil
	case keepStreams:
		return false, s.keep(w)
	case concludeTree:
		return false, s.then(closeTree, s.conclude(w))
	case giveUpTree:
		return false, s.then(closeTree, publishUnresolved(w, s.key, s.doubt()))
	case closeTree:
		return true, s.tidy(w)
	}
	return false, fault.New(fault.Usage, "a supervision has no step %q", s.next)
}

// then goes on where a step has succeeded; one that failed is taken again.
func (s *supervision) then(next step, err error) error {
	if err == nil {
		s.next = next
	}
	return err
}

// readAdmission ends the supervision of what is not admitted or was started or
// concluded before: the lease says that nobody else does it, and not that
// nobody did.
func (s *supervision) readAdmission(w *world) (done bool, err error) {
	a, there, err := findAdmission(w.book, s.key)
	switch {
	case err != nil:
		return false, err
	case !there || a.Run == nil:
		return false, fault.New(fault.Missing, "no operation %q is admitted to be run", string(s.key))
	}
	for _, name := range []state.Name{state.Start(s.key), state.Concluded(s.key)} {
		if _, err := w.book.Read(name); err == nil {
			return true, nil
		} else if !fault.Is(err, fault.Missing) {
			return false, err
		}
	}
	s.admission, s.next = a, prepareTree
	return false, nil
}

func (s *supervision) prepare(ctx context.Context, w *world) error {
	run := *s.admission.Run
	agent, err := definitionOf(w.book, run.Definition)
	if err != nil {
		return err
	}
	if err := s.openStreams(w); err != nil {
		return err
	}
	promptFile, err := w.book.Path(s.key, state.Prompt)
	if err != nil {
		return err
	}
	s.next = publishStart
	s.tree, err = w.kernel.prepare(ctx, work{run, agent, promptFile, s.prompt, s.stdout.File, s.stderr.File})
	return err
}

func (s *supervision) openStreams(w *world) error {
	prompt, err := w.book.Open(s.key, state.Prompt)
	if err != nil {
		return err
	}
	s.prompt = prompt
	if err := checkPrompt(w.book, s.key, s.admission.Run.Prompt); err != nil {
		return err
	}
	stdout, err := w.book.Write(s.key, state.Stdout)
	if err != nil {
		return err
	}
	s.stdout = &stream{File: stdout}
	stderr, err := w.book.Write(s.key, state.Stderr)
	if err != nil {
		return err
	}
	s.stderr = &stream{File: stderr}
	return nil
}

// publishStart publishes the tree while it waits. Where another start stands
// the gate stays closed: closing the tree ends its init.
func (s *supervision) publishStart(w *world) (done bool, err error) {
	stands, err := publish(w.book, state.Start(s.key), launching(s.tree.identity()))
	if err != nil {
		return false, err
	}
	s.next = checkStopping
	return !stands, nil
}

// watch waits for the end of the tree for a while.
func (s *supervision) watch(ctx context.Context, w *world) error {
	left := s.limit.Sub(w.now())
	if left <= 0 {
		s.overtime, s.next = true, killTree
		return nil
	}
	slice, cancel := context.WithTimeout(ctx, min(left, watchPause))
	defer cancel()
	ending, err := s.tree.wait(slice)
	switch {
	case err == nil:
		s.ended(ending)
		return nil
	case !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
		return err
	}
	// A disk that fails for a moment ends nobody's work; what counts is looked
	// at again after the end.
	_ = errors.Join(s.stdout.trim(s.tree), s.stderr.trim(s.tree))
	if s.stopping, _ = isStopping(w.book, s.key); s.stopping {
		s.next = killTree
	}
	return nil
}

func (s *supervision) ended(ending custody.Ending) {
	s.ending, s.joined, s.next = ending, true, keepStreams
}

// keep makes durable what the agent said, before an outcome names it.
func (s *supervision) keep(w *world) (err error) {
	if err := errors.Join(s.stdout.trim(s.tree), s.stderr.trim(s.tree)); err != nil {
		return err
	}
	if s.stdoutKept, err = s.stdout.keep(w.book, s.key, state.Stdout); err != nil {
		return err
	}
	if s.stderrKept, err = s.stderr.keep(w.book, s.key, state.Stderr); err != nil {
		return err
	}
	if s.text, s.whole, err = readAnswer(w.book, s.key, s.admission.maxOutputBytes()); err != nil {
		return err
	}
	if s.ending.StartFailed != "" && s.text == "" {
		s.text = "the agent could not be started: " + strings.ToValidUTF8(s.ending.StartFailed, "\uFFFD")
	}
	s.next = concludeTree
	if !s.ending.Proven || s.admission.ForeignServer {
		s.next = giveUpTree
	}
	return nil
}

func (s *supervision) conclude(w *world) error {
	if !s.stopping {
		stopping, err := isStopping(w.book, s.key)
		if err != nil {
			return err
		}
		s.stopping = stopping
	}
	ending, reason := s.verdict()
	outcome, err := terminal(s.admission, ending, s.text, s.whole)
	if err != nil {
		return err
	}
	if err := w.book.MakeDurable(state.Start(s.key), state.Stopping(s.key)); err != nil {
		return err
	}
	_, err = publish(w.book, state.Concluded(s.key), Conclusion{
		By: BySupervisor, At: momentOf(w.now()), Reason: reason,
		Exit:   &Exit{Status: s.ending.ExitStatus, Signal: s.ending.Signal, Left: s.ending.Left},
		Stdout: &s.stdoutKept, Stderr: &s.stderrKept, Outcome: outcome,
	})
	return err
}

// verdict says how the work ended, and why.
func (s *supervision) verdict() (operation.Ending, string) {
	e := s.ending
	switch {
	case s.stopping:
		return operation.Cancelled, "stopped by the operator"
	case s.overtime:
		return operation.Cancelled, "ended when its runtime was over"
	case e.StartFailed != "":
		return operation.Failed, "the agent could not be started"
	case e.ExitStatus != nil && *e.ExitStatus == 0:
		return operation.Completed, "the agent exited with status 0"
	case e.ExitStatus != nil:
		return operation.Failed, "the agent exited with another status than 0"
	case e.Signal != "":
		return operation.Failed, "a signal ended the agent"
	}
	return operation.Failed, "the process tree ended and nobody saw how the agent did"
}

// doubt says why an ended tree settles nothing.
func (s *supervision) doubt() string {
	if s.admission.ForeignServer {
		return "the agent hands work to processes outside of its tree, and their end cannot be seen"
	}
	return "nothing on this machine proves that nobody of the process tree is left"
}

// tidy takes away what nobody needs any more; what cannot be taken away does
// no harm.
func (s *supervision) tidy(w *world) error {
	_ = w.book.Discard(s.key, state.Prompt)
	s.dropTree()
	return nil
}
