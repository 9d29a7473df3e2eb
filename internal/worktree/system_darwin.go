package worktree

import "golang.org/x/sys/unix"

// directoryFlags open a directory on the way to something else. A directory
// that may be searched but not read is unreadable here.
const directoryFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_NONBLOCK
