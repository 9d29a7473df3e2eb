package jobs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/state"
)

// TestPrepareRefuses sets up what a careless or hostile hand leaves behind.
func TestPrepareRefuses(t *testing.T) {
	for _, c := range []struct {
		name      string
		script    string
		options   func(*scene, *jobs.Options)
		condition fault.Condition
	}{
		{name: "dirty", script: "echo >>answer.txt", condition: fault.NotClean},
		{name: "untracked", script: "echo >new", condition: fault.NotClean},
		{name: "staged", script: "echo >>answer.txt; git add .", condition: fault.NotClean},
		{name: "another head", options: func(_ *scene, o *jobs.Options) { o.ExpectedHead = strings.Repeat("0", 40) }, condition: fault.NotClean},
		{name: "rewritten index", script: "echo changed >answer.txt; git add answer.txt; git update-index --cacheinfo 100644,$(git rev-parse HEAD:answer.txt),answer.txt", condition: fault.NotClean},
		{name: "restored times", script: "printf 'BEFORE\\n' >answer.txt; touch -r .gitignore answer.txt; git config core.trustctime false; git config core.checkStat minimal", condition: fault.NotClean},
		{name: "assume unchanged", script: "git update-index --assume-unchanged answer.txt", condition: fault.FlaggedIndex},
		{name: "skip worktree", script: "git update-index --skip-worktree answer.txt", condition: fault.FlaggedIndex},
		{name: "forged object", script: forgedObject, condition: fault.SourceMoved},
		{name: "subdirectory", script: "mkdir sub", options: func(_ *scene, o *jobs.Options) { o.Workspace += "/sub" }, condition: fault.NotRoot},
		{name: "symlink", script: "ln -s workspace ../link", options: func(s *scene, o *jobs.Options) { o.Workspace = filepath.Join(s.root, "link") }, condition: fault.WorkspaceMissing},
		{name: "symlink behind a slash", script: "ln -s workspace ../link", options: func(s *scene, o *jobs.Options) { o.Workspace = filepath.Join(s.root, "link") + "/" }, condition: fault.WorkspaceMissing},
		{name: "missing", options: func(s *scene, o *jobs.Options) { o.Workspace = filepath.Join(s.root, "none") }, condition: fault.WorkspaceMissing},
		{name: "adapter inside", script: "touch adapter.log; chmod +x adapter.log", options: func(s *scene, o *jobs.Options) { o.Adapter.Executable = filepath.Join(s.workspace, "adapter.log") }, condition: fault.AdapterPlacement},
		{name: "adapter in the git directory", options: func(s *scene, o *jobs.Options) { o.Adapter.Executable = filepath.Join(s.workspace, ".git/adapter") }, condition: fault.AdapterPlacement},
		{name: "adapter behind a symlink", script: "touch adapter.log; ln -s workspace/adapter.log ../adapter", condition: fault.AdapterPlacement},
		{name: "adapter reached through the checkout", script: "mkdir ../bin; touch ../bin/adapter; ln -s ../bin bin.log", options: func(s *scene, o *jobs.Options) { o.Adapter.Executable = filepath.Join(s.workspace, "bin.log/adapter") }, condition: fault.AdapterPlacement},
		{name: "adapter writable by all", script: "touch ../adapter; chmod 777 ../adapter", condition: fault.AdapterPlacement},
		{name: "nested repository", script: "git init -q nested", condition: fault.NotClean},
		{name: "submodule", script: "git init -q sub; git -C sub commit -q --allow-empty -m x; git add sub 2>/dev/null; git commit -q -m sub", options: expectHead, condition: fault.UnsupportedRepo},
		{name: "bare", script: "git config core.bare true", condition: fault.GitFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.sh(c.script)
			o := s.options()
			if c.options != nil {
				c.options(s, &o)
			}
			_, err := s.service.Prepare(t.Context(), o)
			s.refused("prepare", err, c.condition)
			if jobs, err := s.service.Store.Jobs(); err != nil || len(jobs) != 0 {
				t.Errorf("the refusal left jobs %v (%v)", jobs, err)
			}
		})
	}
}

func expectHead(s *scene, o *jobs.Options) { o.ExpectedHead = s.sh("git rev-parse HEAD")[:40] }

// forgedObject puts another blob's bytes under the name of a tracked blob's
// tree: what is read does not hash to its name.
const forgedObject = `
tree=$(git rev-parse HEAD^{tree})
other=$(printf '100644 blob %s\tother\n' $(git rev-parse HEAD:answer.txt) | git mktree)
path() { printf '.git/objects/%s/%s' "${1:0:2}" "${1:2}"; }
chmod u+w "$(path $tree)"
cp "$(path $other)" "$(path $tree)"`

func TestControlChangedBeforeTheLaunch(t *testing.T) {
	for name, script := range map[string]string{
		"info/exclude":    "mkdir -p .git/info; echo secret >>.git/info/exclude",
		"info/attributes": "mkdir -p .git/info; echo '*.txt text' >>.git/info/attributes",
		"replace ref":     "git replace $(git rev-parse HEAD) $(git commit-tree -m x HEAD^{tree})",
		"autocrlf":        "git config core.autocrlf true",
		"alternates":      "mkdir ../other; git -C ../other init -q; echo $PWD/../other/.git/objects >.git/objects/info/alternates",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			job := s.prepare()
			s.sh(script)
			_, err := s.service.Run(t.Context(), job)
			s.refused("run", err, fault.ControlChanged)
			if s.adapter.submits != 0 {
				t.Error("the adapter was called")
			}
			snap, err := s.service.Inspect(job)
			s.expect("inspect", snap, err, jobs.Prepared)
		})
	}
}

func TestUserExcludesMayChangeMeanwhile(t *testing.T) {
	s := newScene(t)
	excludes := filepath.Join(s.root, ".config/git/ignore")
	if err := os.MkdirAll(filepath.Dir(excludes), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(excludes, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("*.cache\n")
	s.adapter.work = "echo x >a.cache; echo y >a.other"
	job := s.prepare()
	write("*\n")
	snap, err := s.service.Run(t.Context(), job)
	s.expect("run", snap, err, jobs.Completed)
	if artifact, err := s.service.Patch(job); err != nil || len(artifact.Untracked) != 1 || artifact.Untracked[0].Path != "a.other" {
		t.Errorf("the patch holds %+v (%v), want a.other alone", artifact.Untracked, err)
	}
}

func TestStoreCapacity(t *testing.T) {
	s := newScene(t)
	fill := func(dir, suffix string, from, to int) {
		for i := from; i < to; i++ {
			path := filepath.Join(s.root, "store", dir, fmt.Sprintf("%064x", i))
			if suffix == "" {
				if err := os.MkdirAll(path, 0o700); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(path+suffix, []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	first := s.prepare()
	fill("coding-jobs", "", 1, state.MaxJobs)
	if again := s.prepare(); again != first {
		t.Errorf("the job changed from %s to %s", first, again)
	}
	o := s.options()
	o.OperationID = "another"
	_, err := s.service.Prepare(t.Context(), o)
	s.refused("one more job", err, fault.OverBound)
	if err := os.Remove(filepath.Join(s.root, "store/coding-jobs", fmt.Sprintf("%064x", 1))); err != nil {
		t.Fatal(err)
	}
	fill("coding-operations", ".json", 1, state.MaxReservations)
	_, err = s.service.Prepare(t.Context(), o)
	s.refused("one more reservation", err, fault.OverBound)
	if again := s.prepare(); again != first {
		t.Errorf("the job changed from %s to %s", first, again)
	}
}

func TestClaimsOfOtherStores(t *testing.T) {
	s := newScene(t)
	job := s.prepare()
	s.adapter.answer = accepted(1)
	snap, err := s.service.Run(t.Context(), job)
	s.expect("run", snap, err, jobs.Uncertain)
	other := s.open("other")
	_, err = other.Prepare(t.Context(), s.options())
	s.refused("prepare in another store", err, fault.Claimed)
	store := filepath.Join(s.root, "store")
	t.Run("unreadable", func(t *testing.T) {
		claim := filepath.Join(store, "coding-workspaces", canon.DigestText(s.workspace).Hex(), "claim.json")
		text, err := os.ReadFile(claim)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(claim, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := other.Prepare(t.Context(), s.options()); err == nil {
			t.Error("a store that cannot be read holds no claim")
		}
		if err := os.WriteFile(claim, text, 0o600); err != nil {
			t.Fatal(err)
		}
	})
	if err := os.Rename(store, store+".gone"); err != nil {
		t.Fatal(err)
	}
	snap, err = other.Prepare(t.Context(), s.options())
	s.expect("prepare after the store vanished", snap, err, jobs.Prepared)
}
