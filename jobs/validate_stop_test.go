package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

func TestValidateHoldsTheLease(t *testing.T) {
	s, job := newCompletedScene(t, someWork)
	other := s.open("store")
	other.Now = time.Now
	phases := map[string]int{}
	s.service.Progress = func(p jobs.Phase) {
		phases[p.Name]++
		_, err := other.Verify(t.Context(), job)
		s.refused("verify during "+p.Name, err, fault.LeaseHeld)
		_, err = other.Validate(t.Context(), job, s.command("exit 0"))
		s.refused("validate during "+p.Name, err, fault.LeaseHeld)
	}
	if _, err := s.service.Validate(t.Context(), job, s.command("exit 0")); err != nil {
		t.Error(err)
	}
	if phases["capture"] != 2 || phases["validation"] != 1 {
		t.Errorf("phases were %v", phases)
	}
	if _, err := other.Verify(t.Context(), job); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	s.requireValidations(job, "1  passed")
}

// TestValidateInterrupted cancels while the command runs: nothing of it goes
// on, and the start is left without an end for good.
func TestValidateInterrupted(t *testing.T) {
	s, job := newCompletedScene(t, someWork)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pidFile := filepath.Join(s.root, "pid")
	go func() {
		for ctx.Err() == nil {
			if text, err := os.ReadFile(pidFile); err == nil && strings.HasSuffix(string(text), "\n") {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	v, err := s.service.Validate(ctx, job, s.command("echo $$ >"+pidFile+"; sleep 60; echo >more"))
	s.refused("validate", err, fault.Cancelled)
	if v.Outcome() != jobs.ValidationOpen || v.Start.Number != 1 {
		t.Errorf("got %+v", v)
	}
	var pid int
	if _, err := fmt.Sscan(s.read(pidFile), &pid); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d was not joined: %v", pid, err)
	}
	s.requireRetained(job, v)
	s.requireValidations(job, "1  running-or-interrupted")
	if v, err := s.service.Validate(t.Context(), job, s.command("exit 0")); err != nil || v.Start.Number != 2 {
		t.Errorf("afterwards: %+v, %v", v, err)
	}
	s.requireValidations(job, "1  running-or-interrupted", "2  passed")
}

// TestValidateUnfinished lets what follows the command fail: it has no result
// then.
func TestValidateUnfinished(t *testing.T) {
	for name, c := range map[string]struct {
		between func(*scene, canon.Digest, context.CancelFunc) // when the second verification begins
		want    fault.Condition
	}{
		"cancelled": {func(_ *scene, _ canon.Digest, cancel context.CancelFunc) { cancel() }, fault.Cancelled},
		"another end": {func(s *scene, job canon.Digest, _ context.CancelFunc) {
			s.write(s.jobFile(job, "validations/0001-end.json"), "{}")
		}, fault.RecordConflict},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, job := newCompletedScene(t, someWork)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			captures := 0
			s.service.Progress = func(p jobs.Phase) {
				if p.Name == "capture" {
					captures++
				}
				if captures == 2 {
					c.between(s, job, cancel)
				}
			}
			v, err := s.service.Validate(ctx, job, s.command("exit 0"))
			s.refused(name, err, c.want)
			if v.Outcome() != jobs.ValidationOpen || v.Start.Number != 1 {
				t.Errorf("got %+v", v)
			}
		})
	}
}

// TestValidateEndsTheGroup leaves a descendant that holds the outputs and goes
// on working.
func TestValidateEndsTheGroup(t *testing.T) {
	s, job := newCompletedScene(t, someWork)
	beats := filepath.Join(s.root, "beats")
	v, err := s.service.Validate(t.Context(), job, s.command("while :; do echo >>"+beats+"; sleep 0.02; done & sleep 0.2; echo done"))
	if err != nil || v.Outcome() != jobs.ValidationPassed || string(v.Stdout.Content) != "done\n" {
		t.Errorf("got %+v, %v", v, err)
	}
	before := s.read(beats)
	time.Sleep(300 * time.Millisecond)
	if after := s.read(beats); before == "" || before != after {
		t.Errorf("the descendant went from %d beats to %d", len(before), len(after))
	}
}
