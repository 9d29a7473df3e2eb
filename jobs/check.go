package jobs

import (
	"context"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// A Check says whether a checkout would be admitted as it stands. Members stay
// empty where a refusal came before they were known.
type Check struct {
	Admissible   bool
	Way          gitplumb.Way
	Identity     gitplumb.Identity
	Head         gitplumb.Head
	RawDigest    canon.Digest
	StatusDigest canon.Digest
	Status       []gitplumb.StatusEntry
	Claim        canon.Digest // the job that claims the workspace
	Refusals     []*fault.Error
}

// Check asks on a pass, of which nothing was read yet, what Prepare would ask,
// and goes on after a refusal where it can. The error is the first refusal, or
// what kept it from asking; the Check is meaningful beside it.
func (s *Service) Check(ctx context.Context, repo Checkout) (Check, error) {
	c := Check{Identity: repo.Identity()}
	c.refuse(separate(s.Store.Root(), c.Identity))
	if claim, ok, err := readClaim(s.Store, c.Identity.Workspace); err != nil {
		c.refuse(err)
	} else if ok {
		c.Claim = claim.JobID
	}
	_, err := s.unclaimed(c.Identity.Workspace, "")
	c.refuse(err)
	if c.Head, err = repo.Head(ctx); err != nil {
		c.refuse(err)
		return c.judged()
	}
	status, err := repo.Status(ctx)
	if err != nil {
		c.refuse(err)
		return c.judged()
	}
	c.Way, c.Status, c.StatusDigest = status.Way, status.Entries, canon.DigestText(status.Text)
	c.refuse(repo.Clean(ctx))
	if raw, err := repo.Fingerprint(ctx); err != nil {
		c.refuse(err)
	} else {
		c.RawDigest = raw.Digest
	}
	return c.judged()
}

// refuse notes a refusal; nil is none.
func (c *Check) refuse(err error) {
	if e, ok := fault.Of(err); ok {
		c.Refusals = append(c.Refusals, e)
	} else if err != nil {
		c.Refusals = append(c.Refusals, fault.New(fault.HostFailed, "%w", err))
	}
}

func (c *Check) judged() (Check, error) {
	if c.Admissible = len(c.Refusals) == 0; !c.Admissible {
		return *c, c.Refusals[0]
	}
	return *c, nil
}
