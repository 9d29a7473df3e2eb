package gittest

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/git-algal/git-algal/internal/fault"
)

// A Judgement is what a judge of checkouts said about a fixture.
type Judgement struct {
	Verdict   Verdict
	Condition fault.Condition // why not, zero where the verdict is Clean
	Way       Way             // the way that was taken, Any where none was
}

// JudgementOf turns a judge's error into a judgement: nil is clean,
// fault.NotClean is dirty, any other condition is a refusal. An error without a
// condition is a refusal for no reason that any fixture accepts.
func JudgementOf(err error, way Way) Judgement {
	if err == nil {
		return Judgement{Verdict: Clean, Way: way}
	}
	j := Judgement{Verdict: Refused, Way: way}
	if e, ok := fault.Of(err); ok {
		j.Condition = e.Condition
	}
	if j.Condition == fault.NotClean {
		j.Verdict = Dirty
	}
	return j
}

// Check returns an error that says how the judgement differs from what the
// fixture's header demands, or nil. A false clean is called that.
func (f Fixture) Check(j Judgement) error {
	switch {
	case j.Verdict == Clean && f.Verdict != Clean:
		return fmt.Errorf("false clean: the fixture is %s", f.demand())
	case f.Verdict == Refused && !slices.Contains(f.Refused, j.Condition):
		return fmt.Errorf("judged %s, the fixture is %s", j, f.demand())
	case f.Verdict != Refused && j.Verdict != f.Verdict:
		return fmt.Errorf("judged %s, the fixture is %s", j, f.demand())
	case f.Way != Any && j.Way != f.Way:
		return fmt.Errorf("judged by the way %q, the fixture demands %q", j.Way, f.Way)
	}
	return nil
}

// demand is the header's verdict in words.
func (f Fixture) demand() string {
	if f.Verdict != Refused {
		return string(f.Verdict)
	}
	names := make([]string, len(f.Refused))
	for i, condition := range f.Refused {
		names[i] = condition.String()
	}
	return fmt.Sprintf("%s (%s)", Refused, strings.Join(names, " or "))
}

// String is the verdict with its condition.
func (j Judgement) String() string {
	switch {
	case j.Verdict != Refused:
		return string(j.Verdict)
	case j.Condition == 0:
		return "refused without a condition"
	}
	return fmt.Sprintf("refused (%s)", j.Condition)
}

// A Row is one line of the table that compares a judge with the fixtures.
type Row struct {
	Fixture   Fixture
	Judgement Judgement
}

// WriteTable prints the rows with what git says, what is demanded, what was
// judged and by which way, marks each row that fails its [Fixture.Check], and
// ends with the counts.
func WriteTable(w io.Writer, rows []Row) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "fixture\tgit says\tdemanded\tjudged\tway\t")
	var wrong, falseClean int
	for _, row := range rows {
		mark := ""
		if err := row.Fixture.Check(row.Judgement); err != nil {
			wrong++
			mark = "WRONG"
			if row.Judgement.Verdict == Clean && row.Fixture.Verdict != Clean {
				falseClean++
				mark = "FALSE CLEAN"
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", row.Fixture.Name, row.Fixture.Git, row.Fixture.demand(), row.Judgement, row.Judgement.Way, mark)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d fixtures, %d wrong, %d of them false cleans\n", len(rows), wrong, falseClean)
	return err
}
