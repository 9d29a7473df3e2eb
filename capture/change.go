package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-algal/git-algal/capture/internal/gitbinary"
	"github.com/git-algal/git-algal/internal/fault"
)

const (
	// MaxFileBytes bounds each side of a changed file, in bytes. A bigger file
	// is never loaded: even if its change were small, both sides and what the
	// comparison needs would not fit in the 128 MiB that a capture may use.
	MaxFileBytes = 16 << 20

	// MaxTextLines bounds each side of a change that is compared line by line,
	// which takes about a hundred bytes a line. A file of more lines travels
	// as a binary patch, in which a small change is small as well.
	MaxTextLines = 1 << 18

	// binaryHead is how far git looks for a NUL to tell binary from text.
	binaryHead = 8000

	// noBlob stands in an index line for a side that does not exist.
	noBlob = "0000000000000000000000000000000000000000"
)

// A FileChange is what happened to one path between HEAD and the checkout. A
// side with mode 0 does not exist; its blob and content are empty.
type FileChange struct {
	Path                 string
	OldMode, NewMode     uint32 // as in a tree: 0o100644, 0o100755, 0o120000
	OldBlobID, NewBlobID string // 40 hexadecimal digits
	Old, New             []byte // as git stores them
}

// Patch returns the change as "git diff --no-ext-diff --no-textconv
// --no-renames --binary --full-index HEAD --" prints it: the same header, and
// for ordinary edits of text the same hunks. The text is valid UTF-8 as far as
// the path is, takes at most limit bytes, and leads with "git apply --binary"
// from exactly Old to exactly New; see the package comment for what is text.
//
// It fails with fault.OverBound when the change does not fit, mostly before
// the texts are compared, and with fault.Deadline or fault.Cancelled as soon
// as ctx is done.
func Patch(ctx context.Context, change FileChange, limit int) (string, error) {
	header := change.header()
	if bytes.Equal(change.Old, change.New) {
		return change.fit(header, limit)
	}
	if !isBinary(change.Old) && !isBinary(change.New) {
		if leastText(change.Old, change.New) > limit {
			return "", change.overBound(limit)
		}
		text, ok, err := change.text(ctx, limit-len(header))
		if err != nil {
			return "", change.failed(ctx, err, limit)
		}
		if ok {
			return change.fit(header+text, limit)
		}
	}
	section, err := gitbinary.Encode(ctx, change.Old, change.New, limit-len(header))
	if err != nil {
		return "", change.failed(ctx, err, limit)
	}
	return change.fit(header+section, limit)
}

func (c FileChange) fit(text string, limit int) (string, error) {
	if len(text) > limit {
		return "", c.overBound(limit)
	}
	return text, nil
}

func (c FileChange) overBound(limit int) error {
	return fault.New(fault.OverBound, "the change of %q takes more than the %d bytes that are left for it", c.Path, limit)
}

// errLong is returned inside the package when a text exceeds its limit.
var errLong = errors.New("longer than its limit")

// failed turns what stopped the writing of c into its fault.
func (c FileChange) failed(ctx context.Context, err error, limit int) error {
	switch {
	case errors.Is(err, errLong), errors.Is(err, gitbinary.ErrTooLong):
		return c.overBound(limit)
	case ctx.Err() != nil:
		return stopped(ctx)
	}
	return err
}

// stopped is the fault of a context that has ended.
func stopped(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.New(fault.Deadline, "the deadline passed while the change was captured")
	}
	return fault.New(fault.Cancelled, "cancelled while the change was captured")
}

// header returns the lines up to the content.
func (c FileChange) header() string {
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git %s %s\n", quoteName("a/"+c.Path), quoteName("b/"+c.Path))
	oldID, newID := c.OldBlobID, c.NewBlobID
	suffix := ""
	switch {
	case c.OldMode == 0:
		fmt.Fprintf(&b, "new file mode %06o\n", c.NewMode)
		oldID = noBlob
	case c.NewMode == 0:
		fmt.Fprintf(&b, "deleted file mode %06o\n", c.OldMode)
		newID = noBlob
	case c.OldMode != c.NewMode:
		fmt.Fprintf(&b, "old mode %06o\nnew mode %06o\n", c.OldMode, c.NewMode)
	default:
		suffix = fmt.Sprintf(" %06o", c.NewMode)
	}
	if oldID != newID {
		fmt.Fprintf(&b, "index %s..%s%s\n", oldID, newID, suffix)
	}
	return b.String()
}

// names returns the two lines that stand above text hunks. Git ends a name
// that holds a blank with a tab, for the sake of old readers.
func (c FileChange) names() string {
	label := func(prefix string, mode uint32) string {
		if mode == 0 {
			return "/dev/null"
		}
		name := quoteName(prefix + c.Path)
		if strings.Contains(name, " ") {
			name += "\t"
		}
		return name
	}
	return "--- " + label("a/", c.OldMode) + "\n+++ " + label("b/", c.NewMode) + "\n"
}

// isBinary tells binary from text as git does without attributes.
func isBinary(content []byte) bool {
	return bytes.IndexByte(content[:min(len(content), binaryHead)], 0) >= 0
}
