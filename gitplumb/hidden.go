package gitplumb

import (
	"github.com/git-algal/git-algal/internal/fault"
)

// ownerExecute is the one permission bit that git knows.
const ownerExecute = 0o100

// HiddenDrift looks for an index that lies (contract section 5): it compares
// what every tracked path held at the source with what it holds now. A path
// that differs in kind, content or the owner's execute bit must appear in the
// status, as must one that is in only one of the fingerprints.
//
// It returns the paths, in the order of now, that git converts and that
// changed on disk but not for git: a warning. Any other hidden difference is a
// fault.HiddenDrift that names the first path.
func HiddenDrift(source, now Raw, status Status, converted func(path string) bool) ([]string, error) {
	shown := make(map[string]bool, len(status.Entries))
	for _, entry := range status.Entries {
		shown[entry.Path] = true
	}
	before := make(map[string]*RawEntry, len(source.Entries))
	for i := range source.Entries {
		before[source.Entries[i].Path] = &source.Entries[i]
	}
	hidden := []string{}
	for i := range now.Entries {
		entry := &now.Entries[i]
		was, existed := before[entry.Path]
		delete(before, entry.Path)
		switch {
		case shown[entry.Path] || existed && was.sameForGit(entry):
		case existed && converted(entry.Path):
			hidden = append(hidden, entry.Path)
		default:
			return nil, hiddenDrift(entry.Path)
		}
	}
	for i := range source.Entries {
		path := source.Entries[i].Path
		if _, gone := before[path]; gone && !shown[path] {
			return nil, hiddenDrift(path)
		}
	}
	return hidden, nil
}

func hiddenDrift(path string) error {
	return fault.New(fault.HiddenDrift, "%q changed, and git's index hides it", path).About(path).
		WithNext("git update-index --really-refresh shows what changed")
}

// sameForGit reports whether both entries hold the same, as far as git can
// tell: other permission bits than the owner's execute bit never matter.
func (e *RawEntry) sameForGit(other *RawEntry) bool {
	return e.Kind == other.Kind && e.Digest == other.Digest && e.Bytes == other.Bytes &&
		(e.Kind != RawFile || (e.Mode^other.Mode)&ownerExecute == 0)
}
