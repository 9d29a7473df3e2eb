//go:build linux || darwin

package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/git-algal/git-algal/jobs"
)

// progressInterval is how often the line of a phase is renewed.
const progressInterval = time.Second

// A progress shows on a terminal which phase is under way and how long it has
// taken. A nil progress shows nothing.
type progress struct {
	w   io.Writer
	now func() time.Time

	mu      sync.Mutex
	phase   jobs.Phase
	since   time.Time
	stop    chan struct{}
	stopped chan struct{}
}

func (in *invocation) newProgress() *progress {
	if in.flags.Bool(flagQuiet) || !in.isTerminal(in.stderr) {
		return nil
	}
	return &progress{w: in.stderr, now: in.now}
}

// begin shows a phase in place of the one before.
func (p *progress) begin(phase jobs.Phase) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.phase, p.since = phase, p.now()
	p.show()
	started := p.stop != nil
	if !started {
		p.stop, p.stopped = make(chan struct{}), make(chan struct{})
	}
	p.mu.Unlock()
	if !started {
		go p.renew()
	}
}

// end takes the line away.
func (p *progress) end() {
	if p == nil || p.stop == nil {
		return
	}
	close(p.stop)
	<-p.stopped
	p.stop = nil
	fmt.Fprint(p.w, "\r\x1b[K")
}

func (p *progress) renew() {
	defer close(p.stopped)
	ticker := time.NewTicker(progressInterval)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.mu.Lock()
			p.show()
			p.mu.Unlock()
		}
	}
}

func (p *progress) show() {
	elapsed := p.now().Sub(p.since).Truncate(time.Second)
	line := fmt.Sprintf("%s %v", p.phase.Name, elapsed)
	if p.phase.Deadline > 0 {
		line += fmt.Sprintf(" of at most %v", p.phase.Deadline.Round(time.Second))
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}
