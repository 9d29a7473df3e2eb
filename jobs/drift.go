package jobs

import (
	"cmp"
	"slices"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
)

// A Drift is one way in which a workspace is not what was captured.
type Drift struct {
	// Path is empty where it concerns the whole checkout; of a drift of control
	// or rules it is the setting, or the file below the git directory.
	Path string
	Kind DriftKind
}

// A DriftKind says how a path drifted.
type DriftKind string

// The kinds of drift.
const (
	DriftContent  DriftKind = "content"
	DriftMode     DriftKind = "mode"
	DriftAppeared DriftKind = "appeared"
	DriftVanished DriftKind = "vanished"
	// DriftType is a path that is, or has become, what no patch carries: a
	// symlink, a directory in place of a file, a FIFO.
	DriftType DriftKind = "type"
	// DriftStatus is a difference that git alone sees, for instance identical
	// content that was staged.
	DriftStatus DriftKind = "status"
	// DriftUnnamed stands for tracked files whose earlier state another host
	// did not keep, so that the path cannot be named.
	DriftUnnamed DriftKind = "unnamed"
	// DriftRules is a change of what says which files git ignores, beside the
	// ignore files of the checkout, whose drift is content.
	DriftRules DriftKind = "ignored-rule"
	// DriftControl is another change of what decides git's answers.
	DriftControl DriftKind = "control"
)

// Where rules stand that are no part of the checkout, as control names them.
const (
	excludeFile    = "info/exclude"
	excludeSetting = "core.excludesFile"
)

// refusedDrift returns the drift that a capture refused to look beyond, nil
// where it cannot be named.
func refusedDrift(refusal error) []Drift {
	e, ok := fault.Of(refusal)
	if !ok || e.Subject == "" {
		return nil
	}
	switch e.Condition {
	case fault.UnsupportedChange:
		return []Drift{{e.Subject, DriftType}}
	case fault.ControlChanged:
		if e.Subject == excludeFile || e.Subject == excludeSetting {
			return []Drift{{e.Subject, DriftRules}}
		}
		return []Drift{{e.Subject, DriftControl}}
	}
	return nil
}

// drift names each path in which now is not what snap retained.
func (s *Service) drift(snap Snapshot, now capture.Capture) ([]Drift, error) {
	before, err := s.retained(snap)
	if err != nil {
		return nil, err
	}
	var drift []Drift
	switch {
	case before.raw != nil:
		drift = trackedDrift(before.raw.Entries, now.Raw.Entries)
	case before.rawDigest != now.Raw.Digest:
		drift = append(drift, Drift{"", DriftUnnamed})
	}
	drift = append(drift, untrackedDrift(before.untracked, now.Artifact.Untracked)...)
	if len(drift) == 0 && before.status != now.Artifact.StatusDigest {
		drift = append(drift, Drift{"", DriftStatus})
	}
	slices.SortFunc(drift, func(a, b Drift) int { return cmp.Compare(a.Path, b.Path) })
	return drift, nil
}

// compareByPath calls both, before or after for each path that stands in both
// lists or in one.
func compareByPath[E any](before, after []E, path func(E) string, report func(path string, before, after *E)) {
	rest := map[string]*E{}
	for i := range after {
		rest[path(after[i])] = &after[i]
	}
	for i := range before {
		p := path(before[i])
		report(p, &before[i], rest[p])
		delete(rest, p)
	}
	for p, e := range rest {
		report(p, nil, e)
	}
}

func trackedDrift(before, after []gitplumb.RawEntry) []Drift {
	var drift []Drift
	add := func(path string, kind DriftKind) { drift = append(drift, Drift{path, kind}) }
	compareByPath(before, after, func(e gitplumb.RawEntry) string { return e.Path }, func(path string, b, a *gitplumb.RawEntry) {
		gone := func(e *gitplumb.RawEntry) bool { return e == nil || e.Kind == gitplumb.RawMissing }
		switch {
		case gone(b) && gone(a):
		case gone(b):
			add(path, DriftAppeared)
		case gone(a):
			add(path, DriftVanished)
		case b.Kind != a.Kind:
			add(path, DriftType)
		default:
			if b.Digest != a.Digest {
				add(path, DriftContent)
			}
			if b.Mode != a.Mode {
				add(path, DriftMode)
			}
		}
	})
	return drift
}

func untrackedDrift(before, after []capture.Untracked) []Drift {
	var drift []Drift
	add := func(path string, kind DriftKind) { drift = append(drift, Drift{path, kind}) }
	compareByPath(before, after, func(u capture.Untracked) string { return u.Path }, func(path string, b, a *capture.Untracked) {
		switch {
		case b == nil:
			add(path, DriftAppeared)
		case a == nil:
			add(path, DriftVanished)
		default:
			if b.ContentBase64 != a.ContentBase64 {
				add(path, DriftContent)
			}
			if b.Mode != a.Mode {
				add(path, DriftMode)
			}
		}
	})
	return drift
}
