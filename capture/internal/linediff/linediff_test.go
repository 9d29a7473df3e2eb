package linediff

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/git-algal/git-algal/internal/canon"
)

// check fails unless the script turns before into after.
func check(t *testing.T, before, after []string, script Script) {
	t.Helper()
	if len(script.Deleted) != len(before) || len(script.Inserted) != len(after) {
		t.Fatal("the script is not as long as the texts")
	}
	kept := func(text []string, marks []bool) (lines []string) {
		for i, line := range text {
			if !marks[i] {
				lines = append(lines, line)
			}
		}
		return lines
	}
	if !slices.Equal(kept(before, script.Deleted), kept(after, script.Inserted)) {
		t.Fatalf("unmarked lines differ:\n%q\n%q\n%v", before, after, script)
	}
}

func marked(marks []bool) (n int) {
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}

func lines(n int, line func(i int) string) []string {
	text := make([]string, n)
	for i := range text {
		text[i] = line(i) + "\n"
	}
	return text
}

// distance is the textbook table: how many lines a smallest script marks.
func distance(before, after []string) int {
	row := make([]int, len(after)+1)
	for j := range row {
		row[j] = j
	}
	for i, b := range before {
		diagonal := row[0]
		row[0] = i + 1
		for j, a := range after {
			next := min(row[j], row[j+1]) + 1
			if a == b {
				next = diagonal
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(after)]
}

func TestDiffIsSmallest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		alphabet := 1 + r.IntN(12)
		random := func(int) string { return strings.Repeat(" ", r.IntN(2)) + string(rune('a'+r.IntN(alphabet))) }
		before, after := lines(r.IntN(40), random), lines(r.IntN(40), random)
		script, err := Diff(context.Background(), before, after)
		if err != nil {
			t.Fatal(err)
		}
		check(t, before, after, script)
		if got, want := marked(script.Deleted)+marked(script.Inserted), distance(before, after); got != want {
			t.Fatalf("marked %d lines, need %d:\n%q\n%q", got, want, before, after)
		}
	}
}

// TestDiffStaysBounded feeds what each bound is for, and what still has to
// come out small.
func TestDiffStaysBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const many = 20_000
	unique := lines(many, strconv.Itoa)
	equal := lines(many, func(int) string { return "x" })
	few := lines(many, func(i int) string { return fmt.Sprint(i * i % 11 % 3) })
	shuffled := slices.Clone(unique)
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	edited := func(text []string) []string {
		text = slices.Clone(text)
		text[3] = "new\n"
		text = slices.Delete(text, many/2, many/2+3)
		return append(text, "end\n")
	}
	for _, c := range []struct {
		name          string
		before, after []string
		most          int // marked lines
	}{
		{"unique lines, edited", unique, edited(unique), 6},
		{"equal lines, edited", equal, edited(equal), 6},
		{"three kinds of lines, edited", few, edited(few), 6},
		{"nothing in common", unique, lines(many, func(i int) string { return fmt.Sprint("new ", i) }), 2 * many},
		{"the same lines in another order", unique, shuffled, 2 * many},
		{"unrelated texts of few kinds", few, lines(many, func(int) string { return fmt.Sprint(r.IntN(3)) }), 2 * many},
		{"more lines than one search takes", lines(maxSearchLines/2+2, func(i int) string { return strconv.Itoa(i % 7) }),
			lines(maxSearchLines/2+3, func(i int) string { return strconv.Itoa(i % 6) }), maxSearchLines + 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			script, err := Diff(context.Background(), c.before, c.after)
			if err != nil {
				t.Fatal(err)
			}
			check(t, c.before, c.after, script)
			if got := marked(script.Deleted) + marked(script.Inserted); got > c.most {
				t.Errorf("marked %d lines, expected at most %d", got, c.most)
			}
		})
	}
}

func TestSearchBounds(t *testing.T) {
	text := func(n int) []line { return make([]line, n) }
	distinct := func(n, from int) []line {
		text := make([]line, n)
		for i := range text {
			text[i].id = int32(from + i)
		}
		return text
	}
	for _, c := range []struct {
		name          string
		work          int
		before, after []line
		want          bool
	}{
		{"product at the bound", maxWork, distinct(5000, 0), distinct(5000, 9000), true},
		{"product over the bound, far apart", maxWork, distinct(5000, 0), distinct(5001, 9000), false},
		{"product over the bound, near", maxWork, text(50_000), text(50_100), true},
		{"too many lines", maxWork, text(maxSearchLines / 2), text(maxSearchLines/2 + 1), false},
		{"as many lines as may be", maxWork, text(maxSearchLines / 2), text(maxSearchLines / 2), true},
		{"work used up", 24, text(5), text(5), false},
		{"work just enough", 25, text(5), text(5), true},
	} {
		d := differ{ctx: context.Background(), work: c.work}
		if got := d.affords(c.before, c.after); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
		if d.work < 0 {
			t.Errorf("%s: work is %d", c.name, d.work)
		}
	}
}

func TestRunesSurviveStrings(t *testing.T) {
	previous := rune(-1)
	for n := range maxSearchLines {
		r := runeOf(n)
		if back := []rune(string(r)); r <= previous || len(back) != 1 || back[0] != r || r == '\uFFFD' {
			t.Fatalf("rune %d is %U", n, r)
		}
		previous = r
	}
}

func TestDiffObeysItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if script, err := Diff(ctx, []string{"a"}, []string{"b"}); !errors.Is(err, context.Canceled) || script.Deleted != nil {
		t.Errorf("a comparison that starts too late gives %v, %v", script, err)
	}

	// A search that would go on stops nobody.
	ctx, cancel = context.WithCancel(context.Background())
	release := make(chan struct{})
	defer close(release)
	d := differ{ctx: ctx}
	_, err := d.interruptible(inlineSearch+1, func() []diffmatchpatch.Diff {
		cancel()
		<-release
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted search gives %v", err)
	}

	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	d = differ{ctx: ctx}
	if d.closer(make([]line, 9), make([]line, 9), 5) {
		t.Error("the distance is measured after the end of its context")
	}
}

// TestSlide holds the places of movable groups, marked - and +, to those of
// git diff.
func TestSlide(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"down to the end of a run", "a|x|x|b", "a|x|x|x|b", " a| x| x|+x| b"},
		{"a function after another", "f() {|  1|}||g() {|  2|}", "f() {|  1|}||h() {|  3|}||g() {|  2|}",
			" f() {|   1| }| |+h() {|+  3|+}|+| g() {|   2| }"},
		{"a deleted block keeps its blank line below", "a|  1|}||b|  2|}||c|  3|}", "a|  1|}||c|  3|}",
			" a|   1| }| |-b|-  2|-}|-| c|   3| }"},
		{"beside the other side's change", "a|x|old|x|c", "a|x|x|x|c", " a| x|-old|+x| x| c"},
		{"groups that meet become one", "a|b|c", "a|b|x|b|x|b|c", " a| b|+x|+b|+x|+b| c"},
	} {
		split := func(s string) []string {
			return lines(strings.Count(s, "|")+1, func(i int) string { return strings.Split(s, "|")[i] })
		}
		before, after := split(c.before), split(c.after)
		script, err := Diff(context.Background(), before, after)
		if err != nil {
			t.Fatal(err)
		}
		check(t, before, after, script)
		var shown []string
		for i, j := 0, 0; i < len(before) || j < len(after); {
			switch {
			case i < len(before) && script.Deleted[i]:
				shown = append(shown, "-"+strings.TrimSuffix(before[i], "\n"))
				i++
			case j < len(after) && script.Inserted[j]:
				shown = append(shown, "+"+strings.TrimSuffix(after[j], "\n"))
				j++
			default:
				shown = append(shown, " "+strings.TrimSuffix(before[i], "\n"))
				i++
				j++
			}
		}
		if got := strings.Join(shown, "|"); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestAnswersArePinned fails when another version of go-diff, or a change here,
// gives other answers, be they as good. Captures made before would then no
// longer equal those made after.
func TestAnswersArePinned(t *testing.T) {
	const want = "sha256:4db6e19e7b56dea7145861839424d453bda4b897651ff5a1dde059a722e5cdcb"
	r := rand.New(rand.NewPCG(11, 12))
	var answers strings.Builder
	for range 500 {
		alphabet := 2 + r.IntN(30)
		random := func(int) string { return strings.Repeat("\t", r.IntN(3)) + string(rune('a'+r.IntN(alphabet))) }
		script, err := Diff(context.Background(), lines(r.IntN(60), random), lines(r.IntN(60), random))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&answers, script)
	}
	if got := canon.DigestText(answers.String()); got != want {
		t.Errorf("got %s", got)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb\n", "b\na\n")
	f.Add("", "\n\n")
	f.Add("x\nx\nx", "x\nx\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		before, after := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
		script, err := Diff(context.Background(), before, after)
		if err != nil {
			t.Fatal(err)
		}
		check(t, before, after, script)
	})
}
