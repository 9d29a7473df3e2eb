//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
)

const (
	digestPrefix    = "sha256:"
	operationPrefix = "op:"

	// minPrefixDigits is the shortest abbreviation of a job id: fewer digits
	// are too likely to be an operation id that a person chose.
	minPrefixDigits = 6
	// digestDigits is the length of a whole one.
	digestDigits = 64
)

// A reference is what JOB says. Its form alone decides which of the three it
// is, so that a job prepared tomorrow never changes what a word means today.
type reference struct {
	job       canon.Digest       // a whole id
	prefix    string             // leading digits of an id
	operation operation.Identity // else
}

// parseReference reads JOB; the error is fault.Usage.
func parseReference(word string) (reference, error) {
	if name, ok := strings.CutPrefix(word, operationPrefix); ok {
		return operationReference(name)
	}
	digits, explicit := strings.CutPrefix(word, digestPrefix)
	hexadecimal := digits != "" && strings.Trim(digits, "0123456789abcdef") == ""
	switch {
	case hexadecimal && len(digits) == digestDigits:
		return reference{job: canon.Digest(digestPrefix + digits)}, nil
	case hexadecimal && len(digits) >= minPrefixDigits && len(digits) < digestDigits:
		return reference{prefix: digits}, nil
	case explicit:
		return reference{}, fault.New(fault.Usage, "%q is no job id: it needs %d to %d lower-case hexadecimal digits", word, minPrefixDigits, digestDigits)
	}
	return operationReference(word)
}

func operationReference(name string) (reference, error) {
	op, err := operation.ParseIdentity(name)
	if err != nil {
		return reference{}, fault.New(fault.Usage, "%q is neither a job id nor an operation id: %w", name, err).
			WithNext("git algal list")
	}
	return reference{operation: op}, nil
}

// A candidate is a job that JOB may mean.
type candidate struct {
	job       canon.Digest
	operation operation.Identity // empty where it is not known
}

// choose returns the one candidate, or fault.Usage with all of them: doubt is
// never resolved by a guess.
func choose(what string, candidates []candidate) (canon.Digest, error) {
	if len(candidates) == 1 {
		return candidates[0].job, nil
	}
	var names []string
	for _, c := range candidates {
		name := shortID(c.job)
		if c.operation != "" {
			name += fmt.Sprintf(" (op:%s)", c.operation)
		}
		names = append(names, name)
	}
	return "", fault.New(fault.Usage, "%s means %d jobs", what, len(candidates)).
		WithNext("name one of them: %s", strings.Join(names, ", "))
}

// shortIDDigits abbreviate a job id for people. Among the 256 jobs of a store
// two are equal once in 10^10 stores; such a prefix is then refused as doubt.
const shortIDDigits = 12

func shortID(job canon.Digest) string { return job.Hex()[:min(shortIDDigits, len(job.Hex()))] }

// job returns the job that the operand JOB means, where it is given.
func (s *site) named(word string) (canon.Digest, error) {
	ref, err := parseReference(word)
	if err != nil || ref.job != "" {
		return ref.job, err
	}
	unknown := fault.New(fault.Missing, "no job of the store is %q", word).WithNext("git algal list --all")
	if ref.prefix != "" {
		ids, err := s.service.Store.Jobs()
		if err != nil {
			return "", err
		}
		var candidates []candidate
		for _, id := range ids {
			if strings.HasPrefix(id.Hex(), ref.prefix) {
				candidates = append(candidates, candidate{job: id})
			}
		}
		if len(candidates) > 0 {
			return choose(fmt.Sprintf("%q", word), candidates)
		}
		unknown.Next = "git algal list --all; an operation is named " + operationPrefix + ref.prefix
		return "", unknown
	}
	listings, err := s.service.List()
	if err != nil {
		return "", err
	}
	candidates := matching(listings, func(snap jobs.Snapshot) bool { return snap.Intent.Operation.OperationID == ref.operation })
	if len(candidates) == 0 {
		return "", unknown
	}
	return choose(fmt.Sprintf("operation %q", ref.operation), candidates)
}

// matching returns the listed jobs that satisfy the condition.
func matching(listings []jobs.Listing, condition func(jobs.Snapshot) bool) []candidate {
	var candidates []candidate
	for _, l := range listings {
		if l.Err == nil && condition(l.Snapshot) {
			candidates = append(candidates, candidate{l.JobID, l.Snapshot.Intent.Operation.OperationID})
		}
	}
	return candidates
}

// preparedHere returns the prepared jobs of the checkout at its present HEAD.
func (s *site) preparedHere(ctx context.Context, c *checkout) ([]candidate, error) {
	head, err := c.repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	listings, err := s.service.List()
	if err != nil {
		return nil, err
	}
	return matching(listings, func(snap jobs.Snapshot) bool {
		return snap.Status == jobs.Prepared && snap.Intent.Workspace == c.Workspace && snap.Intent.ExpectedHead == head.Commit
	}), nil
}

// toLaunch returns the job that run means: the named one, else the only
// prepared job of the checkout at its present HEAD.
func (s *site) toLaunch(ctx context.Context) (canon.Digest, error) {
	if s.flags.NArg() > 0 {
		return s.named(s.flags.Args().First())
	}
	c, err := s.standing(ctx)
	if err != nil {
		return "", err
	}
	prepared, err := s.preparedHere(ctx, c)
	if err != nil {
		return "", err
	}
	if len(prepared) == 0 {
		return "", fault.New(fault.Usage, "no job is prepared for %q at its present HEAD", c.Workspace).
			WithNext("git algal prepare, or name a job: git algal list")
	}
	return choose("leaving JOB out", prepared)
}

// toLookAt returns the job that the other verbs mean: the named one, else that
// of the checkout's claim, else the one that run would mean.
func (s *site) toLookAt(ctx context.Context) (canon.Digest, error) {
	if s.flags.NArg() > 0 {
		return s.named(s.flags.Args().First())
	}
	c, err := s.standing(ctx)
	if err != nil {
		return "", err
	}
	job, claimed, err := s.service.ClaimOf(c.Workspace)
	if err != nil || claimed {
		return job, err
	}
	prepared, err := s.preparedHere(ctx, c)
	if err != nil {
		return "", err
	}
	if len(prepared) == 0 {
		return "", fault.New(fault.Usage, "no job claims %q and none is prepared for its present HEAD", c.Workspace).
			WithNext("name a job: git algal list")
	}
	return choose("leaving JOB out", prepared)
}
