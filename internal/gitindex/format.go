package gitindex

import (
	"crypto/sha1"
	"encoding/binary"
)

// Format returns the entries as an index file without extensions, in version
// 3, which every git reads. With blank set it holds nothing that git could
// take for knowledge about files, so that git reads every one of them again;
// flags are left out then.
func Format(entries []Entry, blank bool) []byte {
	const version = 3
	text := []byte(signature)
	text = binary.BigEndian.AppendUint32(text, version)
	text = binary.BigEndian.AppendUint32(text, uint32(len(entries)))
	for i := range entries {
		e := entries[i]
		if blank {
			e = Entry{Path: e.Path, Mode: e.Mode, ID: e.ID, Stage: e.Stage}
		}
		text = e.append(text)
	}
	sum := sha1.Sum(text)
	return append(text, sum[:]...)
}

func (e *Entry) append(text []byte) []byte {
	begin := len(text)
	for _, field := range [...]uint32{
		e.CTime.Sec, e.CTime.Nsec, e.MTime.Sec, e.MTime.Nsec,
		e.Dev, e.Ino, e.Mode, e.UID, e.GID, e.Size,
	} {
		text = binary.BigEndian.AppendUint32(text, field)
	}
	text = append(text, e.ID[:]...)

	flags := uint16(e.Stage)<<stageShift | uint16(min(len(e.Path), nameLenMask))
	if e.AssumeValid {
		flags |= flagAssumeValid
	}
	var extended uint16
	if e.SkipWorktree {
		extended |= extSkipWorktree
	}
	if e.IntentToAdd {
		extended |= extIntentToAdd
	}
	if extended != 0 {
		flags |= flagExtended
	}
	text = binary.BigEndian.AppendUint16(text, flags)
	if extended != 0 {
		text = binary.BigEndian.AppendUint16(text, extended)
	}
	text = append(text, e.Path...)
	return append(text, make([]byte, padding-(len(text)-begin)%padding)...)
}
