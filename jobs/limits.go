package jobs

import (
	"time"

	"github.com/git-algal/git-algal/internal/fault"
)

// The bounds and defaults of an admitted job's limits (contract section 2).
// The defaults apply where an options object leaves a limit out; the command
// line has its own.
const (
	MinRuntimeMs     = 1_000   // milliseconds: below it no adapter call can be told from a failure
	MaxRuntimeMs     = 600_000 // milliseconds: the protocol's longest call
	DefaultRuntimeMs = 600_000

	MinOutputBytes     = 1_024     // bytes: an outcome's proof metadata must fit
	MaxOutputBytes     = 1_048_576 // bytes: the protocol's largest outcome
	DefaultOutputBytes = 262_144

	MinPatchBytes     = 1_024     // bytes: an empty artifact must fit
	MaxPatchBytes     = 1_048_576 // bytes: what a person can still review, and a value can hold
	DefaultPatchBytes = 262_144

	MinChangedFiles     = 1
	MaxChangedFiles     = 64 // status entries
	DefaultChangedFiles = 32
)

// Limits bound one job; they are part of what is admitted.
type Limits struct {
	MaxRuntimeMs    int
	MaxOutputBytes  int
	MaxPatchBytes   int
	MaxChangedFiles int
}

// DefaultLimits returns the contract's defaults.
func DefaultLimits() Limits {
	return Limits{DefaultRuntimeMs, DefaultOutputBytes, DefaultPatchBytes, DefaultChangedFiles}
}

// LargestLimits returns the maxima, the defaults of the command line: a paid
// run is not lost to a small bound.
func LargestLimits() Limits {
	return Limits{MaxRuntimeMs, MaxOutputBytes, MaxPatchBytes, MaxChangedFiles}
}

// Runtime returns the deadline of one adapter call and the capture after it.
func (l Limits) Runtime() time.Duration { return time.Duration(l.MaxRuntimeMs) * time.Millisecond }

// limitsText is Limits as they are read, each one optional; written are all.
type limitsText struct {
	MaxRuntimeMs    *int `json:"maxRuntimeMs,omitzero"`
	MaxOutputBytes  *int `json:"maxOutputBytes,omitzero"`
	MaxPatchBytes   *int `json:"maxPatchBytes,omitzero"`
	MaxChangedFiles *int `json:"maxChangedFiles,omitzero"`
}

// limits returns the limits with defaults filled in; nil means all of them.
func (t *limitsText) limits() (Limits, error) {
	l := DefaultLimits()
	if t == nil {
		return l, nil
	}
	for _, limit := range []struct {
		from *int
		to   *int
	}{
		{t.MaxRuntimeMs, &l.MaxRuntimeMs},
		{t.MaxOutputBytes, &l.MaxOutputBytes},
		{t.MaxPatchBytes, &l.MaxPatchBytes},
		{t.MaxChangedFiles, &l.MaxChangedFiles},
	} {
		if limit.from != nil {
			*limit.to = *limit.from
		}
	}
	return l, l.Validate()
}

func (l Limits) text() *limitsText {
	return &limitsText{&l.MaxRuntimeMs, &l.MaxOutputBytes, &l.MaxPatchBytes, &l.MaxChangedFiles}
}

// Validate returns a fault.Malformed error that names the limit out of bounds.
func (l Limits) Validate() error {
	for _, limit := range []struct {
		name          string
		value, lo, hi int
	}{
		{"maxRuntimeMs", l.MaxRuntimeMs, MinRuntimeMs, MaxRuntimeMs},
		{"maxOutputBytes", l.MaxOutputBytes, MinOutputBytes, MaxOutputBytes},
		{"maxPatchBytes", l.MaxPatchBytes, MinPatchBytes, MaxPatchBytes},
		{"maxChangedFiles", l.MaxChangedFiles, MinChangedFiles, MaxChangedFiles},
	} {
		if limit.value < limit.lo || limit.value > limit.hi {
			return fault.New(fault.Malformed, "limit %q is %d, outside %d..%d", limit.name, limit.value, limit.lo, limit.hi)
		}
	}
	return nil
}
