package ignore_test

import (
	"fmt"
	"strings"
	"testing"
)

// longList is a pattern file as tools generate them: hundreds of names,
// suffixes and paths.
func longList() string {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "name%d\n*.suffix%d\n/path/to/%d\nbuild%d/\ncache[0-9]%d*\n", i, i, i, i, i)
	}
	return b.String()
}

func BenchmarkIgnored(b *testing.B) {
	for _, bench := range []struct{ name, patterns string }{
		{"10 patterns", "*.o\n*.a\nnode_modules/\n/build\n!keep.o\n.DS_Store\n*~\n/dist/**\n**/tmp/*.log\n[Bb]in/\n"},
		{"1500 patterns", longList()},
	} {
		for _, fold := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/ignoreCase=%t", bench.name, fold), func(b *testing.B) {
				m := newMatcher(checkout{ignoreCase: fold}).Enter("", []byte(bench.patterns))
				b.ReportAllocs()
				for b.Loop() {
					m.Ignored("some/directory/file_of_a_usual_length.go", false)
				}
			})
		}
	}
}

func BenchmarkEnter(b *testing.B) {
	data := []byte(longList())
	m := newMatcher(checkout{})
	for b.Loop() {
		m.Enter("", data)
	}
}

// TestNoAllocation checks that an answer costs no memory: a walk asks once
// for each of its entries.
func TestNoAllocation(t *testing.T) {
	for _, fold := range []bool{false, true} {
		c := checkout{ignoreCase: fold, exclude: "x\n*.y\n", excludes: "z\n"}
		m := newMatcher(c).Enter("", []byte(longList()+"/a/**/b\nfoo*bar*baz\n")).Enter("a", []byte("/lit/eral\n?[^x]*\n!*\n"))
		allocs := testing.AllocsPerRun(100, func() {
			m.Ignored("a/foo/Bar/and.baz", false)
			m.Ignored("a/b", true)
		})
		if allocs != 0 {
			t.Errorf("ignoreCase %t: %v allocations", fold, allocs)
		}
	}
}
