package jobs

import (
	"math"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// Bounds of a pull request's evidence (contract section 4).
const (
	MaxBaseRefChars    = 256 // UTF-16 code units of the base branch
	MaxOwnerChars      = 39  // the hosting service's own bound
	MaxRepositoryChars = 100 // the hosting service's own bound
)

// A Source is the host's evidence of the pull request that the checkout shows
// (contract section 4). It is admitted with the job, and not authenticated.
type Source struct {
	Repository  string       `json:"repository"`
	PullNumber  int          `json:"pullNumber"`
	HeadSha     string       `json:"headSha"`
	BaseSha     string       `json:"baseSha"`
	MergeSha    *string      `json:"mergeSha"`
	BaseRef     string       `json:"baseRef"`
	EvidenceRef canon.Digest `json:"evidenceRef"`
}

// ParseSource reads the closed object of --source. The error is
// fault.Malformed.
func ParseSource(text []byte) (Source, error) {
	s, err := canon.Decode[Source](text)
	if err != nil {
		return Source{}, fault.New(fault.Malformed, "the source evidence is malformed: %w", err)
	}
	if err := s.validate(); err != nil {
		return Source{}, err
	}
	return s, nil
}

func (s Source) validate() error {
	shas := []string{s.HeadSha, s.BaseSha}
	if s.MergeSha != nil {
		shas = append(shas, *s.MergeSha)
	}
	for _, sha := range shas {
		if !isObjectID(sha) {
			return fault.New(fault.Malformed, "the source evidence holds %q, which is no 40-digit object id", sha)
		}
	}
	switch chars := canon.UTF16Len(s.BaseRef); {
	case !isRepository(s.Repository):
		return fault.New(fault.Malformed, "source repository %q is not of the form owner/name", s.Repository)
	case s.PullNumber < 1 || s.PullNumber > math.MaxInt32:
		return fault.New(fault.Malformed, "source pull number %d is outside 1..%d", s.PullNumber, math.MaxInt32)
	case chars < 1 || chars > MaxBaseRefChars:
		return fault.New(fault.Malformed, "source base ref has %d characters, outside 1..%d", chars, MaxBaseRefChars)
	case !s.EvidenceRef.Valid():
		return fault.New(fault.Malformed, "source evidence reference %q is no digest", s.EvidenceRef)
	}
	return nil
}

// isRepository reports whether s is owner/name: an owner of letters, digits and
// hyphens that does not begin with one, a name of these, underscores and dots.
func isRepository(s string) bool {
	const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	owner, name, found := strings.Cut(s, "/")
	return found && 1 <= len(owner) && len(owner) <= MaxOwnerChars && 1 <= len(name) && len(name) <= MaxRepositoryChars &&
		owner[0] != '-' && strings.Trim(owner, alphanumeric+"-") == "" && strings.Trim(name, alphanumeric+"_.-") == ""
}

// isObjectID reports whether s is a full SHA-1 object id, 40 lower-case
// hexadecimal digits.
func isObjectID(s string) bool {
	if len(s) != 40 {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
