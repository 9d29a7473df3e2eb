package local

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// openTerminal returns the two ends of a new pseudo terminal. It changes no
// line end, so that what is kept is what the agent wrote. The reader's end does
// not block the program: closing it ends a read.
func openTerminal() (reader, agent *os.File, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, noTerminal(err)
	}
	reader = os.NewFile(uintptr(fd), "/dev/ptmx")
	agent, err = openAgentEnd(fd)
	if err != nil {
		return nil, nil, noTerminal(errors.Join(err, reader.Close()))
	}
	return reader, agent, nil
}

func openAgentEnd(fd int) (*os.File, error) {
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, err
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, err
	}
	agent, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	settings, err := unix.IoctlGetTermios(int(agent.Fd()), unix.TCGETS)
	if err == nil {
		settings.Oflag &^= unix.ONLCR
		err = unix.IoctlSetTermios(int(agent.Fd()), unix.TCSETS, settings)
	}
	if err != nil {
		return nil, errors.Join(err, agent.Close())
	}
	return agent, nil
}

func noTerminal(err error) error {
	return fault.New(fault.HostFailed, "no terminal can be made for the agent: %w", err)
}
