package local

import (
	"strconv"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// IdentityContract names the record that says whose a ledger is.
const IdentityContract = "git-algal.ledger.v1"

// An Identity says whose a ledger is: the authority whose attempts it keeps,
// the machine that it was made on, and the directories that it was made in.
// Another authority's ledger at the same path, a ledger that was carried to
// another machine and a copy that took a ledger's place are all something else
// than what a host was once answered from.
type Identity struct {
	Authority operation.Identity
	Machine   string
	Made      state.Incarnation
}

type identityRecord struct {
	Contract   string             `json:"contract"`
	Authority  operation.Identity `json:"authorityId"`
	Machine    string             `json:"machine"`
	Root       string             `json:"rootInode"`       // decimal
	Operations string             `json:"operationsInode"` // decimal
}

// ParseIdentity reads ledger.json, or returns a fault.Malformed error.
func ParseIdentity(text []byte) (Identity, error) {
	wire, err := decode[identityRecord](IdentityContract, text)
	if err != nil {
		return Identity{}, err
	}
	if err := checkContract(wire.Contract, IdentityContract); err != nil {
		return Identity{}, err
	}
	root, err := parseInode(wire.Root)
	if err != nil {
		return Identity{}, err
	}
	operations, err := parseInode(wire.Operations)
	if err != nil {
		return Identity{}, err
	}
	id := Identity{wire.Authority, wire.Machine, state.Incarnation{Root: root, Operations: operations}}
	if err := id.Validate(); err != nil {
		return Identity{}, err
	}
	return id, nil
}

// Validate returns a fault.Malformed error unless every member has its form.
func (id Identity) Validate() error {
	if _, err := operation.ParseIdentity(string(id.Authority)); err != nil {
		return err
	}
	return checkMachine(id.Machine)
}

// Format returns the canonical bytes, or a fault.Malformed error as Validate.
func (id Identity) Format() ([]byte, error) {
	if err := id.Validate(); err != nil {
		return nil, err
	}
	return encode(IdentityContract, identityRecord{
		IdentityContract, id.Authority, id.Machine, formatInode(id.Made.Root), formatInode(id.Made.Operations),
	})
}

func checkMachine(machine string) error {
	if machine == "" || len(machine) > MaxMachineBytes || strings.ContainsAny(machine, "\x00\n") {
		return malformed("member %q is no machine's name of 1 to %d bytes", "machine", MaxMachineBytes)
	}
	return nil
}

func parseInode(s string) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || formatInode(n) != s {
		return 0, malformed("an inode is no decimal number")
	}
	return n, nil
}

func formatInode(n uint64) string { return strconv.FormatUint(n, 10) }

// holds returns why a ledger that says id is not the one of authority that is
// to be found on machine in the directories found.
func (id Identity) holds(authority operation.Identity, machine string, found state.Incarnation) error {
	refuse := func(format string, args ...any) error {
		return fault.New(fault.StoreInconsistent, format, args...).
			WithNext("bring the ledger back to where it was made, or settle its operations by hand")
	}
	switch {
	case id.Authority != authority:
		return refuse("the ledger is that of authority %q, not of %q", id.Authority, authority)
	case id.Machine != machine:
		return refuse("the ledger was made on another machine, where its processes may still run")
	case id.Made != found:
		return refuse("the ledger is a copy of the one that was made: what was recorded since is not in it")
	}
	return nil
}
