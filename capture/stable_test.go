package capture_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
)

// small makes a checkout with a few tracked files.
func small(t testing.TB) checkout {
	t.Helper()
	c := newCheckout(t)
	c.bash(t, `git init -q --template= . && mkdir d && printf 'before\n' > answer.txt && printf 'x\n' > d/f && ln -s answer.txt link
git add -A . && git commit -q -m fixture`)
	return c
}

// TestControlIsComparedFirst holds that no content is read where a worker
// changed what decides git's answers (contract section 5).
func TestControlIsComparedFirst(t *testing.T) {
	work := small(t)
	source := work.source(t)
	work.bash(t, "echo after >answer.txt")
	git, err := gitplumb.FindGit(t.Context(), exec.LookPath, isolated())
	if err != nil {
		t.Fatal(err)
	}
	work.bash(t, "mkdir .git/info; echo '*.o' >.git/info/exclude")
	_, err = capture.Stable(t.Context(), git, source, largest)
	if files, bytes := git.Tally(); !fault.Is(err, fault.ControlChanged) || files != 0 || bytes != 0 {
		t.Errorf("%v, after %d files and %d bytes", err, files, bytes)
	}
	work.bash(t, "rm .git/info/exclude")
	_, err = capture.Stable(t.Context(), git, source, largest)
	if files, _ := git.Tally(); err != nil || files == 0 {
		t.Errorf("%v, after %d files", err, files)
	}
}

func TestStableRefuses(t *testing.T) {
	for _, c := range []struct {
		name, edit string
		want       fault.Condition
	}{
		{"another commit of the same tree", "git commit -q --allow-empty -m next", fault.SourceMoved},
		{"another commit, and too many files", "git commit -q --allow-empty -m next; touch a b c e", fault.SourceMoved},
		{"too many files", "touch a b c e", fault.OverBound},
		{"too many files, one with an unsafe name", `touch a b c $'\377'`, fault.OverBound},
		{"deciding control", "git config core.autocrlf input", fault.ControlChanged},
		{"deciding control, and too many files", "mkdir .git/info; echo x > .git/info/exclude; touch a b c e", fault.ControlChanged},
		{"untracked symlink", "ln -s answer.txt new", fault.UnsupportedChange},
		{"symlink elsewhere", "ln -sf d/f link", fault.UnsupportedChange},
		{"symlink becomes a file", "rm link; echo x > link", fault.UnsupportedChange},
		{"file becomes a symlink", "rm answer.txt; ln -s d/f answer.txt", fault.UnsupportedChange},
		{"file becomes a pipe", "rm answer.txt; mkfifo answer.txt", fault.UnsupportedChange},
		{"file becomes a directory", "rm answer.txt; mkdir answer.txt; touch answer.txt/f", fault.UnsupportedChange},
		{"directory becomes a symlink", "mv d e; ln -s e d", fault.UnsupportedChange},
		{"nested repository", "git init -q n; git -C n commit -q --allow-empty -m x", fault.UnsafePath},
		{"name that is not UTF-8", `touch $'\377'`, fault.UnsupportedChange},
		{"flagged entry", "git update-index --skip-worktree answer.txt", fault.FlaggedIndex},
		{"repository of a parent directory", "git init -q ..; rm -rf .git", fault.NotRoot},
		{"no repository", "mv .git gone", fault.GitFailed},
		{"git directory elsewhere", `mv .git ../git; printf "gitdir: ../git\n" > .git`, fault.SourceMoved},
		{"another directory", `cp -a . ../copy; mv "$PWD" ../gone; mv ../copy "$OLD"`, fault.SourceMoved},
		{"no workspace", `mv "$PWD" ../gone`, fault.WorkspaceMissing},
		{"a symlink for a workspace", `mv "$PWD" ../gone; ln -s gone "$OLD"`, fault.WorkspaceMissing},
		{"a file for a workspace", `mv "$PWD" ../gone; touch "$OLD"`, fault.WorkspaceMissing},
		{"no parent of the workspace", `mv "$(dirname "$PWD")" "$(dirname "$PWD").gone"`, fault.HostFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			work := small(t)
			source := work.source(t)
			git := plumbing(t)
			work.bash(t, `OLD=$PWD; `+c.edit)
			got, err := capture.Stable(context.Background(), git, source, capture.Limits{MaxPatchBytes: 1 << 20, MaxChangedFiles: 3})
			if !fault.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if got.Artifact.Contract != "" {
				t.Error("an error comes with a value")
			}
		})
	}
}

func TestStableOnAnotherDevice(t *testing.T) {
	work := small(t)
	source := work.source(t)
	source.Device += "0" // as if the file system of the workspace were not mounted
	if _, err := work.capture(t, source, largest); !fault.Is(err, fault.HostFailed) {
		t.Errorf("the directory stands there: %v", err)
	}
	git := plumbing(t)
	if err := os.RemoveAll(work.dir); err != nil {
		t.Fatal(err)
	}
	if _, err := capture.Stable(context.Background(), git, source, largest); !fault.Is(err, fault.HostFailed) {
		t.Errorf("it is gone: %v", err)
	}
}

func TestStableCarries(t *testing.T) {
	for _, c := range []struct {
		name, edit string
		tracked    []string // sections of the patch
		untracked  []string
		files      int
	}{
		{"nothing", "", nil, nil, 0},
		{"touched", "touch answer.txt; chmod 600 d/f", nil, nil, 0},
		{"staged and put back", "echo x > answer.txt; git add .; git show HEAD:answer.txt > answer.txt", nil, nil, 1},
		{"deleted symlink", "rm link", []string{"link"}, nil, 1},
		{"left to git as untracked", "git rm -q --cached answer.txt", []string{"answer.txt"}, []string{"answer.txt"}, 2},
		{"untracked pipe and ignored file", "mkfifo p; printf 'i\n/.gitignore\n' > .gitignore; touch i", nil, nil, 0},
		{"branch switched, index locked", "git switch -q -c other; touch .git/index.lock; echo y > d/f", []string{"d/f"}, nil, 1},
		{"names", `touch -- -x ' y'; echo y > d/f`, []string{"d/f"}, []string{" y", "-x"}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			work := small(t)
			source := work.source(t)
			work.bash(t, c.edit)
			got, err := work.capture(t, source, largest)
			if err != nil {
				t.Fatal(err)
			}
			stats, err := capture.Stat(got.Artifact)
			if err != nil {
				t.Fatal(err)
			}
			var tracked, untracked []string
			for _, s := range stats[:len(stats)-len(got.Artifact.Untracked)] {
				tracked = append(tracked, s.Path)
			}
			for _, u := range got.Artifact.Untracked {
				untracked = append(untracked, u.Path)
			}
			if !slices.Equal(tracked, c.tracked) || !slices.Equal(untracked, c.untracked) || got.Artifact.ChangedFiles != c.files {
				t.Errorf("tracked %q, untracked %q, %d files", tracked, untracked, got.Artifact.ChangedFiles)
			}
			if got.Artifact.WorkspaceRawDigest != got.Raw.Digest || got.Hidden == nil {
				t.Errorf("raw %s and %s, hidden %v", got.Artifact.WorkspaceRawDigest, got.Raw.Digest, got.Hidden)
			}
		})
	}
}

// TestStableWithoutRecords captures for a job whose host kept neither the raw
// document nor the control.
func TestStableWithoutRecords(t *testing.T) {
	work := small(t)
	source := work.source(t)
	source.Raw, source.Deciding = nil, nil
	work.bash(t, "echo y > d/f; git config core.autocrlf input")
	if got, err := work.capture(t, source, largest); err != nil || got.Artifact.ChangedFiles != 1 {
		t.Errorf("%d files, %v", got.Artifact.ChangedFiles, err)
	}
}

// TestStableShowsHiddenChanges changes bytes of a file that its filter makes
// equal again.
func TestStableShowsHiddenChanges(t *testing.T) {
	work := newCheckout(t)
	work.bash(t, `git init -q --template= . && git config filter.lower.clean 'tr A-Z a-z'
echo '*.low filter=lower' > .gitattributes; echo text > f.low; echo plain > g
git add -A . && git commit -q -m fixture`)
	source := work.source(t)
	work.bash(t, "echo TEXT > f.low; echo PLAIN > g")
	got, err := work.capture(t, source, largest)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Hidden, []string{"f.low"}) {
		t.Errorf("hidden are %q", got.Hidden)
	}
	if stats, err := capture.Stat(got.Artifact); err != nil || len(stats) != 1 || stats[0].Path != "g" {
		t.Errorf("the patch changes %+v, %v", stats, err)
	}
}

func TestStableBounds(t *testing.T) {
	work := small(t)
	source := work.source(t)
	work.bash(t, `printf 'a\nb\n"quoted"\t\n' > answer.txt; head -c 500 /dev/zero > 'new \"'; echo y > d/f`)
	got, err := work.capture(t, source, largest)
	if err != nil {
		t.Fatal(err)
	}
	text, err := got.Artifact.Format()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := work.capture(t, source, capture.Limits{MaxPatchBytes: len(text), MaxChangedFiles: 3}); err != nil || got.Artifact.ChangedFiles != 3 {
		t.Errorf("at its bounds: %v", err)
	}
	for _, limits := range []capture.Limits{{len(text) - 1, 3}, {len(text), 2}, {1024, 3}, {0, 3}} {
		if _, err := work.capture(t, source, limits); !fault.Is(err, fault.OverBound) {
			t.Errorf("%+v: %v", limits, err)
		}
	}
}

// TestStableLoadsNothingBigger changes one line of a file as big as may be
// loaded, and of one that is a byte bigger.
func TestStableLoadsNothingBigger(t *testing.T) {
	work := newCheckout(t)
	work.bash(t, "git init -q --template= .")
	body := bytes.Repeat(append(bytes.Repeat([]byte("long line "), 1000), '\n'), capture.MaxFileBytes/10_000+1)
	put := func(line string, size int) {
		content := append([]byte(line), body[:size-len(line)]...)
		if err := os.WriteFile(filepath.Join(work.dir, "big"), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("before\n", capture.MaxFileBytes)
	work.bash(t, "git add . && git commit -q -m fixture")
	source := work.source(t)
	put("after\n", capture.MaxFileBytes)
	if _, err := work.capture(t, source, largest); err != nil {
		t.Error(err)
	}
	put("after\n", capture.MaxFileBytes+1)
	if _, err := work.capture(t, source, largest); !fault.Is(err, fault.OverBound) {
		t.Errorf("a byte more: %v", err)
	}
}

func TestStableObeysItsContext(t *testing.T) {
	work := small(t)
	source, git := work.source(t), plumbing(t)
	work.bash(t, "echo y > d/f")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := capture.Stable(cancelled, git, source, largest); !fault.Is(err, fault.Cancelled) {
		t.Errorf("cancelled: %v", err)
	}
	late, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	if _, err := capture.Stable(late, git, source, largest); !fault.Is(err, fault.Deadline) {
		t.Errorf("late: %v", err)
	}
}

// meanwhile runs step again and again until stop is called.
func meanwhile(step func(i int)) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
				step(i)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// longestCapture is what a capture may take on a busy machine.
const longestCapture = 30 * time.Second

// symlink returns what makes a symlink to target.
func symlink(target string) func(path string) error {
	return func(path string) error { return os.Symlink(target, path) }
}

// pipe makes a FIFO.
func pipe(path string) error { return syscall.Mkfifo(path, 0o644) }

// capturesVariable names the environment variable that asks for more captures
// beside somebody who writes than the few that every run of the tests makes.
const capturesVariable = "GIT_ALGAL_CAPTURES"

// captures returns how many are made.
func captures(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv(capturesVariable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, which is no count", capturesVariable, text)
	}
	return n
}

// TestStableBesideAWriter captures while somebody writes numbers that rise for
// ever, first to a tracked and then to an untracked file. A capture is refused
// unless the writer happened to rest; then it holds one state, not two mixed.
func TestStableBesideAWriter(t *testing.T) {
	work := small(t)
	source := work.source(t)
	fresh := filepath.Join(work.dir, ".git", "fresh")
	write := func(i int) {
		for _, name := range []string{"answer.txt", "new.txt"} {
			err := os.WriteFile(fresh, fmt.Appendf(nil, "%d\n", i), 0o644)
			if err == nil {
				err = os.Rename(fresh, filepath.Join(work.dir, name))
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	added := regexp.MustCompile(`(?m)^\+(\d+)$`)
	write(0)
	defer meanwhile(func(i int) { write(i + 1) })()
	refused := 0
	tries := captures(t, 15)
	for range tries {
		got, err := work.capture(t, source, largest)
		if err != nil {
			if !fault.Is(err, fault.SourceMoved) {
				t.Errorf("got %v", err)
			}
			refused++
			continue
		}
		patch, err := capture.Export(got.Artifact)
		if err != nil {
			t.Fatal(err)
		}
		numbers := added.FindAllStringSubmatch(string(patch), -1)
		if len(numbers) != 2 {
			t.Fatalf("unexpected patch:\n%s", patch)
		}
		tracked, _ := strconv.Atoi(numbers[0][1])
		untracked, _ := strconv.Atoi(numbers[1][1])
		if tracked != untracked && tracked != untracked+1 {
			t.Errorf("%d and %d never lay there together", tracked, untracked)
		}
	}
	if t.Logf("%d of %d captures were refused", refused, tries); refused == 0 {
		t.Error("no capture was refused")
	}
}

// TestStableReadsNothingOutside captures while files and directories are
// swapped for symlinks to a secret outside and for pipes.
func TestStableReadsNothingOutside(t *testing.T) {
	work := small(t)
	work.bash(t, "mkdir ../outside; printf secret > ../outside/f; cp ../outside/f ../outside/answer.txt")
	source := work.source(t)
	outside := filepath.Join(filepath.Dir(work.dir), "outside")
	in := func(name string) string { return filepath.Join(work.dir, name) }
	// Renames keep every state complete; errors only mean that a state lasts.
	swap := func(name string, make func(path string) error) {
		fresh := in(".git/fresh")
		os.RemoveAll(fresh)
		if make(fresh) == nil {
			os.RemoveAll(in(name))
			os.Rename(fresh, in(name))
		}
	}
	directory := func(path string) error {
		if err := os.Mkdir(path, 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(path, "f"), []byte("inside\n"), 0o644)
	}
	file := func(path string) error { return os.WriteFile(path, []byte("inside\n"), 0o644) }
	stop := meanwhile(func(i int) {
		switch i % 8 {
		case 0:
			swap("answer.txt", symlink(filepath.Join(outside, "answer.txt")))
		case 1:
			swap("new", directory)
		case 2:
			swap("answer.txt", file)
		case 3:
			swap("new", symlink(outside))
		case 4:
			swap("answer.txt", pipe)
		case 5:
			swap("new", pipe)
		case 6:
			swap("d", symlink(outside))
		case 7:
			swap("d", directory)
		}
	})
	defer stop()
	git := plumbing(t)
	refused := 0
	tries := captures(t, 10)
	for range tries {
		ctx, cancel := context.WithTimeout(context.Background(), longestCapture)
		got, err := capture.Stable(ctx, git, source, largest)
		cancel()
		if err != nil {
			if fault.Is(err, fault.Deadline) {
				t.Fatal("a capture hangs")
			}
			refused++
			continue
		}
		text, err := capture.Export(got.Artifact)
		if err != nil || strings.Contains(string(text), "secret") {
			t.Errorf("something outside was read: %v\n%s", err, text)
		}
	}
	if t.Logf("%d of %d captures were refused", refused, tries); refused == 0 {
		t.Error("no capture was refused")
	}
}
