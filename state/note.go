package state

import (
	"encoding/hex"
	"fmt"
	"path"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
)

// maxNoteBytes bounds a note: a command's name and a host's, not its arguments.
const maxNoteBytes = 4_096

// A Holder describes a process to people who wonder why a lease is held. The
// zero Holder writes no notes.
type Holder struct {
	PID     int
	Host    string           // the machine's name
	Command string           // what runs, for instance "git-algal run", without its arguments
	Now     func() time.Time // the clock that says since when
}

// note is what lies beside a held lock. It is for people only: it may be
// missing, outdated, or left behind by a process that was killed, and nothing
// follows from it.
type note struct {
	Command string `json:"command"`
	Host    string `json:"host"`
	PID     int    `json:"pid"`
	Since   string `json:"since"` // RFC 3339
}

// writeNote reports whether the note is written. A note that fails takes no
// lease away, and none is synced: after a crash nobody holds the lock.
func (t *tree) writeNote(dir Dir, below string, holder Holder) bool {
	if holder.Now == nil {
		return false
	}
	text, err := canon.Encode(note{holder.Command, holder.Host, holder.PID, holder.Now().UTC().Format(time.RFC3339)})
	if err != nil || len(text) > maxNoteBytes {
		return false
	}
	nonce := t.fs.Nonce()
	temporary := temporaryPrefix + hex.EncodeToString(nonce[:])
	file, err := dir.Create(temporary)
	if err != nil {
		return false
	}
	_, err = file.Write(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = dir.Rename(temporary, path.Base(below))
	}
	if err != nil {
		_ = dir.Remove(temporary)
	}
	return err == nil
}

func (l *Lease) removeNote() {
	if !l.noted {
		return
	}
	dir, err := l.tree.openDir(path.Dir(l.note))
	if err != nil {
		return
	}
	defer dir.Close()
	_ = dir.Remove(path.Base(l.note))
}

// holderOf returns what the note of a held lock says, as a phrase to append,
// or nothing.
func (t *tree) holderOf(dir Dir, below string) string {
	text, err := t.readUpTo(dir, below+noteSuffix, maxNoteBytes)
	if err != nil {
		return ""
	}
	n, err := canon.Decode[note](text)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (%q, process %d on %q, since %q)", n.Command, n.PID, n.Host, n.Since)
}
