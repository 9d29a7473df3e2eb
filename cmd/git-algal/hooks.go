//go:build linux || darwin

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/hooks"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

const (
	hooksSchema = "git-algal.hooks/1"

	hooksInstall   = "install"
	hooksUninstall = "uninstall"
	hooksStatus    = "status"
)

func hooksVerb() verb {
	return verb{
		name: "hooks", usage: "guard the references of this repository while a job is unresolved",
		operands: hooksInstall + "|" + hooksUninstall + "|" + hooksStatus, maxOperands: 1, run: guardHooks,
		details: "While the claim of a job is unresolved, the hooks refuse every change of a reference that\n" +
			"is made from the claimed checkout, pushes included, and from elsewhere every change of the\n" +
			"branch that it has checked out. Hooks that are there go on working. It is the only command\n" +
			"that writes into the git directory.",
	}
}

// A hooksDocument says how each worktree of the repository is guarded, after
// what was asked has been done.
type hooksDocument struct {
	Schema     string          `json:"schema"`
	Action     string          `json:"action"` // "install", "uninstall" or "status"
	Repository string          `json:"repository"`
	Worktrees  []hooksWorktree `json:"worktrees"`
}

// What is not known, or does not exist, is null.
type hooksWorktree struct {
	Workspace string        `json:"workspace"`
	Guarded   bool          `json:"guarded"`
	Directory *string       `json:"directory"`
	Setting   *string       `json:"setting"` // the scope of core.hooksPath
	Hooks     []hooksEntry  `json:"hooks"`
	Refusal   *failureError `json:"refusal"` // why no guard can stand here
	JobID     *canon.Digest `json:"jobId"`   // of the unresolved claim
	JobStatus *jobs.Status  `json:"jobStatus"`
	Unknown   *failureError `json:"unknown"` // why it is not known whether there is one
}

type hooksEntry struct {
	Name           hooks.Name  `json:"name"`
	State          hooks.State `json:"state"`
	Chained        bool        `json:"chained"`
	Program        *string     `json:"program"`
	ProgramMissing bool        `json:"programMissing"`
	Registry       *string     `json:"registry"`
}

func guardHooks(ctx context.Context, in *invocation) (answer, error) {
	action := in.flags.Args().First()
	switch action {
	case hooksInstall, hooksUninstall, hooksStatus:
	default:
		return answer{}, fault.New(fault.Usage, "%q is not what hooks can do", action).
			WithNext("git algal hooks %s|%s|%s", hooksInstall, hooksUninstall, hooksStatus)
	}
	s := &site{invocation: in, service: &jobs.Service{FS: state.OS()}}
	defer s.close()
	c, err := s.standing(ctx)
	if err != nil {
		return answer{}, err
	}
	layout := gitplumb.Layout{GitDirectory: c.GitDirectory, CommonDirectory: c.CommonDirectory}
	if action != hooksStatus {
		if err := s.changeHooks(ctx, action, c.Workspace, layout); err != nil {
			return answer{}, err
		}
	}
	dir, err := in.registryDirectory()
	if err != nil {
		return answer{}, err
	}
	registry, err := state.OpenRegistry(s.service.FS, dir)
	if err != nil {
		return answer{}, err
	}
	found, err := hooks.Survey(ctx, s.service.FS, registry, s.git, c.Workspace, layout)
	if err != nil {
		return answer{}, err
	}
	repository, _ := jsonPath(c.CommonDirectory)
	d := &hooksDocument{Schema: hooksSchema, Action: action, Repository: repository, Worktrees: []hooksWorktree{}}
	for _, g := range found {
		d.Worktrees = append(d.Worktrees, newHooksWorktree(g))
	}
	return answer{document: d}, nil
}

// changeHooks installs the hooks of the checkout, or takes them away.
func (s *site) changeHooks(ctx context.Context, action, workspace string, layout gitplumb.Layout) error {
	home, err := s.stateHome()
	if err != nil {
		return err
	}
	allClears := filepath.Join(home, "hooks")
	at, err := hooks.FindPlace(ctx, s.git, workspace, layout)
	if action == hooksUninstall {
		hooks.ForgetAllClear(allClears, layout.CommonDirectory)
		return uninstallHooks(layout, at, err)
	}
	if err != nil {
		return err
	}
	registry, err := s.registryDirectory()
	if err != nil {
		return err
	}
	program, err := s.stableProgram()
	if err != nil {
		return err
	}
	if err := hooks.CheckProgram(layout, workspace, program); err != nil {
		return err
	}
	if at.Shared {
		s.warn("the hooks directory %q is not this repository's own: the guard runs in every repository that uses it", at.Directory)
	}
	_, err = hooks.Install(at, hooks.Installation{Program: program, Registry: registry, AllClears: allClears})
	return err
}

// uninstallHooks takes the hooks away from where git looks for them now, unless
// refusal says that no guard can stand there, and from where it looks without
// core.hooksPath, which may have been set since.
func uninstallHooks(layout gitplumb.Layout, at hooks.Place, refusal error) error {
	if refusal != nil && !fault.Is(refusal, fault.UnsupportedRepo) {
		return refusal
	}
	if usual, err := hooks.UsualPlace(layout); err == nil && (refusal != nil || usual.Directory != at.Directory) {
		if _, err := hooks.Uninstall(usual); err != nil {
			return err
		}
	}
	if refusal != nil {
		return nil
	}
	_, err := hooks.Uninstall(at)
	return err
}

// stableProgram returns a path of this program that stays when it is
// upgraded: the one by which the shell finds it, else where it lies, unless
// that is a place from which it will go.
func (in *invocation) stableProgram() (string, error) {
	own, err := in.executable()
	if err != nil {
		return "", fault.New(fault.HostFailed, "the program does not know where it lies: %w", err)
	}
	if found, err := in.lookPath("git-algal"); err == nil && filepath.IsAbs(found) && sameFile(found, own) {
		if definition.OneVersion(found) {
			in.warn("the program is found as %q, which an upgrade takes away: then install the hooks again", found)
		}
		return filepath.Clean(found), nil
	}
	if definition.OneVersion(own) || in.temporary(own) {
		return "", fault.New(fault.HostFailed, "the program lies in %q, where it will not stay", own).
			WithNext("put git-algal on PATH, then repeat the command")
	}
	return own, nil
}

// temporary reports whether path lies where things come and go, the build
// cache of "go run" included.
func (in *invocation) temporary(path string) bool {
	if dir := in.variable("TMPDIR"); filepath.IsAbs(dir) && within(filepath.Clean(dir), path) {
		return true
	}
	return within("/tmp", path) || strings.Contains(path, "/go-build")
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func newHooksWorktree(g hooks.Guarded) hooksWorktree {
	w := hooksWorktree{Guarded: g.Guards(), Hooks: []hooksEntry{}}
	w.Workspace, _ = jsonPath(g.Workspace)
	w.Refusal, w.Unknown = failureOf(g.Refusal), failureOf(g.Unknown)
	w.Directory, w.Setting = knownPath(g.Place.Directory), known(g.Place.Scope)
	if g.Holding.Unresolved() {
		w.JobID, w.JobStatus = &g.Holding.Job, &g.Holding.Status
	}
	for _, h := range g.Hooks {
		w.Hooks = append(w.Hooks, hooksEntry{
			Name: h.Name, State: h.State, Chained: h.Chained, ProgramMissing: hooks.ProgramMissing(h),
			Program: knownPath(h.Script.Program), Registry: knownPath(h.Script.Registry),
		})
	}
	return w
}

func failureOf(err error) *failureError {
	if err == nil {
		return nil
	}
	f := newFailure("hooks", err)
	return &f.Error
}

func (d *hooksDocument) writeText(p *page) {
	for _, w := range d.Worktrees {
		w.writeText(p)
	}
}

func (w hooksWorktree) writeText(p *page) {
	word := p.tinted(yellow, "not guarded")
	if w.Guarded {
		word = p.tinted(green, "guarded")
	}
	p.line("%s: %s", shown(w.Workspace), word)
	if w.Refusal != nil {
		p.line("  %s [%s]", forPeople(w.Refusal.Message), w.Refusal.Code)
		if w.Refusal.Next != "" {
			p.line("  next: %s", forPeople(w.Refusal.Next))
		}
	}
	var rows [][]string
	for _, h := range w.Hooks {
		said := string(h.State)
		if h.State == hooks.Absent || h.State == hooks.Foreign {
			said = "no guard"
		}
		if h.Chained {
			said += ", then the hook that was there"
		}
		if h.ProgramMissing {
			said += ", but its program " + shown(*h.Program) + " is missing"
		}
		rows = append(rows, []string{"  " + string(h.Name), said})
	}
	if w.Directory != nil {
		from := ""
		if w.Setting != nil {
			from = ", by core.hooksPath (" + *w.Setting + ")"
		}
		rows = append(rows, []string{"  hooks", shown(*w.Directory) + from})
	}
	p.table(rows...)
	if w.JobID != nil {
		p.line("  job %s is %s and holds it", *w.JobID, *w.JobStatus)
	}
	if w.Unknown != nil {
		p.line("  whether a job holds it is not known: %s [%s]", forPeople(w.Unknown.Message), w.Unknown.Code)
	}
}
