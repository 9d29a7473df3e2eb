package jobs_test

import (
	"fmt"
	"testing"

	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/state"
)

// A paced file system lets a writer go on each time its reader, or the walk,
// opens the next path from the root: once for each record.
type paced struct {
	state.FS
	next func()
}

func (p paced) OpenRoot(path string) (state.Dir, error) {
	p.next()
	return p.FS.OpenRoot(path)
}

const (
	// readersStepVariable says at which moments readers begin: at one in so
	// many, 1 for all.
	readersStepVariable = "GIT_ALGAL_READERS_STEP"
	readersStep         = 17
)

// TestReadersBesideAWriter lets fsck and inspect read while a whole life is
// written, and another job's after it: the machine as it is before some durable
// operation is what the reader finds from one record to the next.
func TestReadersBesideAWriter(t *testing.T) {
	step := count(t, readersStepVariable, readersStep, 5*readersStep)
	for _, a := range authorities {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(newLab(t), a)
			moments := w.moments(t)
			last := len(moments) - 1
			for begin := 0; begin <= last; begin += step {
				for _, pace := range []int{1, 5} { // a slow writer, and a fast one
					readBeside(t, w, moments, fmt.Sprintf("from moment %d on, %d at a time", begin, pace), func(read int) int {
						return min(begin+read*pace, last)
					})
				}
				for pause := 0; pause < 40; pause += 3 { // a reader that sleeps once while all is written
					readBeside(t, w, moments, fmt.Sprintf("from moment %d on, %d records later at the end", begin, pause), func(read int) int {
						if read <= pause {
							return begin
						}
						return last
					})
				}
			}
		})
	}
}

// moments carries a life out, and the next job's where the workspace is free
// for it, and returns the machine before each durable operation and at the end.
func (w *world) moments(t *testing.T) []*faultfs.FS {
	moments := []*faultfs.FS{w.disk.Clone(0)}
	for _, d := range []deed{prepare, run, reconcile, validate, prepareNext, runNext} {
		status := w.judge(t.Context()).snap.Status
		if d.name == validate.name && status != jobs.Completed || (d.name == prepareNext.name || d.name == runNext.name) && !status.Settled() {
			continue
		}
		w.disk.Watch(func(_ int, as *faultfs.FS) { moments = append(moments, as) })
		if _, err := w.do(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		w.disk.Watch(nil)
	}
	return append(moments, w.disk)
}

// readBeside reads where the nth record is found at the moment that at says.
func readBeside(t *testing.T, w *world, moments []*faultfs.FS, how string, at func(read int) int) {
	t.Helper()
	for name, read := range map[string]func(*jobs.Service) error{
		"fsck": func(s *jobs.Service) error {
			findings, err := s.Fsck(t.Context())
			if len(findings) > 0 {
				return fmt.Errorf("it finds %+v", findings)
			}
			return unlessMissing(err)
		},
		"inspect": func(s *jobs.Service) error {
			_, err := s.Inspect(w.lab.job)
			return unlessMissing(err)
		},
	} {
		reads := 0
		fsys := paced{switching{func() *faultfs.FS { return moments[at(reads)] }}, func() { reads++ }}
		store, err := state.Open(fsys, diskStore)
		if err == nil {
			err = read(&jobs.Service{FS: fsys, Store: store})
		}
		if err != nil {
			t.Fatalf("%s %s: %v", name, how, err)
		}
	}
}

// A switching file system is always the one of now.
type switching struct{ at func() *faultfs.FS }

func (s switching) OpenRoot(path string) (state.Dir, error)     { return s.at().OpenRoot(path) }
func (s switching) OpenAncestor(path string) (state.Dir, error) { return s.at().OpenAncestor(path) }
func (s switching) Nonce() [24]byte                             { return s.at().Nonce() }
