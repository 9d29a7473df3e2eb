package capture

// A FileStat says how much of one path an artifact changes.
type FileStat struct {
	Path             string
	OldMode, NewMode uint32 // 0 where the path does not exist

	// Added and Removed count lines; 0 for binary content.
	Added, Removed int

	// Binary says that the content travels as a binary patch. OldSize and
	// NewSize are then the sizes of both sides in bytes.
	Binary           bool
	OldSize, NewSize int
}

// Stat returns how much of each path the artifact changes, in the order of
// [Export]. A path that git forgot and that lies there untracked stands twice:
// deleted and new. It fails with fault.Malformed where the patch is not of the
// form that this package and git diff write.
func Stat(a Artifact) ([]FileStat, error) {
	patch, err := Export(a)
	if err != nil {
		return nil, err
	}
	sections, err := parsePatch(string(patch))
	if err != nil {
		return nil, err
	}
	stats := make([]FileStat, len(sections))
	for i, s := range sections {
		stats[i] = FileStat{Path: s.path, OldMode: s.oldMode, NewMode: s.newMode, Binary: s.binary}
		for _, h := range s.hunks {
			for _, line := range h.lines {
				switch line.op {
				case inserted:
					stats[i].Added++
				case deleted:
					stats[i].Removed++
				}
			}
		}
		if !s.binary {
			continue
		}
		if stats[i].NewSize, err = s.forward.TargetSize(); err == nil {
			stats[i].OldSize, err = s.reverse.TargetSize()
		}
		if err != nil {
			return nil, malformedPatch(len(patch), err)
		}
	}
	return stats, nil
}
