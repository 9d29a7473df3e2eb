package local

import (
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// find returns the record under the name, if there is one.
func find[T any](b book, name state.Name, parse func([]byte) (T, error)) (record T, there bool, err error) {
	text, err := b.Read(name)
	if fault.Is(err, fault.Missing) {
		return record, false, nil
	}
	if err != nil {
		return record, false, err
	}
	record, err = parse(text)
	return record, err == nil, err
}

func findAdmission(b book, key canon.Digest) (Admission, bool, error) {
	return find(b, state.Admitted(key), ParseAdmission)
}

func findStart(b book, key canon.Digest) (Start, bool, error) {
	return find(b, state.Start(key), ParseStart)
}

func findMark(b book, name state.Name, contract string) (Mark, bool, error) {
	return find(b, name, func(text []byte) (Mark, error) { return ParseMark(contract, text) })
}

func isStopping(b book, key canon.Digest) (bool, error) {
	_, there, err := findMark(b, state.Stopping(key), StoppingContract)
	return there, err
}

func findConclusion(b book, key canon.Digest, binding operation.Binding) (Conclusion, bool, error) {
	return find(b, state.Concluded(key), func(text []byte) (Conclusion, error) { return ParseConclusion(text, binding) })
}

// format is Format of any record.
type format interface{ Format() ([]byte, error) }

// publish publishes a record and reports whether it stands: false means that
// another record has its name for good.
func publish(b book, name state.Name, record format) (bool, error) {
	text, err := record.Format()
	if err != nil {
		return false, err
	}
	err = b.Create(name, text)
	if fault.Is(err, fault.RecordConflict) {
		return false, nil
	}
	return err == nil, err
}

func keyOf(binding operation.Binding) (canon.Digest, error) {
	return operation.ReservationKey(binding.AuthorityID, binding.OperationID)
}
