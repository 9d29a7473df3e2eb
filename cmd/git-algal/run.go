//go:build linux || darwin

package main

import (
	"context"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

func runVerb() verb {
	return verb{
		name: "run", usage: "launch a prepared job, once; the only command that launches",
		operands: "[JOB] | --adapter NAME|FILE (-F FILE|- | -m TEXT)",
		details: "Left out, JOB is the checkout's only prepared job at its present HEAD. With\n" +
			"--adapter and a prompt the job is prepared first; a job that these words launched\n" +
			"before is only inspected, whatever the checkout holds now.",
		flags:       append(orderFlags(), waitFlag(), withPromptFlag()),
		maxOperands: 1, run: onSite(withGit, runJob),
	}
}

func runJob(ctx context.Context, s *site) (answer, error) {
	find := s.toLaunch
	if s.ordersJob() {
		find = s.ordered
	}
	job, err := find(ctx)
	if err != nil {
		return s.refused(err)
	}
	snap, err := s.service.Run(ctx, job)
	if err != nil {
		return s.refused(err)
	}
	s.sayInterrupted(ctx, snap)
	return answer{document: s.jobDocument(snap, brief), exit: exitOfStatus[snap.Status]}, nil
}

// ordered returns the job of the flags' order: the one that was launched
// before, else a prepared one.
func (s *site) ordered(ctx context.Context) (canon.Digest, error) {
	if s.flags.NArg() > 0 {
		return "", fault.New(fault.Usage, "%q names a job, and the flags order one: only one of the two can be meant", s.flags.Args().First())
	}
	c, err := s.standing(ctx)
	if err != nil {
		return "", err
	}
	o, err := s.order(ctx, c)
	if err != nil {
		return "", err
	}
	if job, err := s.launched(o); job != "" || err != nil {
		return job, err
	}
	snap, refusal := s.service.Prepare(ctx, o)
	if refusal == nil {
		return snap.JobID, nil
	}
	// Another process may have launched the same words meanwhile: then its
	// work is what makes the checkout unclean.
	if job, err := s.launched(o); job != "" && err == nil {
		return job, nil
	}
	return "", refusal
}

// launched returns the job that an earlier command launched for the order,
// empty where there is none.
func (s *site) launched(o jobs.Options) (canon.Digest, error) {
	job, reserved, err := s.service.JobOf(o.Adapter.AuthorityID, o.OperationID)
	if err != nil || !reserved {
		return "", err
	}
	snap, err := s.service.Inspect(job)
	switch {
	case fault.Is(err, fault.Missing): // a preparation that died before its end
		return "", nil
	case err != nil:
		return "", err
	case snap.Status == jobs.Prepared:
		return "", nil
	case !sameWords(snap.Intent, o):
		return "", fault.New(fault.RecordConflict, "operation %q belongs to job %q, which was ordered in other words", o.OperationID, job).
			WithNext("choose another --operation-id or --attempt")
	}
	return job, nil
}

// sameWords reports whether a job is what the order asks for. The limits may
// differ: the attempt they bounded is over or under way.
func sameWords(i jobs.Intent, o jobs.Options) bool {
	got, gotErr := i.Adapter.Format()
	want, wantErr := o.Adapter.Format()
	return gotErr == nil && wantErr == nil && string(got) == string(want) &&
		i.Prompt == o.Prompt && i.Workspace == o.Workspace && i.ExpectedHead == o.ExpectedHead
}

// sayInterrupted tells, after an interrupt, what is known.
func (s *site) sayInterrupted(ctx context.Context, snap jobs.Snapshot) {
	if ctx.Err() != nil && snap.Status == jobs.Uncertain {
		s.warn("interrupted after the launch; the agent may still be at work, or may never have started")
	}
}
