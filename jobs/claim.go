package jobs

import (
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

const (
	claimContract  = "algal.coding-workspace-claim.v1"
	markerContract = "algal.coding-job-started.v1"
)

// A Claim names the job that owns a workspace. It is replaced only by a job
// that may follow, and never removed.
type Claim struct {
	Contract  string       `json:"contract"`
	Workspace string       `json:"workspace"`
	JobID     canon.Digest `json:"jobId"`
}

// ParseClaim reads the claim on workspace. Errors are fault.Malformed for its
// form, fault.StoreInconsistent where it is about another workspace.
func ParseClaim(text []byte, workspace string) (Claim, error) {
	c, err := parseAnyClaim(text)
	if err != nil {
		return Claim{}, err
	}
	if c.Workspace != workspace {
		return Claim{}, fault.New(fault.StoreInconsistent, "the claim is about workspace %q", c.Workspace)
	}
	return c, nil
}

// parseAnyClaim reads a claim whatever workspace it is about.
func parseAnyClaim(text []byte) (Claim, error) {
	c, err := canon.Decode[Claim](text)
	switch {
	case err != nil:
		return Claim{}, fault.New(fault.Malformed, "the workspace claim is malformed: %w", err)
	case c.Contract != claimContract:
		return Claim{}, fault.New(fault.Malformed, "claim contract %q is not %q", c.Contract, claimContract)
	case !c.JobID.Valid():
		return Claim{}, fault.New(fault.Malformed, "the claim's job id %q is no digest", c.JobID)
	}
	return c, nil
}

// Format returns the canonical bytes of the claim.
func (c Claim) Format() ([]byte, error) { return canon.Encode(c) }

// A Marker is started.json: from it on, nothing submits the job again.
type Marker struct {
	Contract string       `json:"contract"`
	JobID    canon.Digest `json:"jobId"`
}

// ParseMarker reads the launch marker of the job. Errors are fault.Malformed
// for its form, fault.StoreInconsistent where it is another job's.
func ParseMarker(text []byte, job canon.Digest) (Marker, error) {
	m, err := canon.Decode[Marker](text)
	switch {
	case err != nil:
		return Marker{}, fault.New(fault.Malformed, "the launch marker is malformed: %w", err)
	case m.Contract != markerContract:
		return Marker{}, fault.New(fault.Malformed, "marker contract %q is not %q", m.Contract, markerContract)
	case m.JobID != job:
		return Marker{}, fault.New(fault.StoreInconsistent, "the launch marker belongs to job %q", m.JobID)
	}
	return m, nil
}

// Format returns the canonical bytes of the marker.
func (m Marker) Format() ([]byte, error) { return canon.Encode(m) }

// readClaim returns the claim that store holds on workspace; ok is false where
// there is none.
func readClaim(store *state.Store, workspace string) (claim Claim, ok bool, err error) {
	text, err := store.Read(state.Claim(canon.DigestText(workspace)))
	if fault.Is(err, fault.Missing) {
		return Claim{}, false, nil
	}
	if err != nil {
		return Claim{}, false, err
	}
	claim, err = ParseClaim(text, workspace)
	return claim, err == nil, err
}

// A holder is a settled job that still holds the claim on a workspace.
type holder struct {
	store    *state.Store
	evidence *evidence
}

// unclaimedBy returns an error where store holds a claim on workspace that
// stands in the way of job. None does not, nor job's own, nor one whose holder
// is settled, which is returned. An unknown claimant is an error, never a free
// workspace (contract section 6, claim).
func (s *Service) unclaimedBy(store *state.Store, workspace string, job canon.Digest) ([]holder, error) {
	claim, ok, err := readClaim(store, workspace)
	if err != nil || !ok || claim.JobID == job {
		return nil, err
	}
	e, err := readEvidence(store, claim.JobID)
	if err != nil {
		return nil, err
	}
	snap, err := e.snapshot(store)
	if err != nil {
		return nil, err
	}
	if !snap.Status.Settled() {
		return nil, fault.New(fault.Claimed, "workspace %q is claimed by job %q, which is %s", workspace, claim.JobID, snap.Status).
			WithNext("settle that job with: git algal reconcile %s", claim.JobID)
	}
	return []holder{{store, e}}, nil
}

// unclaimed checks the claims on workspace in this store and, through the
// registry, in the store that another run used (contract section 3), and
// returns the settled jobs that hold them. There no claim is job's own: the
// same words make the same job id in every store, and it may be launched in one
// only. A store that has vanished holds no claim; one that cannot be read
// refuses.
func (s *Service) unclaimed(workspace string, job canon.Digest) ([]holder, error) {
	here, err := s.unclaimedBy(s.Store, workspace, job)
	if err != nil {
		return nil, err
	}
	root, ok, err := s.Registry.Lookup(workspace)
	if err != nil || !ok || root == s.Store.Root() {
		return here, err
	}
	other, err := state.Open(s.FS, root)
	if err != nil {
		return nil, err
	}
	there, err := s.unclaimedBy(other, workspace, "")
	return append(here, there...), err
}

// succeed is unclaimed for a job that is about to take the claim over. Its
// holders' settlement must outlive the claim that follows from it.
func (s *Service) succeed(workspace string, job canon.Digest) error {
	holders, err := s.unclaimed(workspace, job)
	if err != nil {
		return err
	}
	for _, h := range holders {
		if err := h.evidence.makeDurable(h.store); err != nil {
			return err
		}
	}
	return nil
}
