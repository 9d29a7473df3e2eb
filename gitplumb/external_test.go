package gitplumb_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/fault"
)

// TestLFS judges a checkout of a real git-lfs, which its filter must leave as
// it was.
func TestLFS(t *testing.T) {
	if _, err := exec.LookPath("git-lfs"); err != nil {
		t.Skip("git-lfs is not installed; CI installs it")
	}
	ctx := context.Background()
	c := plain(t)
	c.sh("git lfs install --skip-repo >/dev/null; git lfs track '*.bin' >/dev/null; head -c 100000 /dev/urandom >a.bin; printf x >b.bin; git add .; git commit -q -m lfs")
	a := admit(t, c)
	if got := strings.Join(a.control.FiltersInUse, ","); got != "lfs" {
		t.Errorf("filters in use are %q", got)
	}
	c.sh("printf y >b.bin; touch -d 2001-01-01 a.bin")
	before := c.sh("cat .git/config; find . -printf '%p %T@ %C@ %s\\n' | sort")
	status, hidden, err := a.capture(t, c)
	if err != nil || string(status.Text) != " M b.bin\x00" || len(hidden) != 0 || status.Way != gitplumb.WayGit {
		t.Fatalf("got %q by %s, %q, %v", status.Text, status.Way, hidden, err)
	}
	repo := c.pass()
	changes, err := repo.Changes(ctx)
	if err != nil || len(changes) != 1 {
		t.Fatalf("got %v, %v", changes, err)
	}
	content, err := repo.CleanContent(ctx, "b.bin", 1000)
	if err != nil || !strings.HasPrefix(string(content), "version https://git-lfs.github.com/spec/v1\n") {
		t.Errorf("got %q, %v", content, err)
	}
	if after := c.sh("cat .git/config; find . -printf '%p %T@ %C@ %s\\n' | sort"); after != before {
		t.Errorf("reading changed the checkout:\n%s\n%s", before, after)
	}
	c.git("config", "--unset", "lfs.repositoryformatversion")
	_, err = c.pass().Status(ctx)
	wantFault(t, err, fault.UnsupportedRepo)
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(c.dir), "git-algal-*")); err != nil || len(left) != 0 {
		t.Errorf("temporary files are left: %q, %v", left, err)
	}
}

// TestNothingIsWritten traces the system calls of a pass and of every git that
// it runs: nothing below the checkout is opened for writing, created, renamed
// or touched.
func TestNothingIsWritten(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("strace is Linux's; CI runs it there")
	}
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed; CI installs it")
	}
	if os.Getenv(tracedVariable) != "" {
		tracedPass(t, os.Getenv(tracedVariable))
		return
	}
	for name, script := range map[string]string{
		"own":          "echo x >>a.txt; git add a.txt; touch u",
		"git":          "git config core.autocrlf true; echo x >>a.txt; git add d; touch u",
		"split index":  "git update-index --split-index; touch -d 2001-01-01 a.txt .git/sharedindex.*",
		"filter":       "git config filter.x.clean 'tr a-z A-Z'; echo '*.txt filter=x' >.gitattributes; touch a.txt",
		"stale":        "git config core.autocrlf input; touch -d 2001-01-01 a.txt d/b.txt",
		"odd settings": "git config core.untrackedCache true; git config core.splitIndex true; git config feature.manyFiles true; git config core.autocrlf input; touch a.txt",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := plain(t)
			c.sh(script)
			log := filepath.Join(filepath.Dir(c.dir), "strace")
			cmd := exec.Command("strace", "-f", "-qq", "-y", "-s", "4096", "-o", log,
				"-e", "trace=open,openat,openat2,creat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,truncate,ftruncate,utime,utimes,utimensat,futimesat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,mknod,mknodat,setxattr,connect",
				os.Args[0], "-test.run=^TestNothingIsWritten$")
			cmd.Env = append(os.Environ(), tracedVariable+"="+c.dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			text, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), c.dir) {
				t.Fatal("the trace does not show the checkout")
			}
			for line := range strings.Lines(string(text)) {
				if strings.Contains(line, "connect(") {
					t.Errorf("a connection: %s", line)
				}
				if writesBelow(line, c.dir) {
					t.Errorf("a write: %s", line)
				}
			}
		})
	}
}

// tracedVariable tells the traced run of the test which checkout to read.
const tracedVariable = "GITPLUMB_TRACED_CHECKOUT"

var (
	tracedCall  = regexp.MustCompile(`^\d+ +(\w+)\((?:(?:AT_FDCWD|\d+)<([^>]*)>)?`)
	tracedName  = regexp.MustCompile(`"([^"]*)"`)
	writingOpen = regexp.MustCompile(`O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)`)
)

// writesBelow reports whether a line of a trace is a call that changes
// something below dir. A relative name without a directory counts as one below.
func writesBelow(line, dir string) bool {
	call := tracedCall.FindStringSubmatch(line)
	if call == nil || strings.HasPrefix(call[1], "open") && !writingOpen.MatchString(line) {
		return false
	}
	below := func(path string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
	names := tracedName.FindAllStringSubmatch(line, -1)
	if len(names) == 0 {
		return below(call[2])
	}
	for _, name := range names {
		if strings.HasPrefix(name[1], "/") && !below(name[1]) {
			continue
		}
		if strings.HasPrefix(name[1], "/") || call[2] == "" || below(call[2]) {
			return true
		}
	}
	return false
}

func tracedPass(t *testing.T, dir string) {
	ctx := context.Background()
	c := &checkout{t: t, dir: dir, env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(filepath.Dir(dir), "home"), "TMPDIR=" + filepath.Dir(dir)}}
	repo := c.pass()
	if _, err := repo.Control(ctx); err != nil {
		t.Error(err)
	}
	changes, err := repo.Changes(ctx)
	if err != nil {
		t.Error(err)
	}
	for _, change := range changes {
		if change.Untracked || change.Deleted() {
			continue
		}
		if _, err := repo.CleanContent(ctx, change.Path, 1<<20); err != nil {
			t.Error(err)
		}
	}
	_ = repo.Clean(ctx) // what it says is not the question here
}

// TestPeakMemory is in the same run as the others, so it looks at a process of
// its own.
func TestPeakMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 128 MiB; CI runs it in full")
	}
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc; CI runs it on Linux")
	}
	if dir := os.Getenv(measuredVariable); dir != "" {
		c := &checkout{t: t, dir: dir, env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(filepath.Dir(dir), "home")}}
		if err := c.pass().Clean(context.Background()); err != nil {
			t.Fatal(err)
		}
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(status)) {
			if strings.HasPrefix(line, "VmHWM") {
				t.Log(line)
			}
		}
		return
	}
	c := newCheckout(t)
	c.sh(`mkdir d; cd d
		head -c 134217728 /dev/zero | openssl enc -aes-128-ctr -K 00 -iv 00 2>/dev/null | split -b 8192 -a 5 -d - f
		git add .; git -c core.compression=0 commit -q -m big`)
	cmd := exec.Command(os.Args[0], "-test.run=^TestPeakMemory$", "-test.v")
	cmd.Env = append(os.Environ(), measuredVariable+"="+c.dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(out)
	if found == nil {
		t.Fatalf("no measure in\n%s", out)
	}
	t.Logf("peak memory %s KiB", found[1])
	const limit = 64 << 10
	if len(found[1]) > 5 || string(found[1]) > "65536" && len(found[1]) == 5 {
		t.Errorf("peak memory is %s KiB, over %d", found[1], limit)
	}
}

const measuredVariable = "GITPLUMB_MEASURED_CHECKOUT"
