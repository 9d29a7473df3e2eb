package local

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-algal/git-algal/internal/faultfs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// TestRefusedBeforeTheLaunch holds that a ledger which takes no records, or is
// not the one it should be, starts nothing.
func TestRefusedBeforeTheLaunch(t *testing.T) {
	t.Parallel()
	refuse := func(err error) func(faultfs.Op) faultfs.Fault {
		return func(op faultfs.Op) faultfs.Fault {
			if op.Kind.Durable() && op.Kind != faultfs.Sync && op.Kind != faultfs.SyncDir {
				return faultfs.Fault{Err: err}
			}
			return faultfs.Fault{}
		}
	}
	for name, spoil := range map[string]func(*lab){
		"read-only":       func(l *lab) { l.fs.Inject(refuse(syscall.EROFS)) },
		"full":            func(l *lab) { l.fs.Inject(refuse(syscall.ENOSPC)) },
		"gone":            func(l *lab) { l.fs.Delete(crashRoot) },
		"copied":          func(l *lab) { copyLedger(l.fs) },
		"another ledger":  func(l *lab) { l.fs.Delete(crashRoot + "/ledger.json"); anotherLedger(l.fs) },
		"another machine": func(l *lab) { moved(l.fs) },
		"on a network":    func(l *lab) { l.fs.Mount(crashRoot, state.System{Name: "nfs", Shared: true}) },
	} {
		l := newLab(t)
		spoil(l)
		before := fmt.Sprint(l.fs.Files(crashRoot))
		if err := l.submit(); err == nil {
			t.Errorf("%s: it answers %v", name, l.said)
		}
		if name != "read-only" && name != "full" {
			if err := l.observe(); err == nil {
				t.Errorf("%s: a lookup answers %v", name, l.said)
			}
		}
		l.fs.Inject(nil)
		if after := fmt.Sprint(l.fs.Files(crashRoot)); l.starts != 0 || after != before {
			t.Errorf("%s: %d starts; %s", name, l.starts, after)
		}
	}
}

// copyLedger puts a copy of every file in the place of the ledger, as a backup
// that is restored does.
func copyLedger(f *faultfs.FS) {
	files := f.Files(crashRoot)
	f.Delete(crashRoot)
	f.MkdirAll(crashRoot + "/operations")
	for at, data := range files {
		f.WriteFile(crashRoot+"/"+at, data)
	}
}

func anotherLedger(f *faultfs.FS) {
	if _, err := Create(Environment{FS: f, Now: time.Now, Machine: "lab"}, crashRoot); err != nil {
		panic(err)
	}
}

func moved(f *faultfs.FS) {
	text := string(f.Files(crashRoot)["ledger.json"])
	f.WriteFile(crashRoot+"/ledger.json", []byte(strings.Replace(text, `"machine":"lab"`, `"machine":"another"`, 1)))
}

// TestOutcomeOutlivesTheMove answers a concluded operation wherever its ledger
// is, and nothing else.
func TestOutcomeOutlivesTheMove(t *testing.T) {
	l := newLab(t)
	if err := l.submit(); err != nil {
		t.Fatal(err)
	}
	copyLedger(l.fs)
	if err := l.observe(); err != nil {
		t.Fatal(err)
	}
	if o, ok := l.said.Terminal(); !ok || len(l.said) != 1 || o.Ending() != operation.Completed || o.Text() != "done" {
		t.Errorf("it answered %v", l.said)
	}
}

// TestAnotherBoot concludes what was launched before the machine's restart.
func TestAnotherBoot(t *testing.T) {
	l := newLab(t)
	launched := false
	for k := 1; !launched; k++ {
		c := l.clone(0)
		c.fs.CrashAt(k)
		if _ = c.submit(); c.starts == 1 && c.fs.Stopped() {
			launched = true
			c.fs.Crash(faultfs.LoseAll)
			c.boot = "second"
			c.alive = true // whatever has the same number now
			if err := c.observe(); err != nil {
				t.Fatal(err)
			}
			if o, ok := c.said.Terminal(); !ok || o.Ending() != operation.Failed || o.Text() != reasonLost {
				t.Errorf("it answered %v", c.said)
			}
		}
	}
}
