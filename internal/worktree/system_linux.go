package worktree

import "golang.org/x/sys/unix"

// directoryFlags open a directory on the way to something else. O_PATH needs
// no permission to read it, as a path of several components wouldn't.
const directoryFlags = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW
