package capture

import (
	"context"
	"crypto/sha1" // the name that git gives a blob, not a protection
	"encoding/hex"
	"fmt"
	"math"
)

// Export returns the artifact as one patch that "git apply --binary" takes on
// a checkout of its source: the tracked changes first, then each untracked
// file as a new one, in the artifact's order. An artifact without changes
// gives no bytes. It fails with fault.Malformed where the artifact does.
func Export(a Artifact) ([]byte, error) {
	patch := []byte(a.TrackedPatch)
	for _, u := range a.Untracked {
		change, err := u.change()
		if err != nil {
			return nil, err
		}
		text, err := Patch(context.Background(), change, math.MaxInt32)
		if err != nil {
			return nil, err
		}
		patch = append(patch, text...)
	}
	return patch, nil
}

// change is the file as the addition that it is.
func (u Untracked) change() (FileChange, error) {
	content, err := u.Content()
	if err != nil {
		return FileChange{}, err
	}
	mode, err := u.mode()
	if err != nil {
		return FileChange{}, err
	}
	return FileChange{Path: u.Path, NewMode: mode, NewBlobID: blobID(content), New: content}, nil
}

// blobID returns the name of the blob that holds content.
func blobID(content []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(content))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}
