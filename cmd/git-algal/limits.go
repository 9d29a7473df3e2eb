//go:build linux || darwin

package main

import (
	"math"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

const (
	flagRuntime = "max-runtime"
	flagOutput  = "max-output"
	flagPatch   = "max-patch"
	flagFiles   = "max-files"
)

// limitFlags return the flags of a job's limits. Their defaults are the
// maxima: a paid run is not lost to a small bound.
func limitFlags() []cli.Flag {
	largest := jobs.LargestLimits()
	return []cli.Flag{
		&cli.DurationFlag{Name: flagRuntime, Value: largest.Runtime(), Usage: "end the call and the capture after `DURATION`"},
		&cli.StringFlag{Name: flagOutput, Value: size(largest.MaxOutputBytes), Usage: "take an answer of at most `SIZE`"},
		&cli.StringFlag{Name: flagPatch, Value: size(largest.MaxPatchBytes), Usage: "take a patch of at most `SIZE`"},
		&cli.IntFlag{Name: flagFiles, Value: largest.MaxChangedFiles, Usage: "take a change of at most `N` files"},
	}
}

// limits returns base with the limits that the flags set. Errors are
// fault.Usage; whether the limits are within bounds is not looked at.
func (in *invocation) limits(base jobs.Limits) (jobs.Limits, error) {
	if in.flags.IsSet(flagRuntime) {
		runtime := in.flags.Duration(flagRuntime)
		if runtime%time.Millisecond != 0 || runtime < 0 {
			return jobs.Limits{}, fault.New(fault.Usage, "flag %q is %v, which is no whole number of milliseconds", dashed(flagRuntime), runtime)
		}
		base.MaxRuntimeMs = int(runtime / time.Millisecond)
	}
	if in.flags.IsSet(flagFiles) {
		base.MaxChangedFiles = in.flags.Int(flagFiles)
	}
	for _, f := range []struct {
		flag  string
		limit *int
	}{
		{flagOutput, &base.MaxOutputBytes},
		{flagPatch, &base.MaxPatchBytes},
	} {
		if !in.flags.IsSet(f.flag) {
			continue
		}
		bytes, err := parseSize(in.flags.String(f.flag))
		if err != nil {
			return jobs.Limits{}, fault.New(fault.Usage, "flag %q is %q, which is no size such as 512KiB", dashed(f.flag), in.flags.String(f.flag))
		}
		*f.limit = bytes
	}
	return base, nil
}

// parseSize reads a number of bytes: 65536, 64KiB (1,024 bytes each) or 64KB
// (1,000 bytes each).
func parseSize(text string) (int, error) {
	bytes, err := humanize.ParseBytes(text)
	if err != nil {
		return 0, err
	}
	return int(min(bytes, math.MaxInt32)), nil
}

// size returns a number of bytes as a person writes it, 1MiB for instance, and
// exact: parseSize reads the same number.
func size(bytes int) string {
	const kibi, mebi = 1 << 10, 1 << 20
	switch {
	case bytes%mebi == 0:
		return humanize.Comma(int64(bytes/mebi)) + "MiB"
	case bytes%kibi == 0:
		return humanize.Comma(int64(bytes/kibi)) + "KiB"
	}
	return humanize.Comma(int64(bytes)) + "B"
}
