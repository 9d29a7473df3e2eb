package capture

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// prove applies the patch of a change, as text, in memory to its old side and
// compares the result with the new side. What cannot be proved is never
// published: an error means that this package, not the workspace, is at fault,
// so it is fault.HostFailed.
func (c FileChange) prove(patch string) error {
	sections, err := parsePatch(patch)
	if err == nil && len(sections) != 1 {
		err = fmt.Errorf("%d files instead of one", len(sections))
	}
	if err == nil {
		err = sections[0].prove(c)
	}
	if err != nil {
		return fault.New(fault.HostFailed, "the patch of %q does not lead to its content: %w", c.Path, err)
	}
	return nil
}

func (s fileSection) prove(c FileChange) error {
	if s.path != c.Path || s.oldMode != c.OldMode || s.newMode != c.NewMode {
		return fmt.Errorf("another path or mode")
	}
	if s.oldID != "" && (s.oldID != orNoBlob(c.OldBlobID) || s.newID != orNoBlob(c.NewBlobID)) {
		return fmt.Errorf("other blobs")
	}
	after, err := s.apply(c.Old)
	if err != nil {
		return err
	}
	if !bytes.Equal(after, c.New) {
		return fmt.Errorf("other content")
	}
	if s.binary {
		before, err := s.reverse.Apply(c.New, len(c.Old))
		if err != nil {
			return err
		}
		if !bytes.Equal(before, c.Old) {
			return fmt.Errorf("other content on the way back")
		}
	}
	return nil
}

func orNoBlob(id string) string {
	if id == "" {
		return noBlob
	}
	return id
}

// apply returns what the section makes of old. Hunks apply at exactly the
// lines they name; nothing is searched for.
func (s fileSection) apply(old []byte) ([]byte, error) {
	if s.binary {
		return s.forward.Apply(old, MaxFileBytes)
	}
	if len(s.hunks) == 0 {
		return old, nil
	}
	lines := splitLines(old)
	var b strings.Builder
	b.Grow(len(old))
	done, written := 0, 0 // lines taken from old, lines written
	for _, h := range s.hunks {
		start := h.oldStart - 1
		if h.oldCount == 0 {
			start = h.oldStart
		}
		newStart := h.newStart - 1
		if h.newCount == 0 {
			newStart = h.newStart
		}
		if start < done || start+h.oldCount > len(lines) || newStart != written+start-done {
			return nil, fmt.Errorf("a hunk stands where it cannot")
		}
		for ; done < start; done++ {
			b.WriteString(lines[done])
		}
		written = newStart + h.newCount
		for _, line := range h.lines {
			if line.op != inserted {
				if lines[done] != line.text {
					return nil, fmt.Errorf("a hunk does not fit its text")
				}
				done++
			}
			if line.op != deleted {
				b.WriteString(line.text)
			}
		}
	}
	for ; done < len(lines); done++ {
		b.WriteString(lines[done])
	}
	return []byte(b.String()), nil
}
