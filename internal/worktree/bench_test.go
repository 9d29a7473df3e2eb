package worktree_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/worktree"
)

// BenchmarkScan measures a scan against the wall time that two openssl
// processes need for SHA-256 alone over the same files, warm, both started
// here and in turn, since only the ratio of neighbours means anything on a
// machine that others use too. It reports the medians in ms, the median ratio,
// and the ratio of processor time, which other processes change little.
func BenchmarkScan(b *testing.B) {
	for _, size := range []struct{ files, bytes int }{
		{16_384, worktree.MaxContent / 16_384},
		{1_000, 8 << 10},
		{1, worktree.MaxContent},
	} {
		b.Run(fmt.Sprintf("%dx%dB", size.files, size.bytes), func(b *testing.B) {
			benchmarkScan(b, size.files, size.bytes)
		})
	}
}

func benchmarkScan(b *testing.B, files, size int) {
	yardstick, err := exec.LookPath("openssl")
	if err != nil {
		b.Skip("the yardstick is openssl, which this machine lacks; CI has it")
	}
	dir := b.TempDir()
	requests := fill(b, dir, files, size)
	for i := range requests {
		requests[i].Blob = true
	}
	script := fmt.Sprintf("git ls-files -z | xargs -0 -P2 -n 2048 %s dgst -sha256", yardstick)
	root, err := worktree.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()

	var scans, yardsticks, ratios, processor []float64
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		begin, used := time.Now(), processorTime(b)
		report, err := root.Scan(context.Background(), requests, worktree.Limits{Bytes: worktree.MaxContent})
		if err != nil || report.Incomplete != nil {
			b.Fatal(err, report.Incomplete)
		}
		scan, scanUsed := time.Since(begin), processorTime(b)-used

		b.StopTimer()
		begin = time.Now()
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir, cmd.Env = dir, gitEnvironment(dir)
		out, err := cmd.Output()
		if n := bytes.Count(out, []byte("\n")); err != nil || n != files {
			b.Fatalf("%v: %d lines", err, n)
		}
		openssl := time.Since(begin)
		b.StartTimer()

		scans = append(scans, 1e3*scan.Seconds())
		yardsticks = append(yardsticks, 1e3*openssl.Seconds())
		ratios = append(ratios, scan.Seconds()/openssl.Seconds())
		opensslUsed := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		processor = append(processor, scanUsed.Seconds()/opensslUsed.Seconds())
	}
	b.ReportMetric(median(scans), "scan-ms")
	b.ReportMetric(median(yardsticks), "openssl-ms")
	b.ReportMetric(median(ratios), "scan/openssl")
	b.ReportMetric(median(processor), "scan/openssl-cpu")
}

func processorTime(b *testing.B) time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkWalk lists all directories of a checkout at the bound, as the search
// for untracked files does.
func BenchmarkWalk(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir, 16_384, 1)
	root, err := worktree.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	b.ReportAllocs()
	for b.Loop() {
		cursor, files := root.Cursor(), 0
		var walk func(directory string)
		walk = func(directory string) {
			entries, err := cursor.List(context.Background(), directory)
			if err != nil {
				b.Fatal(err)
			}
			for _, entry := range entries {
				switch {
				case entry.Kind == worktree.Directory && entry.Name != ".git":
					walk(strings.TrimPrefix(directory+"/"+entry.Name, "/"))
				case entry.Kind == worktree.File:
					files++
				}
			}
		}
		walk("")
		if err := cursor.Close(); err != nil || files != 16_384 {
			b.Fatalf("%d files, %v", files, err)
		}
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// fill makes files of the size in directories of 16, and an index that lists
// them without their objects.
func fill(b *testing.B, dir string, files, size int) []worktree.Request {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	content := make([]byte, size)
	for i := range content {
		content[i] = byte(r.Uint32())
	}
	var requests []worktree.Request
	var index strings.Builder
	for i := range files {
		path := fmt.Sprintf("d%02d/e%04d/file%05d.go", i/1024, i/16, i)
		if i%16 == 0 {
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		copy(content, path)
		if err := os.WriteFile(filepath.Join(dir, path), content, 0o644); err != nil {
			b.Fatal(err)
		}
		requests = append(requests, worktree.Request{Path: path})
		fmt.Fprintf(&index, "100644 %040x 0\t%s\x00", i+1, path)
	}
	for _, step := range []struct {
		stdin string
		args  []string
	}{
		{"", []string{"init", "-q"}},
		{index.String(), []string{"update-index", "-z", "--index-info"}},
	} {
		cmd := exec.Command("git", step.args...)
		cmd.Dir, cmd.Env, cmd.Stdin = dir, gitEnvironment(dir), strings.NewReader(step.stdin)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("git %v: %v\n%s", step.args, err, out)
		}
	}
	return requests
}

func gitEnvironment(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
	}
}
