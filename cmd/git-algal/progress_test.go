//go:build linux || darwin

package main

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-algal/git-algal/jobs"
)

func TestProgress(t *testing.T) {
	var out strings.Builder
	var mu sync.Mutex // the clock's; the writer is the progress' own
	now := time.Unix(0, 0)
	p := &progress{w: &out, now: func() time.Time { mu.Lock(); defer mu.Unlock(); return now }}
	p.begin(jobs.Phase{Name: "admission"})
	p.begin(jobs.Phase{Name: "launch", Deadline: 10 * time.Minute})
	mu.Lock()
	now = now.Add(90 * time.Second)
	mu.Unlock()
	files, bytes := int64(7), int64(1<<10) // of the admission
	p.count(func() (int64, int64) { return files, bytes })
	p.begin(jobs.Phase{Name: "capture", Deadline: 510 * time.Second})
	p.mu.Lock()
	files, bytes = files+1, bytes+3<<20
	p.show()
	files += 11_999
	p.show()
	p.mu.Unlock()
	p.end()
	p.end()
	shown := out.String()
	for _, want := range []string{"\r\x1b[Kadmission 0s", "\r\x1b[Klaunch 0s of at most 10m0s", "\r\x1b[Kcapture 0s of at most 8m30s\r",
		"\r\x1b[Kcapture 0s of at most 8m30s, 1 file and 3.0 MiB read\r", "8m30s, 12,000 files and 3.0 MiB read\r",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not shown: %q", want, shown)
		}
	}
	if !strings.HasSuffix(shown, "\r\x1b[K") {
		t.Errorf("the line is left behind: %q", shown)
	}
	var none *progress
	none.begin(jobs.Phase{Name: "x"})
	none.end()
}
