package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// A template is the repository that the scripts' word plain copies. It is
// built once for all fixtures of one directory: copying it and refreshing the
// copy's index takes two processes, building it five.
type template struct {
	prelude string // absolute path
	once    sync.Once
	base    string // temporary directory, empty until it is built
	failure string
}

// dir returns the template's path and builds it at the first call.
func (p *template) dir(tb testing.TB) string {
	tb.Helper()
	p.once.Do(p.build)
	if p.failure != "" {
		tb.Fatalf("the plain repository does not build: %s", p.failure)
	}
	return filepath.Join(p.base, "plain")
}

func (p *template) build() {
	var err error
	if p.base, err = os.MkdirTemp("", "gt"); err != nil {
		p.failure = err.Error()
		return
	}
	// Fixtures that need an unprivileged reader copy it as another user.
	if err := os.Chmod(p.base, 0o755); err != nil {
		p.failure = err.Error()
		return
	}
	cmd := exec.Command("bash", "-euc", `. "$0"; build_plain plain`, p.prelude)
	cmd.Dir = p.base
	cmd.Env = scriptEnv(p.base)
	if out, err := cmd.CombinedOutput(); err != nil {
		p.failure = err.Error() + "\n" + string(out)
	}
}

// remove deletes the template.
func (p *template) remove(tb testing.TB) {
	if p.base == "" {
		return
	}
	if err := os.RemoveAll(p.base); err != nil {
		tb.Errorf("the plain repository stays behind: %v", err)
	}
}
