//go:build linux || darwin

package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// maxGuardRatio is what the hooks may add to an update of a reference, in the
// time of the smallest question to git.
const maxGuardRatio = 3.0

// BenchmarkGuard measures what the hooks add to an update of a reference that
// no claim concerns: before the first job, after a settled one, and in the
// second in which a job was registered, when no all-clear may stand yet.
func BenchmarkGuard(b *testing.B) {
	p := newPerson(b, "submit completes\nwrite a.txt changed\n")
	p.commit(b)
	p.variables = append(p.variables, "GIT_CONFIG_NOSYSTEM=1")
	binary := buildProgram(b)
	p.variables[0] = "PATH=" + filepath.Dir(binary) + string(os.PathListSeparator) + os.Getenv("PATH")
	take(b, p.command(binary, "hooks", "install"))
	b.Run("no-job", func(b *testing.B) { p.benchmarkGuard(b, maxGuardRatio) })

	take(b, p.command(binary, "run", "--adapter", "agent", "-m", "x"))
	take(b, p.command("git", "stash", "-q"))
	b.Run("settled", func(b *testing.B) { p.benchmarkGuard(b, maxGuardRatio) })
	b.Run("registered-this-second", func(b *testing.B) {
		then := time.Now().Add(time.Hour)
		if err := os.Chtimes(filepath.Join(p.home, ".local/state/git-algal/workspaces"), then, then); err != nil {
			b.Fatal(err)
		}
		p.benchmarkGuard(b, math.Inf(1))
	})
}

// benchmarkGuard measures guarded updates beside plain ones and git rev-parse,
// in turns and each by its fastest tenth, so that what else the machine does
// counts little.
func (p person) benchmarkGuard(b *testing.B, most float64) {
	const rounds, fastest = 150, 15
	update := []string{"update-ref", "refs/bench/one", "HEAD"}
	commands := [][]string{append([]string{"-c", "core.hooksPath=/dev/null"}, update...), update, {"rev-parse", "HEAD"}}
	times := make([][]time.Duration, len(commands))
	for range rounds {
		for i, args := range commands {
			times[i] = append(times[i], take(b, p.command("git", args...)).elapsed)
		}
	}
	for _, list := range times {
		slices.Sort(list)
	}
	plain, guarded, question := times[0][fastest], times[1][fastest], times[2][fastest]
	ratio := float64(guarded-plain) / float64(question)
	b.ReportMetric(ratio, "x-rev-parse")
	b.ReportMetric(0, "ns/op")
	b.Logf("an update takes %v, guarded %v; git rev-parse HEAD takes %v", plain, guarded, question)
	if ratio > most {
		b.Errorf("the hooks add %.1f times what git rev-parse HEAD takes", ratio)
	}
}
