package worktree_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/worktree"
)

const (
	swapTime = 700 * time.Millisecond
	secret   = "what lies outside the checkout"
)

// swapping renames every variant over the name in turn, until the test ends
// or stop is called.
func swapping(c *checkout, name string, variants []string) (stop func()) {
	var over atomic.Bool
	var swapper sync.WaitGroup
	target := c.path(name)
	paths := make([]string, len(variants))
	for i, variant := range variants {
		paths[i] = c.path(variant)
	}
	swapper.Go(func() {
		for !over.Load() {
			for _, path := range paths {
				// A directory cannot be renamed over another thing, so the
				// target is missing for a moment.
				_ = os.Rename(path, target)
				_ = os.Rename(target, path)
			}
		}
	})
	var once sync.Once
	stop = func() { once.Do(func() { over.Store(true); swapper.Wait() }) }
	c.Cleanup(stop)
	return stop
}

// within fails the test where the work does not end, which is what a blocking
// open would look like.
func within(t *testing.T, limit time.Duration, work func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); work() }()
	select {
	case <-done:
	case <-time.After(limit):
		t.Fatalf("still busy after %v", limit)
	}
}

// TestFileSwappedMeanwhile lets a file be a file, another file, a symlink out
// of the checkout, a FIFO, a directory and nothing, in fast turn. Each look
// must give one of them whole, or say that it moved.
func TestFileSwappedMeanwhile(t *testing.T) {
	c := newCheckout(t)
	outside := newCheckout(t)
	outside.file("secret", secret, 0o644)
	first, second := strings.Repeat("1", 3*bufferSize), strings.Repeat("2", 3*bufferSize)
	c.file("variants/first", first, 0o644)
	c.file("variants/second", second, 0o600)
	c.symlink("variants/link", outside.path("secret"))
	c.fifo("variants/fifo")
	c.directory("variants/directory")
	c.directory("d")
	root := c.open()
	allowed := map[worktree.Result]bool{
		hashed(worktree.File, 0o644, first):  true,
		hashed(worktree.File, 0o600, second): true,
		{Kind: worktree.Missing}:             true,
	}
	stop := swapping(c, "d/f", []string{"variants/first", "variants/link", "variants/second", "variants/fifo", "variants/directory"})
	looks := map[string]int{}
	within(t, time.Minute, func() {
		// On a busy machine the swapper may need longer to show anything.
		for begin := time.Now(); time.Since(begin) < swapTime || len(looks) < 3 && time.Since(begin) < 20*swapTime; {
			report, err := root.Scan(context.Background(), blobs("d/f"), worktree.Limits{Bytes: worktree.MaxContent})
			switch {
			case fault.Is(err, fault.SourceMoved):
				looks["moved"]++
			case err != nil || report.Incomplete != nil:
				t.Errorf("scan: %v, %v", err, report.Incomplete)
				return
			default:
				result := report.Results[0]
				looks[result.Kind.String()]++
				whole := allowed[result] || result.Kind == worktree.Special || result.Kind == worktree.Directory ||
					result == hashed(worktree.Symlink, result.Mode, outside.path("secret"))
				if !whole {
					t.Errorf("scan: half of something: %v %+v", result.Kind, result)
					return
				}
			}
			content, _, err := root.ReadFile(context.Background(), "d/f", worktree.MaxContent)
			if err == nil && string(content) != first && string(content) != second ||
				err != nil && !fault.Is(err, fault.SourceMoved) {
				t.Errorf("read: %.40q, %v", content, err)
				return
			}
		}
	})
	stop()
	if t.Log(looks); len(looks) < 3 {
		t.Error("the file was hardly ever swapped")
	}
}

// TestDirectorySwappedMeanwhile lets a directory be another directory, a
// symlink to a directory outside, a file and a FIFO.
func TestDirectorySwappedMeanwhile(t *testing.T) {
	c := newCheckout(t)
	outside := newCheckout(t)
	outside.file("x/f", secret, 0o644)
	outside.file("x/secret", secret, 0o644)
	c.file("variants/first/x/f", "first", 0o644)
	c.file("variants/second/x/f", "second", 0o644)
	c.file("variants/file", "x", 0o644)
	c.symlink("variants/link", outside.dir)
	c.fifo("variants/fifo")
	root := c.open()
	swapping(c, "d", []string{"variants/first", "variants/link", "variants/second", "variants/file", "variants/fifo"})
	var paths []string
	for range 40 {
		paths = append(paths, "d/x/f")
	}
	ctx := context.Background()
	looks := map[string]int{}
	within(t, time.Minute, func() {
		for end := time.Now().Add(swapTime); time.Now().Before(end); {
			report, err := root.Scan(ctx, blobs(paths...), worktree.Limits{Bytes: worktree.MaxContent})
			if err != nil && !fault.Is(err, fault.SourceMoved) || report.Incomplete != nil {
				t.Errorf("scan: %v, %v", err, report.Incomplete)
				return
			}
			if err != nil {
				looks["moved"]++
			}
			for _, result := range report.Results {
				looks[result.Kind.String()]++
				switch result {
				case hashed(worktree.File, 0o644, "first"), hashed(worktree.File, 0o644, "second"),
					worktree.Result{Kind: worktree.Missing}, worktree.Result{Kind: worktree.BehindSymlink}:
				default:
					t.Errorf("scan: %+v", result)
					return
				}
			}
			if content, _, err := root.ReadFile(ctx, "d/x/f", 100); err != nil && !fault.Is(err, fault.SourceMoved) || string(content) == secret {
				t.Errorf("read: %q, %v", content, err)
				return
			}
			entries, err := root.List(ctx, "d/x")
			if err != nil && !fault.Is(err, fault.SourceMoved) || len(entries) > 1 {
				t.Errorf("list: %q, %v", entries, err)
				return
			}
		}
	})
	t.Log(looks)
}

// TestFIFOsAreNeverOpened has a writer that could go on as soon as anybody
// opens the FIFO for reading.
func TestFIFOsAreNeverOpened(t *testing.T) {
	c := newCheckout(t)
	c.fifo("d/fifo")
	c.file("d/.gitignore", "x", 0o644)
	root := c.open()
	var over atomic.Bool
	var opened atomic.Int64
	var writer sync.WaitGroup
	path := c.path("d/fifo")
	writer.Go(func() {
		for !over.Load() {
			if fd, err := unix.Open(path, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0); err == nil {
				opened.Add(1)
				unix.Close(fd)
			}
		}
	})
	within(t, time.Minute, func() {
		for range 500 {
			if report, err := root.Scan(context.Background(), blobs("d/fifo", "d/fifo/x"), worktree.Limits{}); err != nil || report.Results[0].Kind != worktree.Special {
				t.Errorf("got %+v, %v", report, err)
				return
			}
			_, _ = root.List(context.Background(), "d/fifo")
			_, _, _ = root.ReadFile(context.Background(), "d/fifo", 10)
		}
	})
	over.Store(true)
	writer.Wait()
	if n := opened.Load(); n > 0 {
		t.Errorf("the FIFO was open for reading %d times", n)
	}
}

// TestListOfChangingDirectory adds and removes names while they are listed:
// the names that stay must be there each time.
func TestListOfChangingDirectory(t *testing.T) {
	c := newCheckout(t)
	const stay = 500
	for i := range stay {
		c.file(fmt.Sprintf("d/stays-%03d", i), "", 0o644)
	}
	root := c.open()
	var over atomic.Bool
	var changer sync.WaitGroup
	changer.Go(func() {
		for i := 0; !over.Load(); i++ {
			name := fmt.Sprintf("%s/d/goes-%d", c.dir, i%50)
			if os.WriteFile(name, nil, 0o644) == nil {
				_ = os.Remove(name)
			}
		}
	})
	within(t, time.Minute, func() {
		for end := time.Now().Add(swapTime / 2); time.Now().Before(end); {
			entries, err := root.List(context.Background(), "d")
			if fault.Is(err, fault.SourceMoved) {
				continue
			}
			if err != nil {
				t.Error(err)
				return
			}
			n := 0
			for _, entry := range entries {
				if strings.HasPrefix(entry.Name, "stays-") {
					n++
				}
			}
			if n != stay {
				t.Errorf("%d of %d names listed", n, stay)
				return
			}
		}
	})
	over.Store(true)
	changer.Wait()
}
