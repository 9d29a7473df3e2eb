package hooks

import (
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/state"
)

// An all-clear is an empty file that stands for one repository: no claim on
// any of its checkouts was unresolved when the registry last changed. Its time
// is the registry's own. Before a claim is published, the registry changes
// (contract section 3), so as long as both times are equal the script needs no
// program. Without an all-clear everything works, only slower.
//
// All-clears lie in a directory of their own under the canonical path of the
// repository's common directory, so that the script finds them by name alone.

const allClearName = "all-clear" // the script knows it, too

// allClearOf returns the all-clear of the repository with a common directory.
func allClearOf(allClears, commonDir string) string {
	return filepath.Join(allClears, commonDir, allClearName)
}

// quietTime is how long the registry must have been as it is before an
// all-clear stands on its time, where the file system counts in whole seconds
// or pairs of them, and shortQuietTime where it is seen to count finer than
// coarseTime: longer than its clock takes to tell two changes apart.
const (
	quietTime      = 2 * time.Second
	shortQuietTime = 100 * time.Millisecond
	coarseTime     = 10 * time.Millisecond
)

// distinct reports whether a change of the registry from now on has another
// time than changed, as file system and script tell times: some shells compare
// whole seconds, so the second must be over as well.
func distinct(changed, now time.Time) bool {
	if changed.Nanosecond()%int(coarseTime) == 0 {
		return now.Sub(changed) >= quietTime
	}
	over := changed.Truncate(time.Second).Add(time.Second)
	return now.Sub(over) >= shortQuietTime
}

// registryTime returns when the registry last changed, the zero time where
// that is not known.
func registryTime(registry string) time.Time {
	info, err := os.Stat(registry)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// claiming reports whether a claim on workspace may be about to be published
// in the store that the registry names: a run changes the registry before its
// claim, so until then the claim is the older one, if there is any.
func claiming(registry, store, workspace string) bool {
	key := canon.DigestText(workspace)
	entry, err := os.Lstat(filepath.Join(registry, key.Hex()+".json"))
	if err != nil {
		return true
	}
	claim, err := os.Lstat(filepath.Join(store, filepath.FromSlash(state.Claim(key).String())))
	return err != nil || claim.ModTime().Before(entry.ModTime())
}

// giveAllClear makes the stamp, where the registry has been quiet. changed is
// when it last changed, as seen before the claims were looked at. That the
// stamp cannot be made costs time and nothing else.
func giveAllClear(stamp string, changed, now time.Time) {
	if changed.IsZero() || !distinct(changed, now) || os.MkdirAll(filepath.Dir(stamp), 0o700) != nil {
		return
	}
	file, err := os.OpenFile(stamp, os.O_CREATE|os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return
	}
	if file.Close() == nil {
		_ = os.Chtimes(stamp, changed, changed)
	}
}

// ForgetAllClear removes the all-clear of the repository with a common
// directory, and the directories that hold nothing else. Nothing comes of it
// but one slower answer.
func ForgetAllClear(allClears, commonDir string) {
	above := filepath.Dir(allClears)
	for path := allClearOf(allClears, commonDir); path != above && os.Remove(path) == nil; {
		path = filepath.Dir(path)
	}
}
