package gitplumb_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
)

// TestStatusCodes holds scripts that make one situation each against git.
func TestStatusCodes(t *testing.T) {
	for name, script := range map[string]string{
		"clean":                          "",
		"touched":                        "touch -d 2001-01-01 a.txt",
		"modified":                       "echo more >>a.txt",
		"same size":                      "echo ALPHA >a.txt",
		"staged":                         "echo more >>a.txt; git add a.txt",
		"staged then modified":           "echo more >>a.txt; git add a.txt; echo again >>a.txt",
		"staged then reverted":           "echo more >>a.txt; git add a.txt; echo alpha >a.txt",
		"added":                          "echo n >n; git add n",
		"added then deleted":             "echo n >n; git add n; rm n",
		"added then modified":            "echo n >n; git add n; echo m >n",
		"deleted":                        "rm a.txt",
		"deleted in the index":           "git rm -q --cached a.txt",
		"deleted everywhere":             "git rm -q a.txt",
		"deleted folder":                 "rm -r d",
		"renamed":                        "git mv a.txt z.txt",
		"executable":                     "chmod +x a.txt",
		"executable for the group":       "chmod g+x a.txt",
		"executable staged":              "git update-index --chmod=+x a.txt",
		"executable staged and restored": "git update-index --chmod=+x a.txt; chmod +x a.txt",
		"symlink for a file":             "rm a.txt; ln -s alpha a.txt",
		"symlink staged for a file":      "rm a.txt; ln -s alpha a.txt; git add a.txt",
		"symlink added":                  "ln -s x l; git add l",
		"symlink retargeted":             "ln -s x l; git add l; git commit -q -m l; ln -sfn yy l",
		"file for a symlink":             "ln -s x l; git add l; git commit -q -m l; rm l; printf x >l",
		"symlink to a folder":            "mv d e; ln -s e d",
		"file for a folder":              "rm -r d; echo d >d",
		"file for a folder, staged":      "rm -r d; echo d >d; git add -A",
		"folder for a file":              "rm a.txt; mkdir a.txt; echo x >a.txt/x",
		"folder for a file, staged":      "rm a.txt; mkdir a.txt; echo x >a.txt/x; git add -A",
		"empty folder for a file":        "rm a.txt; mkdir a.txt",
		"FIFO for a file":                "rm a.txt; mkfifo a.txt",
		"FIFO for a symlink":             "ln -s x l; git add l; git commit -q -m l; rm l; mkfifo l",
		"executable FIFO":                "rm a.txt; mkfifo -m 755 a.txt",
		"intent to add":                  "echo n >n; git add -N n",
		"intent to add, empty":           ": >n; git add -N n",
		"intent to add, gone":            "echo n >n; git add -N n; rm n",
		"intent to add over HEAD":        "git rm -q --cached a.txt; git add -N a.txt",
		"intent to add over HEAD, gone":  "git rm -q --cached a.txt; git add -N a.txt; rm a.txt",
		"intent to add, symlink":         "ln -s x n; git add -N n",
		"intent to add in a folder":      "mkdir n; echo n >n/n; git add -N n; echo m >d/m; git add -N d/m",
		"no index":                       "rm .git/index",
		"empty index":                    "git read-tree --empty",
		"empty index, everything gone":   "git read-tree --empty; rm -r a.txt d",
		"untracked":                      "echo u >u; mkdir -p e/f; echo u >e/f/u; ln -s nowhere d/l",
		"untracked FIFO":                 "mkfifo u; mkdir e; mkfifo e/u",
		"empty folders":                  "mkdir -p e/f g",
		"order":                          "mkdir a a.txt.d; touch a-b a.b a/2 a0 B z é .x a.txt.d/1 d.txt d-; echo m >>d/b.txt; git rm -q --cached a.txt",
		"nested repository":              "git init -q n; echo x >n/x",
		"nested repository, empty":       "git init -q n",
		"nested, bogus .git file":        "mkdir n; echo x >n/.git; echo x >n/x",
		"nested, empty .git folder":      "mkdir -p n/.git; echo x >n/x",
		"nested in an untracked folder":  "mkdir e; git init -q e/n; echo x >e/x",
		"nested around tracked files":    "git init -q d; echo x >d/x",
		"nested in place of a file":      "rm a.txt; git init -q a.txt",
		"nested bare":                    "git init -q --bare n",
		"ignored":                        "echo '*.log' >.gitignore; touch x.log; mkdir e; touch e/y.log e/z",
		"ignored folder with tracked":    "echo d/ >.gitignore; touch d/new; rm d/b.txt",
		"ignored, negated":               "printf '*.log\\n!keep.log\\n' >.gitignore; touch x.log keep.log",
		"info/exclude":                   "mkdir -p .git/info; echo x.log >.git/info/exclude; touch x.log y.log",
		"excludes in the home":           "git config --global core.excludesFile '~/ign'; echo x.log >~/ign; touch x.log y.log",
		"excludes by default":            "mkdir -p ~/.config/git; echo x.log >~/.config/git/ignore; touch x.log y.log",
		"showUntrackedFiles":             "git config status.showUntrackedFiles no; touch u",
		"fileMode false":                 "git config core.fileMode false; chmod +x a.txt",
		"odd names":                      `touch $'n\nl' $'t\tb' 'q"' 'b\s' 'sp ace' $'\xff'; git add -N 'sp ace'; echo x >'-d'`,
		"size rule":                      "printf 'x\\r\\ny\\r\\n' >c; git -c core.autocrlf=true add c 2>/dev/null; git commit -q -m c; git update-index -q --refresh || :; printf 'x\\ny\\n' >c",
		"old modes of shared files":      "chmod 600 a.txt; chmod 664 d/b.txt",
		"submodule gone from the index":  "git init -q s; git -C s commit -q --allow-empty -m s; git add s 2>/dev/null; git commit -q -m s; git rm -q --cached s",
		"version 4":                      "git update-index --index-version 4; echo x >>a.txt",
		"packed":                         "git gc -q; echo x >>a.txt; git add a.txt; echo u >d/u",
		"detached":                       "git checkout -q --detach; echo x >>a.txt",
		"eol alone":                      "git config core.eol crlf; touch a.txt",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := plain(t)
			c.sh(script)
			c.wantStatus(gitplumb.WayOwn)
		})
	}
}

// TestStatusByGit is the same for what has to be asked.
func TestStatusByGit(t *testing.T) {
	for name, script := range map[string]string{
		"autocrlf":                "git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' >c; git add c 2>/dev/null; git commit -q -m c; touch -d 2001-01-01 c",
		"autocrlf, modified":      "git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' >c; git add c 2>/dev/null; git commit -q -m c; printf 'a\\r\\nc\\r\\n' >c",
		"autocrlf, size rule":     "git config core.autocrlf true; printf 'alpha\\r\\n' >a.txt",
		"text attribute":          "echo '*.txt text' >.gitattributes; git add .; git commit -q -m a; echo x >>a.txt",
		"filter":                  "git config filter.up.clean 'tr a-z A-Z'; echo '*.up filter=up' >.gitattributes; echo x >x.up; git add .; git commit -q -m f; touch -d 2001-01-01 x.up; echo y >u.up",
		"ident":                   "echo '*.txt ident' >.git/attr; git config core.attributesFile .git/attr; printf '$Id$\\n' >i.txt; git add .; git commit -q -m i; rm i.txt; git checkout -q i.txt",
		"attribute behind quotes": "printf '\"a.txt\"text\\n' >.gitattributes; git add .; git commit -q -m q; printf 'x\\r\\n' >a.txt",
		"macro":                   "printf '[attr]t text\\n' >.gitattributes; echo '*.txt t' >d/.gitattributes; git add .; git commit -q -m m; echo x >>d/b.txt",
		"attributes gone":         "echo '*.txt text' >.gitattributes; git add .; git commit -q -m a; rm .gitattributes",
		"attributes in the index": "echo '*.txt text eol=crlf' >.gitattributes; git add .; git commit -q -m a; rm .gitattributes; echo x >>d/b.txt",
		"replaced":                "git replace HEAD $(git commit-tree -m other $(git rev-parse HEAD^{tree})); echo u >u",
		"split index":             "git update-index --split-index; echo x >>a.txt; git add a.txt; echo n >n; git add n; git rm -q --cached d/b.txt",
		"split index, many":       "for i in $(seq 300); do echo $i >f$i; done; git add .; git commit -q -m f; git update-index --split-index; for i in 3 77 200 299; do echo x >f$i; git add f$i; git rm -q -f f$((i-1)); done; echo y >f7",
		"ignoreCase":              "git config core.ignoreCase true; mv a.txt A.TXT",
		"no symlinks":             "ln -s x l; git add .; git commit -q -m l; git config core.symlinks false; rm l; printf x >l",
		"skip-worktree":           "git update-index --skip-worktree a.txt; echo x >a.txt",
		"assume-unchanged":        "git update-index --assume-unchanged a.txt; echo x >a.txt; echo u >u",
		"unmerged":                "git checkout -q -b o; echo o >a.txt; git commit -q -a -m o; git checkout -q main; echo m >a.txt; git commit -q -a -m m; git merge -q o || :",
		"sparse":                  "git sparse-checkout set --cone d; echo x >>d/b.txt",
		"disputed info/exclude":   "mkdir -p .git/info; printf 'foo**/bar\\n' >.git/info/exclude; mkdir -p foox/y; touch foox/y/bar foox/bar",
		"disputed ignore pattern": "printf 'foo**/bar\\n' >.gitignore; mkdir -p foox/y; touch foox/y/bar foox/bar",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := plain(t)
			c.sh(script)
			c.wantStatus(gitplumb.WayGit)
		})
	}
}

func TestStatusRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		script    string
		condition fault.Condition
	}{
		"submodule":                    {"git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub", fault.UnsupportedRepo},
		"damaged index":                {"printf x | dd of=.git/index bs=1 seek=50 conv=notrunc status=none", fault.GitFailed},
		"no index at all":              {": >.git/index", fault.GitFailed},
		"FIFO for .gitignore":          {"mkfifo .gitignore", fault.UnsupportedChange},
		"FIFO for .gitattributes, git": {"git update-index --skip-worktree a.txt; mkfifo d/.gitattributes", fault.UnsupportedChange},
		"FIFO for .gitignore, git":     {"mkfifo d/.gitignore; git update-index --skip-worktree a.txt", fault.UnsupportedChange},
		"FIFO for .gitattributes":      {"mkfifo d/.gitattributes", fault.UnsupportedChange},
		"FIFO for info/exclude":        {"rm -f .git/info/exclude; mkdir -p .git/info; mkfifo .git/info/exclude", fault.UnsupportedRepo},
		"required filter missing":      {"git config filter.x.clean false; git config filter.x.required true; echo '*.txt filter=x' >.git/info-attr; mkdir -p .git/info; mv .git/info-attr .git/info/attributes; touch a.txt", fault.GitFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := plain(t)
			w.sh(c.script)
			_, err := w.pass().Status(context.Background())
			wantFault(t, err, c.condition)
		})
	}
}

func TestStatusBound(t *testing.T) {
	// An entry takes its path, two letters, a blank and a NUL.
	const long = 100
	fill := func(c *checkout, bytes int) {
		for i := 0; bytes > 0; i++ {
			n := min(bytes, long+4)
			if rest := bytes - n; rest > 0 && rest < 10 {
				n -= 10 - rest
			}
			c.write(fmt.Sprintf("%0*d", n-4, i), "")
			bytes -= n
		}
	}
	for _, way := range []gitplumb.Way{gitplumb.WayOwn, gitplumb.WayGit} {
		t.Run(string(way), func(t *testing.T) {
			t.Parallel()
			c := plain(t)
			if way == gitplumb.WayGit {
				c.git("config", "core.autocrlf", "true")
			}
			fill(c, gitplumb.MaxStatusBytes)
			if status := c.wantStatus(way); len(status.Text) != gitplumb.MaxStatusBytes {
				t.Fatalf("the text takes %d bytes", len(status.Text))
			}
			c.write("z", "")
			_, err := c.pass().Status(context.Background())
			wantFault(t, err, fault.OverBound)
		})
	}
}

func TestTrackedBound(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	c := newCheckout(t)
	c.sh("mkdir d; cd d; seq 1 16384 | xargs touch; git add .; git commit -q -m many")
	repo := c.pass()
	if err := repo.Clean(ctx); err != nil {
		t.Errorf("at the bound: %v", err)
	}
	if index, err := repo.Index(ctx); err != nil || len(index.Paths) != 16384 {
		t.Errorf("%d paths, %v", len(index.Paths), err)
	}
	c.sh("touch d/16385; git add .; git commit -q -m more")
	over := c.pass()
	wantFault(t, over.Clean(ctx), fault.FlaggedIndex)
	if status, err := over.Status(ctx); err != nil || len(status.Text) != 0 || status.Way != gitplumb.WayGit {
		t.Errorf("got %+v, %v", status, err)
	}
}

func TestListingBound(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	// 5,165 names of 200 bytes and one shorter take 1,048,576 with 3 each.
	c := newCheckout(t)
	c.sh("for i in $(seq 5165); do printf '%0200d\\n' $i; done | xargs touch; touch $(printf '%078d' 0); git add .; git commit -q -m long")
	if err := c.pass().Clean(ctx); err != nil {
		t.Errorf("at the bound: %v", err)
	}
	c.sh("git mv $(printf '%078d' 0) $(printf '%079d' 0); git commit -q -m longer")
	wantFault(t, c.pass().Clean(ctx), fault.OverBound)
}

// TestRandomCheckouts makes random changes and holds each status against git.
func TestRandomCheckouts(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(seed), 7))
			c := newCheckout(t)
			for range 25 {
				c.write(randomPath(random), randomText(random))
			}
			c.commit("base")
			for range 4 {
				var script strings.Builder
				for range 12 {
					script.WriteString(randomStep(random))
				}
				c.sh("set +e\n" + script.String() + "true")
				status := c.wantStatus(gitplumb.WayOwn)
				err := c.pass().Clean(context.Background())
				if clean := err == nil; clean != (len(status.Text) == 0) && !fault.Is(err, fault.UnsupportedChange) {
					t.Errorf("clean is %v (%v), the status %q", clean, err, status.Text)
				}
			}
		})
	}
}

func randomPath(random *rand.Rand) string {
	names := []string{"a", "b", "a-b", "a.b", "é", "d", "e f", "z"}
	depth := 1 + random.IntN(3)
	parts := make([]string, depth)
	for i := range parts {
		parts[i] = names[random.IntN(len(names))]
		if i < depth-1 {
			parts[i] += ".dir"
		}
	}
	return strings.Join(parts, "/")
}

func randomText(random *rand.Rand) string {
	return strings.Repeat(string(rune('a'+random.IntN(4)))+"\n", random.IntN(4))
}

// randomStep returns one command of a shell; it may fail.
func randomStep(random *rand.Rand) string {
	p, q := "'"+randomPath(random)+"'", "'"+randomPath(random)+"'"
	text := fmt.Sprintf("%q", randomText(random))
	steps := []string{
		"rm -rf " + p,
		"mkdir -p \"$(dirname " + p + ")\" && printf " + text + " >" + p,
		"git add -A " + p + " 2>/dev/null",
		"git add -N " + p + " 2>/dev/null",
		"git rm -rq --cached " + p + " 2>/dev/null",
		"git mv " + p + " " + q + " 2>/dev/null",
		"chmod +x " + p + " 2>/dev/null",
		"chmod 600 " + p + " 2>/dev/null",
		"ln -sfn " + q + " " + p + " 2>/dev/null",
		"mkdir -p " + p + " 2>/dev/null",
		"rm -f " + p + " 2>/dev/null; mkfifo " + p + " 2>/dev/null",
		"git init -q " + p + " 2>/dev/null",
		"git commit -q -m step 2>/dev/null",
		"printf '%s\\n' " + q + " >.gitignore",
		"touch " + p + " 2>/dev/null",
	}
	return steps[random.IntN(len(steps))] + "\n"
}
