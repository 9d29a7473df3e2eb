package worktree

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// share is how many requests a worker takes at a time: enough to stay in one
// directory, few enough that no worker ends long after the others.
const share = 32

// Scan reads every requested path once, on all processors, and returns what it
// found. Memory does not depend on the content: each worker has one buffer of
// bufferSize bytes and a bounded number of open directories. Requests that are
// sorted by path cost least.
//
// Nothing is read beyond limits.Bytes; paths that are left out for it still
// have Kind, Mode and Size. A result stands for one moment: what changes while
// it is read ends the scan with [fault.SourceMoved]. So do a file and a
// directory that are replaced by something else between two looks at them.
//
// Scan ends soon after ctx, between two buffers of one file at the latest.
func (r *Root) Scan(ctx context.Context, requests []Request, limits Limits) (Report, error) {
	for i := range requests {
		if err := checkPath(requests[i].Path); err != nil {
			return Report{}, err
		}
	}
	s := scan{
		ctx:      ctx,
		root:     r,
		requests: requests,
		results:  make([]Result, len(requests)),
		content:  budget{left: limits.Bytes},
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (len(requests)+share-1)/share) {
		workers.Go(s.work)
	}
	workers.Wait()
	if err := interrupted(ctx); err != nil {
		return Report{}, err
	}
	if s.failure.err != nil {
		return Report{}, s.failure.err
	}
	return Report{Results: s.results, Incomplete: s.incomplete(limits)}, nil
}

// A scan is one call of Scan, shared by its workers. Each worker writes the
// results of the requests it took, and no others.
type scan struct {
	ctx      context.Context
	root     *Root
	requests []Request
	results  []Result
	next     atomic.Int64 // the first request that no worker took
	content  budget
	failure  failure
}

func (s *scan) work() {
	w := worker{
		scan:    s,
		descent: descent{root: s.root},
		hasher:  newHasher(),
	}
	request, err := w.run()
	if left := w.descent.leave(0); err == nil {
		err = left
	}
	if err != nil {
		s.failure.report(request, err)
	}
}

// incomplete returns Report.Incomplete.
func (s *scan) incomplete(limits Limits) error {
	if s.content.over {
		return fault.New(fault.OverBound, "the tracked content exceeds %d bytes", limits.Bytes)
	}
	var hidden error
	for i := range s.results {
		switch result, path := &s.results[i], s.requests[i].Path; {
		case result.Kind == Symlink && !result.Hashed:
			return fault.New(fault.OverBound, "the target of the symlink %q is longer than %d bytes", path, MaxTarget)
		case result.Kind == Unreadable && hidden == nil:
			hidden = unreadable(path)
		}
	}
	return hidden
}

// A worker scans one request after the other.
type worker struct {
	scan    *scan
	descent descent
	hasher  *hasher
}

// run scans shares of the requests until none is left, or until somebody
// failed. It returns the request that it came to.
func (w *worker) run() (int, error) {
	s := w.scan
	for {
		begin := int(s.next.Add(share)) - share
		if begin >= len(s.requests) {
			return len(s.requests), nil
		}
		for i := begin; i < min(begin+share, len(s.requests)); i++ {
			if s.failure.happened.Load() || s.ctx.Err() != nil {
				return i, nil
			}
			if err := w.look(&s.requests[i], &s.results[i]); err != nil {
				return i, err
			}
		}
	}
}

// look scans one request.
func (w *worker) look(request *Request, result *Result) error {
	directory, name := split(request.Path)
	fd, found, err := w.descent.enter(directory)
	if err != nil {
		return err
	}
	if found != Directory {
		result.Kind = found
		return nil
	}
	before, err := statAt(fd, name)
	switch err {
	case nil:
	case unix.ENOENT, unix.ENAMETOOLONG:
		result.Kind = Missing
		return nil
	case unix.EACCES, unix.EPERM:
		result.Kind = Unreadable
		return nil
	default:
		return hostFailed(request.Path, err)
	}
	result.Kind, result.Mode = before.kind(), before.permissions()
	switch result.Kind {
	case File:
		return w.scanFile(fd, name, &before, request, result)
	case Symlink:
		return w.scanSymlink(fd, name, &before, request, result)
	}
	return nil
}

func (w *worker) scanFile(directory int, name string, before *stamp, request *Request, result *Result) error {
	result.Size = before.size
	if !w.scan.content.take(before.size) {
		return nil
	}
	file, err := openFile(directory, name, request.Path, before)
	if err != nil {
		if fault.Is(err, fault.UnsupportedChange) {
			result.Kind = Unreadable
			return nil
		}
		return err
	}
	defer file.close()
	w.hasher.begin(request.Blob, before.size)
	for file.left > 0 {
		chunk, err := file.next(w.scan.ctx, w.hasher.buffer)
		if err != nil {
			return err
		}
		w.hasher.add(chunk)
		w.scan.root.tally.add(len(chunk))
	}
	if err := file.unchanged(); err != nil {
		return err
	}
	w.scan.root.tally.end()
	w.hasher.finish(result)
	return nil
}

func (w *worker) scanSymlink(directory int, name string, before *stamp, request *Request, result *Result) error {
	n, err := readlinkAt(directory, name, w.hasher.buffer[:MaxTarget+1])
	if err != nil {
		return movedOr(request.Path, err)
	}
	after, err := statAt(directory, name)
	if err != nil {
		return movedOr(request.Path, err)
	}
	if after != *before {
		return moved(request.Path, nil)
	}
	result.Size = int64(n)
	if n > MaxTarget || !w.scan.content.take(int64(n)) {
		return nil
	}
	w.hasher.begin(request.Blob, int64(n))
	w.hasher.add(w.hasher.buffer[:n])
	w.hasher.finish(result)
	return nil
}

// A budget is the content that a scan may still read. Once something doesn't
// fit, nothing more is taken. Whether it is over does not depend on the order
// in which the workers come, only what is left out does.
type budget struct {
	mutex sync.Mutex
	left  int64
	over  bool
}

func (b *budget) take(n int64) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.over || n > b.left {
		b.over = true
		return false
	}
	b.left -= n
	return true
}

// A failure is the error of the earliest request that failed, as far as the
// workers got.
type failure struct {
	happened atomic.Bool
	mutex    sync.Mutex
	err      error
	request  int
}

func (f *failure) report(request int, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.err == nil || request < f.request {
		f.err, f.request = err, request
	}
	f.happened.Store(true)
}
