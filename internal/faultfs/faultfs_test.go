package faultfs_test

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/state"
)

// root opens "/" of the machine.
func root(t *testing.T, f *faultfs.FS) state.Dir {
	t.Helper()
	dir, err := f.OpenRoot("/")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write makes a file and writes it, in one piece, without closing it.
func write(t *testing.T, dir state.Dir, name, content string) state.File {
	t.Helper()
	file, err := dir.Create(name)
	must(t, err)
	n, err := file.Write([]byte(content))
	must(t, err)
	if n != len(content) {
		t.Fatalf("wrote %d of %d bytes", n, len(content))
	}
	return file
}

func contents(f *faultfs.FS) map[string]string {
	found := map[string]string{}
	for at, data := range f.Files("/") {
		found[at] = string(data)
	}
	return found
}

func TestLoseAllKeepsOnlyWhatWasSynced(t *testing.T) {
	f := faultfs.New(1)
	dir := root(t, f)
	synced := write(t, dir, "synced", "content")
	must(t, synced.Sync())
	write(t, dir, "named", "content")
	must(t, dir.Sync())
	named := write(t, dir, "unnamed", "content")
	must(t, named.Sync())
	must(t, dir.Link("synced", "linked"))
	must(t, dir.Remove("named"))
	must(t, dir.Mkdir("folder"))
	f.Crash(faultfs.LoseAll)
	want := map[string]string{"synced": "content", "named": ""}
	if got := contents(f); !maps.Equal(got, want) {
		t.Errorf("survived: %v, want %v", got, want)
	}
	if _, ok := f.Entry("/folder"); ok {
		t.Error("a directory survived whose entry was not synced")
	}
}

func TestLoseNoneKeepsEverything(t *testing.T) {
	f := faultfs.New(1)
	dir := root(t, f)
	write(t, dir, "a", "content")
	must(t, dir.Rename("a", "b"))
	f.Crash(faultfs.LoseNone)
	f.Crash(faultfs.LoseAll) // what survived one crash is on the disk
	if got := contents(f); !maps.Equal(got, map[string]string{"b": "content"}) {
		t.Errorf("survived: %v", got)
	}
}

// TestLoseSomeReachesEveryState counts which states a crash leaves: all that
// the model allows, and none besides.
func TestLoseSomeReachesEveryState(t *testing.T) {
	base := faultfs.New(1)
	dir := root(t, base)
	must(t, write(t, dir, "record", "old").Sync())
	must(t, dir.Sync())
	must(t, write(t, dir, "temporary", "new").Sync())
	must(t, dir.Rename("temporary", "record"))
	write(t, dir, "torn", "123456")
	seen := map[string]bool{}
	for seed := range uint64(400) {
		f := base.Clone(seed)
		f.Crash(faultfs.LoseSome)
		got := contents(f)
		if record := got["record"]; record != "old" && record != "new" {
			t.Fatalf("a name that was renamed over holds %q", record)
		}
		temporary, there := got["temporary"]
		if there && temporary != "new" {
			t.Fatalf("a synced file holds %q", temporary)
		}
		torn, named := got["torn"]
		if beginning := strings.TrimRight(torn, "\x00"); !strings.HasPrefix("123456", beginning) || len(torn) > 6 {
			t.Fatalf("an unsynced file holds %q", torn)
		}
		for state, reached := range map[string]bool{
			"old": got["record"] == "old", "new": got["record"] == "new",
			"temporary back": there, "temporary gone": !there,
			"whole": torn == "123456", "empty": named && torn == "", "unnamed": !named,
			"cut": torn != "" && len(torn) < 6, "hole": strings.Contains(torn, "\x00"),
		} {
			seen[state] = seen[state] || reached
		}
	}
	for state, reached := range seen {
		if !reached {
			t.Errorf("never reached: %s", state)
		}
	}
}

func TestEqualSeedsLoseEqually(t *testing.T) {
	base := faultfs.New(1)
	dir := root(t, base)
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		write(t, dir, name, strings.Repeat(name, 2000))
	}
	one, two := base.Clone(7), base.Clone(7)
	one.Crash(faultfs.LoseSome)
	two.Crash(faultfs.LoseSome)
	if !maps.Equal(contents(one), contents(two)) {
		t.Error("the same seed lost different things")
	}
	if got := contents(base); len(got) != 6 {
		t.Errorf("a crash of a clone changed the original: %d files", len(got))
	}
}

func TestCloneKeepsHardLinks(t *testing.T) {
	f := faultfs.New(1)
	dir := root(t, f)
	file := write(t, dir, "a", "content")
	must(t, dir.Link("a", "b"))
	must(t, file.Sync())
	must(t, dir.Sync())
	clone := f.Clone(2)
	clone.WriteFile("/a", []byte("changed"))
	if got := contents(clone); got["b"] != "changed" {
		t.Errorf("the other name of the file holds %q", got["b"])
	}
	if got := contents(f); got["a"] != "content" {
		t.Errorf("the original holds %q", got["a"])
	}
}

func TestCrashAt(t *testing.T) {
	f := faultfs.New(1)
	dir := root(t, f)
	f.CrashAt(3)
	file := write(t, dir, "a", "content") // operations 1 and 2
	if err := file.Sync(); !errors.Is(err, faultfs.ErrStopped) || !f.Stopped() {
		t.Fatalf("the third operation: %v", err)
	}
	for name, err := range map[string]error{
		"mkdir": dir.Mkdir("b"), "close": file.Close(), "sync": dir.Sync(), "remove": dir.Remove("a"),
	} {
		if !errors.Is(err, faultfs.ErrStopped) {
			t.Errorf("%s on a stopped machine: %v", name, err)
		}
	}
	if _, err := f.OpenRoot("/"); !errors.Is(err, faultfs.ErrStopped) {
		t.Errorf("opening on a stopped machine: %v", err)
	}
	f.Crash(faultfs.LoseNone)
	if err := dir.Sync(); !errors.Is(err, faultfs.ErrStopped) {
		t.Errorf("a descriptor of the last life: %v", err)
	}
	if got := contents(f); got["a"] != "content" {
		t.Errorf("survived: %v", got)
	}
	must(t, root(t, f).Mkdir("b"))
}

func TestInject(t *testing.T) {
	for name, test := range map[string]struct {
		kind   faultfs.Kind
		effect faultfs.Effect
		saved  string // of the file, after all is lost that was not synced
		data   string
	}{
		"write, nothing":       {faultfs.Write, faultfs.None, "", ""},
		"write, short":         {faultfs.Write, faultfs.Half, "123", "123"},
		"write, and it did":    {faultfs.Write, faultfs.Whole, "123456", "123456"},
		"sync, nothing":        {faultfs.Sync, faultfs.None, "", "123456"},
		"sync, half":           {faultfs.Sync, faultfs.Half, "123", "123456"},
		"sync, and it did":     {faultfs.Sync, faultfs.Whole, "123456", "123456"},
		"close, after all was": {faultfs.Close, faultfs.None, "123456", "123456"},
	} {
		t.Run(name, func(t *testing.T) {
			f := faultfs.New(1)
			dir := root(t, f)
			f.Inject(func(op faultfs.Op) faultfs.Fault {
				if op.Kind == test.kind {
					return faultfs.Fault{Err: syscall.EIO, Effect: test.effect}
				}
				return faultfs.Fault{}
			})
			file, err := dir.Create("a")
			must(t, err)
			_, writing := file.Write([]byte("123456"))
			syncing := file.Sync()
			closing := file.Close()
			failed := map[faultfs.Kind]error{faultfs.Write: writing, faultfs.Sync: syncing, faultfs.Close: closing}
			for kind, err := range failed {
				if (kind == test.kind) != errors.Is(err, syscall.EIO) {
					t.Errorf("%s: %v", kind, err)
				}
			}
			if got := contents(f)["a"]; got != test.data {
				t.Errorf("holds %q, want %q", got, test.data)
			}
			f.Inject(nil)
			must(t, dir.Sync())
			f.Crash(faultfs.LoseAll)
			if got := contents(f)["a"]; got != test.saved {
				t.Errorf("saved %q, want %q", got, test.saved)
			}
		})
	}
}

// TestFailedSyncIsFinal holds the trap for those who sync once more.
func TestFailedSyncIsFinal(t *testing.T) {
	f := faultfs.New(1)
	dir := root(t, f)
	file := write(t, dir, "a", "content")
	must(t, dir.Sync())
	f.Inject(func(faultfs.Op) faultfs.Fault { return faultfs.Fault{Err: syscall.EIO} })
	if err := file.Sync(); !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	f.Inject(nil)
	must(t, file.Sync())
	f.Crash(faultfs.LoseAll)
	if got := contents(f)["a"]; got != "" {
		t.Errorf("a second sync saved %q", got)
	}
}

func TestEffectWithoutAcknowledgement(t *testing.T) {
	f := faultfs.New(1)
	dir := root(t, f)
	write(t, dir, "a", "")
	f.Inject(func(faultfs.Op) faultfs.Fault { return faultfs.Fault{Err: syscall.EIO, Effect: faultfs.Whole} })
	for name, err := range map[string]error{
		"link": dir.Link("a", "b"), "mkdir": dir.Mkdir("c"), "sync": dir.Sync(),
	} {
		if !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := dir.Create("d"); !errors.Is(err, syscall.EIO) {
		t.Errorf("create: %v", err)
	}
	f.Inject(nil)
	names, err := dir.Names(10)
	slices.Sort(names)
	if err != nil || !slices.Equal(names, []string{"a", "b", "c", "d"}) {
		t.Errorf("names: %v, %v", names, err)
	}
	if open := f.OpenDescriptors(); open != 2 {
		t.Errorf("%d descriptors are open, want the directory and a", open)
	}
}

func TestErrorsOfTheSystem(t *testing.T) {
	f := faultfs.New(1)
	f.WriteFile("/file", []byte("content"))
	f.MkdirAll("/dir")
	f.Symlink("dir", "/link")
	f.Symlink("loop", "/loop")
	f.MkdirAll("/closed")
	f.Chmod("/closed", 0)
	dir := root(t, f)
	_, opened := dir.OpenDir("link")
	_, created := dir.Create("link")
	_, read := dir.Open("link")
	_, missing := dir.Open("none")
	_, none := f.OpenRoot("/none")
	_, notDir := f.OpenAncestor("/file/below")
	_, linked := f.OpenRoot("/link")
	_, looping := f.OpenAncestor("/loop")
	_, denied := f.OpenAncestor("/closed")
	_, many := dir.Names(2)
	for _, test := range []struct {
		name      string
		got, want error
	}{
		{"open a link as directory", opened, syscall.ELOOP},
		{"create over a link", created, fs.ErrExist},
		{"read a link", read, syscall.ELOOP},
		{"read nothing", missing, fs.ErrNotExist},
		{"open nothing", none, fs.ErrNotExist},
		{"open below a file", notDir, syscall.ENOTDIR},
		{"open a link as root", linked, syscall.ELOOP},
		{"open a loop", looping, syscall.ELOOP},
		{"open what is closed to us", denied, fs.ErrPermission},
		{"link over a name", dir.Link("file", "dir"), fs.ErrExist},
		{"rename over a directory", dir.Rename("file", "dir"), syscall.EISDIR},
		{"mkdir over a name", dir.Mkdir("file"), fs.ErrExist},
		{"remove nothing", dir.Remove("none"), fs.ErrNotExist},
		{"list too much", many, state.ErrTooManyEntries},
	} {
		if !errors.Is(test.got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
		}
	}
	through, err := f.OpenAncestor("/link")
	must(t, err)
	must(t, through.Mkdir("below"))
	if _, ok := f.Entry("/dir/below"); !ok {
		t.Error("an ancestor was not followed")
	}
}

func TestReadToTheEnd(t *testing.T) {
	f := faultfs.New(1)
	content := strings.Repeat("0123456789", 1000)
	f.WriteFile("/folder/file", []byte(content))
	dir, err := f.OpenRoot("/folder")
	must(t, err)
	file, err := dir.Open("file")
	must(t, err)
	got, err := io.ReadAll(file)
	if err != nil || string(got) != content {
		t.Errorf("read %d bytes, %v", len(got), err)
	}
	if _, err := file.Write([]byte("x")); !errors.Is(err, syscall.EBADF) {
		t.Errorf("writing to a file that was opened for reading: %v", err)
	}
	must(t, file.Close())
	must(t, dir.Close())
	if open := f.OpenDescriptors(); open != 0 {
		t.Errorf("%d descriptors are open", open)
	}
}

func TestLocks(t *testing.T) {
	f := faultfs.New(1)
	dir := root(t, f)
	lock, err := dir.TryLock("lock")
	must(t, err)
	if _, err := dir.TryLock("lock"); !errors.Is(err, state.ErrLocked) {
		t.Fatalf("a held lock: %v", err)
	}
	must(t, lock.Unlock())
	_, err = dir.TryLock("lock")
	must(t, err)
	f.Crash(faultfs.LoseNone)
	if _, err := root(t, f).TryLock("lock"); err != nil {
		t.Errorf("a crash did not free the lock: %v", err)
	}
	if err := lock.Unlock(); !errors.Is(err, faultfs.ErrStopped) {
		t.Errorf("a lock of the last life: %v", err)
	}
	f.Kill()
	if _, err := root(t, f).TryLock("lock"); err != nil {
		t.Errorf("the end of its process did not free the lock: %v", err)
	}
}

// TestKillSavesNothing tells the end of a process from that of the machine.
func TestKillSavesNothing(t *testing.T) {
	f := faultfs.New(1)
	dir := root(t, f)
	write(t, dir, "a", "content")
	f.CrashAt(1)
	if err := dir.Sync(); !errors.Is(err, faultfs.ErrStopped) {
		t.Fatal(err)
	}
	f.Kill()
	if got := contents(f)["a"]; got != "content" {
		t.Errorf("after the kill: %q", got)
	}
	if err := dir.Sync(); !errors.Is(err, faultfs.ErrStopped) {
		t.Errorf("a descriptor of the last life: %v", err)
	}
	f.Crash(faultfs.LoseAll)
	if got := contents(f); len(got) != 0 {
		t.Errorf("the kill has saved %v", got)
	}
}

// TestWatchShowsWhatACrashStops compares each copy of a watched life with the
// machine that was stopped at the same operation.
func TestWatchShowsWhatACrashStops(t *testing.T) {
	life := func(f *faultfs.FS) {
		dir, err := f.OpenRoot("/")
		if err != nil {
			return
		}
		if file, err := dir.Create("new"); err == nil {
			_, _ = file.Write([]byte("content"))
			_ = file.Sync()
		}
		_ = dir.Link("new", "name")
		_ = dir.Sync()
		_ = dir.Remove("new")
	}
	f := faultfs.New(1)
	f.WriteFile("/old", []byte("old"))
	var seen []*faultfs.FS
	watched := f.Clone(0)
	watched.Watch(func(k int, as *faultfs.FS) {
		if seen = append(seen, as); len(seen) != k {
			t.Errorf("operation %d is shown as number %d", len(seen), k)
		}
	})
	life(watched)
	if len(seen) != 6 {
		t.Fatalf("%d operations were shown, there are 6", len(seen))
	}
	for i, as := range seen {
		stopped := f.Clone(0)
		stopped.CrashAt(i + 1)
		life(stopped)
		if !maps.Equal(contents(as), contents(stopped)) {
			t.Errorf("before operation %d it shows %v, a crash stops %v", i+1, contents(as), contents(stopped))
		}
		for _, machine := range []*faultfs.FS{as, stopped} {
			machine.Crash(faultfs.LoseAll)
		}
		if !maps.Equal(contents(as), contents(stopped)) {
			t.Errorf("before operation %d what survives is %v, not %v", i+1, contents(as), contents(stopped))
		}
	}
	watched.Watch(nil)
	life(watched)
	if len(seen) != 6 {
		t.Error("it is watched further")
	}
}
