package capture_test

import (
	"bytes"
	"encoding/base64"
	"reflect"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// sample is an artifact with one change of each kind.
func sample(t testing.TB) capture.Artifact {
	t.Helper()
	before := []byte("one\ntwo\n")
	patch := patchOf(t, fileChange("a b", 0o100644, 0o100755, before, []byte("one\nTWO\nthree\n"))) +
		patchOf(t, fileChange("binary", 0o100644, 0o100644, []byte("\x00before"), []byte("\x00after"))) +
		patchOf(t, fileChange("gone", 0o100644, 0, before, nil)) +
		patchOf(t, fileChange("mode", 0o100644, 0o100755, before, before))
	encode := base64.StdEncoding.EncodeToString
	return capture.Artifact{
		Contract:   "algal.coding-patch.v1",
		SourceHead: strings.Repeat("1", 40), SourceTree: strings.Repeat("a", 40),
		SourceRawDigest: canon.DigestText("source"), WorkspaceRawDigest: canon.DigestText("workspace"),
		TrackedPatch: patch,
		Untracked: []capture.Untracked{
			{"crlf", "100644", encode([]byte("x\r\n"))},
			{"empty", "100644", ""},
			{"gone", "100755", encode([]byte("back\n"))},
		},
		StatusDigest: canon.DigestText("status"), ChangedFiles: 7, IgnoredFilesExcluded: true,
	}
}

func TestArtifactReadAndWritten(t *testing.T) {
	a := sample(t)
	text, err := a.Format()
	if err != nil {
		t.Fatal(err)
	}
	got, err := capture.ParseArtifact(text, len(text), 7)
	if err != nil || !reflect.DeepEqual(got, a) {
		t.Fatalf("got %+v, %v", got, err)
	}
	if digest, err := got.Digest(); err != nil || digest != canon.DigestText(text) {
		t.Errorf("digest %s, %v", digest, err)
	}
	for name, limits := range map[string][2]int{"bytes": {len(text) - 1, 7}, "files": {len(text), 6}} {
		if got, err := capture.ParseArtifact(text, limits[0], limits[1]); !fault.Is(err, fault.OverBound) || got.Contract != "" {
			t.Errorf("over the bound of %s: %v", name, err)
		}
	}
	a.Untracked = nil
	if text, err := a.Format(); err != nil || !bytes.Contains(text, []byte(`"untracked":[]`)) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestParseArtifactRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(*capture.Artifact)
		want   fault.Condition
	}{
		"contract":           {func(a *capture.Artifact) { a.Contract = "algal.coding-patch.v2" }, fault.Malformed},
		"short commit":       {func(a *capture.Artifact) { a.SourceHead = "1234" }, fault.Malformed},
		"upper case tree":    {func(a *capture.Artifact) { a.SourceTree = strings.Repeat("A", 40) }, fault.Malformed},
		"digest":             {func(a *capture.Artifact) { a.StatusDigest = "sha256:" }, fault.Malformed},
		"negative count":     {func(a *capture.Artifact) { a.ChangedFiles = -1; a.Untracked = nil }, fault.Malformed},
		"fewer than counted": {func(a *capture.Artifact) { a.ChangedFiles = 2 }, fault.Malformed},
		"ignored files":      {func(a *capture.Artifact) { a.IgnoredFilesExcluded = false }, fault.Malformed},
		"same path twice":    {func(a *capture.Artifact) { a.Untracked[1].Path = "crlf" }, fault.Malformed},
		"mode":               {func(a *capture.Artifact) { a.Untracked[0].Mode = "120000" }, fault.Malformed},
		"base 64":            {func(a *capture.Artifact) { a.Untracked[0].ContentBase64 = "eA0" }, fault.Malformed},
		"loose base 64":      {func(a *capture.Artifact) { a.Untracked[0].ContentBase64 = "eB==" }, fault.Malformed},
		"newline in base 64": {func(a *capture.Artifact) { a.Untracked[0].ContentBase64 = "eA0K\n" }, fault.Malformed},
		"absolute path":      {func(a *capture.Artifact) { a.Untracked[0].Path = "/etc/passwd" }, fault.UnsafePath},
		"path upwards":       {func(a *capture.Artifact) { a.Untracked[0].Path = "a/../../b" }, fault.UnsafePath},
		"path into git":      {func(a *capture.Artifact) { a.Untracked[0].Path = "a/.git/config" }, fault.UnsafePath},
		"empty path":         {func(a *capture.Artifact) { a.Untracked[0].Path = "" }, fault.UnsafePath},
		"directory":          {func(a *capture.Artifact) { a.Untracked[0].Path = "a/" }, fault.UnsafePath},
		"path too long":      {func(a *capture.Artifact) { a.Untracked[0].Path = strings.Repeat("p", 4097) }, fault.OverBound},
	} {
		a := sample(t)
		c.damage(&a)
		text, err := canon.Encode(a)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := capture.ParseArtifact(text, len(text), 64); !fault.Is(err, c.want) || got.Contract != "" {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	text, err := sample(t).Format()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"empty":          "",
		"unknown member": strings.Replace(string(text), `"changedFiles"`, `"extra":1,"changedFiles"`, 1),
		"missing member": strings.Replace(string(text), `"changedFiles":7,`, "", 1),
		"null":           strings.Replace(string(text), `"changedFiles":7`, `"changedFiles":null`, 1),
		"no list":        string(text[:bytes.Index(text, []byte(`"untracked"`))]) + `"untracked":{},"workspaceRawDigest":"` + string(canon.DigestText("")) + `"}`,
		"invalid UTF-8":  strings.Replace(string(text), "three", "thr\xffe", 1),
	} {
		if got, err := capture.ParseArtifact([]byte(text), 1<<20, 64); !fault.Is(err, fault.Malformed) || got.Contract != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestExportAndStat(t *testing.T) {
	a := sample(t)
	patch, err := capture.Export(a)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(patch, []byte(a.TrackedPatch)) {
		t.Error("the tracked patch does not come first")
	}
	if order := patch[len(a.TrackedPatch):]; bytes.Index(order, []byte("b/crlf")) > bytes.Index(order, []byte("b/empty")) {
		t.Error("the untracked files are in another order")
	}
	changes := []capture.FileChange{
		fileChange("a b", 0o100644, 0o100755, []byte("one\ntwo\n"), []byte("one\nTWO\nthree\n")),
		fileChange("binary", 0o100644, 0o100644, []byte("\x00before"), []byte("\x00after")),
		fileChange("gone", 0o100644, 0o100755, []byte("one\ntwo\n"), []byte("back\n")),
		fileChange("mode", 0o100644, 0o100755, []byte("one\ntwo\n"), []byte("one\ntwo\n")),
		fileChange("crlf", 0, 0o100644, nil, []byte("x\r\n")),
		fileChange("empty", 0, 0o100644, nil, nil),
	}
	survivesApply(t, changes, string(patch))

	got, err := capture.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	want := []capture.FileStat{
		{Path: "a b", OldMode: 0o100644, NewMode: 0o100755, Added: 2, Removed: 1},
		{Path: "binary", OldMode: 0o100644, NewMode: 0o100644, Binary: true, OldSize: 7, NewSize: 6},
		{Path: "gone", OldMode: 0o100644, Removed: 2},
		{Path: "mode", OldMode: 0o100644, NewMode: 0o100755},
		{Path: "crlf", NewMode: 0o100644, Binary: true, NewSize: 3},
		{Path: "empty", NewMode: 0o100644},
		{Path: "gone", NewMode: 0o100755, Added: 1},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}

	if patch, err := capture.Export(capture.Artifact{}); err != nil || len(patch) != 0 {
		t.Errorf("no change gives %q, %v", patch, err)
	}
	a.TrackedPatch = "no patch\n"
	if stats, err := capture.Stat(a); !fault.Is(err, fault.Malformed) || stats != nil {
		t.Errorf("a patch of no known form: %v", err)
	}
}

func FuzzParseArtifact(f *testing.F) {
	text, err := sample(f).Format()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(bytes.Replace(text, []byte("crlf"), []byte("../x"), 1))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := capture.ParseArtifact(text, 1<<20, 64)
		if err != nil {
			if !reflect.DeepEqual(a, capture.Artifact{}) {
				t.Fatal("an error comes with a value")
			}
			return
		}
		canonical, err := canon.Canonicalize(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := a.Format(); err != nil || !bytes.Equal(got, canonical) {
			t.Fatalf("written as %s, %v", got, err)
		}
		if _, err := capture.Export(a); err != nil {
			t.Fatal(err)
		}
	})
}
