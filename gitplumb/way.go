package gitplumb

import (
	"context"
	"slices"
	"strings"

	"github.com/git-algal/git-algal/internal/gitindex"
)

// whyGit chooses the way: it returns why git has to be asked, or nothing
// where the checkout is plain (contract section 5). It refuses what neither
// way can judge.
func (r *Repo) whyGit(ctx context.Context) (string, error) {
	return once(&r.memo.reason, func() (string, error) {
		index, err := r.decodedIndex()
		if err != nil {
			if boundRefusal(err) {
				return "the index is over a bound", nil
			}
			return "", err
		}
		for _, why := range []func(context.Context, *gitindex.Index) (string, error){
			r.indexAsks, r.settingsAsk, r.repositoryAsks, r.contentAsks,
		} {
			if reason, err := why(ctx, index); reason != "" || err != nil {
				return reason, err
			}
		}
		return "", nil
	})
}

// indexAsks looks at what the index holds. Submodules are refused here, before
// git would run in them under settings that nobody admitted.
func (r *Repo) indexAsks(_ context.Context, index *gitindex.Index) (string, error) {
	if extensions := index.Mandatory(); slices.Contains(extensions, sparseExtension) {
		return "the index is sparse", nil
	} else if len(extensions) > 0 {
		return "", admitIndex(index)
	}
	if index.Has("FSMN") {
		return "the index holds a file system monitor's state", nil
	}
	reason := ""
	if r.memo.split {
		reason = "the index is split"
	}
	for i := range index.Entries {
		entry := &index.Entries[i]
		switch {
		case entry.Mode == gitindex.ModeGitlink:
			return "", submoduleRefused(entry.Path)
		case entry.Stage != 0:
			reason = "the index has unmerged entries"
		case entry.SkipWorktree, entry.AssumeValid:
			reason = "the index has entries that git must not compare"
		}
	}
	return reason, nil
}

// settingsAsk looks at the settings that change what a name or an entry means.
func (r *Repo) settingsAsk(context.Context, *gitindex.Index) (string, error) {
	for _, s := range []struct {
		key   string
		plain bool
	}{
		{"core.symlinks", true},
		{"core.ignorecase", false},
		{"core.precomposeunicode", false},
		{"core.sparsecheckout", false},
	} {
		value, err := r.config.boolean(s.key, s.plain)
		if err != nil {
			return "", err
		}
		if value != s.plain {
			return "setting " + s.key, nil
		}
	}
	return "", nil
}

// repositoryAsks looks at what stands between a name and an object.
func (r *Repo) repositoryAsks(ctx context.Context, _ *gitindex.Index) (string, error) {
	replaced, err := r.replaceRefs(ctx)
	if err != nil {
		return "", err
	}
	if len(replaced) > 0 {
		return "refs/replace/", nil
	}
	for _, s := range r.config.settings {
		if s.key == "extensions.partialclone" || strings.HasPrefix(s.key, "remote.") && strings.HasSuffix(s.key, ".promisor") {
			return "the repository is a partial clone", nil
		}
	}
	return "", nil
}

// contentAsks looks at what stands between content and an object.
func (r *Repo) contentAsks(ctx context.Context, _ *gitindex.Index) (string, error) {
	ends, err := r.config.lineEnds()
	if err != nil {
		return "", err
	}
	if ends != lineEndsKept {
		return "setting core.autocrlf", nil
	}
	use, err := r.attributeUse(ctx)
	if err != nil {
		return "", err
	}
	if !use.converts {
		return "", nil
	}
	// What a file gives may apply to no tracked path.
	converted, err := r.conversions(ctx)
	if err != nil || len(converted.paths) == 0 {
		return "", err
	}
	return "attributes in " + use.source, nil
}
