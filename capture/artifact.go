package capture

import (
	"encoding/base64"
	"unicode/utf8"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// artifactContract names the record (contract section 4, patch artifact).
const artifactContract = "algal.coding-patch.v1"

// The modes that an untracked file can have.
const (
	modeFile       = 0o100644
	modeExecutable = 0o100755
)

// An Artifact is the record algal.coding-patch.v1: everything that a worker
// left in a checkout, as content. Its digest is the job's patchRef.
type Artifact struct {
	Contract             string       `json:"contract"`
	SourceHead           string       `json:"sourceHead"`         // commit, 40 hexadecimal digits
	SourceTree           string       `json:"sourceTree"`         // its tree
	SourceRawDigest      canon.Digest `json:"sourceRawDigest"`    // fingerprint of the tracked files before
	WorkspaceRawDigest   canon.Digest `json:"workspaceRawDigest"` // and after
	TrackedPatch         string       `json:"trackedPatch"`       // for "git apply --binary" on sourceHead
	Untracked            []Untracked  `json:"untracked"`          // unique paths, in the order of the status
	StatusDigest         canon.Digest `json:"statusDigest"`
	ChangedFiles         int          `json:"changedFiles"` // entries of the status
	IgnoredFilesExcluded bool         `json:"ignoredFilesExcluded"`
}

// An Untracked is one file that git does not know and does not ignore.
type Untracked struct {
	Path          string `json:"path"`
	Mode          string `json:"mode"` // "100644" or "100755"
	ContentBase64 string `json:"contentBase64"`
}

// Content returns the file's bytes.
func (u Untracked) Content() ([]byte, error) {
	content, err := base64.StdEncoding.Strict().DecodeString(u.ContentBase64)
	// The decoder skips line ends, which the record must not have.
	if err != nil || base64.StdEncoding.EncodeToString(content) != u.ContentBase64 {
		return nil, fault.New(fault.Malformed, "the content of %q is not in base64", u.Path)
	}
	return content, nil
}

func (u Untracked) mode() (uint32, error) {
	switch u.Mode {
	case "100644":
		return modeFile, nil
	case "100755":
		return modeExecutable, nil
	}
	return 0, fault.New(fault.Malformed, "%q has a mode that no untracked file has", u.Path)
}

// ParseArtifact reads an artifact of at most maxPatchBytes canonical bytes and
// maxChangedFiles changed files, the bounds of the job that it belongs to.
//
// It fails with fault.Malformed, with fault.OverBound beyond the bounds, and
// as gitplumb.CheckPath does for a path that is not safe. What the text of
// trackedPatch says is not looked at: [Stat] reads it.
func ParseArtifact(text []byte, maxPatchBytes, maxChangedFiles int) (Artifact, error) {
	a, err := canon.Decode[Artifact](text)
	if err != nil {
		return Artifact{}, fault.New(fault.Malformed, "the patch artifact is malformed: %w", err)
	}
	if err := a.validate(); err != nil {
		return Artifact{}, err
	}
	if err := a.within(Limits{maxPatchBytes, maxChangedFiles}); err != nil {
		return Artifact{}, err
	}
	return a, nil
}

func (a Artifact) validate() error {
	switch {
	case a.Contract != artifactContract:
		return fault.New(fault.Malformed, "the patch artifact is of another contract than %q", artifactContract)
	case !isBlobID(a.SourceHead) || !isBlobID(a.SourceTree):
		return fault.New(fault.Malformed, "the patch artifact's source is no commit and tree")
	case !a.SourceRawDigest.Valid() || !a.WorkspaceRawDigest.Valid() || !a.StatusDigest.Valid():
		return fault.New(fault.Malformed, "the patch artifact has a malformed digest")
	case a.ChangedFiles < 0 || len(a.Untracked) > a.ChangedFiles:
		return fault.New(fault.Malformed, "the patch artifact counts %d changed files, which cannot be", a.ChangedFiles)
	case !a.IgnoredFilesExcluded:
		return fault.New(fault.Malformed, "the patch artifact holds ignored files")
	case !utf8.ValidString(a.TrackedPatch):
		return fault.New(fault.Malformed, "the patch is not UTF-8")
	}
	seen := make(map[string]bool, len(a.Untracked))
	for _, u := range a.Untracked {
		if err := gitplumb.CheckPath(u.Path); err != nil {
			return err
		}
		if seen[u.Path] {
			return fault.New(fault.Malformed, "%q stands twice in the patch artifact", u.Path)
		}
		seen[u.Path] = true
		if _, err := u.mode(); err != nil {
			return err
		}
		if _, err := u.Content(); err != nil {
			return err
		}
	}
	return nil
}

// within checks the bounds of the job.
func (a Artifact) within(limits Limits) error {
	if a.ChangedFiles > limits.MaxChangedFiles {
		return tooManyFiles(a.ChangedFiles, limits.MaxChangedFiles)
	}
	text, err := a.Format()
	if err != nil {
		return err
	}
	if len(text) > limits.MaxPatchBytes {
		return fault.New(fault.OverBound, "the patch takes %d bytes, more than %d", len(text), limits.MaxPatchBytes).
			WithNext("a job with a larger maxPatchBytes can carry it")
	}
	return nil
}

func tooManyFiles(files, limit int) error {
	return fault.New(fault.OverBound, "%d files changed, more than %d", files, limit).
		WithNext("a job with a larger maxChangedFiles can carry them")
}

// Format returns the artifact's canonical bytes.
func (a Artifact) Format() ([]byte, error) {
	if a.Untracked == nil {
		a.Untracked = []Untracked{}
	}
	text, err := canon.Encode(a)
	if err != nil {
		return nil, fault.New(fault.Malformed, "the patch artifact cannot be written: %w", err)
	}
	return text, nil
}

// Digest returns the digest over the canonical bytes: the patchRef.
func (a Artifact) Digest() (canon.Digest, error) {
	text, err := a.Format()
	if err != nil {
		return "", err
	}
	return canon.DigestText(text), nil
}
