//go:build linux || darwin

package main

import (
	"bytes"
	"context"
	"os/exec"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/internal/fault"
)

const flagStat = "stat"

func patchVerb() verb {
	return verb{
		name: "patch", usage: "print a job's whole change for \"git apply --binary\" on the admitted HEAD",
		operands: "[JOB]",
		details: "Untracked files are part of it. An empty patch prints nothing and says so on\n" +
			"stderr. --json prints the retained artifact.",
		flags:       []cli.Flag{&cli.BoolFlag{Name: flagStat, Usage: "print a summary for people instead"}},
		maxOperands: 1, run: patch,
	}
}

// A patchDocument is a retained patch.
type patchDocument struct {
	artifact []byte // canonical
	export   []byte // for git apply, or a summary of it
}

func patch(ctx context.Context, in *invocation) (answer, error) {
	s, err := in.openSite(ctx, evidenceOnly)
	if err != nil {
		return answer{}, err
	}
	defer s.close()
	job, err := s.toLookAt(ctx)
	if err != nil {
		return answer{}, err
	}
	artifact, err := s.service.Patch(job)
	if err != nil {
		return answer{}, err
	}
	d := &patchDocument{}
	if d.artifact, err = artifact.Format(); err != nil {
		return answer{}, err
	}
	if d.export, err = capture.Export(artifact); err != nil {
		return answer{}, err
	}
	if len(d.export) == 0 {
		s.warn("the patch of job %s is empty: the agent changed nothing", shortID(job))
	} else if in.flags.Bool(flagStat) {
		if d.export, err = in.stat(ctx, d.export); err != nil {
			return answer{}, err
		}
	}
	return answer{document: d}, nil
}

// stat returns git's own summary of a patch, which git reads from stdin and
// applies to nothing.
func (in *invocation) stat(ctx context.Context, export []byte) ([]byte, error) {
	git, err := in.lookPath("git")
	if err != nil {
		return nil, fault.New(fault.GitFailed, "git was not found: %w", err)
	}
	cmd := exec.CommandContext(ctx, git, "apply", "--stat", "--summary", "--apply=false", "-")
	cmd.Dir = "/"
	cmd.Env = append(in.withoutGit(), "GIT_DIR=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	cmd.Stdin = bytes.NewReader(export)
	out, err := cmd.Output()
	if err != nil {
		return nil, fault.New(fault.GitFailed, "git cannot summarize the patch: %w", err)
	}
	return out, nil
}

func (d *patchDocument) writeText(p *page) { p.content(string(d.export)) }
func (d *patchDocument) plainJSON() []byte { return d.artifact }
func (d *patchDocument) paged()            {}
