package worktree_test

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/worktree"
)

func TestListTellsNamesAndKinds(t *testing.T) {
	c := newCheckout(t)
	c.file("file", "x", 0o644)
	c.file(".git/HEAD", "ref", 0o644)
	c.file("d/e/f", "x", 0o644)
	c.symlink("link", "nowhere")
	c.symlink("link-to-directory", "d")
	c.fifo("fifo")
	c.socket("socket")
	c.file("z"+oddName(), "x", 0o644)
	c.file(strings.Repeat("l", 255), "x", 0o644)
	c.directory("empty")
	cursor := c.open().Cursor()
	for directory, want := range map[string][]worktree.Entry{
		"": {
			{Name: ".git", Kind: worktree.Directory},
			{Name: "d", Kind: worktree.Directory},
			{Name: "empty", Kind: worktree.Directory},
			{Name: "fifo", Kind: worktree.Special},
			{Name: "file", Kind: worktree.File},
			{Name: "link", Kind: worktree.Symlink},
			{Name: "link-to-directory", Kind: worktree.Symlink},
			{Name: strings.Repeat("l", 255), Kind: worktree.File},
			{Name: "socket", Kind: worktree.Special},
			{Name: "z" + oddName(), Kind: worktree.File},
		},
		"d":     {{Name: "e", Kind: worktree.Directory}},
		"d/e":   {{Name: "f", Kind: worktree.File}},
		"empty": nil,
	} {
		got, err := cursor.List(context.Background(), directory)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v", directory, got, err)
		}
	}
	for _, directory := range []string{"nothing", "no/such", "file", "fifo", "link", "link-to-directory", "link-to-directory/e", "file/below"} {
		if got, err := cursor.List(context.Background(), directory); !fault.Is(err, fault.SourceMoved) || got != nil {
			t.Errorf("%q: got %q, %v", directory, got, err)
		}
	}
	for _, directory := range []string{".", "..", "/", "d/", "d/../d", "d\x00"} {
		if got, err := cursor.List(context.Background(), directory); !fault.Is(err, fault.UnsafePath) || got != nil {
			t.Errorf("%q: got %q, %v", directory, got, err)
		}
	}
	if err := cursor.Close(); err != nil {
		t.Error(err)
	}
}

func TestListReadsLargeDirectories(t *testing.T) {
	c := newCheckout(t)
	var want []worktree.Entry
	for i := range 1500 {
		name := fmt.Sprintf("%04d-%s", i, strings.Repeat("x", i%200))
		c.file(name, "", 0o644)
		want = append(want, worktree.Entry{Name: name, Kind: worktree.File})
	}
	root := c.open()
	for range 2 { // the second reading begins at the first entry again
		got, err := root.List(context.Background(), "")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got %d entries, %v", len(got), err)
		}
	}
}

func TestReadFile(t *testing.T) {
	c := newCheckout(t)
	long := strings.Repeat("long ", 100_000)
	c.file("file", "content", 0o640)
	c.file("long", long, 0o755)
	c.file("empty", "", 0o644)
	c.file("d/e/f", "deep", 0o644)
	c.file("nest/.git/HEAD", "ref", 0o644)
	c.symlink("link", "file")
	c.symlink("link-to-directory", "d")
	c.fifo("fifo")
	cursor := c.open().Cursor()
	ctx := context.Background()
	for path, want := range map[string]struct {
		content string
		mode    uint32
	}{
		"file": {"content", 0o640}, "long": {long, 0o755}, "empty": {"", 0o644}, "d/e/f": {"deep", 0o644}, "nest/.git/HEAD": {"ref", 0o644},
	} {
		content, mode, err := cursor.ReadFile(ctx, path, int64(len(want.content)))
		if err != nil || string(content) != want.content || mode != want.mode {
			t.Errorf("%q: got %d bytes, %o, %v", path, len(content), mode, err)
		}
		content, _, err = cursor.ReadFile(ctx, path, int64(len(want.content))-1)
		if !fault.Is(err, fault.OverBound) || content != nil {
			t.Errorf("%q: one byte over the bound: %v", path, err)
		}
	}
	for _, path := range []string{"nothing", "no/such", "d", "link", "link-to-directory/e/f", "fifo", "file/below"} {
		if content, _, err := cursor.ReadFile(ctx, path, 100); !fault.Is(err, fault.SourceMoved) || content != nil {
			t.Errorf("%q: got %q, %v", path, content, err)
		}
	}
	for _, path := range []string{"", "..", "../x", "/etc/passwd", "d/../file", "file\x00"} {
		if content, _, err := cursor.ReadFile(ctx, path, 100); !fault.Is(err, fault.UnsafePath) || content != nil {
			t.Errorf("%q: got %q, %v", path, content, err)
		}
	}
	if err := cursor.Close(); err != nil {
		t.Error(err)
	}
}

// TestCursorSeesDirectoriesThatWereReplaced replaces a directory that a cursor
// is in, by every kind of thing.
func TestCursorSeesDirectoriesThatWereReplaced(t *testing.T) {
	for name, replace := range map[string]func(*checkout){
		"removed":   func(*checkout) {},
		"directory": func(c *checkout) { c.file("d/e/f", "other", 0o644) },
		"symlink":   func(c *checkout) { c.symlink("d", "away") },
		"file":      func(c *checkout) { c.file("d", "x", 0o644) },
	} {
		c := newCheckout(t)
		c.file("d/e/f", "first", 0o644)
		c.file("other/f", "x", 0o644)
		root := c.open()
		cursor := root.Cursor()
		if content, _, err := cursor.ReadFile(context.Background(), "d/e/f", 100); err != nil || string(content) != "first" {
			t.Fatalf("%s: %q, %v", name, content, err)
		}
		c.must(os.Rename(c.path("d"), c.path("away")))
		replace(c)
		if content, _, err := cursor.ReadFile(context.Background(), "other/f", 100); !fault.Is(err, fault.SourceMoved) {
			t.Errorf("%s: got %q, %v", name, content, err)
		}
		if err := cursor.Close(); err != nil {
			t.Errorf("%s: %v told twice", name, err)
		}
	}
}
