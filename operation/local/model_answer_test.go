package local

import (
	"errors"
	"fmt"

	"github.com/git-algal/git-algal/operation"
)

// answerOf returns what an act has to say.
func answerOf(a act) (operation.Outcome, bool) {
	switch a := a.(type) {
	case *lookup:
		return a.answer, true
	case *submit:
		return a.answer, true
	case *stop:
		return a.answer, true
	case *settlement:
		return a.answer, true
	}
	return operation.Outcome{}, false
}

// answer holds what a process said against the witness, if that had been given
// before the process began, and against the records.
func (m *machine) answer(who int, outcome operation.Outcome) {
	witness := 0
	if m.later[who] {
		witness = m.witness
	}
	if err := m.admits(witness, outcome); err != nil {
		m.broken = fmt.Sprintf("%s answered %s %d: %v", processNames[who], outcome.State(), outcome.Revision(), err)
	}
}

// admits holds an answer against the witness, as a host's history does, and
// against the records, which leave one outcome of each revision.
func (m *machine) admits(witness int, next operation.Outcome) error {
	due, err := m.outcomeOf(next.Revision())
	if err != nil {
		return err
	}
	if due != next {
		return errors.New("another outcome of its revision follows from the records")
	}
	var history operation.History
	if witness > 0 {
		given, err := m.outcomeOf(witness - 1)
		if err != nil {
			return err
		}
		history = append(history, given)
	}
	_, err = history.Admit(next)
	return err
}

// outcomeOf returns the outcome that the records allow at a revision.
func (m *machine) outcomeOf(revision int) (operation.Outcome, error) {
	if revision == revisionMissing {
		return missing(m.shared.binding)
	}
	known := m.shared.outcomes
	key := [3]byte{byte(revision), m.records[admittedRecord], m.records[terminalRecord]}
	if o, ok := known[key]; ok {
		return o, nil
	}
	a, err := ParseAdmission([]byte(m.shared.texts[m.records[admittedRecord]]))
	if err != nil {
		return operation.Outcome{}, err
	}
	var o operation.Outcome
	switch revision {
	case revisionAccepted:
		o, err = accepted(a)
	case revisionUnresolved:
		o, err = unresolved(a)
	default:
		var c Conclusion
		c, err = ParseConclusion([]byte(m.shared.texts[m.records[terminalRecord]]), m.shared.binding)
		o = c.Outcome
	}
	known[key] = o
	return o, err
}
