package jobs

import (
	"cmp"
	"slices"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

// A Listing is one job of a store.
type Listing struct {
	JobID    canon.Digest
	Prepared time.Time // when its intent was published
	Snapshot Snapshot  // zero where Err is not nil
	Err      error     // why the job cannot be inspected
}

// List returns the jobs of the store, newest first. A job whose preparation
// was never finished is left out; a broken one is listed with its error.
func (s *Service) List() ([]Listing, error) {
	jobs, err := s.Store.Jobs()
	if err != nil {
		return nil, err
	}
	var listings []Listing
	for _, job := range jobs {
		prepared, err := s.Store.ModTime(state.Intent(job))
		if fault.Is(err, fault.Missing) {
			continue
		}
		l := Listing{JobID: job, Prepared: prepared, Err: err}
		if err == nil {
			l.Snapshot, l.Err = s.Inspect(job)
		}
		listings = append(listings, l)
	}
	slices.SortStableFunc(listings, func(a, b Listing) int {
		return cmp.Or(b.Prepared.Compare(a.Prepared), cmp.Compare(a.JobID, b.JobID))
	})
	return listings, nil
}
