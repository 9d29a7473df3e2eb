package local

import "github.com/git-algal/git-algal/operation/local/custody"

// StartContract names the record of an operation's one start.
const StartContract = "git-algal.ledger-start.v1"

// A Start is the one record of an operation that says either that a tree waits
// at its gate, and may be let go, or that none ever will be. Both have the same
// name, so of all who want to publish one, one wins: a supervisor that finds
// the operation not started opens no gate, and whoever finds it launching
// asks the kernel.
type Start struct {
	Contract string `json:"contract"`
	// Tree names the tree that may run; absent: nothing was started, ever.
	Tree *custody.Identity `json:"tree,omitzero"`
}

// ParseStart reads start.json, or returns a fault.Malformed error.
func ParseStart(text []byte) (Start, error) {
	s, err := decode[Start](StartContract, text)
	if err != nil {
		return Start{}, err
	}
	if err := s.Validate(); err != nil {
		return Start{}, err
	}
	return s, nil
}

// Validate returns a fault.Malformed error unless every member has its form.
func (s Start) Validate() error {
	if err := checkContract(s.Contract, StartContract); err != nil {
		return err
	}
	if s.Tree == nil {
		return nil
	}
	return s.Tree.Validate()
}

// Format returns the canonical bytes, or a fault.Malformed error as Validate.
func (s Start) Format() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return encode(StartContract, s)
}

func launching(tree custody.Identity) Start { return Start{StartContract, &tree} }

func notStarted() Start { return Start{Contract: StartContract} }
