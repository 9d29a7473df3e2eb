package custody

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// sweep ends every descendant of this process that it can see. Descendants born
// meanwhile are missed, and become children when their parents die; so it is
// repeated until the kernel says that there is no child.
func sweep() {
	self := os.Getpid()
	children := map[int][]int{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if parent, err := parentOf(pid); err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	// The tree is acyclic at each moment but was read over some; seen keeps the
	// walk finite.
	seen := map[int]bool{self: true}
	for next := []int{self}; len(next) > 0; next = next[1:] {
		for _, pid := range children[next[0]] {
			if !seen[pid] {
				seen[pid] = true
				strikeDown(pid, next[0])
				next = append(next, pid)
			}
		}
	}
}

// strikeDown kills pid if it still is a child of parent, or an orphan that came
// to this process. Its number may have been given to somebody else meanwhile;
// the pidfd is taken before the parent is looked at, and names one process.
func strikeDown(pid, parent int) {
	pidfd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return
	}
	defer unix.Close(pidfd)
	if now, err := parentOf(pid); err == nil && (now == parent || now == os.Getpid()) {
		_ = unix.PidfdSendSignal(pidfd, unix.SIGKILL, nil, 0)
	}
}

// parentOf returns the parent of pid.
func parentOf(pid int) (int, error) {
	text, err := statField(pid, statParent)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}
