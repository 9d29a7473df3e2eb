//go:build !linux

package local

import (
	"os"

	"github.com/git-algal/git-algal/internal/fault"
)

// openTerminal refuses: terminals are made on Linux alone.
func openTerminal() (reader, agent *os.File, err error) {
	return nil, nil, fault.New(fault.UnsupportedSystem, "no terminal can be made for an agent on this system").
		WithNext("define the agent without a terminal")
}
