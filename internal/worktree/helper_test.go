package worktree_test

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/worktree"
)

// oddName returns a name of bytes that the file system takes: APFS wants UTF-8.
func oddName() string {
	if runtime.GOOS == "darwin" {
		return "\u00e9\n\t\""
	}
	return "\xff\n\t\""
}

// A checkout is a directory that a test fills.
type checkout struct {
	testing.TB
	dir string
}

func newCheckout(t testing.TB) *checkout { return &checkout{t, t.TempDir()} }

func (c *checkout) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c *checkout) path(path string) string {
	c.Helper()
	full := filepath.Join(c.dir, path)
	c.must(os.MkdirAll(filepath.Dir(full), 0o755))
	return full
}

func (c *checkout) file(path, content string, mode os.FileMode) {
	c.Helper()
	full := c.path(path)
	c.must(os.WriteFile(full, []byte(content), 0o644))
	c.must(unix.Chmod(full, uint32(mode)))
}

func (c *checkout) symlink(path, target string) {
	c.Helper()
	c.must(os.Symlink(target, c.path(path)))
}

func (c *checkout) fifo(path string) {
	c.Helper()
	c.must(unix.Mkfifo(c.path(path), 0o666))
}

// socket binds a socket by a relative name, since a whole path may be longer
// than the address of one.
func (c *checkout) socket(name string) {
	c.Helper()
	c.Chdir(c.dir)
	listener, err := net.Listen("unix", name)
	c.must(err)
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	c.must(listener.Close())
}

func (c *checkout) directory(path string) {
	c.Helper()
	c.must(os.MkdirAll(c.path(path), 0o755))
}

// sparse makes a file of zeros that take no room.
func (c *checkout) sparse(path string, size int64) {
	c.Helper()
	c.file(path, "", 0o644)
	c.must(os.Truncate(c.path(path), size))
}

func (c *checkout) open() *worktree.Root {
	c.Helper()
	root, err := worktree.Open(c.dir)
	c.must(err)
	c.Cleanup(func() { root.Close() })
	return root
}

// scan scans the paths with their blobs, under the usual bound.
func (c *checkout) scan(paths ...string) (worktree.Report, error) {
	c.Helper()
	return c.open().Scan(context.Background(), blobs(paths...), worktree.Limits{Bytes: worktree.MaxContent})
}

func blobs(paths ...string) []worktree.Request {
	requests := make([]worktree.Request, len(paths))
	for i, path := range paths {
		requests[i] = worktree.Request{Path: path, Blob: true}
	}
	return requests
}

// hashed is the result for content that was read.
func hashed(kind worktree.Kind, mode uint32, content string) worktree.Result {
	return worktree.Result{
		Kind:   kind,
		Mode:   mode,
		Size:   int64(len(content)),
		Hashed: true,
		SHA256: sha256.Sum256([]byte(content)),
		Blob:   sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content)),
	}
}

// openDescriptors returns how many descriptors this process has open.
func openDescriptors(t testing.TB) int {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}
