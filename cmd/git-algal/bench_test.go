//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

const (
	// The largest checkout that is admitted, less one byte per file.
	largeFiles     = 16_384
	largeFileBytes = 134_217_728/largeFiles - 1

	// maxPeakBytes is what the program may take of memory for it.
	maxPeakBytes = 64 << 20
	// maxStartRatio is what "version" may take of the time of the smallest
	// question to git.
	maxStartRatio = 2.5
)

// buildProgram returns the program as a person has it: the test binary is larger.
func buildProgram(b *testing.B) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "git-algal")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// A measure is what one command took.
type measure struct {
	elapsed time.Duration
	peak    int64 // bytes of resident memory
}

// take runs the command, which must succeed.
func take(b *testing.B, cmd *exec.Cmd) measure {
	b.Helper()
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		b.Fatalf("%q: %v\n%s", cmd.Args, err, &complaints)
	}
	m := measure{elapsed: time.Since(begin)}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		m.peak = int64(usage.Maxrss)
		if runtime.GOOS == "linux" {
			m.peak *= 1 << 10 // there in kibibytes, elsewhere in bytes
		}
	}
	return m
}

// middle returns the median time of n runs, and the highest peak.
func middle(b *testing.B, n int, command func() *exec.Cmd) measure {
	var times []time.Duration
	var m measure
	for range n {
		one := take(b, command())
		times = append(times, one.elapsed)
		m.peak = max(m.peak, one.peak)
	}
	slices.Sort(times)
	m.elapsed = times[n/2]
	return m
}

// BenchmarkLargestCheckout measures check, prepare and verify on the largest
// admissible checkout beside what git status, and a mere digest of the same
// files, take there.
func BenchmarkLargestCheckout(b *testing.B) {
	p := newPerson(b, "submit completes\nwrite a.txt changed\n")
	content := bytes.Repeat([]byte("0123456789abcde\n"), largeFileBytes/16+1)[:largeFileBytes]
	for i := range largeFiles - 1 { // a.txt is one
		name := filepath.Join(p.workspace, fmt.Sprintf("d%02x", i%256), fmt.Sprintf("f%05d", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		copy(content, fmt.Sprintf("%015d", i))
		p.write(b, name, string(content))
	}
	p.commit(b)
	binary := buildProgram(b)
	verb := func(args ...string) func() *exec.Cmd { return func() *exec.Cmd { return p.command(binary, args...) } }
	shell := func(line string) func() *exec.Cmd { return func() *exec.Cmd { return p.command("sh", "-c", line) } }

	const runs = 5
	status := middle(b, runs, func() *exec.Cmd { return p.command("git", "status", "--porcelain") })
	digest := middle(b, runs, shell("git ls-files -z | xargs -0 openssl dgst -sha256 > /dev/null"))
	b.Logf("git status %v, openssl dgst -sha256 %v", status.elapsed, digest.elapsed)

	attempt := 0
	for _, v := range []struct {
		name    string
		command func() *exec.Cmd
	}{
		{"check", verb("check")},
		{"prepare", func() *exec.Cmd {
			attempt++
			return p.command(binary, "prepare", "--adapter", "agent", "-m", "x", "--attempt", fmt.Sprint(attempt))
		}},
		{"verify", verb("verify")},
	} {
		if v.name == "verify" {
			take(b, p.command(binary, "run", "--adapter", "agent", "-m", "x", "--attempt", "1"))
		}
		b.Run(v.name, func(b *testing.B) {
			var m measure
			for b.Loop() {
				one := take(b, v.command())
				m.elapsed += one.elapsed
				m.peak = max(m.peak, one.peak)
			}
			mean := m.elapsed / time.Duration(b.N)
			b.ReportMetric(float64(mean)/float64(digest.elapsed), "x-openssl")
			b.ReportMetric(float64(mean)/float64(status.elapsed), "x-git-status")
			b.ReportMetric(float64(m.peak)/(1<<20), "peak-MiB")
			if m.peak > maxPeakBytes {
				b.Errorf("%s takes %d bytes of memory, more than %d", v.name, m.peak, maxPeakBytes)
			}
		})
	}
}

// BenchmarkStart measures how long a person waits for nothing. The two take
// turns, and the fastest of each counts: another process can only slow them.
func BenchmarkStart(b *testing.B) {
	p := newPerson(b, "")
	p.commit(b)
	binary := buildProgram(b)
	const turns = 100
	head, version := time.Hour, time.Hour
	for range turns {
		head = min(head, take(b, p.command("git", "rev-parse", "HEAD")).elapsed)
		version = min(version, take(b, p.command(binary, "version")).elapsed)
	}
	ratio := float64(version) / float64(head)
	b.ReportMetric(ratio, "x-rev-parse")
	b.ReportMetric(0, "ns/op")
	if ratio > maxStartRatio {
		b.Errorf("version takes %v, %.2f times as long as git rev-parse HEAD (%v)", version, ratio, head)
	}
}
