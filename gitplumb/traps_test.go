package gitplumb_test

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
)

// An admission is what a job keeps of a checkout.
type admission struct {
	control gitplumb.Control
	raw     gitplumb.Raw
}

func admit(t *testing.T, c *checkout) admission {
	t.Helper()
	ctx := context.Background()
	repo := c.pass()
	if err := repo.Clean(ctx); err != nil {
		t.Fatal(err)
	}
	control, err := repo.Control(ctx)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := repo.Fingerprint(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return admission{control, raw}
}

// capture reads the checkout as a capture does: control first.
func (a admission) capture(t *testing.T, c *checkout) (status gitplumb.Status, hidden []string, err error) {
	t.Helper()
	ctx := context.Background()
	repo, err := gitplumb.Open(ctx, c.dir, c.findGit(), gitplumb.Options{Frozen: a.control.Deciding.Frozen})
	if err != nil {
		return status, nil, err
	}
	defer repo.Close()
	if _, err = repo.Head(ctx); err != nil {
		return status, nil, err
	}
	control, err := repo.Control(ctx)
	if err != nil {
		return status, nil, err
	}
	if err = gitplumb.CompareDeciding(a.control.Deciding, control); err != nil {
		return status, nil, err
	}
	if status, err = repo.Status(ctx); err != nil {
		return status, nil, err
	}
	raw, err := repo.Fingerprint(ctx)
	if err != nil {
		return status, nil, err
	}
	hidden, err = gitplumb.HiddenDrift(a.raw, raw, status, repo.Converted)
	return status, hidden, err
}

// TestTraps lets a worker change the judge, together with a change to the
// checkout that must be seen. Each trap is caught or changes nothing, and
// nothing that was planted ever runs.
func TestTraps(t *testing.T) {
	const seen = " M a.txt\x00"
	for name, trap := range map[string]struct {
		before    string          // of the admission
		script    string          // with $PROGRAM planted
		condition fault.Condition // 0 where the change is seen instead
		status    string
	}{
		"exclude rule":      {script: "mkdir -p .git/info; echo u >>.git/info/exclude; echo u >u", condition: fault.ControlChanged},
		"attributes":        {script: "mkdir -p .git/info; echo '*.txt text' >.git/info/attributes", condition: fault.ControlChanged},
		"fileMode":          {script: "git config core.fileMode false; chmod +x a.txt", status: seen},
		"restored times":    {script: "git config core.trustctime false; git config core.checkStat minimal; touch -r a.txt ../t; echo ALPHA >a.txt; touch -r ../t a.txt", status: seen},
		"worktree":          {script: "mkdir ../elsewhere; git config core.worktree ../../elsewhere", condition: fault.NotRoot},
		"bare":              {script: "git config core.bare true", condition: fault.GitFailed},
		"replace ref":       {script: "echo x >>a.txt; git add a.txt; git replace HEAD $(git commit-tree -m o $(git write-tree))", condition: fault.ControlChanged},
		"grafts":            {script: "mkdir -p .git/info; git rev-parse HEAD >.git/info/grafts", condition: fault.ControlChanged},
		"alternates":        {script: "mkdir -p .git/objects/info; echo /tmp >.git/objects/info/alternates", condition: fault.ControlChanged},
		"autocrlf":          {script: "git config core.autocrlf true; echo x >>a.txt", condition: fault.ControlChanged},
		"autocrlf included": {script: "printf '[core]\\n\\tautocrlf = input\\n' >.git/more; git config include.path more", condition: fault.ControlChanged},
		"ignoreCase":        {script: "git config core.ignoreCase true; echo x >A.TXT", condition: fault.ControlChanged},
		"symlinks":          {script: "git config core.symlinks false", condition: fault.ControlChanged},
		"sparse":            {script: "git config core.sparseCheckout true", condition: fault.ControlChanged},
		"worktree config":   {script: "git config extensions.worktreeConfig true", condition: fault.ControlChanged},
		"planted filter": {script: "git config filter.x.clean \"$PROGRAM\"; mkdir -p .git/info; echo '*.txt filter=x' >.gitattributes; echo x >>a.txt",
			condition: fault.ControlChanged},
		"planted process": {script: "git config filter.x.process \"$PROGRAM\"; echo '*.txt filter=x' >.gitattributes; echo x >>a.txt",
			condition: fault.ControlChanged},
		"filter redefined": {before: "git config filter.x.clean cat; echo '*.txt filter=x' >.gitattributes; git add .; git commit -q -m f",
			script: "git config filter.x.clean \"$PROGRAM\"; echo x >>a.txt", condition: fault.ControlChanged},
		"filter redefined in another scope": {before: "git config --global filter.x.clean cat; echo '*.txt filter=x' >.gitattributes; git add .; git commit -q -m f",
			script: "git config filter.x.clean \"$PROGRAM\"; echo x >>a.txt", condition: fault.ControlChanged},
		"filter that nothing uses": {script: "git config filter.x.clean \"$PROGRAM\"; echo x >>a.txt", status: seen},
		"filter on untracked":      {script: "git config filter.x.clean \"$PROGRAM\"; mkdir d/e; echo 'u filter=x' >d/e/.gitattributes; echo u >d/e/u; echo x >>a.txt", status: seen + "?? d/e/.gitattributes\x00?? d/e/u\x00"},
		"lfs extension": {before: "git config filter.lfs.clean cat; git config filter.lfs.process ''; git config filter.lfs.required false; echo '*.txt filter=lfs' >.gitattributes; git add .; git commit -q -m f",
			script: "git config lfs.extension.x.clean \"$PROGRAM\"; echo x >>a.txt", condition: fault.ControlChanged},
		"planted monitor":        {script: "git config core.fsmonitor \"$PROGRAM\"; echo x >>a.txt", status: seen},
		"planted hooks":          {script: "mkdir -p .git/hooks; cp \"$PROGRAM\" .git/hooks/post-index-change; echo x >>a.txt", status: seen},
		"planted hooks, git way": {before: "echo '*.txt text' >.gitattributes; git add .; git commit -q -m t", script: "mkdir h; cp \"$PROGRAM\" h/post-index-change; git config core.hooksPath h; echo h >>.gitignore; echo x >>a.txt", status: seen + "?? .gitignore\x00"},
		"planted promisor": {script: "git config remote.x.promisor true; git config remote.x.url \"ext::$PROGRAM\"; git config remote.x.uploadpack \"$PROGRAM\"; git config extensions.partialClone x; git config core.repositoryFormatVersion 1; rm .git/objects/$(git rev-parse HEAD:d | sed 's/../&\\//'); git update-index --refresh -q; echo x >>d/b.txt; git update-index --info-only d/b.txt",
			condition: fault.ControlChanged},
		"planted pager and alias": {script: "git config pager.status \"$PROGRAM\"; git config core.pager \"$PROGRAM\"; git config alias.status \"!$PROGRAM\"; echo x >>a.txt", status: seen},
		"planted textconv":        {script: "git config diff.external \"$PROGRAM\"; git config diff.x.textconv \"$PROGRAM\"; echo '*.txt diff=x' >.gitattributes; echo x >>a.txt", status: seen + "?? .gitattributes\x00"},
		"submodule with a filter": {script: "git init -q s; git -C s config filter.x.clean \"$PROGRAM\"; echo '* filter=x' >s/.git/attr; git -C s config core.attributesFile \"$PWD/s/.git/attr\"; echo s >s/f; git -C s -c core.attributesFile= add f; git -C s commit -q -m s; git add s 2>/dev/null; touch -d 2001-01-01 s/f", condition: fault.UnsupportedRepo},
		"assume-unchanged":        {script: "git update-index --assume-unchanged a.txt; echo x >>a.txt", condition: fault.FlaggedIndex},
		"skip-worktree":           {script: "git update-index --skip-worktree a.txt; echo x >>a.txt", condition: fault.FlaggedIndex},
		"monitor's bits":          {script: "git update-index --fsmonitor-valid a.txt; echo x >>a.txt", status: seen},
		"untracked cache":         {script: "git update-index --untracked-cache; git status >/dev/null; echo x >>a.txt; echo u >u", status: seen + "?? u\x00"},
		"HEAD empty":              {script: ": >.git/refs/heads/main", condition: fault.GitFailed},
		"diff settings":           {script: "git config diff.noprefix true; git config color.ui always; git config status.showUntrackedFiles no; git config status.relativePaths true; git config status.branch true; git config core.quotePath false; echo x >>a.txt; echo é >é", status: seen + "?? é\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := plain(t)
			program, trace := c.plant()
			if trap.before != "" {
				c.sh(trap.before)
			}
			a := admit(t, c)
			c.sh("export PROGRAM='" + program + "'; set +e; " + trap.script)
			if err := os.Remove(trace); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			status, _, err := a.capture(t, c)
			wantNeverRan(t, trace)
			if trap.condition != 0 {
				wantFault(t, err, trap.condition)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if string(status.Text) != trap.status {
				t.Errorf("status is %q, want %q", status.Text, trap.status)
			}
		})
	}
}

// TestIndexThatLies forges the stat data of a changed file, so that git finds
// it unchanged, on both ways and for plain and converted paths.
func TestIndexThatLies(t *testing.T) {
	// The index claims that a.txt is as it was when it was 6 bytes of alpha.
	const forge = `
		good=$(git rev-parse :a.txt)
		echo ALPHA >a.txt; touch -d 2001-01-01 a.txt
		git update-index a.txt
		bad=$(git rev-parse :a.txt)
		perl -0777 -i -MDigest::SHA=sha1 -e '
			my ($good, $bad) = map { pack "H*", $_ } splice @ARGV, 0, 2;
			$_ = <>; s/\Q$bad\E/$good/g; substr($_, -20) = sha1(substr $_, 0, -20); print;' "$good" "$bad" .git/index`
	for name, before := range map[string]string{
		"own":       "",
		"git":       "ln -s x l; echo 'l text' >.gitattributes; printf 'x\\n' >c; echo 'c text' >>.gitattributes; git add .; git commit -q -m g",
		"converted": "echo '*.txt text' >.gitattributes; git add .; git commit -q -m g",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := plain(t)
			if before != "" {
				c.sh(before)
			}
			a := admit(t, c)
			c.sh(forge)
			if got := c.status(); got != "" {
				t.Fatalf("git is not fooled: %q", got)
			}
			status, _, err := a.capture(t, c)
			if name == "own" {
				if err != nil || string(status.Text) != " M a.txt\x00" {
					t.Errorf("got %q, %v", status.Text, err)
				}
			} else {
				wantFault(t, err, fault.HiddenDrift)
			}
			wantFault(t, c.pass().Clean(context.Background()), fault.NotClean)
		})
	}
}

// TestConvertedDrift changes bytes that a filter hides: a warning, not a fault.
func TestConvertedDrift(t *testing.T) {
	c := plain(t)
	c.sh("git config filter.strip.clean \"sed '/^PRIVATE/d'\"; echo '*.txt filter=strip' >.gitattributes; git add .; git commit -q -m f")
	a := admit(t, c)
	c.sh("echo PRIVATE >>a.txt; git update-index a.txt")
	status, hidden, err := a.capture(t, c)
	if err != nil || len(status.Text) != 0 {
		t.Fatalf("got %q, %v", status.Text, err)
	}
	if strings.Join(hidden, ",") != "a.txt" {
		t.Errorf("hidden is %q", hidden)
	}
}

func TestFrozenFiles(t *testing.T) {
	c := plain(t)
	ignore := filepath.Join(c.home, "ignore")
	if err := os.WriteFile(ignore, []byte("*.log\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.git("config", "--global", "core.excludesFile", "~/ignore")
	a := admit(t, c)
	if got := a.control.Deciding.Frozen["core.excludesFile"]; got != base64.StdEncoding.EncodeToString([]byte("*.log\n")) {
		t.Errorf("frozen is %q", got)
	}
	// The user edits the file, another setting points elsewhere, attributes
	// and a filter come up: all of it counts for later jobs only.
	if err := os.WriteFile(ignore, []byte("*.txt\n*.new\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	program, trace := c.plant()
	for _, way := range []string{"own", "git"} {
		c.sh("echo x >x.log; echo x >x.new; mkdir -p ~/.config/git; echo '* filter=x' >~/.config/git/attributes; git config filter.x.clean '" + program + "'; git config core.attributesFile ~/.config/git/attributes")
		status, _, err := a.capture(t, c)
		if err != nil {
			t.Fatal(err)
		}
		if want := "?? x.new\x00"; string(status.Text) != want || string(status.Way) != way {
			t.Errorf("status is %q by %s, want %q by %s", status.Text, status.Way, want, way)
		}
		wantNeverRan(t, trace)
		if way == "own" {
			// The same with a reason to ask git.
			c.sh("rm x.log x.new; git config --unset core.attributesFile; rm -r ~/.config; git config core.autocrlf input; git update-index --refresh")
			if err := os.WriteFile(ignore, []byte("*.log\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			a = admit(t, c)
			if err := os.WriteFile(ignore, []byte("*.new\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestFrozenBound(t *testing.T) {
	c := plain(t)
	ignore := filepath.Join(c.home, "ignore")
	c.git("config", "--global", "core.excludesFile", ignore)
	for size, over := range map[int]bool{gitplumb.MaxFrozenBytes: false, gitplumb.MaxFrozenBytes + 1: true} {
		if err := os.WriteFile(ignore, []byte(strings.Repeat("#", size)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := c.pass().Control(context.Background())
		if got := fault.Is(err, fault.OverBound); got != over {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}
