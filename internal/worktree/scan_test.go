package worktree_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/worktree"
)

const bufferSize = 128 << 10 // of one read; files around it take one, two or three

func TestScanTellsWhatIsThere(t *testing.T) {
	c := newCheckout(t)
	// What a symlink's own mode is differs between systems.
	c.symlink("probe", "x")
	var st unix.Stat_t
	c.must(unix.Lstat(c.path("probe"), &st))
	linkMode := uint32(st.Mode) & 0o7777

	c.file("plain", "content\n", 0o644)
	c.file("executable", "#!/bin/sh\n", 0o755)
	c.file("odd-mode", "x", 0o4711)
	c.file("no-mode", "x", 0o400)
	c.file("empty", "", 0o644)
	c.file("d/e/f", "deep", 0o644)
	c.file("d/e.g", "order", 0o644)
	c.file(oddName(), "bytes", 0o644)
	buffers := map[string]string{}
	for _, size := range []int{bufferSize - 1, bufferSize, bufferSize + 1, 3*bufferSize + 7} {
		path := fmt.Sprint("size-", size)
		buffers[path] = strings.Repeat("0123456789abcdef", size/16+1)[:size]
		c.file(path, buffers[path], 0o644)
	}
	longTarget := strings.Repeat("t", 1000)
	c.symlink("link-relative", "plain")
	c.symlink("link-absolute", "/etc/passwd")
	c.symlink("link-dangling", "nowhere")
	c.symlink("link-to-directory", "d")
	c.symlink("link-long", longTarget)
	c.symlink("link-bytes", "\xff/\n")
	c.fifo("fifo")
	c.socket("socket")

	want := map[string]worktree.Result{
		"plain":           hashed(worktree.File, 0o644, "content\n"),
		"executable":      hashed(worktree.File, 0o755, "#!/bin/sh\n"),
		"odd-mode":        hashed(worktree.File, 0o4711, "x"),
		"no-mode":         hashed(worktree.File, 0o400, "x"),
		"empty":           hashed(worktree.File, 0o644, ""),
		"d/e/f":           hashed(worktree.File, 0o644, "deep"),
		"d/e.g":           hashed(worktree.File, 0o644, "order"),
		oddName():         hashed(worktree.File, 0o644, "bytes"),
		"link-relative":   hashed(worktree.Symlink, linkMode, "plain"),
		"link-absolute":   hashed(worktree.Symlink, linkMode, "/etc/passwd"),
		"link-dangling":   hashed(worktree.Symlink, linkMode, "nowhere"),
		"link-long":       hashed(worktree.Symlink, linkMode, longTarget),
		"link-bytes":      hashed(worktree.Symlink, linkMode, "\xff/\n"),
		"d":               {Kind: worktree.Directory, Mode: 0o755},
		"fifo":            {Kind: worktree.Special, Mode: 0o644},
		"socket":          {Kind: worktree.Special, Mode: 0o644},
		"nothing":         {Kind: worktree.Missing},
		"no/such/path":    {Kind: worktree.Missing},
		"d/e/nothing":     {Kind: worktree.Missing},
		"d/no/such":       {Kind: worktree.Missing},
		"plain/below":     {Kind: worktree.BehindSymlink},
		"fifo/below":      {Kind: worktree.BehindSymlink},
		"d/e/f/g/h":       {Kind: worktree.BehindSymlink},
		"link-dangling/x": {Kind: worktree.BehindSymlink},

		"link-to-directory/e/f":                   {Kind: worktree.BehindSymlink},
		strings.Repeat("n", 300):                  {Kind: worktree.Missing}, // longer than a name can be
		"d/" + strings.Repeat("n", 300) + "/deep": {Kind: worktree.Missing},
	}
	for path, content := range buffers {
		want[path] = hashed(worktree.File, 0o644, content)
	}
	var paths []string
	for path := range want {
		paths = append(paths, path) // in random order
	}
	report, err := c.scan(paths...)
	if err != nil || report.Incomplete != nil {
		t.Fatal(err, report.Incomplete)
	}
	for i, path := range paths {
		got, want := report.Results[i], want[path]
		if got.Kind == worktree.Special {
			got.Mode = want.Mode // depends on the umask
		}
		if got != want {
			t.Errorf("%q: got %v %+v\nwant %v %+v", path, got.Kind, got, want.Kind, want)
		}
	}
}

func TestScanWithoutBlobs(t *testing.T) {
	c := newCheckout(t)
	content := strings.Repeat("x", 2*bufferSize)
	c.file("a", content, 0o644)
	report, err := c.open().Scan(context.Background(), []worktree.Request{{Path: "a"}}, worktree.Limits{Bytes: worktree.MaxContent})
	if err != nil || report.Incomplete != nil {
		t.Fatal(err, report.Incomplete)
	}
	want := worktree.Result{Kind: worktree.File, Mode: 0o644, Size: int64(len(content)), Hashed: true, SHA256: sha256.Sum256([]byte(content))}
	if got := report.Results[0]; got != want {
		t.Errorf("got %+v", got)
	}
	if got := report.Results[0].Digest(); got != canon.DigestText(content) {
		t.Errorf("digest %s", got)
	}
}

func TestScanOfNothing(t *testing.T) {
	report, err := newCheckout(t).scan()
	if err != nil || report.Incomplete != nil || len(report.Results) != 0 {
		t.Errorf("got %+v, %v", report, err)
	}
}

func TestScanRefusesUnsafePaths(t *testing.T) {
	c := newCheckout(t)
	c.file("a/b", "x", 0o644)
	for _, path := range []string{"", "/", "/etc/passwd", "..", "../x", "a/../a/b", "a//b", "./a", "a/.", "a/", "a\x00"} {
		report, err := c.scan("a/b", path)
		if !fault.Is(err, fault.UnsafePath) || report.Results != nil {
			t.Errorf("%q: got %+v, %v", path, report, err)
		}
	}
}

// TestScanAgreesWithPlainReading compares random trees with what the standard
// library reads, in order and shuffled, with one and several processors.
func TestScanAgreesWithPlainReading(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	c := newCheckout(t)
	names := []string{"a", "b", "a.b", "a-b", oddName(), "z z"}
	var paths []string
	for range 400 {
		path := names[r.IntN(len(names))]
		for r.IntN(4) > 0 {
			path += "/" + names[r.IntN(len(names))]
		}
		paths = append(paths, path)
		full := filepath.Join(c.dir, path)
		if os.MkdirAll(filepath.Dir(full), 0o755) != nil {
			continue // a file is in the way
		}
		if _, err := os.Lstat(full); err == nil {
			continue // writing to a FIFO waits for a reader
		}
		switch r.IntN(5) {
		case 0:
			_ = os.Symlink(names[r.IntN(len(names))], full)
		case 1:
			_ = unix.Mkfifo(full, 0o666)
		case 2:
			_ = os.Mkdir(full, 0o755)
		default:
			_ = os.WriteFile(full, []byte(strings.Repeat(path, r.IntN(2000))), 0o644)
		}
	}
	root := c.open()
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, processors := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(processors)
		report, err := root.Scan(context.Background(), blobs(paths...), worktree.Limits{Bytes: worktree.MaxContent})
		if err != nil || report.Incomplete != nil {
			t.Fatal(err, report.Incomplete)
		}
		for i, path := range paths {
			if want := plainly(t, c.dir, path); report.Results[i] != want {
				t.Fatalf("%q: got %+v, want %+v", path, report.Results[i], want)
			}
		}
		r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	}
}

func plainly(t *testing.T, dir, path string) worktree.Result {
	components := strings.Split(path, "/")
	for i := 1; i < len(components); i++ {
		info, err := os.Lstat(filepath.Join(dir, filepath.Join(components[:i]...)))
		if os.IsNotExist(err) {
			return worktree.Result{Kind: worktree.Missing}
		}
		if err != nil {
			t.Fatal(err)
		}
		if !info.IsDir() {
			return worktree.Result{Kind: worktree.BehindSymlink}
		}
	}
	full := filepath.Join(dir, path)
	info, err := os.Lstat(full)
	if os.IsNotExist(err) {
		return worktree.Result{Kind: worktree.Missing}
	}
	if err != nil {
		t.Fatal(err)
	}
	mode := uint32(info.Mode().Perm())
	switch {
	case info.IsDir():
		return worktree.Result{Kind: worktree.Directory, Mode: mode}
	case info.Mode().IsRegular():
		content, err := os.ReadFile(full)
		if err != nil {
			t.Fatal(err)
		}
		return hashed(worktree.File, mode, string(content))
	case info.Mode()&os.ModeSymlink != 0:
		target, err := os.Readlink(full)
		if err != nil {
			t.Fatal(err)
		}
		return hashed(worktree.Symlink, mode, target)
	}
	return worktree.Result{Kind: worktree.Special, Mode: mode}
}

func TestScanHoldsTheContentBound(t *testing.T) {
	c := newCheckout(t)
	c.file("a", strings.Repeat("a", 1000), 0o644)
	c.file("b", strings.Repeat("b", 500), 0o644)
	c.symlink("c", strings.Repeat("c", 24))
	c.file("d", "", 0o644)
	root := c.open()
	scan := func(bytes int64, paths ...string) worktree.Report {
		t.Helper()
		report, err := root.Scan(context.Background(), blobs(paths...), worktree.Limits{Bytes: bytes})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if report := scan(1524, "a", "b", "c", "d"); report.Incomplete != nil {
		t.Errorf("exactly at the bound: %v", report.Incomplete)
	}
	for _, bytes := range []int64{1523, 1000, 999, 1, 0, -1} {
		report := scan(bytes, "a", "b", "c", "d")
		if !fault.Is(report.Incomplete, fault.OverBound) {
			t.Errorf("bound %d: %v", bytes, report.Incomplete)
		}
		var read int64
		for i, size := range []int64{1000, 500, 24, 0} {
			result := report.Results[i]
			if result.Kind != worktree.File && result.Kind != worktree.Symlink || result.Size != size {
				t.Errorf("bound %d: result %d is %+v", bytes, i, result)
			}
			if result.Hashed {
				read += size
			} else if result.Digest().Valid() {
				t.Errorf("bound %d: a digest of what was not read: %s", bytes, result.Digest())
			}
		}
		if read > max(bytes, 0) {
			t.Errorf("bound %d: %d bytes read", bytes, read)
		}
	}
	if report := scan(0, "d", "nothing"); report.Incomplete != nil {
		t.Errorf("nothing is over a bound of nothing: %v", report.Incomplete)
	}

	// Reading any of these would take days, and their sizes overflow a sum.
	for i := range 5 {
		c.sparse(fmt.Sprint("huge-", i), 1<<43)
	}
	report := scan(worktree.MaxContent, "huge-0", "huge-1", "huge-2", "huge-3", "huge-4", "a")
	if !fault.Is(report.Incomplete, fault.OverBound) || report.Results[4].Size != 1<<43 || report.Results[5].Size != 1000 {
		t.Errorf("got %+v", report)
	}
}

func TestScanTakesConstantMemory(t *testing.T) {
	c := newCheckout(t)
	c.sparse("big", 96<<20)
	root := c.open()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report, err := root.Scan(context.Background(), blobs("big"), worktree.Limits{Bytes: worktree.MaxContent})
	runtime.ReadMemStats(&after)
	if err != nil || report.Incomplete != nil {
		t.Fatal(err, report.Incomplete)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 2<<20 {
		t.Errorf("%d bytes allocated for a file of %d", got, report.Results[0].Size)
	}
}

func TestScanEndsWithItsContext(t *testing.T) {
	c := newCheckout(t)
	c.sparse("endless", 1<<42)
	c.file("a", "x", 0o644)
	root := c.open()
	over, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancelLate := context.WithTimeout(context.Background(), 0)
	defer cancelLate()
	for want, ctx := range map[fault.Condition]context.Context{fault.Cancelled: over, fault.Deadline: late} {
		if report, err := root.Scan(ctx, blobs("a"), worktree.Limits{Bytes: 10}); !fault.Is(err, want) || report.Results != nil {
			t.Errorf("before: got %v, want %v", err, want)
		}
		if _, err := root.List(ctx, ""); !fault.Is(err, want) {
			t.Errorf("list: got %v, want %v", err, want)
		}
		if _, _, err := root.ReadFile(ctx, "a", 10); !fault.Is(err, want) {
			t.Errorf("read: got %v, want %v", err, want)
		}
	}
	for want, limit := range map[fault.Condition]time.Duration{fault.Cancelled: 0, fault.Deadline: 30 * time.Millisecond} {
		ctx, cancel := context.WithCancel(context.Background())
		if limit > 0 {
			ctx, cancel = context.WithTimeout(context.Background(), limit)
		} else {
			time.AfterFunc(30*time.Millisecond, cancel)
		}
		begin := time.Now()
		report, err := root.Scan(ctx, blobs("endless"), worktree.Limits{Bytes: 1 << 43})
		cancel()
		if !fault.Is(err, want) || report.Results != nil {
			t.Errorf("within: got %v, want %v", err, want)
		}
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%v went on for %v", want, took)
		}
	}
}

func TestScanReadsBeyondPathMax(t *testing.T) {
	c := newCheckout(t)
	// A root whose own path is too long, and paths below it that are too.
	long := strings.Repeat("d", 200)
	fd, err := unix.Open(c.dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	c.must(err)
	depth := 0
	descend := func(levels int) string {
		for range levels {
			c.must(unix.Mkdirat(fd, long, 0o755))
			next, err := unix.Openat(fd, long, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
			c.must(err)
			unix.Close(fd)
			fd = next
			depth++
		}
		return strings.Repeat(long+"/", levels)
	}
	rootPath := filepath.Join(c.dir, descend(25))
	path := descend(60) + "file"
	file, err := unix.Openat(fd, "file", unix.O_WRONLY|unix.O_CREAT|unix.O_CLOEXEC, 0o644)
	c.must(err)
	_, err = unix.Write(file, []byte("far"))
	c.must(err)
	unix.Close(file)
	unix.Close(fd)

	root, err := worktree.Open(rootPath)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	report, err := root.Scan(context.Background(), blobs(path, "nothing"), worktree.Limits{Bytes: 3})
	if err != nil || report.Incomplete != nil {
		t.Fatal(err, report.Incomplete)
	}
	if want := hashed(worktree.File, report.Results[0].Mode, "far"); !reflect.DeepEqual(report.Results, []worktree.Result{want, {Kind: worktree.Missing}}) {
		t.Errorf("%d levels: got %+v", depth, report.Results)
	}
	content, _, err := root.ReadFile(context.Background(), path, 3)
	if err != nil || string(content) != "far" {
		t.Errorf("got %q, %v", content, err)
	}
	entries, err := root.List(context.Background(), strings.TrimSuffix(path, "/file"))
	if err != nil || !reflect.DeepEqual(entries, []worktree.Entry{{Name: "file", Kind: worktree.File}}) {
		t.Errorf("got %+v, %v", entries, err)
	}
}

// TestScanLeavesNoDescriptorOpen scans a tree that is deeper and wider than
// the directories that are kept open, and fails in the middle of some.
func TestScanLeavesNoDescriptorOpen(t *testing.T) {
	c := newCheckout(t)
	var paths []string
	for i := range 100 {
		path := fmt.Sprintf("%d/", i%7) + strings.Repeat("d/", i) + "f"
		c.file(path, "x", 0o644)
		paths = append(paths, path, strings.TrimSuffix(path, "f")+"no/such")
	}
	root := c.open()
	before := openDescriptors(t)
	for range 3 {
		if _, err := root.Scan(context.Background(), blobs(paths...), worktree.Limits{Bytes: 1000}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(time.Millisecond, cancel)
	_, _ = root.Scan(ctx, blobs(paths...), worktree.Limits{Bytes: 1000})
	for _, path := range paths {
		_, _ = root.List(context.Background(), path)
		_, _, _ = root.ReadFile(context.Background(), path, 0)
	}
	if after := openDescriptors(t); after != before {
		t.Errorf("%d descriptors open, %d before", after, before)
	}
}
