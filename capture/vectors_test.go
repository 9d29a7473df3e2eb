package capture_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/capture"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// otherText names the vectors whose patch says the same in other words.
var otherText = map[string]string{
	"binary-modified": "the deflate library writes other bytes than git's",
}

func TestPatchVectors(t *testing.T) {
	text, err := os.ReadFile("../testdata/vectors/patches.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Preamble string
		Cases    []struct {
			Name, Recipe, Edit, Head string
			RunReason                string
			Patch                    *struct{ TrackedPatch string }
			PatchCanonical           string
			PatchRef                 canon.Digest
		}
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range vectors.Cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			work := newCheckout(t)
			work.bash(t, vectors.Preamble+"\n"+c.Recipe)
			source := work.source(t)
			if source.Head != c.Head {
				t.Fatalf("HEAD is %s, want %s", source.Head, c.Head)
			}
			work.bash(t, vectors.Preamble+"\n"+c.Edit)
			got, err := work.capture(t, source, largest)
			if c.Patch == nil {
				_, code, _ := strings.Cut(c.RunReason, ":")
				if string(fault.CodeOf(err)) != code {
					t.Errorf("got %v, want %s", err, code)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if reason, other := otherText[c.Name]; other {
				if got.Artifact.TrackedPatch == c.Patch.TrackedPatch {
					t.Errorf("the text is git's, although %s", reason)
				}
				if !strings.HasPrefix(got.Artifact.TrackedPatch, c.Patch.TrackedPatch[:strings.Index(c.Patch.TrackedPatch, "literal")]) {
					t.Errorf("another header: %q", got.Artifact.TrackedPatch)
				}
				got.Artifact.TrackedPatch = c.Patch.TrackedPatch
			}
			canonical, err := got.Artifact.Format()
			if err != nil || string(canonical) != c.PatchCanonical {
				t.Errorf("got  %s\nwant %s\n%v", canonical, c.PatchCanonical, err)
			}
			if digest, err := got.Artifact.Digest(); err != nil || digest != c.PatchRef {
				t.Errorf("digest %s, %v", digest, err)
			}
			parsed, err := capture.ParseArtifact([]byte(c.PatchCanonical), len(c.PatchCanonical), parsedFiles(t, c.PatchCanonical))
			if err != nil {
				t.Fatal(err)
			}
			if again, err := parsed.Format(); err != nil || string(again) != c.PatchCanonical {
				t.Errorf("parsed and written again: %s, %v", again, err)
			}
			if _, err := capture.Stat(parsed); err != nil {
				t.Errorf("git's patch cannot be read: %v", err)
			}
		})
	}
}

func parsedFiles(t *testing.T, artifact string) int {
	t.Helper()
	var record struct{ ChangedFiles int }
	if err := json.Unmarshal([]byte(artifact), &record); err != nil {
		t.Fatal(err)
	}
	return record.ChangedFiles
}

// unreadable names the stores whose patch no git apply would take: the other
// host let the user's configuration reach it.
var unreadable = map[string]string{
	"e-git-config-hooks":    "color.ui",
	"e-git-config-noprefix": "diff.noprefix",
}

// TestStoredArtifacts reads every artifact that another host stored.
func TestStoredArtifacts(t *testing.T) {
	files, err := filepath.Glob("../testdata/vectors/stores/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var store struct {
			Cases []struct {
				Scenario   string
				FinalStore struct{ Files map[string]string }
			}
		}
		if err := json.Unmarshal(text, &store); err != nil {
			t.Fatal(err)
		}
		for _, c := range store.Cases {
			for name, text := range c.FinalStore.Files {
				if !strings.HasPrefix(name, "values/") || !strings.Contains(text, `"contract":"algal.coding-patch.v1"`) || strings.Contains(text, `"terminal":`) {
					continue
				}
				found++
				artifact, err := capture.ParseArtifact([]byte(text), 1_048_576, 64)
				if err != nil {
					t.Errorf("%s: %v", c.Scenario, err)
					continue
				}
				if digest, err := artifact.Digest(); err != nil || name != "values/"+digest.Hex()+".json" {
					t.Errorf("%s: %s has digest %s, %v", c.Scenario, name, digest, err)
				}
				_, err = capture.Stat(artifact)
				if _, damaged := unreadable[c.Scenario]; damaged != fault.Is(err, fault.Malformed) || !damaged && err != nil {
					t.Errorf("%s: %v", c.Scenario, err)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d artifacts found", found)
	}
}
