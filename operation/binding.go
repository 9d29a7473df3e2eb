package operation

import (
	"fmt"

	"github.com/git-algal/git-algal/internal/canon"
)

// A Binding says which attempt is meant: the caller's key, the ledger that
// owns it, and the digest of the canonical payload it was admitted with
// (contract section 4). Every outcome repeats it exactly.
type Binding struct {
	OperationID   Identity     `json:"operationId"`
	AuthorityID   Identity     `json:"authorityId"`
	RequestDigest canon.Digest `json:"requestDigest"`
}

// Validate returns a fault.Malformed error unless all three members have
// their form.
func (b Binding) Validate() error {
	if _, err := ParseIdentity(string(b.OperationID)); err != nil {
		return fmt.Errorf("member %q: %w", "operationId", err)
	}
	if _, err := ParseIdentity(string(b.AuthorityID)); err != nil {
		return fmt.Errorf("member %q: %w", "authorityId", err)
	}
	if !b.RequestDigest.Valid() {
		return malformed("member %q is no sha256 digest", "requestDigest")
	}
	return nil
}
