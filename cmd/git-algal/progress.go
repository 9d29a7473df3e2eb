//go:build linux || darwin

package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/git-algal/git-algal/jobs"
)

// progressInterval is how often the line of a phase is renewed.
const progressInterval = time.Second

// A progress shows on a terminal which phase is under way, how long it has
// taken, and how much of the checkout was read in it. A nil progress shows
// nothing.
type progress struct {
	w   io.Writer
	now func() time.Time

	mu      sync.Mutex
	tally   func() (files, bytes int64) // read so far, nil where nothing is counted
	phase   jobs.Phase
	since   time.Time
	from    reading // the tally when the phase began
	stop    chan struct{}
	stopped chan struct{}
}

func (in *invocation) newProgress() *progress {
	if in.flags.Bool(flagQuiet) || !in.isTerminal(in.stderr) {
		return nil
	}
	return &progress{w: in.stderr, now: in.now}
}

// A reading is what of a checkout was read.
type reading struct{ files, bytes int64 }

// count has the lines say what is read.
func (p *progress) count(tally func() (files, bytes int64)) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tally = tally
}

func (p *progress) read() (r reading) {
	if p.tally != nil {
		r.files, r.bytes = p.tally()
	}
	return r
}

// begin shows a phase in place of the one before.
func (p *progress) begin(phase jobs.Phase) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.phase, p.since, p.from = phase, p.now(), p.read()
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
	if now := p.read(); now != p.from {
		line += fmt.Sprintf(", %s and %s read",
			english.Plural(int(now.files-p.from.files), "file", ""), humanize.IBytes(uint64(now.bytes-p.from.bytes)))
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}
