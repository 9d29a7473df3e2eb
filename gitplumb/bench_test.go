package gitplumb_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"testing"

	"github.com/git-algal/git-algal/gitplumb"
)

// sized makes a clean, packed checkout of that many files of 8 KiB less a bit.
func sized(b *testing.B, files int) *checkout {
	b.Helper()
	const size = 8191
	c := newCheckout(b)
	random := rand.New(rand.NewPCG(5, 6))
	content := make([]byte, size)
	for i := range files {
		for j := range content {
			content[j] = byte(random.Uint32())
		}
		c.write(fmt.Sprintf("d%03d/f%05d", i%128, i), string(content))
	}
	c.commit("sized")
	c.git("repack", "-a", "-d", "-q", "--depth=0", "--window=0")
	c.git("update-index", "-q", "--refresh")
	return c
}

// BenchmarkCheck prints what a check takes beside git and openssl over the
// same files: go test -run=- -bench=Check ./gitplumb
func BenchmarkCheck(b *testing.B) {
	if _, err := exec.LookPath("openssl"); err != nil {
		b.Skip("openssl is not installed; CI has it")
	}
	for _, files := range []int{1000, 16384} {
		c := sized(b, files)
		shell := func(b *testing.B, script string) {
			for b.Loop() {
				c.sh(script)
			}
		}
		b.Run(fmt.Sprintf("files=%d/check", files), func(b *testing.B) {
			ctx := context.Background()
			for b.Loop() {
				git, err := gitplumb.FindGit(ctx, lookGit, c.env)
				if err != nil {
					b.Fatal(err)
				}
				repo, err := gitplumb.Open(ctx, c.dir, git, gitplumb.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if err := repo.Clean(ctx); err != nil {
					b.Fatal(err)
				}
				if way, reason, _ := repo.Way(ctx); way != gitplumb.WayOwn {
					b.Fatal(reason)
				}
				if err := repo.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("files=%d/openssl", files), func(b *testing.B) {
			shell(b, "git ls-files -z | xargs -0 -P2 -n 2048 openssl dgst -sha256 >/dev/null")
		})
		b.Run(fmt.Sprintf("files=%d/git-status", files), func(b *testing.B) { shell(b, "GIT_OPTIONAL_LOCKS=0 git status --porcelain") })
		c.sh("git ls-files -z | xargs -0 touch -d 2001-01-01")
		b.Run(fmt.Sprintf("files=%d/git-status-stale", files), func(b *testing.B) { shell(b, "GIT_OPTIONAL_LOCKS=0 git status --porcelain") })
	}
}
