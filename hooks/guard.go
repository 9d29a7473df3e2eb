package hooks

import (
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/state"
)

// prepared is the only state of a reference transaction in which git heeds
// the hook's answer.
const prepared = "prepared"

// A Guard answers one hook.
type Guard struct {
	FS  state.FS
	Now func() time.Time
	// Directory is where git runs the hook, an absolute path; GitDir and
	// CommonDir are GIT_DIR and GIT_COMMON_DIR there, empty where unset.
	Directory, GitDir, CommonDir string
	// Warn is told what kept the guard from judging.
	Warn func(error)
}

// Answer returns nil where git may go on, and fault.Claimed, naming the job,
// where it may not. No other error is returned: what keeps the guard from
// judging is handed to Warn, and git may go on. input is read only where a
// claim is unresolved.
func (g Guard) Answer(call Call, input io.Reader) error {
	if call.Hook == ReferenceTransaction && (len(call.Args) == 0 || call.Args[0] != prepared) {
		return nil
	}
	layout, err := g.layout()
	if err != nil {
		g.Warn(err)
		return nil
	}
	changed := registryTime(call.Registry)
	found, err := survey(g.FS, call.Registry, layout, g.directory())
	if err != nil {
		g.Warn(err)
	}
	if found.clear {
		giveAllClear(allClearOf(call.AllClears, layout.CommonDirectory), changed, g.Now())
	}
	if len(found.claims) == 0 {
		return nil
	}
	if call.Hook == PrePush {
		err = answerPush(found.claims, input)
	} else {
		err = answerTransaction(found.claims, layout, input)
	}
	if err != nil && !fault.Is(err, fault.Claimed) {
		return g.unjudged(found.claims, err)
	}
	return err
}

func answerPush(claims []Claim, input io.Reader) error {
	pushes, err := ParsePushes(input)
	if err != nil {
		return err
	}
	return DecidePush(claims, pushes)
}

func answerTransaction(claims []Claim, layout gitplumb.Layout, input io.Reader) error {
	updates, err := ParseUpdates(input)
	if err != nil {
		return err
	}
	var concerned []string // the others pass, whatever is stored under them
	for _, u := range updates {
		if slices.ContainsFunc(claims, func(c Claim) bool { return c.concerns(u.Ref) }) {
			concerned = append(concerned, u.Ref)
		}
	}
	return Decide(claims, Transaction{Updates: updates, Stored: layout.References(concerned), PackedLocked: layout.PackedLocked()})
}

// unjudged decides where the claims are known and what git is about to do is
// not: from a claimed checkout nothing goes on, elsewhere work does.
func (g Guard) unjudged(claims []Claim, cause error) error {
	for _, c := range claims {
		if c.Here {
			return c.refuses("what git is about to do cannot be told: %w", cause)
		}
	}
	g.Warn(cause)
	return nil
}

// directory returns the canonical form of where git runs the hook.
func (g Guard) directory() string {
	if resolved, err := filepath.EvalSymlinks(g.Directory); err == nil {
		return resolved
	}
	return filepath.Clean(g.Directory)
}

// layout finds the repository as git's environment names it. Git names no git
// directory where it is the plain ".git" of the directory in which the hook
// runs.
func (g Guard) layout() (gitplumb.Layout, error) {
	gitDir, commonDir := g.GitDir, g.CommonDir
	if gitDir == "" {
		gitDir = ".git"
	}
	if !filepath.IsAbs(gitDir) {
		gitDir = filepath.Join(g.Directory, gitDir)
	}
	if commonDir != "" && !filepath.IsAbs(commonDir) {
		commonDir = filepath.Join(g.Directory, commonDir)
	}
	return gitplumb.ReadLayout(gitDir, commonDir)
}
