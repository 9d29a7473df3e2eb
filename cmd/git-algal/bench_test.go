//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

const (
	// The largest checkout that is admitted, less one byte per file, and one
	// of an ordinary size.
	largeFiles    = 16_384
	ordinaryFiles = 1_000
	fileBytes     = 134_217_728/largeFiles - 1

	// maxPeakBytes is what the program may take of memory for either.
	maxPeakBytes = 64 << 20
	// Of the time that a mere digest of the same files takes on two processors.
	maxCheckRatio         = 1.2
	maxOrdinaryCheckRatio = 1.0
	maxVerifyRatio        = 2.2
	// maxStaleRatio is of the time of git status whose cached times are wrong.
	maxStaleRatio = 0.5
	// What a check may take more for files that git ignores, and for objects
	// that it does not need.
	ignoredFiles    = 20_000
	maxIgnoredDelay = 10 * time.Millisecond
	packedObjects   = 250_000
	maxPackedDelay  = 60 * time.Millisecond
	// maxStartRatio is what "version" may take of the time of the smallest
	// question to git.
	maxStartRatio = 2.5
)

// buildProgram returns the program as make installs it: the test binary is larger.
func buildProgram(b *testing.B) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "git-algal")
	if out, err := exec.Command("make", "-C", "../..", "BUILT="+binary).CombinedOutput(); err != nil {
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

// inTurns runs the commands one after the other, that many times, and returns
// the fastest time and the highest peak of each: what else the machine does can
// only slow a command, and slows all of them alike.
func inTurns(b *testing.B, turns int, commands ...func() *exec.Cmd) []measure {
	b.Helper()
	best := make([]measure, len(commands))
	for turn := range turns {
		for i, command := range commands {
			m := take(b, command())
			if turn > 0 {
				m.elapsed, m.peak = min(m.elapsed, best[i].elapsed), max(m.peak, best[i].peak)
			}
			best[i] = m
		}
	}
	return best
}

// fill commits a.txt and that many files less one, of fileBytes each.
func (p person) fill(b *testing.B, files int) {
	b.Helper()
	random := rand.New(rand.NewPCG(7, 11))
	content := make([]byte, fileBytes)
	for i := range files - 1 {
		for at := range content {
			content[at] = byte(random.Uint32())
		}
		name := filepath.Join(p.workspace, fmt.Sprintf("d%02x", i%256), fmt.Sprintf("f%05d", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		p.write(b, name, string(content))
	}
	// Upkeep in the background would be measured, and outlive the benchmark.
	take(b, p.command("git", "init", "-q"))
	take(b, p.command("git", "config", "maintenance.auto", "false"))
	p.commit(b)
}

// atMost reports a ratio and fails above its bound.
func atMost(b *testing.B, unit string, ratio, bound float64) {
	b.Helper()
	b.ReportMetric(ratio, unit)
	if ratio > bound {
		b.Errorf("%.2f %s, more than %.2f", ratio, unit, bound)
	}
}

// BenchmarkCheckout measures check, prepare and verify beside a digest of the same files
// on two processors and git status with stale times, at two sizes:
//
//	go test -run '^$' -bench . -benchtime 1x ./cmd/git-algal
func BenchmarkCheckout(b *testing.B) {
	binary := buildProgram(b)
	perFile := map[int]time.Duration{}
	for _, size := range []struct {
		files int
		check float64
		turns int
	}{{ordinaryFiles, maxOrdinaryCheckRatio, 20}, {largeFiles, maxCheckRatio, 7}} {
		b.Run(fmt.Sprintf("files=%d", size.files), func(b *testing.B) {
			p := newPerson(b, "submit completes\nwrite a.txt changed\n")
			p.fill(b, size.files)
			verb := func(args ...string) func() *exec.Cmd { return func() *exec.Cmd { return p.command(binary, args...) } }
			shell := func(line string) func() *exec.Cmd { return func() *exec.Cmd { return p.command("sh", "-c", line) } }
			take(b, shell("git ls-files -z | xargs -0 touch -d 2001-01-01")())
			digest := shell("git ls-files -z | xargs -0 -P2 -n 2048 openssl dgst -sha256 >/dev/null")
			attempt := 0
			prepare := func() *exec.Cmd {
				attempt++
				return verb("prepare", "--adapter", "agent", "-m", "x", "--attempt", fmt.Sprint(attempt))()
			}
			m := inTurns(b, size.turns, digest, verb("check"), shell("GIT_OPTIONAL_LOCKS=0 git status --porcelain"), prepare)
			take(b, verb("run", "--adapter", "agent", "-m", "x")())
			v := inTurns(b, size.turns, digest, verb("verify"))

			b.Logf("openssl %v, check %v, git status %v, prepare %v; openssl %v, verify %v",
				m[0].elapsed, m[1].elapsed, m[2].elapsed, m[3].elapsed, v[0].elapsed, v[1].elapsed)
			atMost(b, "check/openssl", ratio(m[1], m[0]), size.check)
			if size.files == largeFiles {
				atMost(b, "check/stale-status", ratio(m[1], m[2]), maxStaleRatio)
				atMost(b, "verify/openssl", ratio(v[1], v[0]), maxVerifyRatio)
			}
			atMost(b, "peak-MiB", float64(max(m[1].peak, m[3].peak, v[1].peak))/(1<<20), maxPeakBytes/(1<<20))
			b.ReportMetric(ratio(m[3], m[0]), "prepare/openssl")
			b.ReportMetric(0, "ns/op")
			perFile[size.files] = m[1].elapsed / time.Duration(size.files)
		})
	}
	b.Logf("a file of %d bytes takes check %v among %d, %v among %d", fileBytes, perFile[ordinaryFiles], ordinaryFiles, perFile[largeFiles], largeFiles)
}

func ratio(m, of measure) float64 { return float64(m.elapsed) / float64(of.elapsed) }

// BenchmarkSurroundings measures what a check takes more for what lies around:
// the same checkout is checked without and with it, in turns.
func BenchmarkSurroundings(b *testing.B) {
	binary := buildProgram(b)
	for _, s := range []struct {
		name string
		most time.Duration
		add  func(*testing.B, person)
	}{
		{"ignored-directory", maxIgnoredDelay, func(b *testing.B, p person) { p.ignored(b, "node_modules/m%03d/f%05d.js") }},
		{"ignored-files", maxIgnoredDelay, func(b *testing.B, p person) { p.ignored(b, "d%02x/f%05d.o") }},
		{"packed-objects", maxPackedDelay, func(b *testing.B, p person) { p.packed(b) }},
	} {
		b.Run(s.name, func(b *testing.B) {
			var people [2]person
			for i := range people {
				people[i] = newPerson(b, "")
				people[i].write(b, filepath.Join(people[i].workspace, ".gitignore"), "node_modules/\n*.o\n")
				people[i].fill(b, ordinaryFiles)
			}
			s.add(b, people[1])
			check := func(p person) func() *exec.Cmd { return func() *exec.Cmd { return p.command(binary, "check") } }
			m := inTurns(b, 30, check(people[0]), check(people[1]))
			delay := m[1].elapsed - m[0].elapsed
			b.ReportMetric(float64(delay)/float64(time.Millisecond), "ms-more")
			b.ReportMetric(ratio(m[1], m[0]), "x-without")
			b.ReportMetric(0, "ns/op")
			if delay > s.most {
				b.Errorf("check takes %v, without %v: %v more than %v", m[1].elapsed, m[0].elapsed, delay, s.most)
			}
		})
	}
}

// ignored adds ignoredFiles files; pattern names one by directory and number.
func (p person) ignored(b *testing.B, pattern string) {
	for i := range ignoredFiles {
		name := filepath.Join(p.workspace, fmt.Sprintf(pattern, i%200, i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		p.write(b, name, "")
	}
}

// packed adds a pack of packedObjects blobs that no commit knows.
func (p person) packed(b *testing.B) {
	var stream bytes.Buffer
	for i := range packedObjects {
		text := fmt.Sprintf("object %d\n", i)
		fmt.Fprintf(&stream, "blob\ndata %d\n%s\n", len(text), text)
	}
	cmd := p.command("git", "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet")
	cmd.Stdin = &stream
	take(b, cmd)
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
