package capture

import (
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	const letters = "HPK-+O" // by kind
	text, binary := edited(), edited()
	text.Old = []byte("-- x\n++ y\nkept\ndiff --git a/z b/z\n@@ -1 +1 @@\nlast")
	text.New = []byte("-- z\n++ w\nkept\nGIT binary patch\n\\ odd\n")
	text.OldBlobID, text.NewBlobID = blobID(text.Old), blobID(text.New)
	binary.New = append([]byte{0}, binary.New...)
	for name, c := range map[string]struct{ patch, want string }{
		"text":   {mustPatch(t, text), "HHHH" + "P" + "--++" + "K" + "---O++"},
		"binary": {mustPatch(t, binary), "HH" + strings.Repeat("O", strings.Count(mustPatch(t, binary), "\n")-2)},
		"mode":   {mustPatch(t, FileChange{Path: "f", OldMode: modeFile, NewMode: modeExecutable}), "HHH"},
		"both":   {mustPatch(t, binary) + mustPatch(t, text), "HH" + strings.Repeat("O", strings.Count(mustPatch(t, binary), "\n")-2) + "HHHHP--++K---O++"},
		"no end": {"+x", "H"}, "nothing": {"", ""}, "no place": {"@@ -x\n", "H"},
	} {
		var got, whole strings.Builder
		for line, kind := range Lines(c.patch) {
			got.WriteByte(letters[kind])
			whole.WriteString(line)
		}
		if got.String() != c.want || whole.String() != c.patch {
			t.Errorf("%s: got %s, want %s\n%s", name, got.String(), c.want, c.patch)
		}
	}
	for range Lines("a\nb\n") {
		break // and nothing more is yielded
	}
}
