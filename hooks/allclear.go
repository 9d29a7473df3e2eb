package hooks

import (
	"os"
	"syscall"
	"time"
)

// An all-clear is an empty file beside the registry that stands for one
// repository: no claim on any of its checkouts was unresolved when the
// registry last changed. Its time is the registry's own. Before a claim is
// published, the registry changes (contract section 3), so as long as both
// times are equal the script needs no program. Without an all-clear everything
// works, only slower.

// quietTime is how long the registry must have been as it is before an
// all-clear stands on its time: longer than any run takes from changing the
// registry to publishing its claim, and than the coarsest clock of a file
// system ticks.
const quietTime = 10 * time.Second

// registryTime returns when the registry last changed, the zero time where
// that is not known.
func registryTime(registry string) time.Time {
	info, err := os.Stat(registry)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// giveAllClear makes the stamp, where the registry has been quiet. changed is
// when it last changed, as seen before the claims were looked at. That the
// stamp cannot be made costs time and nothing else.
func giveAllClear(stamp string, changed, now time.Time) {
	if stamp == "" || changed.IsZero() || now.Sub(changed) < quietTime {
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
