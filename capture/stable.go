package capture

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// A Source is what was admitted: the state that a capture is measured against.
type Source struct {
	Workspace     string // canonical path
	GitDirectory  string // canonical path
	Device, Inode string // of the workspace, decimal
	Head, Tree    string // 40 hexadecimal digits
	RawDigest     canon.Digest

	// Raw is the fingerprint of that digest, nil where it was not kept; then
	// an index that lies can't be found out.
	Raw *gitplumb.Raw

	// Deciding is the control at admission, nil where another host prepared
	// the job and kept none; then there is nothing to compare with.
	Deciding *gitplumb.Deciding
}

// Limits are the bounds of one job (contract section 2).
type Limits struct {
	MaxPatchBytes   int // of the canonical artifact
	MaxChangedFiles int // entries of the status
}

// A Capture is an artifact and what was seen beside it.
type Capture struct {
	Artifact Artifact
	Raw      gitplumb.Raw     // the fingerprint that the artifact names
	Control  gitplumb.Control // as it was then, for control-after.json
	Hidden   []string         // converted paths that changed on disk, but not for git
}

// Stable captures the change of a workspace twice and returns it if both
// captures are the same (contract section 5, "a capture checks"). Nothing is
// written. Each checks, in this order:
//
//   - the workspace's identity, HEAD, its tree and the git directory:
//     fault.SourceMoved, or as place.go says where the workspace is not there;
//   - that control decides as it did at admission: fault.ControlChanged;
//   - the status, its number of entries and their paths: fault.OverBound,
//     fault.UnsupportedChange, fault.UnsafePath, fault.FlaggedIndex;
//   - the raw fingerprint, and the index against the source's fingerprint:
//     fault.HiddenDrift;
//   - that the patch and then the canonical artifact fit: fault.OverBound;
//   - that the patch, applied in memory, gives exactly what it was made from.
//
// Captures that differ are fault.SourceMoved. The deadline and the
// cancellation of ctx are fault.Deadline and fault.Cancelled; these and
// fault.HostFailed say nothing about the workspace. Other refusals are those
// of gitplumb.
func Stable(ctx context.Context, git *gitplumb.Git, source Source, limits Limits) (Capture, error) {
	first, err := captureOnce(ctx, git, source, limits)
	if err != nil {
		return Capture{}, err
	}
	firstDigest, err := first.Artifact.Digest()
	if err != nil {
		return Capture{}, err
	}
	first = Capture{} // two artifacts and fingerprints need not be held at once
	second, err := captureOnce(ctx, git, source, limits)
	if err != nil {
		return Capture{}, err
	}
	digest, err := second.Artifact.Digest()
	if err != nil {
		return Capture{}, err
	}
	if digest != firstDigest {
		return Capture{}, fault.New(fault.SourceMoved, "workspace %q changed while it was captured", source.Workspace).
			WithNext("stop what writes there")
	}
	return second, nil
}

// captureOnce makes one capture in a pass of its own.
func captureOnce(ctx context.Context, git *gitplumb.Git, source Source, limits Limits) (c Capture, err error) {
	defer func() {
		// A file system that went away meanwhile looks like many refusals.
		if e, ok := fault.Of(err); ok && e.Condition.RefusesWorkspace() {
			if placed := source.place(); fault.Is(placed, fault.HostFailed) {
				c, err = Capture{}, placed
			}
		}
	}()
	if err := source.place(); err != nil {
		return Capture{}, err
	}
	var options gitplumb.Options
	if source.Deciding != nil {
		options.Frozen = source.Deciding.Frozen
	}
	repo, err := gitplumb.Open(ctx, source.Workspace, git, options)
	if err != nil {
		return Capture{}, err
	}
	defer func() { err = errors.Join(err, repo.Close()) }()
	if err := source.unmoved(ctx, repo); err != nil {
		return Capture{}, err
	}
	if c.Control, err = repo.Control(ctx); err != nil {
		return Capture{}, err
	}
	if source.Deciding != nil {
		if err := gitplumb.CompareDeciding(*source.Deciding, c.Control); err != nil {
			return Capture{}, err
		}
	}
	status, err := repo.Status(ctx)
	if err != nil {
		return Capture{}, err
	}
	if len(status.Entries) > limits.MaxChangedFiles {
		return Capture{}, tooManyFiles(len(status.Entries), limits.MaxChangedFiles)
	}
	for _, entry := range status.Entries {
		if err := gitplumb.CheckPath(entry.Path); err != nil {
			return Capture{}, err
		}
	}
	if c.Raw, err = repo.Fingerprint(ctx); err != nil {
		return Capture{}, err
	}
	c.Hidden = []string{}
	if source.Raw != nil {
		if c.Hidden, err = gitplumb.HiddenDrift(*source.Raw, c.Raw, status, repo.Converted); err != nil {
			return Capture{}, err
		}
	}
	changes, err := repo.Changes(ctx)
	if err != nil {
		return Capture{}, err
	}
	c.Artifact = Artifact{
		Contract:             artifactContract,
		SourceHead:           source.Head,
		SourceTree:           source.Tree,
		SourceRawDigest:      source.RawDigest,
		WorkspaceRawDigest:   c.Raw.Digest,
		StatusDigest:         canon.DigestText(status.Text),
		ChangedFiles:         len(status.Entries),
		IgnoredFilesExcluded: true,
	}
	if err := c.Artifact.carry(ctx, repo, changes, limits); err != nil {
		return Capture{}, err
	}
	return c, nil
}

// unmoved checks what the pass looks at before anything in it is read.
func (s Source) unmoved(ctx context.Context, repo *gitplumb.Repo) error {
	identity := repo.Identity()
	if identity.Workspace != s.Workspace || identity.Device != s.Device || identity.Inode != s.Inode {
		return fault.New(fault.SourceMoved, "workspace %q is another directory than the one that was admitted", s.Workspace)
	}
	head, err := repo.Head(ctx)
	if err != nil {
		return err
	}
	if head.Commit != s.Head {
		return fault.New(fault.SourceMoved, "HEAD is %q and was %q at admission", head.Commit, s.Head).
			WithNext("git reset --soft %s", s.Head)
	}
	if head.Tree != s.Tree {
		return fault.New(fault.SourceMoved, "the tree of HEAD is %q and was %q at admission", head.Tree, s.Tree)
	}
	if identity.GitDirectory != s.GitDirectory {
		return fault.New(fault.SourceMoved, "the git directory is %q and was %q at admission", identity.GitDirectory, s.GitDirectory)
	}
	return nil
}

// carry fills in what changed. What is left of maxPatchBytes shrinks with
// every file, so that nothing is read or compared that can no longer fit.
func (a *Artifact) carry(ctx context.Context, repo *gitplumb.Repo, changes []gitplumb.Change, limits Limits) error {
	empty, err := a.Format()
	if err != nil {
		return err
	}
	left := limits.MaxPatchBytes - len(empty)
	a.Untracked = []Untracked{}
	for _, change := range changes {
		if !change.Untracked {
			continue
		}
		// Base 64 makes four bytes of three.
		content, err := repo.RawContent(ctx, change.Path, int64(max(0, left/4*3)))
		if err != nil {
			return err
		}
		file := Untracked{change.Path, fmt.Sprintf("%o", change.NewMode), base64.StdEncoding.EncodeToString(content)}
		a.Untracked = append(a.Untracked, file)
		left -= len(file.ContentBase64) + len(file.Path)
	}
	var patch strings.Builder
	for _, change := range changes {
		if change.Untracked {
			continue
		}
		text, err := trackedPatch(ctx, repo, change, left)
		if err != nil {
			return err
		}
		patch.WriteString(text)
		left -= len(text) + strings.Count(text, "\n") // JSON writes a newline as two bytes
	}
	a.TrackedPatch = patch.String()
	return a.within(limits)
}

// trackedPatch returns the proven patch of one tracked path.
func trackedPatch(ctx context.Context, repo *gitplumb.Repo, change gitplumb.Change, limit int) (string, error) {
	c := FileChange{
		Path: change.Path, OldMode: change.OldMode, NewMode: change.NewMode,
		OldBlobID: change.OldID, NewBlobID: change.NewID,
	}
	if limit <= 0 {
		return "", c.overBound(0)
	}
	if c.OldBlobID != c.NewBlobID {
		var err error
		if !change.Added() {
			if c.Old, err = repo.Blob(ctx, c.OldBlobID, MaxFileBytes); err != nil {
				return "", err
			}
		}
		if !change.Deleted() {
			if c.New, err = repo.CleanContent(ctx, c.Path, MaxFileBytes); err != nil {
				return "", err
			}
		}
	}
	text, err := Patch(ctx, c, limit)
	if err != nil {
		return "", err
	}
	return text, c.prove(text)
}
