package worktree

import "sync/atomic"

// A Tally counts what is read, while it is read, for whoever tells a person
// how far a reading has come. It may be asked at any time and counts for any
// number of roots; a nil Tally counts nothing.
type Tally struct{ files, bytes atomic.Int64 }

// Read returns how many files were read to their end, and how many bytes of
// files, those that are being read included.
func (t *Tally) Read() (files, bytes int64) { return t.files.Load(), t.bytes.Load() }

func (t *Tally) add(bytes int) {
	if t != nil {
		t.bytes.Add(int64(bytes))
	}
}

func (t *Tally) end() {
	if t != nil {
		t.files.Add(1)
	}
}

// Count has the tally count what is read through the root from now on.
func (r *Root) Count(t *Tally) { r.tally = t }
