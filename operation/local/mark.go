package local

// The contracts of the two marks that an operation can bear.
const (
	StoppingContract   = "git-algal.ledger-stopping.v1"
	UnresolvedContract = "git-algal.ledger-unresolved.v1"
)

// A Mark says since when something is so and why. stopping.json is the
// operator's order to end the tree: nothing is launched after it, and the
// operation ends as cancelled. unresolved.json says that the kernel once could
// not prove the end of the tree: the answer stays unknown until the outcome.
type Mark struct {
	Contract string `json:"contract"`
	At       Moment `json:"at"`
	Reason   string `json:"reason"` // at most MaxReasonBytes
}

// ParseMark reads a mark of the contract, or returns a fault.Malformed error.
func ParseMark(contract string, text []byte) (Mark, error) {
	m, err := decode[Mark](contract, text)
	if err != nil {
		return Mark{}, err
	}
	if err := m.validate(contract); err != nil {
		return Mark{}, err
	}
	return m, nil
}

func (m Mark) validate(contract string) error {
	if contract != StoppingContract && contract != UnresolvedContract {
		return malformed("there is no mark %q", contract)
	}
	if err := checkContract(m.Contract, contract); err != nil {
		return err
	}
	if err := m.At.validate(); err != nil {
		return err
	}
	return checkReason(m.Reason, 0)
}

// Format returns the canonical bytes, or a fault.Malformed error.
func (m Mark) Format() ([]byte, error) {
	if err := m.validate(m.Contract); err != nil {
		return nil, err
	}
	return encode(m.Contract, m)
}
