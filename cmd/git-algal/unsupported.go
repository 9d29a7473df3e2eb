//go:build !linux && !darwin

package main

import (
	"fmt"
	"os"
	"runtime"
)

// Leases, directory syncs and reads that no swapped path can mislead are
// written for two systems; elsewhere nothing could be promised.
func main() {
	fmt.Fprintf(os.Stderr, "git-algal: refused: it runs on Linux and macOS, not on %s [IO_FAILED]\n", runtime.GOOS)
	os.Exit(1)
}
